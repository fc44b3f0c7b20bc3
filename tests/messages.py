"""Compares messages by what matters in them: names, values, what to do. Their wording may change."""

from __future__ import annotations

__all__ = ["says"]


def says(text: str, key: str) -> bool:
    """Return whether a text holds all parts of `key`, between which … stands, in this order."""
    place = 0
    for part in key.split("…"):
        found = text.find(part.strip(), place)
        if found < 0:
            return False
        place = found + len(part.strip())
    return True
