"""What our letters become on a terminal that does not have them: something as wide that is like them."""

from __future__ import annotations

import codecs
from typing import TextIO

__all__ = ["degrade"]

_HANDLER = "turnwright.letters"
_LIKE = {
    "µ": "u", "…": "~", "→": ">", "←": "<", "↑": "^", "↓": "v", "↗": "/", "↙": "/", "↖": "\\", "↘": "\\",
    "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "●": "o", "·": ".",
} | dict.fromkeys("█▉▊▋▌▍", "#") | dict.fromkeys("▎▏", "-")  # fmt: skip
_BRAILLE = range(0x2801, 0x2900)
"""Dots of an arena, see `canvas`."""


def degrade(stream: TextIO) -> None:
    """Let a stream write what it can, and something like it for the rest."""
    codecs.register_error(_HANDLER, _handle)
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors=_HANDLER)


def _handle(error: UnicodeError) -> tuple[str, int]:
    """Answer a codec that cannot encode; see `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_like, error.object[error.start : error.end])), error.end


def _like(letter: str) -> str:
    return "." if ord(letter) in _BRAILLE else _LIKE.get(letter, "?")
