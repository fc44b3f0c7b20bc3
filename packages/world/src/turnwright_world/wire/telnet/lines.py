"""Line editing: turns bytes into lines, with limits and character sets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnwright_world.wire.telnet.events import Notice, TypedLine

LINE_CHARS_MAX = 1_000
LINE_BYTES_MAX = 4 * LINE_CHARS_MAX
"""The most bytes of LINE_CHARS_MAX characters in UTF-8."""

_CR, _LF, _NUL, _BACKSPACE, _DELETE = b"\r", b"\n", b"\0", b"\b", b"\x7f"
_SPECIAL = re.compile(rb"[\r\n\0\x08\x7f\x15]")
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~])")
"""Escape sequences of keys such as arrows, from programs that send each key."""
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Control characters, and characters that change the direction of text."""
_SPACES = {ord("\t"): " ", 0xA0: " "}
_TOO_LONG = Notice(f"that line is longer than {LINE_CHARS_MAX:,} characters: the rest of it is dropped")


class LineEditor:
    """The line that is being typed, of at most LINE_BYTES_MAX bytes."""

    __slots__ = ("_after_cr", "_cut", "_raw")

    def __init__(self) -> None:
        self._raw = bytearray()
        self._after_cr = False
        self._cut = False

    @property
    def held(self) -> int:
        """The number of bytes of the unfinished line."""
        return len(self._raw)

    def take_plain(self, data: bytes) -> TypedLine | None:
        """Return the line if `data` is exactly one line of ASCII with CR LF, and no other line has begun.

        Otherwise return None and change nothing.
        """
        if self._raw or self._cut or len(data) > LINE_CHARS_MAX or data[-2:] != b"\r\n" or not data.isascii():
            return None
        text = data[:-2].decode("ascii")
        if not text.isprintable():
            return None
        self._after_cr = False
        return TypedLine(text)

    def feed(self, data: bytes) -> Iterator[TypedLine | Notice]:
        """Yield the lines that end in `data`, and a notice for each line that is too long.

        CR LF, CR NUL, LF and CR alone end a line.
        """
        position = 0
        for special in _SPECIAL.finditer(data):
            yield from self._add(data[position : special.start()])
            yield from self._special(special.group())
            position = special.end()
        yield from self._add(data[position:])

    def erase_character(self) -> None:
        """Erase the last character."""
        trailing = 0
        while trailing < min(3, len(self._raw)) and self._raw[-1 - trailing] & 0xC0 == 0x80:
            trailing += 1
        whole = trailing and len(self._raw) > trailing and self._raw[-1 - trailing] >= 0xC0
        del self._raw[-1 - (trailing if whole else 0) :]

    def erase_line(self) -> None:
        """Erase the whole line."""
        self._raw.clear()

    def _add(self, run: bytes) -> Iterator[Notice]:
        if not run:
            return
        self._after_cr = False
        room = LINE_BYTES_MAX - len(self._raw)
        self._raw += run[:room]
        if len(run) > room and not self._cut:
            self._cut = True
            yield _TOO_LONG

    def _special(self, byte: bytes) -> Iterator[TypedLine | Notice]:
        after_cr, self._after_cr = self._after_cr, byte == _CR
        if byte == _CR or (byte == _LF and not after_cr):
            yield from self._end()
        elif byte in (_BACKSPACE, _DELETE):
            self.erase_character()
        elif byte not in (_LF, _NUL):
            self.erase_line()

    def _end(self) -> Iterator[TypedLine | Notice]:
        text = _clean(_decoded(bytes(self._raw), self._cut))
        if len(text) > LINE_CHARS_MAX and not self._cut:
            yield _TOO_LONG
        self._raw.clear()
        self._cut = False
        yield TypedLine(text[:LINE_CHARS_MAX])


def _decoded(raw: bytes, cut: bool) -> str:
    """Return a line decoded as UTF-8, or as latin-1 if it is not valid UTF-8.

    Args:
        cut: whether the last character may be incomplete.
    """
    for missing in range(4 if cut else 1):
        try:
            return raw[: len(raw) - missing].decode("utf-8")
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")


def _clean(text: str) -> str:
    return _CONTROL.sub("", _ESCAPE.sub("", text.translate(_SPACES)))
