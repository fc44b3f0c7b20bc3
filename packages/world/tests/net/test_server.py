"""The server of a world, with real sockets: telnet, `gmcp.`, `terminal.` and programs in one place."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import websockets

from packages.core.tests.messages import naming
from packages.core.tests.net.fixtures import LOOPS, PATIENCE_S, WAKINGS_MAX, wakings
from packages.world.tests.net.player_minds_server import Player
from turnwright.host.admission import AdmissionConfig, crowding
from turnwright.kernel.verify import verify
from turnwright.net.files.reader import read_record
from turnwright.net.files.writer import LineFiles, RecordWriter
from turnwright.net.http.callers import Callers
from turnwright.net.http.pages import Pages
from turnwright.net.http.viewer_files import StaticFile
from turnwright.wire.record.v2 import Encoder
from turnwright_world.game import WorldGame
from turnwright_world.host import effects as fx
from turnwright_world.host.host import WorldConfig
from turnwright_world.net.connections import BACKLOG_BYTES_MAX
from turnwright_world.net.database import MEMORY, SqliteDatabase, open_database
from turnwright_world.net.open_world import open_world
from turnwright_world.net.server import WorldServer, start_server
from turnwright_world.wire.server_messages import GameText

pytestmark = pytest.mark.process

PACE_US = 50_000


@asynccontextmanager
async def running(
    data: Path | None = None, linkdead_turns: int = 240, **besides: Any
) -> AsyncIterator[WorldServer]:
    opened = open_world(WorldGame(), open_database(data or MEMORY), seed=3, keep_checks="recorder" in besides)
    config = WorldConfig(pace_us=PACE_US, salt=opened.salt, linkdead_turns=linkdead_turns)
    server = await start_server(opened, config, **besides)
    try:
        yield server
    finally:
        await server.stop()


async def caller(server: WorldServer, name: str = "") -> Player:
    """Return a client at the server's telnet port; with a name, it is a guest in the yard."""
    if name:
        return await Player.of(server.telnet_port or 0, name, guest=True)
    player = Player(*await asyncio.open_connection("127.0.0.1", server.telnet_port))
    await player.until("or guest: ")
    return player


def run(main: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        await asyncio.wait_for(main(), PATIENCE_S)

    asyncio.run(limited())


def test_two_telnet_players_meet_and_talk() -> None:
    async def main() -> None:
        async with running() as server:
            anna, bert = await caller(server, "Anna"), await caller(server, "Bert")
            anna.type("say good day", "chat to all", "tell bert to you")
            await bert.until("[chat] Anna: to all")
            await bert.until("Anna tells you: to you")
            await bert.until("Anna says: good day")

    run(main)


def test_a_silent_caller_gets_the_first_byte() -> None:
    """The time to it is measured by bench/promptness.py."""

    async def main() -> None:
        async with running() as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.telnet_port)
            assert await reader.read(1)
            writer.close()

    run(main)


def test_a_browser_a_terminal_and_a_program_see_each_other() -> None:
    async def main() -> None:
        async with running() as server:
            url = f"ws://127.0.0.1:{server.port}/"
            page = await websockets.connect(url, subprotocols=[websockets.Subprotocol("gmcp.")])
            bare = await websockets.connect(url, subprotocols=[websockets.Subprotocol("terminal.")])
            program = await websockets.connect(url)
            assert (page.subprotocol, bare.subprotocol, program.subprotocol) == ("gmcp.", "terminal.", None)
            await page.send(b"Anna\n")
            await bare.send(b"Bert\n")
            await program.send(json.dumps({"type": "Hello", "name": "Wolf"}))
            await heard(page, "Room.Info ")
            await heard(bare, "Yard")
            await heard(program, '"type":"Welcome"')
            await program.send(json.dumps({"type": "Command", "text": "say uuuh"}))
            await heard(page, "Wolf says: uuuh")
            await heard(bare, "Wolf says: uuuh")
            await page.send('Command {"text": "say hush"}')
            await heard(program, "Anna says: hush")

    run(main)


async def heard(socket: Any, wanted: str) -> str:
    while True:
        message = await asyncio.wait_for(socket.recv(), 60)
        text: str = message.decode() if isinstance(message, bytes) else message
        if wanted in text:
            return text


