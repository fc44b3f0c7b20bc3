"""The identity of a bot, and the game as it knows it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from turnwright.errors import SetupError
from turnwright_tank.bots import Bot, identity
from turnwright_tank.bots.identity import BotIdentity, GameInfo, initial_position, read_identity
from turnwright_tank.settings import SETTINGS
from turnwright_tank.wire.royale.setup import preset


class Plain(Bot):
    pass


class Named(Bot):
    name = "Named bot"
    version = "2.1"
    authors = "Ann, Bob"
    is_droid = True


def test_a_bot_without_any_description_is_named_as_its_class(tmp_path: Path) -> None:
    assert read_identity(Plain, {}, tmp_path) == BotIdentity(name="Plain")


def test_class_attributes_count(tmp_path: Path) -> None:
    found = read_identity(Named, {}, tmp_path)
    assert (found.name, found.version, found.authors, found.is_droid) == (
        "Named bot", "2.1", ("Ann", "Bob"), True,
    )  # fmt: skip


def test_the_json_file_wins_over_the_class_and_the_environment_over_the_file(tmp_path: Path) -> None:
    described = {"name": "Filed", "version": "3", "countryCodes": ["dk"], "initialPosition": "1,2,3"}
    (tmp_path / "Named.json").write_text(json.dumps(described))
    found = read_identity(Named, {"BOT_NAME": "Booted", "BOT_GAME_TYPES": "1v1, melee"}, tmp_path)
    assert (found.name, found.version, found.authors) == ("Booted", "3", ("Ann", "Bob"))
    assert (found.country_codes, found.game_types, found.initial_position) == (
        ("dk",),
        ("1v1", "melee"),
        "1,2,3",
    )


def test_teams_come_from_the_environment(tmp_path: Path) -> None:
    found = read_identity(Plain, {"TEAM_ID": "7", "TEAM_NAME": "Ours", "TEAM_VERSION": "1"}, tmp_path)
    assert (found.team_id, found.team_name, found.team_version) == (7, "Ours", "1")


def test_blank_variables_count_as_absent(tmp_path: Path) -> None:
    assert read_identity(Plain, {"TEAM_ID": " ", "BOT_NAME": ""}, tmp_path).name == "Plain"


@pytest.mark.parametrize(
    "text", ["{", "[1]", '"x"', '{"authors":' + "[" * 600 + "]" * 600 + "}", "[" * 100_000]
)
def test_a_broken_json_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "Plain.json").write_text(text)
    with pytest.raises(SetupError, match=r"Plain\.json"):
        read_identity(Plain, {}, tmp_path)


def test_an_invalid_team_id_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="TEAM_ID"):
        read_identity(Plain, {"TEAM_ID": "red"}, tmp_path)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("1,2,3", (1.0, 2.0, 3.0)),
        ("1 2 3", (1.0, 2.0, 3.0)),
        (" 10.5 , , 90", (10.5, None, 90.0)),
        (",,45", (None, None, 45.0)),
        ("1", (1.0, None, None)),
        ("", None),
        (None, None),
        ("x,y,z", None),
    ],
)
def test_initial_positions_may_have_blank_parts(text: str | None, position: object) -> None:
    assert initial_position(text) == position


def test_missing_and_empty_values_take_the_classic_ones() -> None:
    assert GameInfo.of({"arena_width": None}) == GameInfo()


def test_teammates_become_a_tuple() -> None:
    assert GameInfo.of({"teammate_ids": [3, 4]}).teammate_ids == (3, 4)


def test_a_setup_tells_the_arena_and_the_times() -> None:
    setup = preset("melee")
    setup.turn_timeout = 5
    info = GameInfo.of_setup(msgspec.to_builtins(setup), 3, (4,), {3: "Ann 1"})
    assert (info.my_id, info.game_type, info.teammate_ids, info.bot_names) == (3, "melee", (4,), {3: "Ann 1"})
    assert (info.arena_width, info.arena_height, info.turn_timeout_us) == (1000, 1000, 5)


def test_a_setting_that_only_our_server_has_may_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = tuple(replace(one, is_ours=one.name == "max_inactivity_turns") for one in SETTINGS)
    monkeypatch.setattr(identity, "SETTINGS", ours)
    setup = msgspec.to_builtins(preset("melee"))
    del setup["maxInactivityTurns"]
    assert GameInfo.of_setup(setup, 1) == GameInfo(
        my_id=1, game_type="melee", arena_width=1000, arena_height=1000
    )
    del setup["arenaWidth"]
    with pytest.raises(KeyError):
        GameInfo.of_setup(setup, 1)
