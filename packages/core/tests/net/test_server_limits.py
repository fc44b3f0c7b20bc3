"""The live server with slow or silent clients, when idle, and for plain HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from packages.core.tests.net.fake_host import FakeHost
from packages.core.tests.net.fixtures import WAKINGS_MAX, Stack, client, until, wakings
from packages.core.tests.net.raw_client import PING, PONG, RawClient, frame
from packages.core.tests.net.serving import serving
from turnwright.host import effects as fx
from turnwright.host.spectators import BACKLOG_BYTES_MAX, BEHIND_NS_MAX
from turnwright.net import heartbeat
from turnwright.net import server as live
from turnwright.net.clock import now_ns
from turnwright.net.server import LiveServer

pytestmark = pytest.mark.process


@asynccontextmanager
async def one_does_not_read(stack: Stack) -> AsyncIterator[tuple[FakeHost, LiveServer, RawClient, RawClient]]:
    """A server with two clients; the first, connection 1, does not read."""
    async with serving(stack) as (host, server), client(server.port) as slow:
        slow.writer.transport.pause_reading()
        await until(lambda: host.told("connect"))
        async with client(server.port) as other:
            yield host, server, slow, other


async def say(host: FakeHost, raw: RawClient, times: int) -> None:
    """Send messages one after the other; wait until the host has received each."""
    for _ in range(times):
        heard = len(host.told("receive"))
        raw.say(b"go")
        await until(lambda heard=heard: len(host.told("receive")) > heard)


def test_a_spectator_that_does_not_read_loses_frames_and_its_backlog_is_bounded(stack: Stack) -> None:
    async def main() -> None:
        async with one_does_not_read(stack) as (host, server, slow, other):
            host.on["receive"] = lambda *_: host.do(fx.Publish((1,), b"f" * 40_000, True))
            await say(host, other, 400)
            backlog = server.loop.connections[1].backlog
            assert BACKLOG_BYTES_MAX - 2 * 40_000 < backlog <= BACKLOG_BYTES_MAX
            slow.writer.transport.resume_reading()
            frames = 0
            while server.loop.connections[1].backlog:
                assert await slow.hear() == b"f" * 40_000
                frames += 1
            host.on["receive"] = lambda *_: host.do(fx.Publish((1,), b"last"))
            await say(host, other, 1)
            while await slow.hear() == b"f" * 40_000:
                frames += 1
            assert 20 < frames < 400
            assert not host.told("disconnect")

    stack.run(main())


def test_a_spectator_that_cannot_take_an_undroppable_message_gets_1013(stack: Stack) -> None:
    async def main() -> None:
        async with one_does_not_read(stack) as (host, _, slow, other):
            host.on["receive"] = lambda *_: host.do(fx.Publish((1,), b"f" * 200_000, False))
            await say(host, other, 60)
            slow.writer.transport.resume_reading()
            assert await slow.farewell() == (1013, "too slow to follow")

    stack.run(main())


def test_a_spectator_behind_for_half_a_minute_is_closed_with_1013(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = [0]
    monkeypatch.setattr(live, "now_ns", lambda: now_ns() + shift[0])

    async def main() -> None:
        async with one_does_not_read(stack) as (host, _, slow, other):
            host.on["receive"] = lambda *_: host.do(fx.Publish((1,), b"f" * 200_000, True))
            await say(host, other, 60)
            shift[0] = BEHIND_NS_MAX
            await say(host, other, 1)
            slow.writer.transport.resume_reading()
            assert (await slow.farewell())[0] == 1013

    stack.run(main())


def test_a_bot_that_does_not_read_is_aborted_and_the_others_continue(stack: Stack) -> None:
    async def main() -> None:
        async with one_does_not_read(stack) as (host, _, _, other):
            host.on["receive"] = lambda *_: host.do(fx.SendTurn([1, 2], [b"x" * 500_000, b"tick"]))
            for _ in range(40):
                other.say(b"go")
                assert await other.hear() == b"tick"
            await until(lambda: [conn for conn, _ in host.told("disconnect")] == [1])

    stack.run(main())


async def get(port: int, request: str) -> tuple[str, str]:
    raw = await RawClient.open(port)
    raw.write(request.format(host=f"localhost:{port}").encode())
    answer = (await raw.reader.read()).decode()
    raw.abort()
    head, _, body = answer.partition("\r\n\r\n")
    return head, body


def test_pages_are_served_on_the_port_of_the_websocket(stack: Stack) -> None:
    async def main() -> None:
        async with serving(stack) as (_, server):
            ask = "GET {path} HTTP/1.1\r\nHost: {{host}}\r\n\r\n"
            head, body = await get(server.port, ask.format(path="/healthz"))
            assert (head.split("\r\n")[0], body) == ("HTTP/1.1 200 OK", "ok\n")
            assert "X-Content-Type-Options: nosniff" in head
            assert "Referrer-Policy: no-referrer" in head
            assert "Content-Security-Policy: default-src 'none'" in head
            _, body = await get(server.port, ask.format(path="/metrics?x=1"))
            assert body == "turns 1\n"
            _, body = await get(server.port, ask.format(path="/"))
            assert "turnwright" in body
            head, _ = await get(server.port, ask.format(path="/nothing"))
            assert head.startswith("HTTP/1.1 404")
            head, _ = await get(
                server.port, "POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 3\r\n\r\nabc"
            )
            assert head.startswith("HTTP/1.1 405")
            assert "Allow: GET" in head

    stack.run(main())


def test_a_loop_that_was_held_up_is_not_healthy(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    shift = [0]
    monkeypatch.setattr(live, "now_ns", lambda: now_ns() + shift[0])

    async def main() -> None:
        async with serving(stack) as (_, server):
            shift[0] = 2_500_000_000
            head, _ = await get(server.port, "GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n")
            assert head.startswith("HTTP/1.1 503")

    stack.run(main())


def test_failing_metrics_answer_500_and_are_logged(stack: Stack, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with serving(stack) as (host, server):
            host.on["metrics"] = lambda _: [][0]
            head, _ = await get(server.port, "GET /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n")
            assert head.startswith("HTTP/1.1 500")

    stack.run(main())
    assert "IndexError" in caplog.text


def test_a_silent_peer_is_pinged_and_then_dropped_but_never_at_a_breakpoint(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = [0]
    monkeypatch.setattr(heartbeat, "now_ns", lambda: now_ns() + shift[0])
    monkeypatch.setattr(heartbeat, "BEAT_S", 0.02)
    monkeypatch.setattr(heartbeat, "BEATS_PER_SWEEP", 1)

    async def main() -> None:
        async with serving(stack) as (host, server), client(server.port) as raw:
            await until(lambda: host.told("connect"))
            host.at_breakpoint = True
            await asyncio.sleep(0.1)
            shift[0] += 1_000_000_000_000
            await asyncio.sleep(0.1)
            host.at_breakpoint = False
            await asyncio.sleep(0.1)
            assert not host.told("disconnect")
            shift[0] += 61_000_000_000
            assert (await raw.read())[0] == PING
            shift[0] += 30_000_000_000
            await until(lambda: host.told("disconnect"))

    stack.run(main())


def test_round_trips_are_measured_only_for_requested_connections(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "BEAT_S", 0.02)

    async def main() -> None:
        async with serving(stack) as (host, server), client(server.port) as raw, client(server.port) as other:
            await until(lambda: len(host.told("connect")) == 2)
            host.timed = [1, 99]
            assert await raw.read() == (PING, b"")
            raw.write(frame(b"", PONG))
            await until(lambda: host.told("round_trips"))
            ((trips,), *_) = host.told("round_trips")
            assert list(trips) == [1]
            assert trips[1] > 0
            host.timed = []
            host.do(fx.Send(2, b"no ping"))
            other.say(b"go")
            assert await other.hear() == b"no ping"

    stack.run(main())


def test_an_idle_server_sleeps(stack: Stack) -> None:
    """Wakings are counted; bench/promptness.py measures the processor time."""

    async def main() -> None:
        async with serving(stack) as (host, server):
            clients = [await RawClient.connect(server.port) for _ in range(10)]
            await until(lambda: len(host.told("connect")) == 10)
            before = wakings()
            await asyncio.sleep(1.5)
            assert wakings() - before < WAKINGS_MAX
            for raw in clients:
                raw.abort()

    stack.run(main())
