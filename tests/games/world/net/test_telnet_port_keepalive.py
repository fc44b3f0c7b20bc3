"""Connections whose other end vanished are found out by the operating system."""

from __future__ import annotations

import asyncio
import socket
import sys

import pytest

from turnwright.games.world.net.telnet_port import GONE_AFTER_S, keep_alive, round_trip_us

pytestmark = pytest.mark.process


def test_the_operating_system_looks_after_a_connection() -> None:
    async def main() -> None:
        server = await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            keep_alive(writer.transport)
            connected = writer.get_extra_info("socket")
            assert connected.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
            probes = [
                connected.getsockopt(socket.IPPROTO_TCP, option)
                for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
            ]
            assert probes[0] + probes[1] * probes[2] == GONE_AFTER_S
            writer.transport.abort()

    asyncio.run(main())


def test_a_connection_that_is_gone_already_is_no_mishap() -> None:
    class Gone:
        def get_extra_info(self, name: str) -> socket.socket:
            closed = socket.socket()
            closed.close()
            return closed

    keep_alive(Gone())  # type: ignore[arg-type]
    assert round_trip_us(Gone()) is None  # type: ignore[arg-type]


def test_the_system_knows_the_round_trip_of_a_line() -> None:
    async def main() -> tuple[int, int] | None:
        server = await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0)
        async with server:
            _, writer = await asyncio.open_connection("127.0.0.1", server.sockets[0].getsockname()[1])
            measured = round_trip_us(writer.transport)
            writer.transport.abort()
            return measured

    measured = asyncio.run(main())
    if sys.platform == "linux":
        assert measured is not None
        assert 0 < measured[0] < 1_000_000
