"""Converts colours: "#RGB" or "#RRGGBB" to a number and back.

Source: royale-protocol.md#botintent.
"""

from __future__ import annotations

from functools import lru_cache

_TEXT_MAX = 32
"""Characters of a colour. Longer texts are not colours, and are not put into the cache."""
_DIGITS = frozenset("0123456789abcdefABCDEF")


@lru_cache(maxsize=4096)
def _parse(text: str) -> int | None:
    digits = text.strip()
    if len(digits) not in (4, 7) or digits[0] != "#" or not _DIGITS.issuperset(digits[1:]):
        return None
    digits = digits[1:] if len(digits) == 7 else "".join(d + d for d in digits[1:])
    return int(digits, 16)


def parse_color(text: str) -> int | None:
    """Return 0xRRGGBB, or None for an invalid or blank colour."""
    return _parse(text) if len(text) <= _TEXT_MAX else None


@lru_cache(maxsize=4096)
def color_text(color: int) -> str | None:
    """Return "#RRGGBB" in upper case, or None for -1 (never set)."""
    return None if color < 0 else f"#{color:06X}"
