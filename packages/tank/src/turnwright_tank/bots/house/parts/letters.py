"""Searches an enemy's past. Batches use a version of this that is written in C (backends/c/bot_parts.h)."""

from __future__ import annotations

AFTERWARDS = 30
"""The number of turns that must be known after a similar moment of the past."""
_LIKENESS = (24, 10, 4)
"""How many turns before two moments must be equal, so that the moments count as similar. Longest first."""


class Letters:
    """An enemy's turns as a text with one letter for each turn, because a text is searched fastest."""

    def __init__(self) -> None:
        self._text = ""

    def add(self, letter: int, times: int) -> None:
        """Add some turns of the same kind. letter: below 2 ** 15."""
        self._text += chr(letter) * times

    def forget(self, count: int) -> None:
        """Forget the oldest turns."""
        self._text = self._text[count:]

    def find(self) -> int:
        """Return the turn after the newest moment that was similar to now, or -1."""
        known = len(self._text) - AFTERWARDS
        for length in _LIKENESS:
            if known >= length:
                found = self._text.rfind(self._text[-length:], 0, known)
                if found >= 0:
                    return found + length
        return -1
