"""Line numbers of tables and keys in a TOML file."""

from __future__ import annotations

import re
from collections.abc import Iterator

_HEADER = re.compile(r"^\s*\[{1,2}\s*([^\[\]]+?)\s*\]{1,2}\s*(?:#.*)?$")
_PART = r"(?:\"[^\"]*\"|'[^']*'|[\w-]+)"
_KEY = re.compile(rf"^\s*({_PART}(?:\s*\.\s*{_PART})*)\s*=")
_ODD = re.compile(r"[\s\"']")


class TomlLines:
    """The lines of one file.

    The n-th table of an array `[[spawn]]` has the header "spawn#n", from 0.
    """

    def __init__(self, text: str) -> None:
        self._found: dict[tuple[str, str], int] = {}
        self._at: list[tuple[str, str]] = []
        counts: dict[str, int] = {}
        header = key = inside = ""
        for number, line in enumerate(text.splitlines(), 1):
            if not inside:
                header, key = self._note(line, header, counts, number)
            self._at.append((header, key))
            inside = _still_inside(line, inside)

    def _note(self, line: str, header: str, counts: dict[str, int], number: int) -> tuple[str, str]:
        """Note the table or key that a line defines. Return the current header, and the line's key or ""."""
        match = _HEADER.match(line)
        if match is not None:
            header = _ODD.sub("", match[1])
            if line.lstrip().startswith("[["):
                counts[header] = counts.get(header, -1) + 1
                header = f"{header}#{counts[header]}"
            self._found.setdefault((header, ""), number)
            return header, ""
        match = _KEY.match(line)
        if match is None:
            return header, ""
        key = match[1].strip("\"'") if "." not in match[1] else _ODD.sub("", match[1])
        for name in (key, key.partition(".")[0]):
            self._found.setdefault((header, name), number)
        return header, key

    def of(self, header: str, key: str = "") -> int:
        """Return the line of `key` in the table `header`.

        If the key has no line of its own, return the line of the innermost part of the key that has one. If
        no part has a line, return the line of the table, or 1 without a table.

        Args:
            key: a path such as "exits.north" or "blows[0].damage".
        """
        found = (self._found.get(place) for place in _places(header, key))
        return next((line for line in found if line is not None), None) or self._below(header)

    def at(self, line: int) -> tuple[str, str]:
        """Return the header above a line, and the key in the line. Either may be ""."""
        return self._at[min(line, len(self._at)) - 1] if self._at else ("", "")

    def _below(self, header: str) -> int:
        """Return the line of the first table inside `header`, for a table whose own header is not in the
        file.

        Return 1 if there is no table inside it.
        """
        return next(
            (line for (name, _), line in self._found.items() if re.match(rf"{re.escape(header)}[.#]", name)),
            1,
        )


def _places(header: str, key: str) -> Iterator[tuple[str, str]]:
    """Yield the tables and keys in which a file can write a path, the innermost first."""
    yield header, key  # also a key in quotes, with a dot in it
    parts = [part for part in re.split(r"[.\[\]]+", key) if part]
    for tables in range(len(parts), -1, -1):
        inner = header + "".join(f"#{one}" if one.isdecimal() else f".{one}" for one in parts[:tables])
        for keys in range(len(parts), tables, -1):
            yield inner, ".".join(parts[tables:keys])
        yield inner, ""


def _still_inside(line: str, inside: str) -> str:
    """Return the quotes of the text that continues on the next line, or "" if no text continues."""
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


def labelled(header: str, key: str, text: str) -> str:
    """Return the text of a mistake after its table and key. Tables of an array are numbered from 1."""
    table, _, number = header.partition("#")
    label = f"[[{table}]] number {int(number) + 1}" if number else f"[{table}]"
    return f"{label} {key}: {text}" if key else f"{label} {text}"
