"""Text → bytes for the peer's screen."""

from __future__ import annotations

import re

from turnwright.wire.telnet.charset import simplified
from turnwright.wire.telnet.codes import IAC

__all__ = ["encode"]

_NOT_SHOWN = re.compile("[\x00-\x06\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\ud800-\udfff]")
"""All controls but bell, tab, line feed and escape; and halves of characters."""
_IAC = bytes([IAC])


def encode(text: str, encoding: str) -> bytes:
    """Return text with telnet's ends of lines and nothing that could be taken for a command."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text.replace("\n", "\r\n").encode("ascii")
    lines = _NOT_SHOWN.sub("", text).replace("\n", "\r\n")
    return simplified(lines, encoding).replace(_IAC, _IAC + _IAC)
