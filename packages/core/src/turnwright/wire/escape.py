"""Untrusted text made safe to read on one line of a terminal, a log or JSON.

Letters that are not printable are spelt out: control characters command a terminal, and those that turn the
direction of reading (U+202E) or have no width let a name look like another one.
"""

from __future__ import annotations

import unicodedata

_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNSAFE = frozenset(("Cc", "Cs", "Zl", "Zp"))


def is_unsafe(text: str, allowed: frozenset[str] = frozenset()) -> bool:
    """Return whether a text has control characters, or turns the direction of reading.

    Such a name is refused, since it may be shown anywhere.

    Args:
        allowed: control characters that do no harm here.
    """
    if text.isascii() and text.isprintable():
        return False
    return any(c in _BIDI or (unicodedata.category(c) in _UNSAFE and c not in allowed) for c in text)


def one_line(text: str) -> str:
    """Return `text` with letters that cannot be printed spelt out, e.g. \\u202e."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else _spelt(ord(letter)) for letter in text)


def escaped_json(text: str) -> str:
    """Return JSON of one line with letters that cannot be printed as \\uXXXX."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else _in_json(letter) for letter in text)


def _spelt(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _in_json(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))
