"""What only the websockets transport has to answer for; the rest is in test_transport."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from typing import Any

import pytest

from tests.net.echo import Recorder
from turnwright.net.transport import Accepted, Peer
from turnwright.net.transport_websockets import WebsocketsConnection


class FakeTransport:
    """Remembers what was queued; its socket is one end of a pair."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.queued = b""
        self.aborted = False

    def get_extra_info(self, name: str) -> socket.socket:
        return self.sock

    def get_write_buffer_size(self) -> int:
        return len(self.queued)

    def is_closing(self) -> bool:
        return self.aborted

    def write(self, data: bytes) -> None:
        self.queued += data

    def abort(self) -> None:
        self.aborted = True


def with_connection(test: Callable[[WebsocketsConnection, FakeTransport, socket.socket], None]) -> None:
    async def main() -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.setblocking(False)
            theirs.setblocking(False)
            transport: Any = FakeTransport(ours)
            accepted = Accepted(transport, Recorder(), Peer("127.0.0.1", 1), "key", b"", lambda: None)
            test(WebsocketsConnection(accepted), transport, theirs)

    asyncio.run(main())


def test_a_write_goes_to_the_socket_at_once_and_queues_what_does_not_fit() -> None:
    def test(connection: WebsocketsConnection, transport: FakeTransport, theirs: socket.socket) -> None:
        connection.send(b"now")
        assert theirs.recv(100) == b"\x81\x03now"
        assert transport.queued == b""
        connection.send(b"x" * 1_000_000)
        assert transport.queued
        queued = len(transport.queued)
        connection.send(b"behind")
        assert transport.queued[queued:] == b"\x81\x06behind", "order is kept"

    with_connection(test)


@pytest.mark.parametrize("error", [BrokenPipeError, ConnectionResetError])
def test_a_socket_that_is_gone_ends_the_connection(monkeypatch: pytest.MonkeyPatch, error: Any) -> None:
    def fail(*_: object) -> int:
        raise error

    def test(connection: WebsocketsConnection, transport: FakeTransport, theirs: socket.socket) -> None:
        monkeypatch.setattr(os, "write", fail)
        connection.send(b"x")
        monkeypatch.undo()
        assert transport.aborted
        connection.send(b"y")
        assert transport.queued == b""

    with_connection(test)
