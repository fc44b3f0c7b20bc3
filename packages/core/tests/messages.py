"""Compares messages by their names, values and advice. Their wording may change."""

from __future__ import annotations

import re
from collections.abc import Iterable


def missing(text: str | None, *wanted: object) -> list[str]:
    """Return which of these words and values a message does not name, each as a whole, in any case."""
    said = "" if text is None else text
    return [str(one) for one in wanted if not re.search(rf"(?<!\w){re.escape(str(one))}(?!\w)", said, re.I)]


def naming(texts: str | Iterable[str], *wanted: object) -> list[str]:
    """Return the texts, or the lines of one text, that name all of these words and values."""
    lines = texts.splitlines() if isinstance(texts, str) else texts
    return [text for text in lines if not missing(text, *wanted)]


def says(text: str, key: str) -> bool:
    """Return whether a text contains all parts of `key`, which … separates, in this order."""
    place = 0
    for part in key.split("…"):
        found = text.find(part.strip(), place)
        if found < 0:
            return False
        place = found + len(part.strip())
    return True
