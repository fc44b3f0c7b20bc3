"""One text of the sources, and the tests that tell a text from a key or a code."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORD = r"(?:[A-Za-z][A-Za-z'’-]*|\{[^{}]*\})"
_PROSE = re.compile(rf"{_WORD}[,;:.!?)\"'”]*\s+[(\"'“]*{_WORD}")
_CODE = re.compile(
    r"^[a-z-]+(?:/[a-z0-9.+-]+)?;\s|^[#.][a-z-]+[ >]|^\((?:prefers|pointer)|\bsystem-ui\b"
    r"|^<[a-z]+ [a-z]+=|^x y |^(?:SELECT|CREATE|INSERT|DELETE FROM|PRAGMA|BEGIN)\b|-src '|Path=/;"
)
"""Styles, queries and headers: texts for programs."""
_SHOWN_WORD = re.compile(r"[A-Z][a-z][a-z'’-]+[?:!.…]?|[A-Z]{2,4}")


@dataclass(frozen=True)
class FoundText:
    """A text that a person can read.

    Attributes:
        path: as pages name it.
        line: from 1.
        kind: where it goes, e.g. "error", "option", "heading".
        text: with placeholders as {expression}.
    """

    path: str
    line: int
    kind: str
    text: str


def is_prose(text: str) -> bool:
    """Return whether two words or more follow one another."""
    return bool(_PROSE.search(text)) and not _CODE.search(text)


def is_shown_word(text: str) -> bool:
    """Return whether a text is one word with a capital, as on a button or in a table's heading."""
    return bool(_SHOWN_WORD.fullmatch(text))
