from __future__ import annotations

import io

from turnwright.cli.terminal import Style
from turnwright_tank.cli.braille import Canvas

PLAIN = Style(io.StringIO(), {})


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_eight_dots_fill_a_cell_in_the_order_of_unicode() -> None:
    canvas = Canvas(4, 1)
    for x, y in ((0, 0), (3, 3), (4, 1), (7, 2)):
        canvas.dot(x, y)
    assert list(canvas.lines(PLAIN)) == ["⠁⢀⠂⠠"]


def test_a_letter_hides_the_dots_of_its_cell() -> None:
    canvas = Canvas(2, 1)
    canvas.dot(0, 0)
    canvas.letter(0, 0, "A")
    canvas.dot(1, 1)
    assert list(canvas.lines(PLAIN)) == ["A "]
    assert not canvas.is_free(0, 0)
    assert canvas.is_free(1, 0)


def test_marks_outside_the_canvas_are_not_drawn() -> None:
    canvas = Canvas(1, 1)
    for at in (-1, 8, 10**9):
        canvas.dot(at, 0)
        canvas.dot(0, at)
        canvas.letter(at, 0, "A")
        canvas.letter(0, at, "A")
    assert list(canvas.lines(PLAIN)) == [" "]
    assert not canvas.is_free(1, 0)


def test_neighbours_of_one_colour_are_painted_together() -> None:
    canvas = Canvas(4, 1)
    canvas.letter(0, 0, "A", "red")
    canvas.letter(1, 0, "B", "red")
    canvas.letter(3, 0, "C", "green")
    (line,) = canvas.lines(Style(_Terminal(), {}))
    assert line == "\033[31mAB \033[0m\033[32mC\033[0m"
    assert list(canvas.lines(Style(_Terminal(), {"NO_COLOR": "1"}))) == ["AB C"]
