"""Rooms on the command line and in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from turnwright.app.options import ServeOptions
from turnwright.app.rooms import RoomSetup
from turnwright.cli.parser import parse
from turnwright.cli.rooms import FILE_BYTES_MAX
from turnwright.cli.serve import rooms_of, secrets_of
from turnwright.errors import SetupError


def rooms(*words: str) -> list[RoomSetup]:
    command = parse(["serve", "--game", "countdown", *words])
    assert not isinstance(command, int)
    return rooms_of(command.given, secrets_of(command.given))


def described(folder: Path, text: str, *words: str) -> dict[str, RoomSetup]:
    """Return the rooms of a file, by name."""
    file = folder / "class.toml"
    file.write_text(text, encoding="utf-8")
    return {room.name: room for room in rooms("--rooms", str(file), *words)}


def test_rooms_are_named_with_their_games_in_order() -> None:
    found = rooms("--rooms", "duel, school=snake,melee=countdown", "--tps", "60")
    assert [(one.name, one.game) for one in found] == [
        ("duel", "countdown"),
        ("school", "snake"),
        ("melee", "countdown"),
    ]
    assert [type(one.options) for one in found] == [ServeOptions] * 3
    assert [one.options.tps for one in found] == [60, 60, 60]
    assert rooms() == []


def test_a_room_that_names_no_game_has_that_of_the_server() -> None:
    assert [one.game for one in rooms("--game", "snake", "--rooms", "a,b=countdown")] == [
        "snake",
        "countdown",
    ]


def test_a_section_of_a_file_has_the_options_of_a_server(tmp_path: Path) -> None:
    found = described(
        tmp_path,
        """
        [duel]
        debug-mode = false
        bots = [".", "/"]

        [school]
        game = "snake"
        tps = -1
        turn-timeout = "2s"
        max-bots = 30
        max-room-memory = "100MiB"
        settings = { width = 30, height = 20 }
        """,
        "--tps=60",
        "--max-skipped=5",
    )
    duel, school = found["duel"].options, found["school"].options
    assert (duel.debug_mode, duel.tps) == (False, 60)
    assert duel.bots == (Path("."), Path("/"))
    assert (found["school"].game, school.tps, school.turn_timeout_cap_us) == ("snake", -1, 2_000_000)
    assert (school.bots_max, school.room_memory_mib_max) == (30, 100)
    assert dict(school.settings) == {"width": 30, "height": 20}
    assert {one.max_skipped for one in (duel, school)} == {5}


def test_each_room_has_its_own_folder_for_records_or_the_one_it_names(tmp_path: Path) -> None:
    own = tmp_path / "own"
    found = described(tmp_path, f'[a]\n[b]\nrecords = "{own}"', "--records", str(tmp_path / "all"))
    assert [one.options.records for one in found.values()] == [tmp_path / "all" / "a", own]


def test_a_room_can_turn_off_an_option_of_the_command_line(tmp_path: Path) -> None:
    words = ("--records", str(tmp_path), "--record-required")
    found = described(tmp_path, "[a]\nrecord-required = false\n[b]\n[c]\nrecord-required = true", *words)
    assert [one.options.record_required for one in found.values()] == [False, True, True]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tps = 5", "tps .*\\[NAME OF A ROOM\\]"),
        ("[a]\ntsp = 5", r"class.toml, \[a\]: .*no .*--tsp"),
        ("[a]\ntps = 5000", "room a.*tps.* 5000"),
        ('[a]\ntps = "many"', r"\[a\].*'many'.*whole number"),
        ("[a]\nport = 7000", "port .*whole server.*command line"),
        ('[a]\nbot-secrets = "s"', "bot-secrets .*whole server"),
        ('[a]\norigin = "https://a"', "origin .*whole server"),
        ("[a]\nlan = true", "lan .*whole server.*command line"),
        ('[a]\nrooms = "b"', "rooms .*whole server"),
        ("[a]\nhelp = true", "help .*room"),
        ("[a]\ntps = {x = 1}", "tps .*{'x': 1}.*text.*number.*true.*list"),
        ("[a]\nsettings = {day = 1979-05-27}", "day .*JSON"),
        ("[a", "class.toml .*TOML"),
        ("", "class.toml, .*each room a section"),
        ("#" * (FILE_BYTES_MAX + 1), "1,000,000 bytes"),
    ],
)
def test_a_file_with_a_mistake_is_refused_in_one_line(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=words) as caught:
        described(tmp_path, text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (",", "--rooms is ','.*give names"),
        ("a,,b", "--rooms is 'a,,b'.*give names"),
        ("gone.toml", "--rooms gone.toml: .*give a file"),
    ],
)
def test_rooms_that_are_not_there_are_refused(given: Any, words: str) -> None:
    with pytest.raises(SetupError, match=words):
        rooms("--rooms", given)


def test_a_file_of_the_greatest_length_is_read(tmp_path: Path) -> None:
    head = "[a]\n#"
    assert list(described(tmp_path, head + "x" * (FILE_BYTES_MAX - len(head)))) == ["a"]
