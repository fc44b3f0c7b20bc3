"""Each format and each way to end, with fast bots, then with tanks, teams and sandboxes."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from packages.core.tests.app.bots import PLAYS, dice_game, write_bot, write_team
from packages.league.tests.app.playing import facts, play, play_on
from turnwright.errors import SetupError
from turnwright.net.sandbox.level import ability
from turnwright_league.app import run as running
from turnwright_league.app.battle_queue import ATTEMPTS_MAX
from turnwright_league.app.check import verify_tournament
from turnwright_league.app.store import ResultStore
from turnwright_league.app.tournament import RULES, RunProgress, rules_from, rules_text
from turnwright_league.tournament.pairings import PairingRules
from turnwright_league.tournament.played_battle import PlayedBattle

pytestmark = pytest.mark.process

ALL = ("Low", "High", "Middle", "Mortal")
LONG_ENOUGH = {"turns": 60}
"""Battles in which the bids decide, not the dice."""


@pytest.fixture
def game(tmp_path: Path) -> str:
    return dice_game(tmp_path / "dice")


def seats(battles: Sequence[PlayedBattle]) -> set[int]:
    return {len(battle.spec.seats) for battle in battles}


def jumping_clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Give runs a clock that is ahead by the one value of the list, seconds."""
    ahead = [0.0]
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + ahead[0], time_ns=time.time_ns)
    monkeypatch.setattr(running, "time", clock)
    return ahead


def test_a_melee_seats_all_entries_or_groups_beyond_the_seats(folder: Path, game: str) -> None:
    found, _ = play(folder, *ALL, game=game, format="melee", battles=3, settings=LONG_ENOUGH)
    assert (len(facts(found)), seats(list(found.battles()))) == (3, {4})
    assert [row.name for row in found.standings][0::3] == ["High", "Low"]
    assert [row.battles for row in found.standings] == [3] * 4
    assert verify_tournament(folder).ok


@pytest.mark.long
def test_a_melee_of_more_than_the_seats_gives_each_as_many_battles(folder: Path, game: str) -> None:
    found, _ = play(folder, *ALL, game=game, format="melee", seats=3, battles=4)
    assert seats(list(found.battles())) == {3}
    assert {row.battles for row in found.standings} == {6}, "4 cycles of 4 bots, 6 places each"
    assert verify_tournament(folder).ok


def test_a_melee_that_an_earlier_version_began_is_played_as_it_began() -> None:
    class Kept(ResultStore):
        def __init__(self, rules: str) -> None:
            self.rules = rules

        def meta(self) -> dict[str, str]:
            return {RULES: self.rules}

    rules = PairingRules("snake", 7, "{}", 1, "melee", seats=3)
    assert rules_from(Kept(rules_text(rules, "snake")))[0] == rules
    earlier = json.loads(rules_text(rules, "snake"))
    del earlier["fill"]
    assert rules_from(Kept(json.dumps(earlier)))[0] == replace(rules, fill="drawn")


def test_a_battle_that_does_not_count_is_not_done(folder: Path, tmp_path: Path) -> None:
    game, told = dice_game(tmp_path / "mortal", deaths=ATTEMPTS_MAX), list[RunProgress]()
    play_on(folder, "Low", "Mortal", on_progress=told.append, game=game, battles=1)
    assert (told[-1].done, told[-1].total, told[-1].not_counted, told[-1].left_s) == (0, 1, 1, 0)
    play_on(folder, on_progress=told.append, game=None, battles=1)
    assert (told[-1].done, told[-1].total, told[-1].not_counted) == (1, 1, 0)


@pytest.mark.long
def test_in_a_gauntlet_the_challenger_meets_all_and_the_others_only_it(folder: Path, game: str) -> None:
    found, _ = play(folder, *ALL, game=game, format="gauntlet", challengers=("Middle",))
    assert [(row.name, row.battles) for row in found.standings if row.name == "Middle"] == [("Middle", 6)]
    assert {row.battles for row in found.standings if row.name != "Middle"} == {2}
    again, _ = play(folder)
    assert facts(again) == facts(found)


