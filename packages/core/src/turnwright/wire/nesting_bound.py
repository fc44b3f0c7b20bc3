"""A bound for the nesting of JSON from strangers.

A decoder's own limit depends on how deep the stack is at that moment, so what one reader takes the next one
may not. A file's lines are therefore measured before they are decoded.
"""

from __future__ import annotations

LEVELS_MAX = 64
"""Levels of objects and lists; nothing that we write has ten."""
TOO_DEEP = f"it is nested deeper than {LEVELS_MAX} levels"

_OTHERS = bytes(byte for byte in range(256) if byte not in b'[]{}"')
_SQUARE = bytes.maketrans(b"{}", b"[]")


def nested_too_deeply(text: bytes) -> bool:
    """Return whether JSON has more than LEVELS_MAX levels.

    Of invalid JSON: whether so many are open.
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
