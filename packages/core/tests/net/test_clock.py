from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from typing import Any

import pytest

from packages.core.tests.net.fixtures import Stack, until
from turnwright.net import clock
from turnwright.net import clock as timerfd
from turnwright.net.clock import Alarm, LoopAlarm, TimerfdAlarm, create_alarm, now_ns

pytestmark = pytest.mark.process

NEVER_NS = 10**15
Make = Callable[[asyncio.AbstractEventLoop, Callable[[], None]], Alarm]


@pytest.fixture(params=["timerfd", "loop"])
def make(request: pytest.FixtureRequest) -> Make:
    return TimerfdAlarm if request.param == "timerfd" else LoopAlarm


def test_the_clock_is_the_one_of_kernel_timers() -> None:
    assert "CLOCK_MONOTONIC" in time.get_clock_info("monotonic").implementation
    assert abs(now_ns() - time.clock_gettime_ns(time.CLOCK_MONOTONIC)) < 1_000_000_000


def test_an_alarm_never_rings_early(loop_name: str, make: Make) -> None:
    async def main() -> None:
        late_ns = []
        for delay_ns in [0, 1, 300_000, 700_000, 1_100_000, 1_500_000, 2_900_000, 5_050_000] * 4:
            rang = asyncio.Event()
            stamps: list[int] = []
            alarm = make(asyncio.get_running_loop(), lambda s=stamps, r=rang: (s.append(now_ns()), r.set()))
            at_ns = now_ns() + delay_ns
            alarm.set(at_ns)
            await rang.wait()
            late_ns.append(stamps[0] - at_ns)
            alarm.close()
        assert min(late_ns) >= 0

    Stack(loop_name).run(main())


def test_the_latest_instant_counts_whether_earlier_or_later(loop_name: str, make: Make) -> None:
    async def main() -> None:
        rings: list[int] = []
        alarm = make(asyncio.get_running_loop(), lambda: rings.append(now_ns()))
        start = now_ns()
        alarm.set(start + 5_000_000)
        alarm.set(start + NEVER_NS)
        await asyncio.sleep(0.02)
        assert rings == []
        sooner = now_ns() + 5_000_000
        alarm.set(sooner)
        await until(lambda: rings)
        await asyncio.sleep(0.03)
        assert len(rings) == 1
        assert sooner <= rings[0]
        alarm.close()

    Stack(loop_name).run(main())


def test_an_alarm_that_was_taken_back_is_silent(loop_name: str, make: Make) -> None:
    async def main() -> None:
        rings: list[int] = []
        alarm = make(asyncio.get_running_loop(), lambda: rings.append(1))
        alarm.set(now_ns() + 1_000_000)
        alarm.set(None)
        await asyncio.sleep(0.01)
        alarm.set(now_ns() + 1_000_000)
        alarm.close()
        alarm.close()
        alarm.set(now_ns())
        await asyncio.sleep(0.01)
        assert rings == []

    Stack(loop_name).run(main())


def test_an_alarm_can_be_set_again_from_its_own_ring(loop_name: str, make: Make) -> None:
    async def main() -> None:
        rings: list[int] = []

        def ring() -> None:
            rings.append(now_ns())
            if len(rings) < 20:
                alarm.set(rings[-1] + 500_000)

        alarm = make(asyncio.get_running_loop(), ring)
        alarm.set(now_ns())
        await until(lambda: len(rings) == 20)
        assert all(b - a >= 500_000 for a, b in itertools.pairwise(rings))
        alarm.close()

    Stack(loop_name).run(main())


def test_a_deadline_that_moves_on_each_turn_costs_few_system_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    original = timerfd.set_alarm
    monkeypatch.setattr(clock, "set_alarm", lambda t, at: (calls.append(at), original(t, at)))

    async def main() -> None:
        alarm = TimerfdAlarm(asyncio.get_running_loop(), lambda: None)
        for _ in range(1_000):
            alarm.set(now_ns() + 30_000_000)
        alarm.close()

    asyncio.run(main())
    assert len(calls) == 1


def test_the_kernels_timer_is_taken_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async def kind() -> Any:
        alarm = create_alarm(asyncio.get_running_loop(), lambda: None)
        alarm.close()
        return type(alarm)

    assert asyncio.run(kind()) is (TimerfdAlarm if timerfd.supported() else LoopAlarm)
    monkeypatch.setattr(clock, "supported", lambda: False)
    assert asyncio.run(kind()) is LoopAlarm
