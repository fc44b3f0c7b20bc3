"""A limit for the nesting of untrusted JSON.

A JSON decoder has its own limit, but this limit depends on the depth of the call stack. So one reader could
accept a text that another reader refuses. Therefore the lines of a file are checked with our limit before
they are decoded.
"""

from __future__ import annotations

LEVELS_MAX = 64
"""The largest number of nested objects and lists. Turnwright itself writes fewer than ten levels."""
TOO_DEEP = f"it is nested deeper than {LEVELS_MAX} levels"

_OTHERS = bytes(byte for byte in range(256) if byte not in b'[]{}"')
_SQUARE = bytes.maketrans(b"{}", b"[]")


def nested_too_deeply(text: bytes) -> bool:
    """Return whether JSON has more than LEVELS_MAX levels.

    For invalid JSON, return whether more than LEVELS_MAX levels are open at any point of the text.
    """
    if text.count(b"[") + text.count(b"{") <= LEVELS_MAX:
        return False
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    brackets = b"".join(text.translate(_SQUARE, _OTHERS).split(b'"')[::2])
    for _ in range(LEVELS_MAX):
        inner = brackets.replace(b"[]", b"")
        if inner == brackets:
            return inner.count(b"[") > LEVELS_MAX
        brackets = inner
    return b"[" in brackets
