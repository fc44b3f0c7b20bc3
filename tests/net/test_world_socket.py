"""Sub-protocols and binary messages, over real sockets."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from tests.net.raw_client import BINARY, CONT, PING, TEXT, UPGRADE, closing, frame
from turnwright.host.gate import GateConfig
from turnwright.net.bind import bind
from turnwright.net.front import FrontDoor
from turnwright.net.http import HttpResponse
from turnwright.net.transport import Accepted, Connection, Peer
from turnwright.net.world_socket import WorldSocket, attach, chosen


@pytest.mark.parametrize(
    ("offered", "protocol"),
    [
        ("", ""),
        ("gmcp.", "gmcp."),
        ("json., terminal. , gmcp.", "gmcp."),
        ("terminal.", "terminal."),
        ("telnet", ""),
        ("GMCP.", "gmcp."),
    ],
)
def test_the_best_sub_protocol_that_is_offered_is_chosen(offered: str, protocol: str) -> None:
    assert chosen(offered) == protocol


class Noting:
    """An application that notes what comes."""

    def __init__(self) -> None:
        self.came: list[tuple[str, bytes]] = []

    def on_open(self, connection: Connection, peer: Peer) -> None:
        self.connection = connection

    def on_text(self, connection: Connection, data: bytes) -> None:
        self.came.append(("text", data))

    def on_binary(self, connection: WorldSocket, data: bytes) -> None:
        self.came.append(("binary", data))

    def on_pressure(self, connection: Connection, high: bool) -> None:
        """Nobody is slow here."""

    def on_close(self, connection: Connection) -> None:
        self.came.append(("closed", b""))

    def on_http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        raise AssertionError("nobody asks")


def exchanged(*frames: bytes) -> list[tuple[str, bytes]]:
    """Send frames over a real socket; return what the application was told up to "end" or the close."""

    async def main() -> list[tuple[str, bytes]]:
        application = Noting()
        door = FrontDoor(application, attach, GateConfig(bound_host="127.0.0.1"))
        sockets = bind("127.0.0.1", 0)
        host = f"127.0.0.1:{sockets[0].getsockname()[1]}"
        await door.open(sockets)
        reader, writer = await asyncio.open_connection(*host.split(":"))
        extra = "Sec-WebSocket-Protocol: terminal., gmcp.\r\n"
        writer.write(UPGRADE.format(path="/", host=host, connection="Upgrade", extra=extra).encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"Sec-WebSocket-Protocol: gmcp.\r\n" in head
        writer.write(b"".join(frames) + frame(b"end"))
        async with asyncio.timeout(60):
            while not {("text", b"end"), ("closed", b"")} & set(application.came):
                await asyncio.sleep(0.005)
        came = list(application.came)
        application.connection.abort()
        door.close()
        writer.close()
        return came

    return asyncio.run(main())


@pytest.mark.process
def test_text_and_binary_come_whole_and_in_order_also_in_pieces() -> None:
    came = exchanged(
        frame(b"one", BINARY),
        frame(b"tw", BINARY, fin=False),
        frame(b"", PING),
        frame(b"o", CONT),
        frame(b"thr", TEXT, fin=False),
        frame(b"ee", CONT),
        frame("vier\xe9".encode(), BINARY),
    )
    assert came == [
        ("binary", b"one"),
        ("binary", b"two"),
        ("text", b"three"),
        ("binary", "vier\xe9".encode()),
        ("text", b"end"),
    ]


@pytest.mark.process
def test_a_binary_message_without_end_closes_the_connection() -> None:
    piece = b"x" * 60_000
    came = exchanged(frame(piece, BINARY, fin=False), *[frame(piece, CONT, fin=False) for _ in range(20)])
    assert came == [("closed", b"")]


@pytest.mark.process
@pytest.mark.parametrize(("payload", "opcode"), [(b"Core.Ping", TEXT), (b"", PING), (b"look", BINARY)])
def test_who_sends_without_end_is_cut_off_whatever_it_sends(payload: bytes, opcode: int) -> None:
    came = exchanged(*[frame(payload, opcode) for _ in range(5_000)])
    assert came[-1] == ("closed", b"")
    assert len(came) < 1_500


class Line:
    """A transport of which only the socket is real."""

    def __init__(self, ours: socket.socket) -> None:
        self._ours = ours

    def get_extra_info(self, name: str) -> socket.socket:
        assert name == "socket"
        return self._ours

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return False

    def write_eof(self) -> None:
        """Nobody reads on."""

    def abort(self) -> None:
        """It ends with its sockets."""


@contextmanager
def attached() -> Iterator[tuple[WorldSocket, Noting, socket.socket]]:
    """Yield a WebSocket, what its application is told, and the other end of its line."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        application: Any = Noting()
        transport: Any = Line(ours)
        accepted = Accepted(transport, application, Peer("127.0.0.1", 1), "key", b"", lambda: None, "gmcp.")
        connection = WorldSocket(accepted)
        connection.begin("key", b"", "gmcp.")
        theirs.recv(1_000)
        yield connection, application, theirs


