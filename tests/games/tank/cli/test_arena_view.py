from __future__ import annotations

import io

import pytest

from tests.games.tank.analysis.scenes import duel, frame, tank
from turnwright.cli.terminal import Style, width
from turnwright.games.tank.analysis.turns import Fighter, Setting
from turnwright.games.tank.cli.arena import View, view_lines

PLAIN = Style(io.StringIO(), {})


def _view(**changes: object) -> View:
    shown = frame(12, tank(1, 100.0, 100.0, energy=50.0), tank(2, 400.0, 300.0))
    view = View(duel(), shown, "playing  30 turns/s", {1: 1234, 2: 5}, ["12 Ann hit a wall"], share=0.5)
    for name, value in changes.items():
        setattr(view, name, value)
    return view


def test_a_small_terminal_shows_everything() -> None:
    lines = view_lines(_view(keys="q quit", marks=[(0.0, "|"), (0.25, "x")]), 80, 24, PLAIN)
    assert len(lines) <= 24
    assert lines[0].startswith("round 1/1  turn 12  playing  30 turns/s  classic 800x600")
    assert lines[1].endswith("A Ann                1,234")
    assert lines[2].endswith("██████······  50.0")
    assert lines[4].endswith("████████████ 100.0")
    assert lines[5].endswith("12 Ann hit a wall")
    assert lines[-2].index("●") == 40
    assert (lines[-2][0], lines[-2][20]) == ("|", "x")
    assert lines[-1] == "q quit"


def test_a_narrow_terminal_names_both_tanks_of_a_duel() -> None:
    lines = view_lines(_view(), 40, 24, PLAIN)
    assert len(lines) <= 24
    legend = [line for line in lines if line.startswith(("A Ann", "B Bob"))]
    assert len(legend) == 2
    assert "more" not in "\n".join(lines)


@pytest.mark.parametrize("columns", [20, 40, 59, 60, 80, 200])
@pytest.mark.parametrize("lines", [8, 24, 60])
@pytest.mark.parametrize("tanks", [1, 2, 6, 80])
def test_nothing_is_wider_or_higher_than_the_terminal(columns: int, lines: int, tanks: int) -> None:
    fighters = tuple(Fighter(k + 1, f"A very long name \N{SNOWMAN} {k}") for k in range(tanks))
    shown = frame(1, *(tank(k + 1, 20.0 + 9.0 * k, 300.0) for k in range(tanks)))
    view = View(Setting("melee", 1000.0, 1000.0, 10, fighters), shown, "playing", share=1.0, keys="k" * 99)
    picture = view_lines(view, columns, lines, PLAIN)
    assert len(picture) <= lines
    assert max(map(width, picture)) <= columns


def test_of_many_tanks_the_ones_with_energy_are_shown() -> None:
    fighters = tuple(Fighter(k, f"T{k}") for k in range(1, 41))
    shown = frame(1, *(tank(k, 20.0, 20.0, energy=float(k)) for k in range(1, 39)))
    view = View(Setting("melee", 1000.0, 1000.0, 10, fighters), shown)
    text = "\n".join(view_lines(view, 80, 24, PLAIN))
    assert "T38 " in text
    assert "T40 " not in text
    assert "more" in text


def test_who_is_out_and_who_missed_its_turn_is_said() -> None:
    view = _view(frame=frame(12, tank(1, energy=-3.0)), slow=(2,))
    text = "\n".join(view_lines(view, 80, 24, PLAIN))
    assert text.count("  out") == 2
    assert "Bob (slow)" in text


def test_names_of_strangers_command_nothing() -> None:
    fighters = (Fighter(1, "\033[2J\n\r\tEvil"), Fighter(2, "B"))
    view = View(Setting("\033[31mtype", 800.0, 600.0, 1, fighters), frame(1, tank(1), tank(2)))
    for line in view_lines(view, 80, 24, PLAIN):
        assert line.isprintable()


def test_before_the_first_frame_the_arena_is_empty() -> None:
    lines = view_lines(_view(frame=None), 80, 24, PLAIN)
    assert lines[0].startswith("classic, playing")
    assert "A→" not in "".join(lines)
