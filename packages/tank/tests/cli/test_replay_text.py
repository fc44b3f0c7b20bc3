from __future__ import annotations

import sys
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright import run_battle
from turnwright.cli.__main__ import main
from turnwright_tank.app.battle_files import BattleFile, open_battle_file
from turnwright_tank.cli.replay_text import RECENT_TURNS, SEEK_TURNS, TextPlayer


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("texts") / "duel.twr"
    run_battle("Spinner", "Rammer", rounds=3, seed=3, record=path)
    return path


@pytest.fixture(scope="module")
def file(record: Path) -> BattleFile:
    return open_battle_file(record)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def player(file: BattleFile, clock: Clock) -> TextPlayer:
    return TextPlayer(file, None, clock)


def test_time_moves_it_at_its_speed_and_no_turn_is_lost_between_pictures(
    player: TextPlayer, clock: Clock
) -> None:
    for _ in range(10):
        clock.now += 0.05
        player.advance()
    assert player.index in (14, 15)
    clock.now += 1.0
    player.advance()
    assert player.index in (44, 45)


def test_space_pauses_and_time_does_not_pile_up(player: TextPlayer, clock: Clock) -> None:
    player.press("space")
    clock.now += 5.0
    player.advance()
    player.press("space")
    clock.now += 0.1
    player.advance()
    assert player.index in (2, 3)


def test_arrows_step_and_jump(player: TextPlayer) -> None:
    player.press("up")
    assert (player.index, player.paused) == (SEEK_TURNS, False)
    player.press("right")
    player.press("right")
    player.press("left")
    assert (player.index, player.paused) == (SEEK_TURNS + 1, True)
    player.press("down")
    player.press("down")
    assert player.index == 0
    player.press("end")
    assert player.index == player.file.length - 1
    player.press("home")
    player.press("x")
    assert player.index == 0


def test_page_keys_go_to_the_rounds(player: TextPlayer) -> None:
    starts = [one.index for one in player.file.rounds]
    assert len(starts) == 3
    for key, expected in (("page down", 1), ("page down", 2), ("page up", 1), ("page up", 0), ("page up", 0)):
        player.press(key)
        assert player.index == starts[expected], key
    player.seek(starts[1] + SEEK_TURNS + 5)
    player.press("page up")
    assert player.index == starts[1]


def test_the_speed_has_steps_up_to_as_fast_as_it_draws(player: TextPlayer, clock: Clock) -> None:
    speeds = []
    for key in "++++++++----":
        player.press(key)
        speeds.append(player.tps)
    assert speeds == [60, 120, 250, 500, 1000, -1, -1, -1, 1000, 500, 250, 120]
    player.tps = 33
    player.press("+")
    assert player.tps == 60
    player.tps = -1
    player.advance()
    assert player.index == 1


def test_recent_events_are_shown_after_a_jump_and_after_a_step_back(player: TextPlayer) -> None:
    death = max(one.index for one in player.file.rounds) - 1
    player.seek(death)
    view = player.view()
    assert any(line.endswith(" died") for line in view.happened)
    turns = [int(line.split()[0]) for line in view.happened]
    assert turns == sorted(turns, reverse=True)
    assert min(turns) >= max(turns) - RECENT_TURNS
    player.press("left")
    assert not any(line.endswith(" died") for line in player.view().happened)


def test_the_view_says_where_it_is(player: TextPlayer) -> None:
    assert player.view().state == "playing  30 turns/s"
    player.press("end")
    view = player.view()
    assert (view.state, view.share) == ("end  30 turns/s", 1.0)
    assert sum(view.scores.values()) > 0
    assert [mark for _, mark in view.marks].count("|") == 3


def test_once_prints_a_picture(
    record: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    assert main(["replay", str(record), "--text", "--once", "--turn", "2.40"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 23
    assert lines[0].startswith("round 2/3  turn 40")


def test_without_a_terminal_it_prints_lines(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not sys.stdout.isatty()
    assert main(["replay", str(record), "--text"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum("ends after" in line for line in lines) == 3
    assert sum(line.endswith(" died") for line in lines) >= 3
    assert all("\033" not in line for line in lines)


@pytest.mark.parametrize("tps", ["0", "1001"])
def test_an_impossible_speed_ends_with_exit_code_2(
    record: Path, tps: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(record), "--text", "--tps", tps]) == 2
    assert not missing(capsys.readouterr().err, "turnwright", f"tps is {tps}", "1 to 1000")


def test_a_negative_speed_is_as_fast_as_it_draws(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(record), "--text", "--once", "--tps", "-20"]) == 0
    assert capsys.readouterr().out
