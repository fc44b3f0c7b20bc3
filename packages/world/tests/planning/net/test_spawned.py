"""Workers that cannot start: few tries, longer and longer apart."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import socket
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import naming
from turnwright_world.planning.net.spawned import PAUSE_S, PAUSE_S_MAX, SpawnedWorkers

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not hasattr(os, "waitid"), reason="this system cannot wait without taking leave"),
]
TURN_S = 0.05
CONNECTS = """#!{python}
import socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[-2]))) as channel:
    channel.sendall(sys.stdin.readline().strip().encode())
    channel.recv(1)
"""


class FastLoop(asyncio.SelectorEventLoop):
    """A loop whose clock advances by a turn each time it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = 0

    def time(self) -> float:
        return self.turns * TURN_S


@pytest.mark.parametrize(
    ("program", "reason"),
    [(shutil.which("false"), "exit code 1"), ("/no/such/program", "/no/such/program")],
)
def test_a_worker_that_cannot_start_is_tried_again_in_longer_and_longer_pauses(
    program: str, reason: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tries: list[float] = []

    class NotedPopen(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            tries.append(loop.time())
            super().__init__(*arguments, **options)
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)  # it has ended when it is looked at

    async def many_turns() -> None:
        workers = SpawnedWorkers(64, lambda pid, channel, child: channel.close())
        for loop.turns in range(2_000):
            if workers.coming < 2:
                workers.start()
        await workers.close()

    monkeypatch.setattr(sys, "executable", program)
    monkeypatch.setattr(subprocess, "Popen", NotedPopen)
    loop = FastLoop()
    with caplog.at_level(logging.WARNING, "turnwright"):
        loop.run_until_complete(many_turns())
    loop.close()
    pauses = [after - before for before, after in pairwise(tries)]
    assert PAUSE_S <= pauses[0] < pauses[1] < pauses[2] < pauses[-1] <= PAUSE_S_MAX + TURN_S
    assert len(tries) < 12
    assert len(naming(caplog.messages, "next try in", reason)) >= len(pauses)


def test_a_worker_that_connects_ends_the_pauses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "worker"
    program.write_text(CONNECTS.format(python=sys.executable))
    program.chmod(0o755)

    async def some_turns() -> None:
        come = asyncio.Event()
        children: list[subprocess.Popen[bytes]] = []

        def take_in(pid: int, channel: socket.socket, child: subprocess.Popen[bytes]) -> None:
            channel.close()
            children.append(child)
            come.set()

        workers = SpawnedWorkers(64, take_in)
        monkeypatch.setattr(sys, "executable", str(program))
        with monkeypatch.context() as broken:
            broken.setattr(sys, "executable", "/no/such/program")
            assert not workers.start()
        assert not workers.start()
        await asyncio.sleep(PAUSE_S)
        assert workers.start()
        await asyncio.wait_for(come.wait(), 60)
        assert workers.start()
        await workers.close()
        for child in children:
            await asyncio.to_thread(child.wait)

    asyncio.run(some_turns())
