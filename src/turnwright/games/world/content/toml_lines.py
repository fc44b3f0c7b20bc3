"""Line numbers of tables and keys in a TOML file."""

from __future__ import annotations

import re

__all__ = ["TomlLines"]

_HEADER = re.compile(r"^\s*\[{1,2}\s*([^\[\]]+?)\s*\]{1,2}\s*(?:#.*)?$")
_KEY = re.compile(r"^\s*(\"[^\"]*\"|'[^']*'|[\w-]+)\s*(?:\.\s*[\w-]+\s*)*=")


class TomlLines:
    """The lines of one file.

    The n-th table of an array `[[spawn]]` is called "spawn#n", from 0.
    """

    def __init__(self, text: str) -> None:
        self._found: dict[tuple[str, str], int] = {}
        counts: dict[str, int] = {}
        header = inside = ""
        for number, line in enumerate(text.splitlines(), 1):
            if not inside:
                header = self._note(line, header, counts, number)
            inside = _still_inside(line, inside)

    def _note(self, line: str, header: str, counts: dict[str, int], number: int) -> str:
        """Note what a line defines; return the header that counts from here."""
        match = _HEADER.match(line)
        if match is not None:
            header = re.sub(r"[\s\"']", "", match[1])
            if line.lstrip().startswith("[["):
                counts[header] = counts.get(header, -1) + 1
                header = f"{header}#{counts[header]}"
            self._found.setdefault((header, ""), number)
            return header
        match = _KEY.match(line)
        if match is not None:
            self._found.setdefault((header, match[1].strip("\"'")), number)
        return header

    def of(self, header: str, key: str = "") -> int:
        """Return the line of a key in a table.

        Of the table where that is not found; else 1.
        """
        found = self._found
        below = found.get((f"{header}.{key}", ""))
        return found.get((header, key)) or below or found.get((header, "")) or self._below(header)

    def _below(self, header: str) -> int:
        """Return the line of the first table inside one that has no line of its own, else 1."""
        return next(
            (line for (name, _), line in self._found.items() if re.match(rf"{re.escape(header)}[.#]", name)),
            1,
        )


def _still_inside(line: str, inside: str) -> str:
    """Return the quotes of the text of several lines that goes on after this one, "" = none does."""
    while True:
        if inside:
            end = line.find(inside)
            if end < 0:
                return inside
            line, inside = line[end + 3 :], ""
        starts = [(line.find(quotes), quotes) for quotes in ('"""', "'''") if quotes in line]
        if not starts:
            return ""
        at, inside = min(starts)
        line = line[at + 3 :]
