from __future__ import annotations

import asyncio
import os
import signal

import pytest

from tests.net.fixtures import Stack
from turnwright.net.loop import stop_on_signals

pytestmark = pytest.mark.process


@pytest.mark.parametrize(("number", "told"), [(signal.SIGTERM, []), (signal.SIGINT, [True])])
def test_a_signal_ends_the_wait(number: signal.Signals, told: list[bool], loop_name: str) -> None:
    interruptions: list[bool] = []

    async def main() -> None:
        stop = asyncio.Event()
        stop_on_signals(stop, lambda: interruptions.append(True))
        os.kill(os.getpid(), number)
        await stop.wait()

    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        Stack(loop_name).run(main())
    finally:
        for one, handler in before.items():  # which `loops.run` does for all of ours
            signal.signal(one, handler)
    assert interruptions == told


def test_another_thread_cannot_hear_signals_and_goes_on(loop_name: str) -> None:
    async def main() -> bool:
        stop = asyncio.Event()
        stop_on_signals(stop, lambda: None)
        return stop.is_set()

    async def aside() -> bool:
        return await asyncio.to_thread(lambda: asyncio.run(main()))

    assert Stack(loop_name).run(aside()) is False
