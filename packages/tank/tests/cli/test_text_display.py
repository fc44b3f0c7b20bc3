from __future__ import annotations

import io
import math
import re

import pytest

from packages.core.tests.messages import naming
from packages.tank.tests.analysis.scenes import bullet, death, duel, frame, hit, tank
from turnwright.cli.terminal import Style, width
from turnwright_tank.analysis.turns import Fighter, Setting
from turnwright_tank.cli.braille import Canvas
from turnwright_tank.cli.text_display import View, arena_size, draw_arena, letters_of, view_lines
from turnwright_tank.structs import Frame

PLAIN = Style(io.StringIO(), {})


def _drawn(shown: Frame, columns: int = 20, rows: int = 8) -> list[str]:
    canvas = Canvas(columns, rows)
    setting = duel()
    draw_arena(canvas, setting, shown, letters_of(setting.fighters))
    return list(canvas.lines(PLAIN))


def test_letters_are_of_the_name_where_they_are_free() -> None:
    names = ["Ace", "Arrow", "42", "Ace (2)", "", "\N{SNOWMAN}"]
    letters = letters_of([Fighter(k, name) for k, name in enumerate(names)])
    assert list(letters.values()) == ["A", "R", "4", "C", "B", "D"]
    many = letters_of([Fighter(k, "x") for k in range(70)])
    assert list(many.values()).count("+") == 70 - 62


@pytest.mark.parametrize(
    ("width", "height", "columns", "rows", "expected"),
    [
        (800, 600, 52, 19, (51, 19)),
        (1000, 1000, 100, 20, (40, 20)),
        (4000, 400, 60, 20, (60, 3)),
        (10, 10_000, 5, 5, (1, 5)),
    ],
)
def test_the_arena_is_to_scale_and_fits(
    width: float, height: float, columns: int, rows: int, expected: tuple[int, int]
) -> None:
    assert arena_size(width, height, columns, rows) == expected


@pytest.mark.parametrize(
    ("direction", "text"),
    [
        (0, "A→"),
        (45, "A↗"),
        (90, "A↑"),
        (135, "↖A"),
        (180, "←A"),
        (225, "↙A"),
        (270, "A↓"),
        (315, "A↘"),
        (350, "A→"),
    ],
)
def test_a_tank_is_a_letter_with_an_arrow_where_it_heads(direction: float, text: str) -> None:
    lines = _drawn(frame(1, tank(1, 400.0, 300.0, direction=float(direction), gun_direction=90.0)))
    assert text in lines[4]
    assert sum(line.count("A") for line in lines) == 1


def test_north_is_up_and_a_corner_is_a_corner() -> None:
    lines = _drawn(frame(1, tank(1, 20.0, 580.0), tank(2, 780.0, 20.0, direction=180.0)))
    assert lines[0].startswith("A→")
    assert lines[-1].endswith("←B")


def test_guns_are_dots_ahead_and_stronger_bullets_are_larger() -> None:
    gun = _drawn(frame(1, tank(1, 400.0, 300.0, gun_direction=90.0)), 40, 15)
    assert any(0x2800 < ord(letter) < 0x2900 for letter in gun[6])
    shown = frame(1)
    shown.bullet_states.extend(
        bullet(1, 50.0 + 200.0 * k, 300.0, power=p) for k, p in enumerate((0.5, 1.5, 3.0))
    )
    dots = [bin(ord(letter) - 0x2800).count("1") for letter in "".join(_drawn(shown)) if letter != " "]
    assert sorted(dots) in ([1, 2, 4], [1, 1, 1, 4], [1, 2, 2, 2], [1, 1, 1, 2, 2])
    assert sum(dots) == 7


def test_hits_and_deaths_are_marked() -> None:
    events = [hit(3, 2, bullet(1, 700.0, 500.0), 4.0, -1.0), death(3, 2)]
    text = "".join(_drawn(frame(3, tank(1), tank(2, 300.0, 300.0, energy=-1.0), events=events)))
    assert (text.count("*"), text.count("X"), text.count("B")) == (1, 1, 0)


@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf, 1e300, -1e300])
def test_invalid_places_are_not_drawn(x: float) -> None:
    shown = frame(1, tank(1, x, 100.0, direction=x, gun_direction=0.0))
    shown.bullet_states.append(bullet(1, x, x))
    assert "".join(_drawn(shown)).strip() == ""


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


def test_only_the_tanks_with_most_energy_of_many_are_shown() -> None:
    fighters = tuple(Fighter(k, f"T{k}") for k in range(1, 41))
    shown = frame(1, *(tank(k, 20.0, 20.0, energy=float(k)) for k in range(1, 39)))
    view = View(Setting("melee", 1000.0, 1000.0, 10, fighters), shown)
    text = "\n".join(view_lines(view, 80, 24, PLAIN))
    assert "T38 " in text
    assert "T40 " not in text
    shown_tanks = len(re.findall(r"\bT\d+ ", text))
    assert naming(text, f"and {40 - shown_tanks} more")


def test_dead_tanks_and_slow_bots_are_marked() -> None:
    view = _view(frame=frame(12, tank(1, energy=-3.0)), slow=(2,))
    text = "\n".join(view_lines(view, 80, 24, PLAIN))
    assert text.count("  out") == 2
    assert "Bob (slow)" in text


def test_names_with_control_characters_are_harmless() -> None:
    fighters = (Fighter(1, "\033[2J\n\r\tEvil"), Fighter(2, "B"))
    view = View(Setting("\033[31mtype", 800.0, 600.0, 1, fighters), frame(1, tank(1), tank(2)))
    for line in view_lines(view, 80, 24, PLAIN):
        assert line.isprintable()


def test_before_the_first_frame_the_arena_is_empty() -> None:
    lines = view_lines(_view(frame=None), 80, 24, PLAIN)
    assert lines[0].startswith("classic, playing")
    assert "A→" not in "".join(lines)
