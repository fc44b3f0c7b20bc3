"""Sub-protocols, binary messages, limits and held writes of WebSocket connections."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from packages.core.tests.net.fixtures import Stack, client, listening, until
from packages.core.tests.net.raw_client import BINARY, CONT, PING, TEXT, UPGRADE, RawClient, closing, frame
from turnwright.net.websocket import connection as websocket
from turnwright.net.websocket.connection import (
    FRAGMENTS_MAX,
    Fragments,
    SocketOptions,
    Violation,
    WebSocketConnection,
    attach,
    choose_protocol,
)
from turnwright.net.websocket.interface import MESSAGE_BYTES_MAX, Accepted, Connection, PeerAddress
from turnwright.wire.faults import Farewell

PROTOCOLS = ("packed.", "gmcp.", "terminal.")
OPTIONS = SocketOptions(PROTOCOLS, frames_per_s=100, frames_burst=500, gathers=True)


async def check() -> None:
    websocket.check()


def test_the_picows_that_is_installed_fits() -> None:
    asyncio.run(check())


def test_a_picows_with_another_constructor_is_an_import_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Changed:
        def __init__(self, **options: object) -> None:
            raise TypeError("unexpected keyword argument 'host_port'")

    monkeypatch.setattr(websocket, "_Protocol", Changed)
    with pytest.raises(ImportError, match="host_port"):
        asyncio.run(check())


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
    assert choose_protocol(offered, PROTOCOLS) == protocol
    assert choose_protocol(offered, ()) == ""


@pytest.mark.process
@pytest.mark.parametrize(("offered", "answered"), [("terminal., gmcp.", b"gmcp."), ("other", b"")])
def test_the_chosen_sub_protocol_is_in_the_answer(stack: Stack, offered: str, answered: bytes) -> None:
    async def main() -> None:
        async with listening(options=OPTIONS) as (_, port):
            raw = await RawClient.open(port)
            extra = f"Sec-WebSocket-Protocol: {offered}\r\n"
            request = UPGRADE.format(path="/", host="localhost", connection="Upgrade", extra=extra)
            raw.write(request.encode())
            head = await raw.reader.readuntil(b"\r\n\r\n")
            assert b"101" in head
            assert (b"\r\nSec-WebSocket-Protocol: " + answered + b"\r\n" in head) == bool(answered)
            assert b"Sec-WebSocket-Protocol" in head or not answered
            raw.abort()

    stack.run(main())


class Noting:
    """An application that records the data that it receives."""

    def __init__(self) -> None:
        self.came: list[tuple[str, bytes]] = []

    def on_open(self, connection: Connection, peer: PeerAddress) -> None:
        self.connection = connection

    def on_text(self, connection: Connection, data: bytes) -> None:
        self.came.append(("text", data))

    def on_binary(self, connection: Connection, data: bytes) -> None:
        self.came.append(("binary", data))

    def on_pressure(self, connection: Connection, high: bool) -> None:
        """Do nothing: no peer is slow."""

    def on_close(self, connection: Connection, farewell: Farewell) -> None:
        self.came.append(("closed", b""))


@pytest.mark.process
@pytest.mark.parametrize(("payload", "opcode"), [(b"Core.Ping", TEXT), (b"", PING), (b"look", BINARY)])
def test_a_peer_that_sends_more_than_the_limit_is_closed_whatever_it_sends(
    stack: Stack, payload: bytes, opcode: int
) -> None:
    async def main() -> None:
        async with listening(options=OPTIONS) as (app, port), client(port) as raw:
            app.on_message = lambda *_: None
            raw.write(b"".join(frame(payload, opcode) for _ in range(5_000)))
            code = 0
            while code == 0:
                kind, data = await raw.read()
                code = int.from_bytes(data[:2], "big") if kind == 8 else 0
            assert code == 1008
            await until(lambda: len(app.closed) == 1)
            assert len(app.texts) + len(app.binaries) < 1_500

    stack.run(main())


class FakeTransport:
    """A transport of which only the socket is real; it takes the protocol that is attached to it."""

    def __init__(self, ours: socket.socket) -> None:
        self._ours = ours
        self.protocol: Any = None
        self.queued = b""
        self.aborted = False

    def get_extra_info(self, name: str) -> socket.socket | None:
        return self._ours if name == "socket" else None

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def pause_reading(self) -> None:
        """Nothing is read by itself."""

    def resume_reading(self) -> None:
        """Nothing is read by itself."""

    def get_write_buffer_size(self) -> int:
        return len(self.queued)

    def is_closing(self) -> bool:
        return self.aborted

    def write(self, data: bytes) -> None:
        self.queued += data

    def writelines(self, pieces: list[bytes]) -> None:
        self.queued += b"".join(pieces)

    def write_eof(self) -> None:
        """Do nothing: nothing is read after this."""

    def abort(self) -> None:
        self.aborted = True

    def receive(self, data: bytes) -> None:
        """Deliver bytes from the peer."""
        while data and hasattr(self.protocol, "get_buffer"):
            buffer = self.protocol.get_buffer(-1)
            size = min(len(buffer), len(data))
            buffer[:size] = data[:size]
            self.protocol.buffer_updated(size)
            data = data[size:]


@contextmanager
def attached(options: SocketOptions = OPTIONS) -> Iterator[tuple[FakeTransport, Noting, socket.socket]]:
    """Yield a transport with a WebSocket on it, what its application receives, and the other end."""
    listener = socket.create_server(("127.0.0.1", 0))
    theirs = socket.create_connection(listener.getsockname())
    ours, _ = listener.accept()
    listener.close()
    with ours, theirs:
        ours.setblocking(False)
        application, transport = Noting(), FakeTransport(ours)
        lower: Any = transport
        attach(
            application,
            Accepted(
                lower, PeerAddress("127.0.0.1", 1), "dGhlIHNhbXBsZSBub25jZQ==", b"", lambda: None, "gmcp."
            ),
            options,
        )
        assert transport.queued.startswith(b"HTTP/1.1 101 ")
        transport.queued = b""
        yield transport, application, theirs


def told(pieces: Iterable[bytes]) -> tuple[list[tuple[str, bytes]], bytes]:
    """Return the messages that an application gets from bytes in these pieces, and the answered bytes."""

    async def main() -> tuple[list[tuple[str, bytes]], bytes]:
        with attached() as (transport, application, theirs):
            theirs.setblocking(False)
            for piece in pieces:
                transport.receive(piece)
            try:
                answer = theirs.recv(1_000)
            except BlockingIOError:
                answer = b""
            return application.came, answer + transport.queued

    return asyncio.run(main())


LONG_FOR_A_SHORT_ONE = b"\x82\xfe\x00\x03\0\0\0\0odd"
BREACH = b"\x88"
"""The first byte of a close frame."""
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
def test_however_bytes_are_cut_they_mean_the_same(frames: list[bytes]) -> None:
    whole = b"".join(frames)
    expected = told(bytes([byte]) for byte in whole)
    assert expected[0][0][1] in (b"one", b"three", b"b5", b"1") or expected[1]
    assert told(frames) == expected
    for cut in range(0, len(whole), 3):
        came, answer = told([whole[:cut], whole[cut:]])
        assert answer == expected[1]
        if answer.startswith(BREACH):  # a message in one read with a breach behind it may be lost
            assert came == expected[0][: len(came)]
        else:
            assert came == expected[0]


def received(theirs: socket.socket, size: int) -> bytes:
    came = b""
    while len(came) < size:
        came += theirs.recv(1 << 20)
    return came


@pytest.mark.parametrize("size", [0, 1, 125, 126, 8_192, 8_193, 65_535, 65_536])
def test_held_messages_leave_in_order_when_released(size: int) -> None:
    data = b"z" * size

    async def main() -> None:
        with attached() as (_, application, theirs):
            connection = application.connection
            assert isinstance(connection, WebSocketConnection)
            connection.hold()
            connection.send(data)
            connection.send_binary(b"text")
            assert connection.backlog > size
            theirs.setblocking(False)
            with pytest.raises(BlockingIOError):
                theirs.recv(1)
            theirs.setblocking(True)
            connection.release()
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
            assert received(theirs, len(wanted)) == wanted

    asyncio.run(main())


def test_held_messages_leave_in_one_write() -> None:
    async def main() -> None:
        with attached() as (_, application, theirs):
            connection: Any = application.connection
            connection.hold()
            for _ in range(10):
                connection.send(b"x" * 100)
            connection.release()
            assert len(theirs.recv(1 << 16)) == 10 * 102

    asyncio.run(main())


def test_messages_that_do_not_fit_into_the_socket_are_queued_in_order() -> None:
    async def main() -> None:
        with attached() as (transport, application, theirs):
            connection: Any = application.connection
            connection.hold()
            for _ in range(8):
                connection.send(b"x" * 1_000_000)
            connection.release()
            assert transport.queued
            queued = len(transport.queued)
            connection.send(b"behind")
            assert transport.queued[queued:] == b"\x81\x06behind"
            theirs.close()

    asyncio.run(main())


def test_a_socket_that_is_gone_ends_a_connection_that_holds() -> None:
    async def main() -> None:
        with attached() as (transport, application, theirs):
            connection: Any = application.connection
            connection.hold()
            connection.send(b"x")
            transport.get_extra_info("socket").shutdown(socket.SHUT_WR)  # type: ignore[union-attr]  # it is there
            connection.release()
            assert transport.aborted
            connection.send(b"y")
            theirs.close()

    asyncio.run(main())


def test_held_messages_leave_before_a_close() -> None:
    async def main() -> None:
        with attached() as (transport, application, theirs):
            connection: Any = application.connection
            connection.hold()
            connection.send(b"last words")
            transport.receive(closing(1000))
            assert received(theirs, 16) == frame(b"last words", masked=False) + b"\x88\x02\x03\xe8"

    asyncio.run(main())


def test_a_connection_that_cannot_gather_writes_immediately() -> None:
    async def main() -> None:
        with attached(SocketOptions()) as (_, application, theirs):
            connection: Any = application.connection
            connection.hold()
            connection.send(b"now")
            assert theirs.recv(100) == b"\x81\x03now"
            connection.release()

    asyncio.run(main())


@given(st.lists(st.binary(max_size=20), min_size=2, max_size=30))
def test_pieces_become_the_message_they_were(pieces: list[bytes]) -> None:
    fragments = Fragments()
    assert fragments.begin(pieces[0], True, False) is None
    assert fragments.pieces
    for piece in pieces[1:-1]:
        assert fragments.go_on(piece, False) is None
    assert fragments.go_on(pieces[-1], True) == b"".join(pieces)
    assert not fragments.pieces


def test_a_message_is_text_or_binary_whole_or_in_pieces() -> None:
    fragments = Fragments()
    assert (fragments.begin(b"x", True, True), fragments.text) == (b"x", True)
    assert (fragments.begin(b"x", False, True), fragments.text) == (b"x", False)
    assert fragments.begin(b"x", False, False) is None
    assert (fragments.go_on(b"y", True), fragments.text) == (b"xy", False)
    assert (fragments.begin(b"z", True, True), fragments.text) == (b"z", True)


def test_a_message_inside_another_and_a_continuation_of_nothing_are_violations() -> None:
    fragments = Fragments()
    with pytest.raises(Violation) as caught:
        fragments.go_on(b"x", True)
    assert caught.value.code == 1002
    fragments.begin(b"x", True, False)
    with pytest.raises(Violation) as caught:
        fragments.begin(b"x", True, True)
    assert caught.value.code == 1002


@pytest.mark.parametrize(("extra", "passes"), [(-1, True), (0, True), (1, False)])
def test_a_message_has_a_bound_however_it_is_cut(extra: int, passes: bool) -> None:
    fragments = Fragments()
    half = MESSAGE_BYTES_MAX // 2
    fragments.begin(b"x" * half, True, False)
    if passes:
        assert len(fragments.go_on(b"x" * (half + extra), True) or b"") == MESSAGE_BYTES_MAX + extra
    else:
        with pytest.raises(Violation) as caught:
            fragments.go_on(b"x" * (half + extra), True)
        assert caught.value.code == 1009


@pytest.mark.parametrize(("count", "passes"), [(FRAGMENTS_MAX, True), (FRAGMENTS_MAX + 1, False)])
def test_so_have_its_pieces_even_empty_ones(count: int, passes: bool) -> None:
    fragments = Fragments()
    fragments.begin(b"", True, False)
    for _ in range(count - 2):
        fragments.go_on(b"", False)
    if passes:
        assert fragments.go_on(b"", True) == b""
    else:
        with pytest.raises(Violation) as caught:
            fragments.go_on(b"", True)
        assert caught.value.code == 1009
