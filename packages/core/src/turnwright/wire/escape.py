"""Makes untrusted text safe to show on one line of a terminal, a log or JSON.

Characters that are not printable are written as escapes. Control characters could send commands to a
terminal. Characters that have no width, or that change the reading direction (U+202E), could make a name look
like another name.
"""

from __future__ import annotations

import unicodedata

_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNSAFE = frozenset(("Cc", "Cs", "Zl", "Zp"))


def is_unsafe(text: str, allowed: frozenset[str] = frozenset()) -> bool:
    """Return whether a text has control characters, line separators or lone surrogates, or changes the
    reading direction.

    A server refuses names with such characters, because a name may be shown anywhere.

    Args:
        allowed: control characters that may be in the text.
    """
    if text.isascii() and text.isprintable():
        return False
    return any(c in _BIDI or (unicodedata.category(c) in _UNSAFE and c not in allowed) for c in text)


def one_line(text: str) -> str:
    """Return `text` with escapes for characters that cannot be printed, e.g. \\u202e."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else _spelt(ord(letter)) for letter in text)


def escaped_json(text: str) -> str:
    """Return a line of JSON in which characters that cannot be printed are written as \\uXXXX."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else _in_json(letter) for letter in text)


def _spelt(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _in_json(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))
