"""The other end: reads what the codec sends, compressed or not, as a player's program would."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

from turnwright_world.wire.telnet.codec import TelnetCodec
from turnwright_world.wire.telnet.events import Event
from turnwright_world.wire.telnet.parser import (
    IAC,
    Command,
    CommandByte,
    Negotiated,
    Option,
    Sub,
    TelnetParser,
    TextBytes,
    Token,
)


def said(*codes: int) -> bytes:
    return bytes([IAC, *codes])


def do(option: int) -> bytes:
    return said(Command.DO, option)


def will(option: int) -> bytes:
    return said(Command.WILL, option)


def sub(option: int, data: bytes) -> bytes:
    return said(Command.SB, option) + data.replace(b"\xff", b"\xff\xff") + said(Command.SE)


def hear(codec: TelnetCodec, data: bytes, now_ns: int = 0) -> list[Event]:
    return codec.receive(data, now_ns)


@dataclass
class Peer:
    """A player's program.

    Attributes:
        shown: the received text, as bytes.
        messages: the received messages of GMCP, as bytes.
        tokens: all received tokens except text.
        plain: the whole stream, uncompressed.
    """

    shown: bytearray = field(default_factory=bytearray)
    messages: list[bytes] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    plain: bytearray = field(default_factory=bytearray)
    compressed: bool = False

    def __post_init__(self) -> None:
        self._parser = TelnetParser()
        self._inflate = zlib.decompressobj()

    def feed(self, data: bytes) -> Peer:
        while data:
            if self.compressed:
                plain = self._inflate.decompress(data)
                data = self._inflate.unused_data
                if self._inflate.eof:
                    self.compressed, self._inflate = False, zlib.decompressobj()
                for byte in plain:
                    self._byte(byte)
            else:
                self._byte(data[0])
                data = data[1:]
        return self

    def _byte(self, byte: int) -> None:
        self.plain.append(byte)
        for token in self._parser.feed(bytes([byte])):
            if isinstance(token, TextBytes):
                self.shown += token.data
                continue
            self.tokens.append(token)
            if token == Sub(Option.MCCP2, b""):
                self.compressed = True
            elif isinstance(token, Sub) and token.option == Option.GMCP:
                self.messages.append(token.data)

    @property
    def text(self) -> str:
        return self.shown.decode("utf-8")

    def negotiated(self) -> list[tuple[str, int]]:
        return [(t.verb.name, t.option) for t in self.tokens if isinstance(t, Negotiated)]

    def commands(self) -> list[Command]:
        return [t.command for t in self.tokens if isinstance(t, CommandByte)]
