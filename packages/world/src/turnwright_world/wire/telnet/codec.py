"""TelnetCodec: the bytes of one connection ⇄ events and values.

    codec = TelnetCodec()
    codec.open()                            # options, and the greeting without waiting for answers
    codec.text("What is your name?\\n")
    send(codec.take())
    for event in codec.receive(data, now_ns): ...
    send(codec.take())                      # answers and the game's text in one piece

No input of a peer raises an exception. The codec stores at most one line, one subnegotiation and the names
of 64 GMCP modules.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from turnwright_world.wire.telnet import gmcp, mssp, options
from turnwright_world.wire.telnet import options as naws
from turnwright_world.wire.telnet.events import (
    Encoding,
    Event,
    Gmcp,
    Hangup,
    ListingAsked,
    Mtts,
    Notice,
    Packages,
    Size,
    Terminal,
)
from turnwright_world.wire.telnet.lines import LineEditor
from turnwright_world.wire.telnet.options import CharsetTalk, TerminalTalk, simplified
from turnwright_world.wire.telnet.parser import (
    IAC,
    SUB_BYTES_MAX,
    Command,
    CommandByte,
    Negotiated,
    Option,
    Sub,
    TelnetParser,
    TextBytes,
    Token,
    TooLong,
)

# Compression of the server's output (MCCP2). Source: MCCP, mudhalla; RFC 1950.


MARKER = bytes([IAC, Command.SB, Option.MCCP2, IAC, Command.SE])
"""The marker after which all output is compressed."""
_LEVEL = 6
_WINDOW_BITS = 12
"""A window of 4 KiB (two screens) needs 35 KiB per player. The usual 15 bits need 100 to 260 KiB."""
_MEMORY_LEVEL = 5


class Compressor:
    """One compressed stream."""

    __slots__ = ("_deflate",)

    def __init__(self) -> None:
        self._deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW_BITS, _MEMORY_LEVEL)

    def compress(self, data: bytes) -> bytes:
        """Return compressed bytes from which the peer can read all of `data` immediately."""
        return self._deflate.compress(data) + self._deflate.flush(zlib.Z_SYNC_FLUSH)

    def finish(self) -> bytes:
        """Return the end of the stream. Later output is not compressed."""
        return self._deflate.flush(zlib.Z_FINISH)


# The rate limit of a peer, for lines, commands and messages together.


PER_S = 100
BURST = 500
"""The limits allow pasted scripts, and windows that send fifty sizes while they are resized."""
_INTERVAL_NS = 1_000_000_000 // PER_S


class Budget:
    """Allows BURST events in a burst and PER_S per second in the long run."""

    __slots__ = ("_paid_until_ns",)

    def __init__(self) -> None:
        self._paid_until_ns = -BURST * _INTERVAL_NS

    def spend(self, now_ns: int) -> bool:
        """Count an event, and return whether it is within the budget."""
        self._paid_until_ns = max(self._paid_until_ns, now_ns - BURST * _INTERVAL_NS) + _INTERVAL_NS
        return self._paid_until_ns <= now_ns


# Text → bytes for the peer's screen.


_NOT_SHOWN = re.compile("[\x00-\x06\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\ud800-\udfff]")
"""All control characters except bell, tab, line feed and escape, and unpaired surrogates."""
_IAC = bytes([IAC])


def encode(text: str, encoding: str) -> bytes:
    """Return text as bytes for telnet, with telnet's line ends. Bytes 255 are doubled.

    Control characters are removed, except bell, tab, line feed and escape.
    """
    if text.isascii() and text.replace("\n", "").isprintable():
        return text.replace("\n", "\r\n").encode("ascii")
    lines = _NOT_SHOWN.sub("", text).replace("\n", "\r\n")
    return simplified(lines, encoding).replace(_IAC, _IAC + _IAC)


_STORM = Hangup("too much at once: lines, telnet commands or GMCP messages came faster than anyone can type")
_HERE = b"\r\n[yes, the game is here]\r\n"
_END = bytes([IAC, Command.SE])
_MASK = bytes([IAC, Command.WILL, Option.ECHO])
_UNMASK = bytes([IAC, Command.WONT, Option.ECHO])
_EOR, _GO_AHEAD = bytes([IAC, Command.EOR]), bytes([IAC, Command.GO_AHEAD])


class TelnetCodec:
    """One connection, seen from the server. Methods collect output, and `take` returns it."""

    __slots__ = (
        "_budget",
        "_charset",
        "_compressor",
        "_dead",
        "_editor",
        "_masked",
        "_negotiation",
        "_out",
        "_parser",
        "_sent",
        "_ttype",
        "encoding",
        "size",
        "supports",
    )

    def __init__(self) -> None:
        self._parser = TelnetParser()
        self._editor = LineEditor()
        self._negotiation = options.start()
        self._ttype = TerminalTalk()
        self._charset = CharsetTalk()
        self._budget = Budget()
        self._compressor: Compressor | None = None
        self._out = bytearray()
        """Output that is not compressed yet."""
        self._sent = bytearray()
        """Bytes for the socket that precede `_out`."""
        self._masked = False
        self._dead = False
        self.encoding = self._agreed()
        """The character set of the output: "utf-8", "latin-1" or "ascii"."""
        self.size: Size | None = None
        self.supports = gmcp.Supports()

    # ---- state ------------------------------------------------------------------------------------------

    @property
    def terminal(self) -> Terminal:
        """The known facts about the peer's program."""
        return self._ttype.terminal

    @property
    def has_gmcp(self) -> bool:
        """Whether the peer accepts GMCP messages."""
        return self._negotiation.we_do(Option.GMCP)

    @property
    def compressed(self) -> bool:
        """Whether the output is compressed."""
        return self._compressor is not None

    @property
    def waiting(self) -> int:
        """The number of bytes that `take` would return, before compression."""
        return len(self._sent) + len(self._out)

    # ---- out -------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Send the offers and requests of options."""
        self._out += options.opening(self._negotiation)

    def text(self, text: str) -> None:
        """Show text. Its lines end in "\\n"."""
        self._out += encode(text, self.encoding)

    def prompt(self, text: str) -> None:
        """Show text after which the player types, and mark its end."""
        self.text(text)
        if self._negotiation.we_do(Option.EOR):
            self._out += _EOR
        elif not self._negotiation.we_do(Option.SGA):
            self._out += _GO_AHEAD

    def gmcp(self, package: str, data: Any = None) -> bool:
        """Send a GMCP message if the peer wants this package, and return whether the peer wants it."""
        if not self.has_gmcp or not self.supports.wants(package):
            return False
        # JSON in UTF-8 has no byte 255, so no byte must be doubled
        self._out += bytes([IAC, Command.SB, Option.GMCP]) + gmcp.write(package, data) + _END
        return True

    def echo(self, on: bool) -> None:
        """Ask the peer to show what the player types next if `on` is True. Otherwise ask the peer to hide it.

        After `on`, the next text begins a new line.
        """
        if on is not self._masked:
            return
        self._masked = not on
        self._out += _UNMASK + b"\r\n" if on else _MASK

    def listing(self, facts: Mapping[str, str | int | Sequence[str | int]]) -> None:
        """Answer `ListingAsked` with facts about the game."""
        self._out += mssp.write(facts)

    def take(self) -> bytes:
        """Return the bytes to send now, and clear them."""
        data = bytes(self._sent) + self._packed()
        self._sent.clear()
        return data

    def finish(self) -> bytes:
        """Return the last bytes to send, with the end of a compressed stream. Later input is ignored."""
        data = self.take()
        if self._compressor is not None:
            data += self._compressor.finish()
            self._compressor = None
        self._dead = True
        return data

    def _packed(self) -> bytes:
        data = bytes(self._out)
        self._out.clear()
        return self._compressor.compress(data) if data and self._compressor is not None else data

    # ---- in --------------------------------------------------------------------------------------------

    def receive(self, data: bytes, now_ns: int) -> list[Event]:
        """Handle received bytes, split anywhere, and return their events (none after a Hangup)."""
        events: list[Event] = []
        if self._dead:
            return events
        if self._parser.in_text and (line := self._editor.take_plain(data)) is not None:
            self._dead = not self._budget.spend(now_ns)
            return [_STORM if self._dead else line]
        for token in self._parser.feed(data):
            for event in self._read(token, now_ns):
                events.append(event)
                if isinstance(event, Hangup):
                    self._dead = True
                    return events
        return events

    def _read(self, token: Token, now_ns: int) -> Iterator[Event]:
        if isinstance(token, TextBytes):
            for line in self._editor.feed(token.data):
                yield line if self._budget.spend(now_ns) else _STORM
        elif not self._budget.spend(now_ns):
            yield _STORM
        elif isinstance(token, Negotiated):
            yield from self._negotiated(token)
        elif isinstance(token, Sub):
            yield from self._sub(token)
        elif isinstance(token, TooLong):
            yield Notice(f"{_name(token.option)}: longer than {SUB_BYTES_MAX:,} bytes, not read")
        else:
            self._said(token)

    def _said(self, token: CommandByte) -> None:
        match token.command:
            case Command.ERASE_CHARACTER:
                self._editor.erase_character()
            case Command.ERASE_LINE | Command.INTERRUPT | Command.BREAK:
                self._editor.erase_line()
            case Command.ARE_YOU_THERE:
                self._out += _HERE
            case _:
                pass

    def _negotiated(self, token: Negotiated) -> Iterator[Event]:
        negotiation, option = self._negotiation, token.option
        if option == Option.ECHO and token.verb in (Command.DO, Command.DONT):
            self._echo_asked(token.verb)
            return
        before = negotiation.we_do(option), negotiation.they_do(option)
        self._out += negotiation.receive(token.verb, option)
        we_do, they_do = negotiation.we_do(option), negotiation.they_do(option)
        if we_do != before[0]:
            yield from self._ours_turned(option, we_do)
        if they_do and not before[1] and option == Option.TTYPE:
            self._out += self._ttype.begin()

    def _echo_asked(self, verb: Command) -> None:
        """Handle the peer's answer on ECHO, which only the server switches. TinTin++ does not answer WONT."""
        if verb == Command.DO and not self._masked:
            self._out += _UNMASK

    def _ours_turned(self, option: int, on: bool) -> Iterator[Event]:
        if option == Option.MCCP2:
            self._turn_compression(on)
        elif option == Option.CHARSET and on:
            self._out += self._charset.begin()
        elif option == Option.MSSP and on:
            yield ListingAsked()
        elif option == Option.GMCP:
            yield Packages(on)

    def _turn_compression(self, on: bool) -> None:
        """Begin compression with a marker, or end it, so that all later output is not compressed."""
        if on:
            self._out += MARKER
            self._sent += self._packed()
            self._compressor = Compressor()
        elif self._compressor is not None:
            self._sent += self._compressor.finish()
            self._compressor = None

    def _sub(self, token: Sub) -> Iterator[Event]:
        negotiation = self._negotiation
        we_do, they_do = negotiation.we_do(token.option), negotiation.they_do(token.option)
        if token.option == Option.GMCP and we_do:
            yield from self._gmcp(token.data)
        elif token.option == Option.NAWS and they_do:
            size = naws.read(token.data)
            if size is not None and size != self.size:
                self.size = size
                yield size
        elif token.option == Option.TTYPE and they_do:
            question, terminal = self._ttype.receive(token.data)
            self._out += question
            if terminal is not None:
                yield terminal
            yield from self._settled()
        elif token.option == Option.CHARSET and (we_do or they_do):
            self._out += self._charset.receive(token.data)
            yield from self._settled()

    def _agreed(self) -> str:
        mtts = self.terminal.mtts
        if mtts is not None and Mtts.UTF_8 in mtts:
            return "utf-8"
        return self._charset.encoding or ("utf-8" if mtts is None else "ascii")

    def _settled(self) -> Iterator[Event]:
        """Yield an event if the character set has changed."""
        before, self.encoding = self.encoding, self._agreed()
        if self.encoding != before:
            yield Encoding(self.encoding)

    def _gmcp(self, data: bytes) -> Iterator[Event]:
        message = gmcp.read(data)
        if isinstance(message, Gmcp):
            if message.package.startswith("Core.Supports."):
                self.supports.take(message.package, message.data)
            elif message.package == "Core.Ping":
                self.gmcp("Core.Ping")
        yield message


def _name(option: int) -> str:
    return Option(option).name if option in Option.__members__.values() else f"telnet option {option}"
