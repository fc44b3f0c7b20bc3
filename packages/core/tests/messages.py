"""Compares messages by what matters in them: names, values, what to do. Their wording may change."""

from __future__ import annotations

import re
from collections.abc import Iterable


def missing(text: str | None, *wanted: object) -> list[str]:
    """Return which of these words and values a message does not name, each as a whole, in any case."""
    said = "" if text is None else text
    return [str(one) for one in wanted if not re.search(rf"(?<!\w){re.escape(str(one))}(?!\w)", said, re.I)]


def naming(texts: str | Iterable[str], *wanted: object) -> list[str]:
    """Return those texts that name all of these words and values; of one text, its lines that do."""
    lines = texts.splitlines() if isinstance(texts, str) else texts
    return [text for text in lines if not missing(text, *wanted)]


def says(text: str, key: str) -> bool:
    """Return whether a text holds all parts of `key`, between which … stands, in this order."""
    place = 0
    for part in key.split("…"):
        found = text.find(part.strip(), place)
        if found < 0:
            return False
        place = found + len(part.strip())
    return True
