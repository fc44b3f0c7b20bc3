from __future__ import annotations

import io
import math

import pytest

from tests.games.tank.analysis.scenes import bullet, death, duel, frame, hit, tank
from turnwright.cli.terminal import Style
from turnwright.games.tank.analysis.turns import Fighter
from turnwright.games.tank.cli.arena import arena_size, draw_arena, letters_of
from turnwright.games.tank.cli.braille import Canvas
from turnwright.games.tank.observation import Frame

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
def test_places_that_are_none_are_not_drawn(x: float) -> None:
    shown = frame(1, tank(1, x, 100.0, direction=x, gun_direction=0.0))
    shown.bullet_states.append(bullet(1, x, x))
    assert "".join(_drawn(shown)).strip() == ""
