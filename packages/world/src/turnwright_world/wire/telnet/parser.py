"""Turns bytes into tokens: text, commands, negotiations and subnegotiations.

Both ends of a connection use the same grammar, so the parser can also read a server's output.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum, auto

# Telnet's numbers. Sources: RFC 854, 855, 885, and the options' own RFCs or conventions (options.py).


IAC = 0xFF
"""Interpret as command (IAC): the next byte is a command. Two of them mean the byte 255."""


class Command(IntEnum):
    """Command bytes that may follow IAC."""

    EOR = 239
    SE = 240
    NOP = 241
    DATA_MARK = 242
    BREAK = 243
    INTERRUPT = 244
    ABORT_OUTPUT = 245
    ARE_YOU_THERE = 246
    ERASE_CHARACTER = 247
    ERASE_LINE = 248
    GO_AHEAD = 249
    SB = 250
    WILL = 251
    WONT = 252
    DO = 253
    DONT = 254


class Option(IntEnum):
    """Options known by name. Every other option is refused."""

    BINARY = 0
    ECHO = 1
    SGA = 3
    TTYPE = 24
    EOR = 25
    NAWS = 31
    NEW_ENVIRON = 39
    CHARSET = 42
    MSDP = 69
    MSSP = 70
    MCCP2 = 86
    MCCP3 = 87
    MXP = 91
    GMCP = 201


SUB_BYTES_MAX = 65_536
"""A longer subnegotiation is dropped and reported once."""

_IAC_BYTE = bytes([IAC])
_VERBS = (Command.WILL, Command.WONT, Command.DO, Command.DONT)
_FIRST_COMMAND = min(Command)


@dataclass(frozen=True, slots=True)
class TextBytes:
    """Bytes of text. One piece of text may be several of these tokens."""

    data: bytes


@dataclass(frozen=True, slots=True)
class CommandByte:
    """A command without an option, e.g. GO_AHEAD."""

    command: Command


@dataclass(frozen=True, slots=True)
class Negotiated:
    """WILL, WONT, DO or DONT, and the option's number."""

    verb: Command
    option: int


@dataclass(frozen=True, slots=True)
class Sub:
    """A complete subnegotiation. In `data`, doubled IACs are single."""

    option: int
    data: bytes


@dataclass(frozen=True, slots=True)
class TooLong:
    """A subnegotiation of this option exceeded SUB_BYTES_MAX. Its remaining bytes are dropped."""

    option: int


Token = TextBytes | CommandByte | Negotiated | Sub | TooLong


class _ParserState(Enum):
    TEXT = auto()
    TEXT_IAC = auto()
    VERB = auto()
    SUB_OPTION = auto()
    SUB = auto()
    SUB_IAC = auto()


class TelnetParser:
    """Reads one direction of one connection, and stores at most SUB_BYTES_MAX bytes."""

    __slots__ = ("_option", "_state", "_sub", "_too_long", "_verb")

    def __init__(self) -> None:
        self._state = _ParserState.TEXT
        self._verb = Command.WILL
        self._option = 0
        self._sub = bytearray()
        self._too_long = False

    @property
    def in_text(self) -> bool:
        """Whether bytes other than IAC are text now."""
        return self._state is _ParserState.TEXT

    @property
    def held(self) -> int:
        """The number of bytes of the unfinished subnegotiation."""
        return len(self._sub)

    def feed(self, data: bytes) -> Iterator[Token]:
        """Yield the tokens that are complete with `data`.

        The caller must read the iterator to its end before the next call.
        """
        position, end = 0, len(data)
        while position < end:
            if self._state in (_ParserState.TEXT, _ParserState.SUB):
                stop = data.find(_IAC_BYTE, position)
                stop = end if stop < 0 else stop
                if stop > position:
                    yield from self._run(data[position:stop])
                if stop < end:
                    self._state = (
                        _ParserState.TEXT_IAC if self._state is _ParserState.TEXT else _ParserState.SUB_IAC
                    )
                position = stop + 1
            else:
                yield from self._byte(data[position])
                position += 1

    def _run(self, run: bytes) -> Iterator[Token]:
        if self._state is _ParserState.TEXT:
            yield TextBytes(run)
        elif len(self._sub) + len(run) <= SUB_BYTES_MAX:
            if not self._too_long:
                self._sub += run
        elif not self._too_long:
            self._too_long = True
            self._sub.clear()
            yield TooLong(self._option)

    def _byte(self, byte: int) -> Iterator[Token]:
        match self._state:
            case _ParserState.TEXT_IAC:
                yield from self._after_iac(byte)
            case _ParserState.VERB:
                self._state = _ParserState.TEXT
                yield Negotiated(self._verb, byte)
            case _ParserState.SUB_OPTION:
                self._state = _ParserState.SUB
                self._option = byte
            case _:
                yield from self._after_iac_in_sub(byte)

    def _after_iac(self, byte: int) -> Iterator[Token]:
        self._state = _ParserState.TEXT
        if byte == IAC:
            yield TextBytes(_IAC_BYTE)
        elif byte in _VERBS:
            self._verb = Command(byte)
            self._state = _ParserState.VERB
        elif byte == Command.SB:
            self._state = _ParserState.SUB_OPTION
            self._sub.clear()
            self._too_long = False
        elif byte >= _FIRST_COMMAND:
            yield CommandByte(Command(byte))

    def _after_iac_in_sub(self, byte: int) -> Iterator[Token]:
        """End the subnegotiation, or continue it.

        Another command inside the subnegotiation means that its end is missing. In this case its content is
        dropped.
        """
        self._state = _ParserState.SUB
        if byte == Command.SE:
            self._state = _ParserState.TEXT
            if not self._too_long:
                yield Sub(self._option, bytes(self._sub))
            self._sub.clear()
        elif byte == IAC:
            yield from self._run(_IAC_BYTE)
        elif byte >= _FIRST_COMMAND:
            self._sub.clear()
            yield from self._after_iac(byte)
        else:  # a byte 255 that was not doubled, which some programs send in window sizes
            yield from self._run(bytes([IAC, byte]))
