from __future__ import annotations

import asyncio
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from packages.core.tests.net.fixtures import Stack
from turnwright.net.loop import run, stop_on_signals


async def loop_module() -> str:
    return type(asyncio.get_running_loop()).__module__


def test_uvloop_runs_where_it_is_installed_and_asyncio_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("uvloop")
    assert run(loop_module()).startswith("uvloop")
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert run(loop_module()).startswith("asyncio")


def test_the_result_and_the_exception_of_main_come_out() -> None:
    async def fail() -> None:
        raise ValueError("out")

    with pytest.raises(ValueError, match="out"):
        run(fail())


def test_signal_handlers_are_restored_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    def heard(number: int, frame: Any) -> None:
        raise AssertionError(f"signal {number}")

    async def listen() -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, loop.stop)
        raise ValueError("out")

    for hidden in (False, True):
        if hidden:
            monkeypatch.setitem(sys.modules, "uvloop", None)
        before = signal.signal(signal.SIGTERM, heard)
        try:
            with pytest.raises(ValueError, match="out"):
                run(listen())
            assert signal.getsignal(signal.SIGTERM) is heard
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        finally:
            signal.signal(signal.SIGTERM, before)


def test_a_loop_runs_in_any_thread() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: run(loop_module())).result(120)


@pytest.mark.process
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
        for one, handler in before.items():  # which `loops.run` does for all of our handlers
            signal.signal(one, handler)
    assert interruptions == told


@pytest.mark.process
def test_another_thread_without_signals_continues(loop_name: str) -> None:
    async def main() -> bool:
        stop = asyncio.Event()
        stop_on_signals(stop, lambda: None)
        return stop.is_set()

    async def aside() -> bool:
        return await asyncio.to_thread(lambda: asyncio.run(main()))

    assert Stack(loop_name).run(aside()) is False