@pytest.mark.long
@pytest.mark.parametrize("form", ["swiss", "ladder"])
def test_rounds_resume_after_every_stop_as_if_there_had_been_none(
    form: str, tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    never, _ = play(tmp_path / "whole", *ALL, game=game, format=form, battles=4)
    monkeypatch.setattr(running, "LOOK_S", 0.0)
    ahead = jumping_clock(monkeypatch)

    def stop_soon(progress: RunProgress) -> None:
        ahead[0] += 3600.0 * (progress.played > 0)

    runs = [0]
    while runs[-1] or len(runs) == 1:
        end = play_on(
            tmp_path / "pieces", *ALL, on_progress=stop_soon, game=game, format=form, battles=4, for_s=1800.0
        )
        runs.append(end.played)
    assert len(runs) > 3
    assert facts(end.tournament) == facts(never)
    assert end.tournament.standings == never.standings


@pytest.mark.long
def test_until_ci_ends_when_every_interval_is_narrow_enough(folder: Path, game: str) -> None:
    wide, _ = play(folder, "Low", "High", "Middle", game=game, until_ci=20.0)
    narrow, _ = play(folder, until_ci=2.0)
    for found, most in ((wide, 20.0), (narrow, 2.0)):
        for row in found.standings:
            assert row.aps_low is not None
            assert row.aps_high is not None
            assert (row.aps_high - row.aps_low) / 2 <= most
    assert {b.id for b in wide.battles()} < {b.id for b in narrow.battles()}
    assert verify_tournament(folder, 10).ok


def test_for_begins_no_battle_after_its_time(folder: Path, game: str) -> None:
    found, told = play(folder, "Low", "High", game=game, for_s=1e-9)
    assert (facts(found), told) == ([], [])
    assert [row.rank for row in found.standings] == [1, 1]


@pytest.mark.long
def test_for_alone_plays_on_until_the_time_is_over(
    folder: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = jumping_clock(monkeypatch)

    def hear(progress: RunProgress) -> None:
        if progress.played >= 12:
            ahead[0] = 3600.0

    end = play_on(folder, "Low", "High", on_progress=hear, game=game, for_s=1800.0)
    assert 12 <= end.played == end.tournament.table.counted
    assert not end.interrupted


# ---- tanks -------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_my_bot_meets_all_built_in_bots_as_a_ladder(folder: Path) -> None:
    found, _ = play(
        folder, "house", format="gauntlet", challengers=("Crawler",), battles=1, settings={"rounds": 1}
    )
    assert {row.name for row in found.standings} == {
        "Duck", "Spinner", "Rammer", "Tracker", "Crawler", "Dodger", "Ace",
    }  # fmt: skip
    assert len(facts(found)) == 6
    assert found.pairing("Crawler", "Duck").share > 50
    assert verify_tournament(folder).ok


@pytest.mark.long
def test_a_team_is_one_entry_and_its_record_verifies(folder: Path) -> None:
    write_team(folder, "Pair", members=2)
    found, _ = play(folder, "Duck", "Spinner", battles=1, settings={"rounds": 1})
    assert {row.name for row in found.standings} == {"Pair", "Duck", "Spinner"}
    assert sorted(len(battle.spec.seats) for battle in found.battles()) == [2, 3, 3]
    checked = verify_tournament(folder)
    assert (checked.ok, checked.checked) == (True, 3)


@pytest.mark.long
def test_a_tournament_in_sandboxes_stays_in_sandboxes_and_reports_a_change(folder: Path, game: str) -> None:
    if ability().level != "full":
        pytest.skip(f"no sandboxes here: {ability().cause}")
    write_bot(folder, "Mine", PLAYS)
    found, _ = play(folder, "Low", game=game, battles=1, settings={"sandbox": "full"})
    assert [battle.sandbox for battle in found.battles()] == ["full"]
    found, _ = play(folder, battles=2)
    assert [battle.sandbox for battle in found.battles()] == ["full"] * 2
    assert verify_tournament(folder).ok
    found, told = play(folder, battles=3, settings={"sandbox": "none"})
    assert sorted(battle.sandbox for battle in found.battles()) == ["full", "full", "none"]
    assert any("sandbox" in line for line in told)
    assert verify_tournament(folder).ok


def test_the_game_of_a_folder_is_remembered_wherever_it_is_called_from(
    folder: Path, game: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    play(folder, "Low", "High", game="./dice", battles=1)
    monkeypatch.chdir("/")
    found, _ = play(folder, battles=2, settings={"turns": 3})
    assert (found.game, len(facts(found))) == (game, 2)
    assert verify_tournament(folder).ok
    with pytest.raises(SetupError, match="turns 3, not 4"):
        play(folder, settings={"turns": 4})
