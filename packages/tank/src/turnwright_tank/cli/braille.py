"""A canvas of characters with coloured letters and dots, eight dots in a cell."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.cli.terminal import Style

ACROSS = 2
"""The number of dots across a cell."""
DOWN = 4
"""The number of dots down a cell."""
_BLANK = 0x2800
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Unicode's bits for the dots of a braille character, by row from the top and column."""

Paint = tuple[str, ...]
"""Names of styles for `terminal.Style.paint`."""


class Canvas:
    """A canvas with a number of columns and rows of cells. (0, 0) is the upper left cell.

    Dots and letters outside the canvas are not drawn.
    """

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self._letters: list[list[str]] = [[""] * columns for _ in range(rows)]
        self._dots = [[0] * columns for _ in range(rows)]
        self._paints: list[list[Paint]] = [[()] * columns for _ in range(rows)]

    def letter(self, column: int, row: int, letter: str, *paint: str) -> None:
        """Put a letter that is one column wide into a cell. It hides the cell's dots."""
        if 0 <= column < self.columns and 0 <= row < self.rows:
            self._letters[row][column] = letter
            self._paints[row][column] = paint

    def dot(self, x: int, y: int, *paint: str) -> None:
        """Put a dot. x counts dots from the left, y from the top."""
        column, row = x // ACROSS, y // DOWN
        if 0 <= column < self.columns and 0 <= row < self.rows:
            self._dots[row][column] |= _DOTS[y % DOWN][x % ACROSS]
            if not self._letters[row][column]:
                self._paints[row][column] = paint

    def is_free(self, column: int, row: int) -> bool:
        """Return whether a cell is on the canvas and has no letter."""
        return 0 <= column < self.columns and 0 <= row < self.rows and not self._letters[row][column]

    def lines(self, style: Style) -> Iterator[str]:
        """Yield each row as text, with the colours that the style allows."""
        for letters, dots, paints in zip(self._letters, self._dots, self._paints, strict=True):
            line, run = "", ""
            paint: Paint = ()
            for letter, bits, wanted in zip(letters, dots, paints, strict=True):
                shown = letter or (chr(_BLANK + bits) if bits else " ")
                if wanted != paint and shown != " ":
                    line += style.paint(run, *paint) if paint else run
                    run, paint = "", wanted
                run += shown
            yield line + (style.paint(run, *paint) if paint else run)
