"""Processes that plan: spares, homes, the stop between turns, and burial."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import naming
from packages.core.tests.waiting import wait_until
from packages.world.tests.planning.net.planner_rig import FIRST_FORK_FAILS
from turnwright.errors import SetupError
from turnwright.net import loop as loops
from turnwright_world.planning.messages import PlanBatch, frame_of
from turnwright_world.planning.net import pool as plan_processes
from turnwright_world.planning.net.pool import PlanProcess, PlanProcesses

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc"),
]


def _state(process: PlanProcess) -> str:
    try:
        return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "gone"


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.002)


async def _take(processes: PlanProcesses, home: str | None) -> PlanProcess:
    async with asyncio.timeout(60):
        while (process := processes.take(home)) is None:
            await asyncio.sleep(0.002)
    return process


def _with(scene: Callable[[PlanProcesses], Awaitable[None]], spares: int = 2) -> None:
    async def main() -> None:
        processes = PlanProcesses(spares, 64, lambda process: None, lambda: None)
        await processes.start()
        try:
            await scene(processes)
        finally:
            await processes.close()

    loops.run(main())


def test_spares_are_forked_ahead_and_replaced() -> None:
    async def scene(processes: PlanProcesses) -> None:
        await _until(lambda: processes.forked == 2)
        assert processes.take("ada") is not None
        await _until(lambda: processes.forked == 3)

    _with(scene)


def test_only_its_owner_gets_the_same_process_again() -> None:
    async def scene(processes: PlanProcesses) -> None:
        ada = await _take(processes, "ada")
        bob = await _take(processes, "bob")
        world = await _take(processes, None)
        for process in (ada, bob, world):
            processes.give_back(process)
        assert processes.take("bob") is bob
        assert processes.take("ada") is ada
        assert processes.take(None) is world
        assert len({ada.pid, bob.pid, world.pid}) == 3

    _with(scene)


def test_an_owners_process_is_stopped_between_its_turns() -> None:
    async def scene(processes: PlanProcesses) -> None:
        ada = await _take(processes, "ada")
        processes.give_back(ada)
        await _until(lambda: _state(ada) == "T")
        assert processes.take("ada") is ada
        await _until(lambda: _state(ada) in "SR")

    _with(scene)


def test_a_killed_process_is_gone_and_its_id_is_free() -> None:
    async def scene(processes: PlanProcesses) -> None:
        ada = await _take(processes, "ada")
        processes.kill(ada)
        await _until(lambda: _state(ada) == "gone")
        assert processes.killed == 1
        assert (await _take(processes, "ada")) is not ada

    _with(scene)


def test_the_owner_who_planned_longest_ago_loses_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_processes, "HOMES_MAX", 2)

    async def scene(processes: PlanProcesses) -> None:
        homes = [await _take(processes, name) for name in ("ada", "bob", "cyd")]
        for process in homes:
            processes.give_back(process)
        await _until(lambda: _state(homes[0]) == "gone")
        assert processes.take("cyd") is homes[2]
        assert processes.take("bob") is homes[1]

    _with(scene)


def test_a_process_that_has_computed_for_long_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_processes, "RETIRE_CPU_S", 0)

    async def scene(processes: PlanProcesses) -> None:
        world = await _take(processes, None)
        await _until(lambda: world.usage().cpu_us > 0)
        processes.give_back(world)
        await _until(lambda: _state(world) == "gone")

    _with(scene)


def test_the_usage_of_a_process_is_read_from_the_system() -> None:
    async def scene(processes: PlanProcesses) -> None:
        world = await _take(processes, None)
        await _until(lambda: 0 < world.usage().cpu_us < 5_000_000)
        assert world.usage().wait_us is not None
        await _until(lambda: not world.runnable())

    _with(scene)


def test_a_program_that_does_not_start_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")

    async def scene(processes: PlanProcesses) -> None:
        raise AssertionError("not reached")

    with pytest.raises(SetupError, match="did not start"):
        _with(scene)


def test_closing_leaves_no_process_behind() -> None:
    pids: list[int] = []

    async def scene(processes: PlanProcesses) -> None:
        for home in ("ada", "bob", None):
            process = await _take(processes, home)
            pids.append(process.pid)
            if home == "bob":
                processes.give_back(process)

    _with(scene)
    wait_until(lambda: all(map(_over, pids)))


def _over(pid: int) -> bool:
    """Return whether a process has ended, even if its parent has not waited for it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def test_an_order_that_was_not_sent_mixes_up_no_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ids come in the order of the orders; one that was never sent must not be waited for."""

    async def scene(processes: PlanProcesses) -> None:
        await _until(lambda: processes.forked == 2)
        sent = socket.send_fds
        monkeypatch.setattr(socket, "send_fds", _refusing)
        first = await _take(processes, "ada")
        monkeypatch.setattr(socket, "send_fds", sent)
        second, third = await _take(processes, "bob"), await _take(processes, "cy")
        for process in (first, second, third):
            process.channel.setblocking(True)
            batch = PlanBatch((), (), 10)
            process.channel.sendall(frame_of(batch))
            assert process.channel.recv(1_000)
            process.signal(signal.SIGKILL)
            assert process.channel.recv(1_000) == b""

    _with(scene)


def _refusing(*arguments: object) -> None:
    raise BlockingIOError


def test_a_failed_fork_is_retried(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    start = subprocess.Popen

    def short_of_processes(command: list[str], **how: Any) -> subprocess.Popen[bytes]:
        at = command.index("-m")
        return start([*command[:at], "-c", FIRST_FORK_FAILS, *command[at + 2 :]], **how)

    monkeypatch.setattr(subprocess, "Popen", short_of_processes)

    async def scene(processes: PlanProcesses) -> None:
        await _until(lambda: processes.forked == 1)
        assert naming(caplog.text, "no room", "process")
        assert (await _take(processes, "ada")).pid > 1
        await _until(lambda: processes.forked == 3)

    _with(scene)
    assert naming(caplog.text, "no room", "process")
