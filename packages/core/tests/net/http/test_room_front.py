"""Connections that are handed over to rooms, with the front and the rooms in one process."""

from __future__ import annotations

import asyncio
import base64
import errno
import json
import os
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256

import pytest

from packages.core.tests.messages import says
from packages.core.tests.net.echo import Recorder
from packages.core.tests.net.fixtures import Stack, until
from packages.core.tests.net.raw_client import UPGRADE, RawClient
from turnwright.host.admission import AdmissionConfig
from turnwright.host.proxies import Proxies
from turnwright.net.http import room_front
from turnwright.net.http.listener import Listener
from turnwright.net.http.ports import bind
from turnwright.net.http.room_front import (
    NAME,
    WRONG_CHARS_MAX,
    HandedSockets,
    RoomFront,
    prefix_of,
    room_in,
)
from turnwright.net.websocket.connection import attach

pytestmark = pytest.mark.process


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/", None),
        ("/?x=/t/a", None),
        ("/rooms.json", None),
        ("/healthz", None),
        ("/metrics", None),
        ("/t/a", "a"),
        ("/t/a/", "a"),
        ("/t/a?x", "a"),
        ("/t/a/viewer/main.js", "a"),
        ("/t/", ""),
        ("/t", ""),
        ("/anything", ""),
        ("/viewer/main.js", ""),
    ],
)
def test_a_path_belongs_to_a_room_to_the_front_or_to_the_usual_room(path: str, name: str | None) -> None:
    assert room_in(path) == name


@pytest.mark.parametrize(
    ("name", "fits"),
    [("a", True), ("duel-1", True), ("", False), ("A", False), ("a/b", False), ("a" * 33, False)],
)
def test_names_of_rooms_are_valid_in_paths(name: str, fits: bool) -> None:
    assert bool(NAME.fullmatch(name)) is fits


class Played:
    """A room in this process."""

    def __init__(self, front: RoomFront, name: str, listeners: tuple[str, ...] = ()) -> None:
        ours, theirs = socket.socketpair()
        self.room = front.rooms[name]
        self.room.begin(ours, asyncio.get_running_loop().time())
        self.app = Recorder()
        listener = Listener(self.app.on_http, partial(attach, self.app), AdmissionConfig())
        listener.prefix = prefix_of(name)
        self.ended: list[str] = []
        self.channel = theirs
        self.handed = HandedSockets(theirs, listener, lambda: self.ended.append(name), listeners)
        self.listener = listener

    def report(self, **figures: object) -> None:
        self.handed.report(figures)
        self.room.read_report(asyncio.get_running_loop().time())