def test_the_clock_is_answered_immediately_and_outside_of_turns() -> None:
    async def main() -> None:
        async with running() as server:
            page = await websockets.connect(
                f"ws://127.0.0.1:{server.port}/", subprotocols=[websockets.Subprotocol("gmcp.")]
            )
            await page.send('Time.Ping {"n": 5, "c": 77}')
            pong = json.loads((await heard(page, "Time.Pong")).removeprefix("Time.Pong "))
            assert (pong["n"], pong["c"]) == (5, 77)
            assert 0 < pong["r"] <= pong["s"]
            assert server.host.turns.stats.turns == 0

    run(main)


def test_hostile_input_costs_its_sender_alone() -> None:
    async def main() -> None:
        async with running() as server:
            anna = await caller(server, "Anna")
            url = f"ws://127.0.0.1:{server.port}/"
            for protocol in ("gmcp.", "terminal.", None):
                offered = None if protocol is None else [websockets.Subprotocol(protocol)]
                socket = await websockets.connect(url, subprotocols=offered, max_size=None)
                for message in (
                    b"x" * 900_000,
                    b"\xc3\n",
                    "{",
                    "[" * 9_000,
                    "Char.Login {]",
                    "\x00",
                    "Zo\x1b[2Je",
                ):
                    await socket.send(message)
                await socket.close()
            bad = await caller(server)
            bad.writer.write(
                b"y" * 1_000_000 + b"\r\n" + b"\xff\xf1" * 2_000 + b"\xff\xfa\xc9{{{\xff\xf0\r\n"
            )
            await bad.writer.drain()
            bad.writer.close()
            anna.type("say still here")
            await anna.until("You say: still here")
            assert server.host.turns.battle.void is None
            assert len(server.host.sessions.players()) == 1

    run(main)


def test_too_many_connections_of_one_address_are_refused_at_the_gate() -> None:
    async def main() -> None:
        gate = AdmissionConfig(bound_host="127.0.0.1", connections_per_loopback_max=3)
        async with running(gate=gate) as server:
            players = [await caller(server) for _ in range(3)]
            refused, _ = await asyncio.open_connection("127.0.0.1", server.telnet_port)
            assert b"too many connections" in await refused.read()
            with pytest.raises(websockets.InvalidStatus):
                await websockets.connect(f"ws://127.0.0.1:{server.port}/")
            players[0].type("Anna")
            await players[0].until("Yard")

    run(main)


def test_ten_thousand_callers_of_one_address_take_no_place_of_others() -> None:
    gate, callers = AdmissionConfig(), Callers()
    came_in = [crowding(callers.enter("198.51.100.7", k * 1_000_000), gate) is None for k in range(10_000)]
    assert sum(came_in) == gate.connections_per_address_max
    for allowed in came_in:
        if not allowed:
            callers.leave("198.51.100.7")
    assert crowding(callers.enter("198.51.100.8", 0), gate) is None
    assert callers.total == gate.connections_per_address_max + 1


def test_the_page_and_the_figures_are_served_on_the_same_port() -> None:
    async def main() -> None:
        file = StaticFile(b"<!doctype html>", "text/html; charset=utf-8", '"1"')
        pages = Pages({"world/index.html": file}, index="world/index.html")
        async with running(pages=pages) as server:
            for path, part in (
                ("/", b"<!doctype html>"),
                ("/healthz", b"ok"),
                ("/metrics", b"world_players 0"),
            ):
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                assert part in await reader.read()

    run(main)


def test_a_failed_database_is_reported_and_the_world_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def page(server: WorldServer, path: str) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        return await reader.read()

    def failing(*work: Any) -> None:
        raise sqlite3.OperationalError("disk full")

    async def main() -> None:
        async with running(tmp_path / "world.db") as server:
            anna = await caller(server, "Anna")
            assert b"ok" in await page(server, "/healthz")
            with monkeypatch.context() as patch:
                patch.setattr(SqliteDatabase, "write", failing)
                anna.type("go in")
                await anna.until("Shed")
                while b" 503 " not in (sick := await page(server, "/healthz")).partition(b"\r\n")[0]:
                    await asyncio.sleep(PACE_US / 1e6)  # it gets the turn before that is kept
                assert naming(sick.decode(), "world", "cannot be saved", "disk full")
                assert b"turnwright_world_kept 0" in await page(server, "/metrics")
                assert json.loads((await page(server, "/world.json")).partition(b"\r\n\r\n")[2])["trouble"]
            anna.type("go out")
            await anna.until("Yard")
            anna.type("go in")
            await anna.until("Shed")
            assert b"ok" in await page(server, "/healthz")

    run(main)


