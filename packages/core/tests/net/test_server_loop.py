"""The loop of every server: guarded calls, a table of effects, the alarm, and reading before a drain ends."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from packages.core.tests.messages import missing
from packages.core.tests.net.fake_host import FakeHost
from turnwright.host import effects as fx
from turnwright.net.clock import QueuedAlarm
from turnwright.net.server_loop import ServerLoop

SORRY = 1000, "it was logged"


class End:
    """A connection that records how it ends.

    Args:
        backlog: the bytes that wait in it.
    """

    def __init__(self, backlog: int = 0) -> None:
        self.backlog = backlog
        self.closed: list[tuple[int, str]] = []
        self.aborted = False

    def close(self, code: int, reason: str = "") -> None:
        self.closed.append((code, reason))

    def abort(self) -> None:
        self.aborted = True


@dataclass
class Wave:
    """An effect that only this server knows."""

    conn: int
    height: int


def run(main: Callable[[FakeHost, Any], Any], **options: Any) -> None:
    """Let `main(host, loop)` act on a loop that has begun."""

    async def limited() -> None:
        host = FakeHost()
        given = {"unread": lambda: False, "drain_rounds": 3, "backlog_max": 100, "sorry": SORRY, **options}
        own = given.pop("own", lambda loop: {})
        loop: ServerLoop[End] = ServerLoop(host, **given)
        loop.open(own(loop))
        try:
            async with asyncio.timeout(60):
                await main(host, loop)
        finally:
            loop.close()

    asyncio.run(limited())


def test_a_servers_own_effects_run_in_order_with_the_others() -> None:
    done: list[str] = []

    async def main(host: FakeHost, loop: ServerLoop[End]) -> None:
        key = loop.connections.add(End())
        host.do(Wave(key, 1), fx.Log("info", "between"), Wave(key, 2))  # type: ignore[arg-type]  # its own
        loop.work()
        assert done == ["1", "between", "2"]

    run(
        main,
        own=lambda loop: {
            Wave: lambda effect: done.append(str(effect.height)),
            fx.Log: lambda effect: done.append(effect.text),
        },
    )


def test_numbers_of_connections_are_never_used_again() -> None:
    async def main(host: FakeHost, loop: ServerLoop[End]) -> None:
        first = loop.connections.add(End())
        del loop.connections[first]
        assert loop.connections.next_key == loop.connections.add(End()) == first + 1

    run(main)


def test_an_unwritable_effect_costs_only_its_connection(caplog: pytest.LogCaptureFixture) -> None:
    def write(end: End, effect: Wave) -> None:
        if effect.height > 5:
            raise ValueError("too high")
        end.closed.append((effect.height, ""))

    async def main(host: FakeHost, loop: ServerLoop[End]) -> None:
        one, two = End(), End()
        first, second = loop.connections.add(one), loop.connections.add(two)
        host.do(Wave(first, 9), Wave(second, 2), Wave(77, 9))  # type: ignore[arg-type]  # its own
        loop.work()
        assert (one.aborted, two.aborted, two.closed) == (True, False, [(2, "")])

    run(main, own=lambda loop: {Wave: loop.to_one(write)})
    assert caplog.text.count("Wave could not be") == 1


def test_a_failed_call_costs_its_connection_and_earlier_effects_are_done(
    caplog: pytest.LogCaptureFixture,
) -> None:
    failures: list[str] = []

    async def main(host: FakeHost, loop: ServerLoop[End]) -> None:
        one, two = End(), End()
        first, second = loop.connections.add(one), loop.connections.add(two)

        def fail(*_: object) -> None:
            host.do(fx.Close(second, 1008, "no"))
            raise ZeroDivisionError("a defect")

        host.on["connect"] = fail
        loop.tell(one, host.connect, first, "", 0, 0)
        assert one.closed == [SORRY]
        assert two.closed == [(1008, "no")]
        assert failures == ["told"]

    run(main, on_failure=lambda: failures.append("told"))
    assert "a defect" in caplog.text


def test_an_effect_that_fails_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "turnwright")

    async def main(host: FakeHost, loop: ServerLoop[End]) -> None:
        host.do(Wave(1, 1), fx.Log("info", "after it"))  # type: ignore[arg-type]  # nobody knows it here
        loop.work()

    run(main)
    assert "after it" in caplog.text


def test_a_connection_with_too_large_a_backlog_is_aborted_after_the_effects() -> None:
    async def main(host: FakeHost, loop: ServerLoop[End]) -> None:
        full, good = End(101), End(100)
        for end in (full, good):
            loop.connections.add(end)
            loop.connections.pressed.add(end)  # type: ignore[arg-type]  # a test double
        host.do(fx.Log("info", "anything"))
        loop.work()
        assert (full.aborted, good.aborted) == (True, False)
        assert loop.connections.pressed == {good}

    run(main)


def test_a_drain_ends_when_nothing_lies_unread_or_its_rounds_are_over() -> None:
    asked: list[str] = []

    def unread() -> bool:
        asked.append("unread?")
        return True

    async def main(host: FakeHost, loop: ServerLoop[End]) -> None:
        host.on["pending_read"] = lambda _: asked.append("read")
        host.do(fx.ReadPending())
        loop.work()
        while "read" not in asked:
            await asyncio.sleep(0)
        assert asked == ["unread?"] * 3 + ["read"]

    run(main, unread=unread)


def test_a_past_alarm_rings_in_the_next_round_and_only_the_last_one_counts() -> None:
    async def main(host: FakeHost, loop: ServerLoop[End]) -> None:
        host.do(fx.SetAlarm(1))
        loop.work()
        assert not host.told("wake")
        await asyncio.sleep(0)
        assert len(host.told("wake")) == 1
        due_ns = time.monotonic_ns() + 20_000_000
        host.do(fx.SetAlarm(1), fx.SetAlarm(due_ns))
        loop.work()
        await asyncio.sleep(0)
        assert len(host.told("wake")) == 1
        while len(host.told("wake")) < 2:
            await asyncio.sleep(0.001)
        assert host.told("wake")[-1][0] >= due_ns

    run(main, new_alarm=QueuedAlarm)


def test_a_page_that_cannot_be_made_is_a_500(caplog: pytest.LogCaptureFixture) -> None:
    async def main(host: FakeHost, loop: ServerLoop[End]) -> None:
        assert loop.answer(lambda: [][0]).status == 500

    run(main)
    assert not missing(caplog.text, "page", "could not be created")
