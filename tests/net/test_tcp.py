"""Connections whose other end vanished are found out by the operating system."""

from __future__ import annotations

import asyncio
import socket

import pytest

from turnwright.net.tcp import GONE_AFTER_S, keep_alive

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