def test_a_returning_player_finds_the_body_where_it_was_before_a_stop(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(tmp_path / "world.db") as server:
            anna = await caller(server, "Anna")
            anna.type("go in")
            await anna.until("Shed")
            anna.type("keep", "three green apples", "three green apples")
            await anna.until("Anna is saved")
        async with running(tmp_path / "world.db") as server:
            again = await caller(server)
            again.type("anna")
            await again.until("passphrase: ")
            again.type("three green apples")
            await again.until("Shed")

    run(main)


def test_a_record_of_the_world_can_be_verified(tmp_path: Path) -> None:
    game = WorldGame()
    archive = LineFiles(lambda battle: tmp_path / "world.twr")
    recorder = RecordWriter(archive, lambda: Encoder(game.write_intent))

    async def main() -> None:
        async with running(recorder=recorder) as server:
            anna = await caller(server, "Anna")
            anna.type("dig")
            await anna.until("You find a stone.")

    run(main)
    record = read_record(tmp_path / "world.twr")
    assert record.footer is not None
    assert record.footer.turns == len(record.turns) >= 4
    assert verify(record, WorldGame()).ok


def test_an_idle_server_sleeps() -> None:
    """A processor that it gives up it was given: what wakes it is counted."""

    async def main() -> None:
        async with running(linkdead_turns=1) as server:
            anna = await caller(server, "Anna")
            anna.type("quit")
            await anna.until("Farewell.")
            await asyncio.sleep(0.3)
            before, turns = wakings(), server.host.turns.stats.turns
            await asyncio.sleep(0.5)
            assert server.host.turns.stats.turns == turns
            assert wakings() - before < WAKINGS_MAX

    run(main)


def test_a_message_that_cannot_be_sent_costs_only_its_connection(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def main() -> None:
        async with running() as server:
            anna, bert = await caller(server, "Anna"), await caller(server, "Bert")
            first = server.host.sessions.players()[0].conn
            server.host.context.emit(fx.SendPackage(first, GameText("\ud800")))
            server.loop.connections[first].package = _failing  # type: ignore[method-assign]
            server.loop.work()
            with contextlib.suppress(ConnectionError):
                await asyncio.wait_for(anna.reader.read(), 60)
            bert.type("say still here")
            await bert.until("You say: still here")

    run(main)
    assert naming(caplog.text, "SendPackage", "not be sent")


def _failing(message: object) -> None:
    raise ValueError(message)


@pytest.mark.parametrize("loop", LOOPS)
def test_lines_in_the_sockets_are_handed_over_before_a_drain_is_answered(
    loop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
        runner.run(_drained_behind_all_lines(monkeypatch))


async def _drained_behind_all_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask for a drain in the very round of the loop in which twenty people have typed."""
    async with running() as server:
        callers = [socket.create_connection(("127.0.0.1", server.telnet_port or 0)) for _ in range(20)]
        while len(server.host.sessions) < len(callers):
            await asyncio.sleep(0.01)
        heard: list[str] = []
        answered = asyncio.Event()
        monkeypatch.setattr(server.host, "line", lambda conn, text, now_ns: heard.append(text))

        def pending_read(now_ns: int) -> None:
            heard.append("drained")
            answered.set()

        monkeypatch.setattr(server.host, "pending_read", pending_read)
        for caller in callers:
            caller.send(b"dodge\r\n")
        server.host.context.emit(fx.ReadPending())
        server.loop.work()
        await asyncio.wait_for(answered.wait(), 60)
        assert heard == ["dodge"] * len(callers) + ["drained"]
        for caller in callers:
            caller.close()


@pytest.mark.parametrize("protocol", ["gmcp.", "packed.", "terminal.", None])
def test_a_websocket_that_does_not_read_is_cut_off_within_its_bound(
    protocol: str | None,
) -> None:
    async def main() -> None:
        async with running() as server:
            offered = None if protocol is None else [websockets.Subprotocol(protocol)]
            url = f"ws://127.0.0.1:{server.port}/"
            idle = await websockets.connect(url, subprotocols=offered, max_queue=1)
            while len(server.host.sessions) < 1:
                await asyncio.sleep(0.01)
            (conn,) = server.loop.connections
            bert = await caller(server, "Bert")
            while conn in server.loop.connections:
                server.host.context.emit(fx.ShowText(conn, "x" * 50_000))
                server.loop.work()
                assert sum(one.backlog for one in server.loop.connections.pressed) <= BACKLOG_BYTES_MAX
                await asyncio.sleep(0)
            bert.type("say still here")
            await bert.until("You say: still here")
            idle.transport.abort()

    run(main)
