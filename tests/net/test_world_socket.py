"""Sub-protocols and binary messages, over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from tests.net.raw_client import BINARY, CONT, PING, TEXT, UPGRADE, frame
from turnwright.host.gate import GateConfig
from turnwright.net.bind import bind
from turnwright.net.front import FrontDoor
from turnwright.net.http import HttpResponse
from turnwright.net.transport import Connection, Peer
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
        async with asyncio.timeout(10):
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
