"""Agreeing on a character set, and what can be said in a smaller one. Source: RFC 2066."""

from __future__ import annotations

import unicodedata

from turnwright.wire.telnet.codes import IAC, Command, Option

__all__ = ["CharsetTalk", "simplified"]

_REQUEST, _ACCEPTED, _REJECTED, _TTABLE_IS, _TTABLE_REJECTED = 1, 2, 3, 4, 5
_TTABLE = b"[TTABLE]"
_OFFERED = (b"UTF-8", b"ISO-8859-1", b"US-ASCII")
_KNOWN = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "iso-8859-1": "latin-1",
    "iso_8859-1": "latin-1",
    "latin-1": "latin-1",
    "latin1": "latin-1",
    "us-ascii": "ascii",
    "ascii": "ascii",
    "ansi_x3.4-1968": "ascii",
}
_PREFERRED = ("utf-8", "latin-1", "ascii")
_PLAIN = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "…": "...", "•": "*", "ß": "ss"}
)


class CharsetTalk:
    """What was proposed and agreed so far. encoding: "utf-8", "latin-1" or "ascii"; None: nothing agreed."""

    __slots__ = ("_waiting", "encoding")

    def __init__(self) -> None:
        self.encoding: str | None = None
        self._waiting = False

    def begin(self) -> bytes:
        """The peer lets us propose: return our proposal."""
        self._waiting = True
        return _sub(_REQUEST, b"".join(b";" + name for name in _OFFERED))

    def receive(self, data: bytes) -> bytes:
        """Take a subnegotiation; return the answer to it."""
        kind, rest = data[:1], data[1:]
        if kind == bytes([_REQUEST]):
            return self._proposed(rest)
        if kind == bytes([_TTABLE_IS]):
            return _sub(_TTABLE_REJECTED, b"")
        if self._waiting and kind in (bytes([_ACCEPTED]), bytes([_REJECTED])):
            self._waiting = False
            name = rest.decode("latin-1").lower() if kind == bytes([_ACCEPTED]) else "ascii"
            self.encoding = _KNOWN.get(name, self.encoding)
        return b""

    def _proposed(self, rest: bytes) -> bytes:
        """Of two proposals that cross, the server's counts (RFC 2066 §5)."""
        if self._waiting:
            return _sub(_REJECTED, b"")
        if rest.startswith(_TTABLE):
            rest = rest[len(_TTABLE) + 1 :]  # and the version of the tables
        names = {_KNOWN.get(name.decode("latin-1").lower()): name for name in _split(rest)}
        for encoding in _PREFERRED:
            if encoding in names:
                self.encoding = encoding
                return _sub(_ACCEPTED, names[encoding])
        return _sub(_REJECTED, b"")


def simplified(text: str, encoding: str) -> bytes:
    """Return text in a character set that may lack some of it: accents fall off, the rest becomes "?"."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        pass
    parts = []
    for character in text.translate(_PLAIN):
        raw = character.encode(encoding, "ignore")
        if not raw:
            raw = unicodedata.normalize("NFKD", character).encode(encoding, "ignore") or b"?"
        parts.append(raw)
    return b"".join(parts)


def _split(listed: bytes) -> list[bytes]:
    """The first byte says what stands between the names."""
    return listed[1:].split(listed[:1]) if listed else []


def _sub(kind: int, data: bytes) -> bytes:
    inside = data.replace(bytes([IAC]), bytes([IAC, IAC]))
    return bytes([IAC, Command.SB, Option.CHARSET, kind]) + inside + bytes([IAC, Command.SE])
