"""Spectators of a ladder server's battles: each battle of a worker is a room of the front."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import pytest

from packages.core.tests.net.echo import Recorder
from packages.core.tests.net.fixtures import Stack, until
from packages.core.tests.net.raw_client import RawClient
from turnwright.host.admission import AdmissionConfig
from turnwright.net.http.listener import Listener
from turnwright.net.http.ports import bind
from turnwright.net.http.request import text
from turnwright.net.http.room_front import HandedSockets, RoomFront
from turnwright.net.websocket.connection import attach
from turnwright.net.websocket.interface import Accepted
from turnwright_league.app.ladder.live import SPECTATORS_MAX, LiveBattles

pytestmark = pytest.mark.process

BATTLE, OTHER = "ab" * 20, "cd" * 20
GATE = AdmissionConfig(connections_per_address_max=400)


def refuse(accepted: Accepted) -> None:
    accepted.transport.write(b"HTTP/1.1 503 no\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    accepted.transport.close()


class Server:
    """A front with its own pages, and its live battles."""

    def __init__(self) -> None:
        listener = Listener(lambda _method, path, _headers: text(200, f"page {path}"), refuse, GATE)
        self.front = RoomFront({}, GATE, listener)
        self.live = LiveBattles(self.front, "snake")
        self.token = self.live.channel(GATE).token

    def battles(self) -> list[str]:
        return list(self.front.rooms)


class Worker:
    """A worker that plays a battle: it echoes what spectators say."""

    def __init__(self, server: Server, said: bytes) -> None:
        self.channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.channel.connect(server.live.path)
        self.channel.sendall(server.token + said)
        self.app = Recorder()
        self.listener = Listener(self.app.on_http, partial(attach, self.app), GATE)
        self.handed = HandedSockets(self.channel, self.listener, lambda: None)
        self.handed.report({"phase": "playing"})

    def end(self) -> None:
        self.handed.close()
        for connection in list(self.app.open):
            connection.abort()


@asynccontextmanager
async def served() -> AsyncIterator[tuple[Server, int]]:
    server = Server()
    sockets = bind("127.0.0.1", 0)
    port = int(sockets[0].getsockname()[1])
    await server.front.open(sockets)
    server.live.open()
    try:
        yield server, port
    finally:
        server.front.close()
        server.live.close()
        server.live.close()  # a second call does nothing
        await asyncio.sleep(0.01)


async def refused(port: int, path: str) -> bool:
    with pytest.raises(AssertionError):
        await RawClient.connect(port, path=path)
    return True


def test_a_spectator_comes_to_the_worker_that_plays_the_battle_and_pages_do_not(stack: Stack) -> None:
    async def main() -> None:
        async with served() as (server, port):
            worker, other = Worker(server, BATTLE.encode()), Worker(server, OTHER.encode())
            await until(lambda: set(server.battles()) == {BATTLE, OTHER})
            raw = await RawClient.connect(port, path=f"/t/{BATTLE}/")
            raw.say(b"here")
            assert await raw.hear() == b"here"
            assert (worker.app.texts, other.app.texts) == ([b"here"], [])
            page = await RawClient.open(port)
            page.write(f"GET /t/{BATTLE}/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert f"page /t/{BATTLE}/".encode() in await page.reader.read()
            raw.abort()
            worker.end()
            await until(lambda: server.battles() == [OTHER])
            other.end()

    stack.run(main())


def test_a_battle_has_a_maximum_of_spectators_and_each_that_leaves_makes_room(stack: Stack) -> None:
    async def main() -> None:
        async with served() as (server, port):
            worker = Worker(server, BATTLE.encode())
            await until(lambda: server.battles() == [BATTLE])
            path = f"/t/{BATTLE}/"
            watching = [await RawClient.connect(port, path=path) for _ in range(SPECTATORS_MAX)]
            assert await refused(port, path)
            watching.pop().abort()
            room = server.front.rooms[BATTLE]
            await until(lambda: len(room.open) == SPECTATORS_MAX - 1)
            watching.append(await RawClient.connect(port, path=path))
            assert await refused(port, path)
            for raw in watching:
                raw.abort()
            worker.end()

    stack.run(main())


@pytest.mark.parametrize("said", [b"", b"short", b"G" * 40, b"../" * 13 + b"x"])
def test_an_unknown_battle_gets_no_room(said: bytes, stack: Stack) -> None:
    no_room(lambda server: server.token + said, stack)


@pytest.mark.parametrize("token", [b"", b"0" * 32, b"0" * 24])
def test_a_program_of_this_user_without_the_token_gets_no_room(token: bytes, stack: Stack) -> None:
    """A bot without a sandbox can reach the socket, and knows which battle it plays in."""
    no_room(lambda _: token + BATTLE.encode(), stack)


def no_room(says: Callable[[Server], bytes], stack: Stack) -> None:
    async def main() -> None:
        async with served() as (server, _port):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as channel:
                channel.connect(server.live.path)
                channel.sendall(says(server))
                channel.shutdown(socket.SHUT_WR)
                channel.setblocking(False)
                assert await asyncio.get_running_loop().sock_recv(channel, 1) == b""
            assert server.battles() == []

    stack.run(main())


@pytest.mark.parametrize("said", [b"no json\n", b"5\n", b"[1]\n", b'{"ended": 1}\n'])
def test_a_worker_that_reports_nonsense_loses_its_room_and_no_other(said: bytes, stack: Stack) -> None:
    async def main() -> None:
        async with served() as (server, _port):
            worker, wild = Worker(server, BATTLE.encode()), Worker(server, OTHER.encode())
            await until(lambda: set(server.battles()) == {BATTLE, OTHER})
            wild.channel.send(said)
            await until(lambda: server.battles() == [BATTLE])
            worker.end()
            wild.end()

    stack.run(main())


def test_a_played_battle_cannot_be_replaced_by_another_worker(stack: Stack) -> None:
    async def main() -> None:
        async with served() as (server, port):
            worker = Worker(server, BATTLE.encode())
            await until(lambda: server.battles() == [BATTLE])
            thief = Worker(server, BATTLE.encode())
            raw = await RawClient.connect(port, path=f"/t/{BATTLE}/")
            raw.say(b"here")
            assert await raw.hear() == b"here"
            assert thief.app.texts == []
            raw.abort()
            worker.end()
            thief.end()

    stack.run(main())