def told(pieces: Iterable[bytes]) -> tuple[list[tuple[str, bytes]], bytes]:
    """Return what an application is told of bytes that come in these pieces, and what is answered."""

    async def main() -> tuple[list[tuple[str, bytes]], bytes]:
        with attached() as (connection, application, theirs):
            theirs.setblocking(False)
            for piece in pieces:
                connection.data_received(piece)
            try:
                return application.came, theirs.recv(1_000)
            except BlockingIOError:
                return application.came, b""

    return asyncio.run(main())


LONG_FOR_A_SHORT_ONE = b"\x82\xfe\x00\x03\0\0\0\0odd"
STREAMS = (
    [frame(b"one", BINARY), frame(b""), frame(b"two", TEXT), frame(b"x" * 125), frame(b"y" * 126)],
    [frame(b"t", fin=False), frame(b"", PING), frame(b"hree", CONT), frame(b"4", BINARY)],
    [frame(b"b", BINARY, fin=False), frame(b"5", CONT), frame(b"6"), LONG_FOR_A_SHORT_ONE, frame(b"7")],
    [frame(b"1", fin=False), frame(b"not its turn", BINARY), frame(b"2")],
    [frame(b"1"), frame(b"no mask", masked=False), frame(b"2")],
    [frame(b"1"), frame(b"no such bit", rsv=4), frame(b"2")],
    [frame(b"1"), closing(1000), frame(b"2")],
)


@pytest.mark.parametrize("frames", STREAMS)
def test_however_bytes_are_cut_they_say_the_same(frames: list[bytes]) -> None:
    whole = b"".join(frames)
    expected = told(bytes([byte]) for byte in whole)
    assert expected[0][0][1] in (b"one", b"three", b"b5", b"1") or expected[1]
    assert told(frames) == expected
    for cut in range(len(whole)):
        assert told([whole[:cut], whole[cut:]]) == expected
        assert told([*frames[:1], whole[len(frames[0]) : cut], whole[max(cut, len(frames[0])) :]]) == expected


def test_short_messages_that_come_alone_need_no_parser() -> None:
    async def main() -> None:
        with attached() as (connection, application, _):
            parser, connection._protocol.parser = connection._protocol.parser, iter(())  # type: ignore[assignment]
            connection.data_received(frame(b"look", BINARY))
            connection.data_received(frame(b"Core.Ping"))
            assert application.came == [("binary", b"look"), ("text", b"Core.Ping")]
            connection._protocol.parser = parser
            connection.data_received(frame(b"x" * 126))
            connection.data_received(frame(b"say hi", BINARY))
            assert application.came[2:] == [("text", b"x" * 126), ("binary", b"say hi")]

    asyncio.run(main())


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_what_is_said_leaves_in_frames_of_the_library_in_order_and_at_once(size: int) -> None:
    data = b"z" * size

    async def main() -> None:
        with attached() as (connection, _, theirs):
            connection.held = True
            connection.send(data)
            connection.send_binary(b"text")
            connection.let_out()
            connection.send(b"more")
            connection.close(1000, "bye")
            connection.send(b"too late")
            expected = [
                Frame(Opcode.TEXT, data),
                Frame(Opcode.BINARY, b"text"),
                Frame(Opcode.TEXT, b"more"),
                Frame(Opcode.CLOSE, b"\x03\xe8bye"),
            ]
            wanted = b"".join(one.serialize(mask=False) for one in expected)
            came = b""
            while len(came) < len(wanted):
                came += theirs.recv(100_000)
            assert came == wanted

    asyncio.run(main())
