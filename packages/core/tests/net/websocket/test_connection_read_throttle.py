"""Connections that send too fast, on both event loops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from typing import cast

import pytest

from packages.core.tests.net.fixtures import Stack, client, listening, until
from packages.core.tests.net.raw_client import PING, PONG, TEXT, frame
from turnwright.net.websocket.connection import (
    FRAMES_MAX,
    FRAMES_NS,
    PAUSE_S,
    SHORT_PAUSE_S,
    SHORT_PAUSES_MAX,
    UNPAUSED_NS,
    ReadThrottle,
)


class Reading:
    """A transport that only records whether it reads."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.closing = False

    def pause_reading(self) -> None:
        self.told.append("pause")

    def resume_reading(self) -> None:
        self.told.append("resume")

    def is_closing(self) -> bool:
        return self.closing


@pytest.mark.parametrize(("gap_ns", "rests"), [(FRAMES_NS // FRAMES_MAX - 1, True), (FRAMES_NS, False)])
def test_only_frames_that_come_too_fast_are_too_many(
    gap_ns: int, rests: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        transport, at_ns = Reading(), 10**12
        monkeypatch.setattr("turnwright.net.websocket.connection.now_ns", lambda: at_ns)
        throttle = ReadThrottle(cast(asyncio.Transport, transport))
        for _ in range(2 * FRAMES_MAX - 1):
            throttle.note()
            at_ns += gap_ns
        assert transport.told == []
        throttle.note()
        assert throttle.paused == rests
        throttle.pause()
        throttle.pause()
        await until(lambda: not throttle.paused)
        assert transport.told == ["pause", "resume"]

    asyncio.run(main())


class Later:
    """A loop that records the delays of calls, and makes the calls when the test asks for it."""

    def __init__(self) -> None:
        self.waits_s: list[float] = []
        self.due: list[Callable[[], None]] = []

    def call_later(self, wait_s: float, call: Callable[[], None]) -> None:
        self.waits_s.append(wait_s)
        self.due.append(call)


def test_calm_connections_get_brief_pauses_and_persistent_ones_long_pauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at_ns, loop = 10**12, Later()
    monkeypatch.setattr("turnwright.net.websocket.connection.now_ns", lambda: at_ns)
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: loop)
    throttle = ReadThrottle(cast(asyncio.Transport, Reading()))

    def rest(times: int) -> list[float]:
        loop.waits_s.clear()
        for _ in range(times):
            throttle.pause()
            loop.due.pop()()
        return loop.waits_s

    assert rest(2) == [PAUSE_S] * 2, "who has just come is not trusted"
    at_ns += UNPAUSED_NS - 1
    assert rest(1) == [PAUSE_S]
    at_ns += UNPAUSED_NS
    assert rest(SHORT_PAUSES_MAX + 2) == [SHORT_PAUSE_S] * SHORT_PAUSES_MAX + [PAUSE_S] * 2
    at_ns += UNPAUSED_NS
    assert rest(1) == [SHORT_PAUSE_S]


def test_the_short_pauses_of_twenty_thousand_messages_take_less_than_a_tenth_of_a_second() -> None:
    pauses = 20_000 // FRAMES_MAX
    assert pauses <= SHORT_PAUSES_MAX
    assert pauses * SHORT_PAUSE_S < 0.1


def test_a_closing_connection_is_not_paused() -> None:
    async def main() -> None:
        transport = Reading()
        throttle = ReadThrottle(cast(asyncio.Transport, transport))
        throttle.pause()
        transport.closing = True
        await until(lambda: not throttle.paused)
        throttle.pause()
        assert transport.told == ["pause"]

    asyncio.run(main())


def test_nothing_is_read_while_a_connection_rests_and_nothing_is_lost(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            raw.say(b"0")
            await until(lambda: app.texts == [b"0"])
            connection = app.open[0]
            assert connection.fileno() >= 0
            connection.pause_reading()
            assert connection.fileno() == -1, "who waits for what the sockets hold waits not for it"
            for number in range(1, 50):
                raw.say(b"%d" % number)
            await raw.writer.drain()
            for _ in range(5):
                await asyncio.sleep(0)
            assert app.texts == [b"0"]
            await until(lambda: len(app.texts) == 50)
            assert app.texts == [b"%d" % number for number in range(50)]
            assert connection.fileno() >= 0

    stack.run(main())


@pytest.mark.parametrize("opcode", [TEXT, PING, PONG])
def test_a_flood_of_whatever_kind_is_read_in_measure(stack: Stack, opcode: int) -> None:
    async def main() -> None:
        async with listening() as (app, port), client(port) as raw, client(port) as other:
            app.on_message = lambda connection, data: connection.send(data) if data == b"?" else None
            flood = frame(b"x", opcode) * FRAMES_MAX
            rested = []
            for _ in range(20):
                raw.write(flood)
                await asyncio.sleep(0.001)
                rested.append(app.open[0].fileno() == -1)
            assert any(rested)
            other.say(b"?")
            assert await other.hear() == b"?"
            raw.abort()

    stack.run(main())


def test_a_connection_that_is_closed_while_it_rests_ends_in_order(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            raw.say(b"hello")
            assert await raw.hear() == b"hello"
            app.open[0].pause_reading()
            app.open[0].close(1008, "enough")
            assert await raw.farewell() == (1008, "enough")
            raw.write(frame(b"\x03\xf0", 8))
            assert await raw.ended()
            await until(lambda: len(app.closed) == 1)

    stack.run(main())


def test_a_flood_is_dealt_with_in_small_pieces_between_which_others_are_served(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count(10**12)  # a clock that a busy machine does not drive on
    monkeypatch.setattr("turnwright.net.websocket.connection.now_ns", lambda: next(ticks))

    async def main() -> None:
        async with listening() as (app, port), client(port) as raw:
            rounds: list[int] = []
            app.on_message = lambda connection, data: rounds.append(len(at))
            at: list[None] = []

            async def count_rounds() -> None:
                while True:
                    at.append(None)
                    await asyncio.sleep(0)

            counting = asyncio.create_task(count_rounds())
            flood = frame(b"x" * 10) * 200_000
            raw.write(flood)
            await until(lambda: len(rounds) > 20_000)
            counting.cancel()
            raw.abort()
            largest = max(rounds.count(number) for number in set(rounds[:20_000]))
            piece = (1 << 14) // 16 + 1
            assert largest <= 2 * FRAMES_MAX + piece

    stack.run(main())
