from __future__ import annotations

import asyncio
import socket

import pytest

from packages.core.tests.net.fixtures import PATIENCE_S, Stack, until
from turnwright.net.http import close as linger
from turnwright.net.http.close import GracefulClose

pytestmark = pytest.mark.process


class Ending(asyncio.Protocol):
    """Answers whatever comes and ends the connection."""

    def __init__(self, lost: list[object]) -> None:
        self.lost = lost

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self.transport.write(b"answer")
        GracefulClose(self.transport, self.lost.append)


async def ended_by(unread: int, close_after: float | None) -> tuple[bytes, list[object]]:
    """Talk to `Ending`, and return what could be read and how often the end was reported to it."""
    lost: list[object] = []
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Ending(lost), "127.0.0.1", 0)
    sock = socket.create_connection(server.sockets[0].getsockname())
    sock.sendall(b"x" * (1 + unread))
    sock.setblocking(False)
    await asyncio.sleep(0.05)
    heard = b""
    while data := await asyncio.wait_for(loop.sock_recv(sock, 100), PATIENCE_S / 2):
        heard += data
    if close_after is not None:
        await asyncio.sleep(close_after)
        sock.close()
    await until(lambda: lost)
    await asyncio.sleep(0.02)
    sock.close()
    server.close()
    return heard, lost


@pytest.mark.parametrize("unread", [0, 3_000_000])
def test_the_answer_arrives_however_much_was_still_on_its_way(loop_name: str, unread: int) -> None:
    heard, lost = Stack(loop_name).run(ended_by(min(unread, 200_000), 0.0))
    assert heard == b"answer"
    assert len(lost) == 1


def test_a_connection_whose_peer_never_closes_is_ended(
    loop_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linger, "STALL_S", 0.1)
    heard, lost = Stack(loop_name).run(ended_by(0, None))
    assert heard == b"answer"
    assert len(lost) == 1


def test_a_peer_that_reads_slowly_gets_all_of_a_long_answer(
    loop_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linger, "STALL_S", 0.1)
    size = 8_000_000

    class Long(Ending):
        def data_received(self, data: bytes) -> None:
            self.transport.write(b"x" * size)
            GracefulClose(self.transport, self.lost.append)

    async def main() -> int:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Long([]), "127.0.0.1", 0)
        sock = socket.create_connection(server.sockets[0].getsockname())
        sock.sendall(b"x")
        sock.setblocking(False)
        heard = 0
        while data := await loop.sock_recv(sock, 1 << 20):
            heard += len(data)
            await asyncio.sleep(0.03)
        sock.close()
        server.close()
        return heard

    assert Stack(loop_name).run(main()) == size


def test_a_connection_whose_peer_stops_reading_a_long_answer_is_ended(
    loop_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linger, "STALL_S", 0.05)
    lost: list[object] = []

    class Long(Ending):
        def data_received(self, data: bytes) -> None:
            self.transport.write(b"x" * 20_000_000)
            GracefulClose(self.transport, self.lost.append)

    async def main() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Long(lost), "127.0.0.1", 0)
        sock = socket.create_connection(server.sockets[0].getsockname())
        sock.sendall(b"x")
        await until(lambda: lost)
        sock.close()
        server.close()

    Stack(loop_name).run(main())
    assert len(lost) == 1
