"""Colours: "#RGB" or "#RRGGBB" text to a number and back. Source: protocol.md §2."""

from __future__ import annotations

from functools import lru_cache

__all__ = ["UNSET", "color_text", "parse_color"]

UNSET = -1
"""No colour was ever set."""
_TEXT_MAX = 32
"""Characters: longer texts are no colours (and are not worth keeping in the cache)."""
_DIGITS = frozenset("0123456789abcdefABCDEF")


@lru_cache(maxsize=4096)
def _parse(text: str) -> int | None:
    digits = text.strip()
    if not digits:
        return UNSET
    if digits[0] != "#" or len(digits) not in (4, 7) or not _DIGITS.issuperset(digits[1:]):
        return None
    digits = digits[1:] if len(digits) == 7 else "".join(d + d for d in digits[1:])
    return int(digits, 16)


def parse_color(text: str) -> int | None:
    """Return 0xRRGGBB, UNSET for a blank text, or None for anything that is no colour."""
    return _parse(text) if len(text) <= _TEXT_MAX else None


@lru_cache(maxsize=4096)
def color_text(color: int) -> str | None:
    """Return "#RRGGBB" in upper case, or None for UNSET."""
    return None if color < 0 else f"#{color:06X}"
