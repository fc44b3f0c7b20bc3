"""Options: CHARSET (RFC 2066), TTYPE, and text for smaller charsets."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

from turnwright_world.wire.telnet.events import Mtts, Size, Terminal
from turnwright_world.wire.telnet.negotiation import Negotiation
from turnwright_world.wire.telnet.parser import IAC, Command, Option

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
    """The state of CHARSET.

    Attributes:
        encoding: "utf-8", "latin-1" or "ascii", or None before an agreement.
    """

    __slots__ = ("_waiting", "encoding")

    def __init__(self) -> None:
        self.encoding: str | None = None
        self._waiting = False

    def begin(self) -> bytes:
        """Return our proposal, after the peer has allowed proposals."""
        self._waiting = True
        return _sub(_REQUEST, b"".join(b";" + name for name in _OFFERED))

    def receive(self, data: bytes) -> bytes:
        """Handle a subnegotiation, and return the answer, or b"" for none."""
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
        """Answer the peer's proposal. If two proposals cross, the server's counts (RFC 2066 §5)."""
        if self._waiting:
            return _sub(_REJECTED, b"")
        if rest.startswith(_TTABLE):
            rest = rest[len(_TTABLE) + 1 :]  # skip also the version of the tables
        names = {_KNOWN.get(name.decode("latin-1").lower()): name for name in _split(rest)}
        for encoding in _PREFERRED:
            if encoding in names:
                self.encoding = encoding
                return _sub(_ACCEPTED, names[encoding])
        return _sub(_REJECTED, b"")


def simplified(text: str, encoding: str) -> bytes:
    """Return text reduced to a character set.

    Outside the set, letters lose their accents, and quotes, dashes and the like become those of ASCII. Any
    other character becomes "?".
    """
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
    """Return the names in a list. The list's first byte is the separator."""
    return listed[1:].split(listed[:1]) if listed else []


def _sub(kind: int, data: bytes) -> bytes:
    inside = data.replace(bytes([IAC]), bytes([IAC, IAC]))
    return bytes([IAC, Command.SB, Option.CHARSET, kind]) + inside + bytes([IAC, Command.SE])


# One table of all options: which options the server offers, asks for, accepts or refuses.


Stance = Literal["first", "agreed", "switched", "refused"]
"""When an option is used.

* first: the server sends it with the greeting.
* agreed: the server accepts it if the peer asks.
* switched: the server turns it on and off as the game needs it.
* refused: the server refuses it if the peer asks.
"""


@dataclass(frozen=True, slots=True)
class OptionRow:
    """A telnet option that is negotiated.

    Attributes:
        ours: when the server does it (WILL).
        theirs: when the player's program does it (DO).
    """

    option: Option
    ours: Stance
    theirs: Stance
    source: str
    meaning: str


OPTIONS = (
    OptionRow(
        Option.TTYPE,
        "refused",
        "first",
        "RFC 1091, MTTS",
        "gives the program's name, its terminal and its capabilities",
    ),
    OptionRow(
        Option.NAWS, "refused", "first", "RFC 1073", "gives the window's size, and each change of this size"
    ),
    OptionRow(
        Option.CHARSET,
        "first",
        "agreed",
        "RFC 2066",
        "sets the encoding: UTF-8, ISO-8859-1 or US-ASCII. Server or client may begin",
    ),
    OptionRow(
        Option.EOR, "first", "refused", "RFC 885", "marks the end of a prompt with IAC EOR instead of IAC GA"
    ),
    OptionRow(
        Option.GMCP, "first", "refused", "GMCP", "carries messages for programs, in addition to the text"
    ),
    OptionRow(
        Option.MSSP,
        "first",
        "refused",
        "MSSP",
        "carries facts about the game, for lists of MUD games on the web",
    ),
    OptionRow(Option.MCCP2, "first", "refused", "MCCP2", "compresses the server's output (zlib)"),
    OptionRow(Option.ECHO, "switched", "refused", "RFC 857", "hides a passphrase while the player types it"),
    OptionRow(
        Option.SGA,
        "agreed",
        "agreed",
        "RFC 858",
        "leaves out IAC GA after prompts. The server does not offer SGA, because some programs would then"
        " send each key alone",
    ),
    OptionRow(Option.BINARY, "agreed", "agreed", "RFC 856", "no effect. CHARSET and MTTS set the encoding"),
    OptionRow(
        Option.NEW_ENVIRON,
        "refused",
        "refused",
        "RFC 1572",
        "not needed, because the server uses no environment variables",
    ),
    OptionRow(Option.MSDP, "refused", "refused", "MSDP", "not needed, because GMCP has the same messages"),
    OptionRow(Option.MCCP3, "refused", "refused", "MCCP3", "not needed, because players send little data"),
    OptionRow(Option.MXP, "refused", "refused", "MXP", "not needed, because the text has no markup"),
)
"""The options in the order in which the server offers them. All other options are refused."""


