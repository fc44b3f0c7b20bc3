"""A text of the sources, and functions that distinguish texts from keys and codes."""

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
        path: the path of the file, from inside the core package, or from the name of another package on.
        line: the number of its first line, from 1.
        kind: its use, e.g. "error", "option", "heading".
        text: the text. Each placeholder is written as {expression}.
    """

    path: str
    line: int
    kind: str
    text: str


def is_prose(text: str) -> bool:
    """Return whether a text has two consecutive words, and is not code."""
    return bool(_PROSE.search(text)) and not _CODE.search(text)


def is_shown_word(text: str) -> bool:
    """Return whether a text is one capitalised word, as on a button, or two to four capital letters."""
    return bool(_SHOWN_WORD.fullmatch(text))