@asynccontextmanager
async def fronting(
    gate: AdmissionConfig | None = None, *names: str
) -> AsyncIterator[tuple[RoomFront, list[Played], int]]:
    """Yield a front of two rooms, the rooms, and the port."""
    front = RoomFront(dict.fromkeys(names or ("first", "second"), "snake"), gate or AdmissionConfig())
    sockets = bind("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    await front.open(sockets)
    played = [Played(front, name) for name in front.rooms]
    try:
        yield front, played, port
    finally:
        front.close()
        for one in played:
            one.handed.close()
            for connection in list(one.app.open):
                connection.abort()
            one.room.end()
        await asyncio.sleep(0.01)


def counted(front: RoomFront) -> int:
    """Return how many connections the front counts after it has read the reports of the rooms."""
    for room in front.rooms.values():
        if room.channel is not None:
            room.read_report(asyncio.get_running_loop().time())
    return front.callers.total


async def ask(port: int, path: str, method: str = "GET") -> bytes:
    raw = await RawClient.open(port)
    raw.write(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    answer = await raw.reader.read()
    raw.abort()
    return answer


def test_a_websocket_comes_to_the_room_that_its_path_names_or_to_the_first(stack: Stack) -> None:
    async def main() -> None:
        async with fronting() as (_, (first, second), port):
            for path, room in (("/t/second", second), ("/t/second/", second), ("/", first), ("/any", first)):
                raw = await RawClient.connect(port, path=path)
                raw.say(path.encode())
                assert await raw.hear() == path.encode()
                assert room.app.texts[-1] == path.encode()
                assert room.app.peers[-1].port == raw.socket.getsockname()[1], "it is the client's own socket"
                raw.abort()

    stack.run(main())


def test_a_room_knows_by_which_listener_of_the_front_a_connection_came(stack: Stack) -> None:
    async def main() -> None:
        front = RoomFront({"only": "snake"}, AdmissionConfig())
        sockets = [bind("127.0.0.1", 0)[0] for _ in range(2)]
        ports = [int(bound.getsockname()[1]) for bound in sockets]
        await front.open(sockets)
        room = Played(front, "only", ("", "team-b"))
        for port in reversed(ports):
            raw = await RawClient.connect(port)
            raw.say(b"x")
            assert await raw.hear() == b"x"
            raw.abort()
        assert [peer.listener for peer in room.app.peers] == ["team-b", ""]
        front.close()
        room.handed.close()
        room.room.end()
        await until(lambda: not room.app.open)

    stack.run(main())


def test_pages_come_from_the_room_without_its_prefix(stack: Stack) -> None:
    async def main() -> None:
        async with fronting() as (_, (first, second), port):
            assert (await ask(port, "/t/second/page?x=1")).endswith(b"GET /page?x=1")
            assert (await ask(port, "/viewer/main.js")).endswith(b"GET /viewer/main.js")
            assert second.app.requests == [("GET", "/page?x=1")]
            assert first.app.requests == [("GET", "/viewer/main.js")]
            moved = await ask(port, "/t/second")
            assert moved.startswith(b"HTTP/1.1 308 ")
            assert b"\r\nLocation: /t/second/\r\n" in moved

    stack.run(main())


def test_the_front_lists_the_rooms_and_their_state(stack: Stack) -> None:
    async def main() -> None:
        async with fronting() as (front, (first, _), port):
            first.report(phase="<b>", bots=2, tps=-1)
            page = await ask(port, "/")
            style = re.search(rb"<style>(.*?)</style>", page, re.S)
            assert style is not None
            hashed = base64.b64encode(sha256(style[1]).digest())
            assert b"style-src 'sha256-" + hashed + b"'" in page, "a browser leaves it out"
            assert b'<a href="/t/first/">first</a><td>snake<td>2<td><td>no waiting<td>&lt;b&gt;<' in page
            assert b'<a href="/t/second/">second</a><td>snake<td><td><td><td>starting<' in page
            rows = json.loads((await ask(port, "/rooms.json")).partition(b"\r\n\r\n")[2])["rooms"]
            known = {"name": "first", "url": "/t/first/", "game": "snake", "state": "on"}
            assert rows[0] == {**known, "phase": "<b>", "bots": 2, "tps": -1}
            assert (await ask(port, "/healthz")).endswith(b"\r\n\r\nok\n")
            assert b'turnwright_room_on{room="first"} 1.0\n' in await ask(port, "/metrics")
            assert (await ask(port, "/", "POST")).startswith(b"HTTP/1.1 405 ")
            assert (await ask(port, "/", "HEAD")).endswith(b"\r\n\r\n")
            assert (await ask(port, "/t/third/")).startswith(b"HTTP/1.1 404 ")
            assert front.rooms["first"].handed == 0

    stack.run(main())


def test_a_kiosk_is_redirected_to_the_first_playing_room_or_waits(stack: Stack) -> None:
    async def main() -> None:
        async with fronting() as (_, (first, second), port):
            first.report(phase="waiting")
            assert (await ask(port, "/?kiosk=1")).startswith(b"HTTP/1.1 200 "), "the list, which looks again"
            second.report(phase="running")
            answer = await ask(port, "/?kiosk=1&overlay=0")
            assert answer.startswith(b"HTTP/1.1 302 ")
            assert b"\r\nLocation: /t/second/?kiosk=1&overlay=0\r\n" in answer
            for path in ("/", "/?kiosk=0", "/?overlay=1"):
                assert (await ask(port, path)).startswith(b"HTTP/1.1 200 ")

    stack.run(main())


def test_the_front_reports_a_problem_of_a_room_in_one_line(stack: Stack) -> None:
    async def main() -> None:
        async with fronting() as (front, (first, second), port):
            first.report(bots=0, wrong="battle 1 is void: <rules>\n\x1b[31m\u202e")
            page = await ask(port, "/")
            assert rb"<td>battle 1 is void: &lt;rules&gt;\x0a\x1b[31m\u202e<" in page
            first.report(bots=0, wrong="")
            assert b"is void" not in await ask(port, "/")
            second.report(wrong="game.py cannot be loaded" + "x" * 1_000)
            link = front.rooms["second"]
            link.note_end("its process ended (exit code 2)")
            link.end()
            assert len(link.wrong) == WRONG_CHARS_MAX
            assert says((await ask(port, "/t/second/")).decode(), "room second … down … cannot be loadedx")
            ours, theirs = socket.socketpair()
            link.begin(ours, 0.0)
            link.note_end("its process ended (SIGKILL)")
            link.end()
            rows = json.loads((await ask(port, "/rooms.json")).partition(b"\r\n\r\n")[2])["rooms"]
            assert [row.get("wrong") for row in rows] == [None, "its process ended (SIGKILL)"]
            theirs.close()
            ours, theirs = socket.socketpair()
            link.begin(ours, 0.0)
            link.figures, link.wrong = {"bots": 0}, ""
            link.heard_s = asyncio.get_running_loop().time()
            assert says((await ask(port, "/")).decode(), "2 times … its process ended (SIGKILL)")
            theirs.close()

    stack.run(main())


def test_a_lost_or_silent_room_is_reported_and_affects_no_other(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with fronting() as (_, (first, second), port):
            first.report(bots=0)
            raw = await RawClient.connect(port, path="/t/first")
            second.handed.close()
            second.room.end()
            assert (await ask(port, "/t/second/")).startswith(b"HTTP/1.1 503 ")
            assert b"second is down" in await ask(port, "/healthz")
            refused = await RawClient.open(port)
            request = UPGRADE.format(path="/t/second", host="localhost", connection="Upgrade", extra="")
            refused.write(request.encode())
            assert (await refused.reader.read()).startswith(b"HTTP/1.1 503 ")
            raw.say(b"still here")
            assert await raw.hear() == b"still here"
            monkeypatch.setattr(room_front, "SILENCE_S_MAX", -1.0)
            assert (await ask(port, "/viewer/main.js")).startswith(b"HTTP/1.1 503 ")
            raw.say(b"also now")
            assert await raw.hear() == b"also now"
            raw.abort()

    stack.run(main())


def test_the_end_of_the_front_is_the_end_of_its_rooms(stack: Stack) -> None:
    async def main() -> None:
        async with fronting() as (_, (first, second), _port):
            first.room.end()
            await until(lambda: first.ended == ["first"])
            assert second.ended == []

    stack.run(main())


def test_a_head_that_comes_in_pieces_is_waited_for_and_not_for_ever(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with fronting() as (front, (_, second), port):
            raw = await RawClient.open(port)
            for piece in (b"GET /t/sec", b"ond/x HTTP/1.1\r\nHost: loc", b"alhost\r\n", b"\r\n"):
                raw.write(piece)
                await asyncio.sleep(0.02)
            assert (await raw.reader.read()).endswith(b"GET /x")
            raw.abort()
            monkeypatch.setattr(room_front, "HEAD_WAIT_S", 0.05)
            silent, dripping = await RawClient.open(port), await RawClient.open(port)
            dripping.write(b"GET / HT")
            assert (await silent.reader.read()).startswith(b"HTTP/1.1 408 ")
            assert (await dripping.reader.read()).startswith(b"HTTP/1.1 408 ")
            gone = await RawClient.open(port)
            gone.abort()
            await until(lambda: front.waiting == 0 == counted(front))
            assert second.app.requests == [("GET", "/x")]

    stack.run(main())


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
        (b"GET /t/first/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 9_000, 431),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\nHost: b\r\n\r\n", 400),
    ],
)
def test_a_front_refuses_the_requests_that_every_server_refuses(
    stack: Stack, sent: bytes, status: int
) -> None:
    async def main() -> None:
        async with fronting() as (_, (first, second), port):
            raw = await RawClient.open(port)
            raw.write(sent)
            assert (await raw.reader.read()).startswith(f"HTTP/1.1 {status} ".encode())
            assert first.app.requests == second.app.requests == []

    stack.run(main())


def test_more_waiting_connections_than_the_limit_are_refused(stack: Stack) -> None:
    async def main() -> None:
        async with fronting(AdmissionConfig(connections_per_loopback_max=2)) as (front, _, port):
            waiting = [await RawClient.open(port) for _ in range(2)]
            await until(lambda: front.waiting == 2)
            one_more = await RawClient.open(port)
            assert (await one_more.reader.read()).startswith(b"HTTP/1.1 429 ")
            waiting[0].abort()
            await until(lambda: front.waiting == 1)
            assert (await ask(port, "/healthz")).startswith(b"HTTP/1.1 200 ")
            waiting[1].abort()

    stack.run(main())


def test_the_limit_of_an_address_is_for_each_listener(stack: Stack) -> None:
    async def main() -> None:
        front = RoomFront({"only": "snake"}, AdmissionConfig(connections_per_loopback_max=1))
        sockets = [bind("127.0.0.1", 0)[0] for _ in range(2)]
        ports = [int(bound.getsockname()[1]) for bound in sockets]
        await front.open(sockets, ("", "team-b"))
        waiting = [await RawClient.open(port) for port in ports]
        await until(lambda: front.waiting == 2)
        for port in ports:
            one_more = await RawClient.open(port)
            assert (await one_more.reader.read()).startswith(b"HTTP/1.1 429 ")
        for raw in waiting:
            raw.abort()
        await until(lambda: front.callers.total == 0)
        front.close()

    stack.run(main())


def test_the_limit_of_an_address_holds_for_all_rooms_together(stack: Stack) -> None:
    async def main() -> None:
        gate = AdmissionConfig(connections_per_loopback_max=3)
        async with fronting(gate) as (front, (first, _second), port):
            open_now = [
                await RawClient.connect(port, path=f"/t/{name}") for name in ("first", "second", "first")
            ]
            assert (await ask(port, "/t/second/x")).startswith(b"HTTP/1.1 429 ")
            assert (await ask(port, "/healthz")).startswith(b"HTTP/1.1 429 ")
            open_now[1].abort()
            await until(lambda: counted(front) == 2)
            open_now.append(await RawClient.connect(port, path="/t/second"))
            assert (await ask(port, "/t/second/x")).startswith(b"HTTP/1.1 429 ")
            first.room.end()
            assert front.callers.total == 1, "with its process its connections are gone"
            assert (await ask(port, "/t/second/x")).endswith(b"GET /x")
            for raw in open_now:
                raw.abort()
            await until(lambda: counted(front) == 0)

    stack.run(main())


def test_clients_of_a_trusted_proxy_are_counted_by_visitor_over_all_rooms(stack: Stack) -> None:
    async def main() -> None:
        gate = AdmissionConfig(connections_per_address_max=1, proxies=Proxies.named(["localhost"]))
        async with fronting(gate) as (front, _, port):
            came = [
                await RawClient.connect(port, path=path, extra=f"X-Forwarded-For: {visitor}\r\n")
                for path, visitor in (("/t/first", "192.0.2.1"), ("/t/second", "192.0.2.2"))
            ]
            again = await RawClient.open(port)
            head = "GET /t/second/x HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"
            again.write(head.encode())
            assert (await again.reader.read()).startswith(b"HTTP/1.1 429 ")
            for raw in (again, *came):
                raw.abort()
            await until(lambda: counted(front) == 0)

    stack.run(main())


def test_a_waiting_client_gets_503_when_the_front_closes(stack: Stack) -> None:
    async def main() -> None:
        async with fronting() as (front, _, port):
            waiting = await RawClient.open(port)
            await until(lambda: front.waiting)
            front.close()
            assert (await waiting.reader.read()).startswith(b"HTTP/1.1 503 ")

    stack.run(main())


def test_a_front_that_can_open_no_files_pauses_and_resumes(
    stack: Stack, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    accept, tries = socket.socket.accept, 0

    def failing(bound: socket.socket) -> tuple[socket.socket, object]:
        nonlocal tries
        tries += 1
        if tries <= 3:
            raise OSError(errno.EMFILE, "Too many open files")
        return accept(bound)

    async def main() -> None:
        async with fronting() as (_, _rooms, port):
            monkeypatch.setattr(room_front, "ACCEPT_PAUSE_S", 0.02)
            monkeypatch.setattr(socket.socket, "accept", failing)
            rings = 0
            answer = asyncio.create_task(ask(port, "/healthz"))
            while not answer.done():
                await asyncio.sleep(0)
                rings += 1
            assert (await answer).startswith(b"HTTP/1.1 200 ")
            assert tries <= 3 + 2 < rings
            assert caplog.text.count(f"0.02 s: {os.strerror(errno.EMFILE)}") == 3

    stack.run(main())


def test_many_simultaneous_connections_all_arrive(stack: Stack) -> None:
    async def main() -> None:
        async with fronting() as (front, (first, second), port):
            clients = [
                await RawClient.connect(port, path=f"/t/{'first' if n % 2 else 'second'}") for n in range(100)
            ]
            assert len(first.app.open) == len(second.app.open) == 50
            assert front.rooms["first"].handed == 50
            for raw in clients:
                raw.abort()

    stack.run(main())


def test_a_room_that_takes_nothing_gets_nothing_and_the_client_gets_503(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with fronting() as (_, (first, _second), port):
            asyncio.get_running_loop().remove_reader(first.channel.fileno())
            monkeypatch.setattr(socket, "send_fds", _full)
            assert (await ask(port, "/x")).startswith(b"HTTP/1.1 503 ")

    stack.run(main())


def _full(*_: object) -> int:
    raise BlockingIOError