def start() -> Negotiation:
    """Return the negotiation of a new connection, with all options off.

    Options that OPTIONS marks as first or agreed are allowed.
    """
    return Negotiation(
        ours=[row.option for row in OPTIONS if row.ours in ("first", "agreed")],
        theirs=[row.option for row in OPTIONS if row.theirs in ("first", "agreed")],
    )


def opening(negotiation: Negotiation) -> bytes:
    """Return the first offers and requests of a server."""
    said = b""
    for row in OPTIONS:
        if row.theirs == "first":
            said += negotiation.ask(row.option)
        if row.ours == "first":
            said += negotiation.offer(row.option)
    return said


# TTYPE: a client gives up to three answers: its name, its terminal's name, and "MTTS n".
#
# Sources: RFC 1091, and the MTTS convention. Programs without MTTS send their terminal's name and then repeat
# it.


ANSWERS_MAX = 3
NAME_CHARS_MAX = 40
_IS, _SEND = 0, 1
_MTTS_MAX = 0xFFFF_FFFF
_ASK = bytes([IAC, Command.SB, Option.TTYPE, _SEND, IAC, Command.SE])


class TerminalTalk:
    """The state of TTYPE: the questions and answers so far."""

    __slots__ = ("_answers", "_asked", "terminal")

    def __init__(self) -> None:
        self.terminal = Terminal()
        self._answers: list[str] = []
        self._asked = False

    def begin(self) -> bytes:
        """Return the next question to a peer that is ready, or b"" if one is open or all are answered."""
        if self._asked or len(self._answers) >= ANSWERS_MAX:
            return b""
        self._asked = True
        return _ASK

    def receive(self, data: bytes) -> tuple[bytes, Terminal | None]:
        """Handle a subnegotiation. Return the next question or b"", and the terminal if it has new facts."""
        if not self._asked or data[:1] != bytes([_IS]):
            return b"", None
        self._asked = False
        answer = _name(data[1:])
        before = self.terminal
        said_again = bool(self._answers) and answer == self._answers[-1]
        self._answers.append(answer)
        mtts = _mtts(answer)
        if mtts is not None:
            self.terminal = Terminal(before.client, before.kind, mtts)
        elif len(self._answers) == 1:
            self.terminal = Terminal(client=answer)
        elif not said_again and not before.kind:
            self.terminal = Terminal(before.client, answer)
        question = b"" if said_again or mtts is not None else self.begin()
        return question, self.terminal if self.terminal != before else None


def _name(data: bytes) -> str:
    return "".join(chr(byte) for byte in data if 32 <= byte < 127)[:NAME_CHARS_MAX].strip().upper()


def _mtts(answer: str) -> Mtts | None:
    word, _, number = answer.partition(" ")
    if word != "MTTS" or not number.isdecimal():
        return None
    value = int(number)
    return Mtts(value) if value <= _MTTS_MAX else None


# The window's size. Source: RFC 1073.


def read(data: bytes) -> Size | None:
    """Return the size in a subnegotiation, or None if it is malformed or has a 0 (not known)."""
    if len(data) != 4:
        return None
    columns, rows = int.from_bytes(data[:2], "big"), int.from_bytes(data[2:], "big")
    return Size(columns, rows) if columns and rows else None
