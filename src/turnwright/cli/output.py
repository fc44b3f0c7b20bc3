"""Small helpers for what commands print: tables, colours where they are welcome, numbers people can read."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

__all__ = ["Style", "clean", "count", "cut", "duration", "join_some", "print_json", "table", "width"]

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34",
          "magenta": "35", "cyan": "36"}  # fmt: skip


class Style:
    """Paints text for one stream: only a terminal, and only without NO_COLOR (https://no-color.org)."""

    def __init__(self, stream: TextIO, environ: Mapping[str, str] = os.environ) -> None:
        plain = bool(environ.get("NO_COLOR")) or environ.get("TERM") == "dumb"
        self.terminal = bool(getattr(stream, "isatty", lambda: False)())
        self.colours = self.terminal and not plain

    def paint(self, text: str, *names: str) -> str:
        """Return the text in these styles: bold, dim, red, green, yellow, blue, magenta, cyan."""
        if not self.colours or not text:
            return text
        return f"\033[{';'.join(_CODES[name] for name in names)}m{text}\033[0m"


def width(text: str) -> int:
    """Return how many columns of a terminal the text takes."""
    columns = 0
    for letter in text:
        if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Me"):
            continue
        columns += 2 if unicodedata.east_asian_width(letter) in ("W", "F") else 1
    return columns


def clean(text: str) -> str:
    """Return the text of a stranger without what could command a terminal or break a line."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def cut(text: str, columns: int) -> str:
    """Return the text, shortened with an ellipsis to at most so many columns."""
    if width(text) <= columns:
        return text
    kept, used = "", 0
    for letter in text:
        used += width(letter)
        if used > columns - 1:
            break
        kept += letter
    return kept + "…" if columns > 0 else ""


def table(
    headers: Sequence[str], rows: Iterable[Sequence[str]], align: str, style: Style | None = None
) -> list[str]:
    """Return the lines of a table. align: one letter a column, "<" or ">". The header is bold."""
    body = [list(row) for row in rows]
    widths = [max(map(width, column)) for column in zip(headers, *body, strict=True)]
    lines = [_line(row, widths, align) for row in (headers, *body)]
    if style is not None:
        lines[0] = style.paint(lines[0], "bold")
    return lines


def _line(cells: Sequence[str], widths: Sequence[int], align: str) -> str:
    padded = []
    for cell, columns, side in zip(cells, widths, align, strict=True):
        space = " " * (columns - width(cell))
        padded.append(space + cell if side == ">" else cell + space)
    return "  ".join(padded).rstrip()


def duration(us: float) -> str:
    """Return a duration in µs as people say it: 850 µs, 1.25 ms, 30 ms, 4.2 s, 3 min 5 s."""
    if us < 999.5:
        return f"{us:.0f} µs"
    for unit, size in (("ms", 1_000.0), ("s", 1_000_000.0)):
        amount = us / size
        if amount < (1_000 if unit == "ms" else 60):
            return f"{amount:.3g} {unit}" if amount < 100 else f"{amount:.0f} {unit}"
    minutes, seconds = divmod(round(us / 1_000_000), 60)
    return f"{minutes} min {seconds} s"


def count(number: int) -> str:
    """Return a number with separators: 12,345."""
    return f"{number:,}"


def print_json(data: Any) -> None:
    """Print JSON values on one line of stdout. Letters that its encoding does not have are escaped."""
    text = json.dumps(data, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        text = json.dumps(data)
    print(text, flush=True)


def join_some(words: Sequence[str], most: int = 3) -> str:
    """Return the words with commas, at most `most` of them and how many more there are."""
    shown = ", ".join(words[:most])
    return shown if len(words) <= most else f"{shown} and {len(words) - most} more"
