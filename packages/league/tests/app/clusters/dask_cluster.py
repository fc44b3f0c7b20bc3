"""A Dask scheduler and workers on 127.0.0.1, as processes that can be killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

_LIMIT_S = 120.0
_OLDER = {
    "installed": "import importlib.metadata as found\n"
    "version = found.version\n"
    "found.version = lambda name: '0.0.9' if name == 'turnwright' else version(name)\n",
    "code": "import turnwright._version\nturnwright._version.__version__ = '0.0.9'\n",
}
"""Programs that give a worker an older version: of the installed package, or of its code."""

_QUIET = {
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "5s",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false",
}
"""Settings with which Dask does not measure itself a hundred times a second."""


class DaskCluster:
    """A scheduler; `add_worker` starts workers.

    Args:
        place: a folder for its files.
        port: 0 for any.

    Attributes:
        bots: the folder in which all workers unpack archives.
    """

    def __init__(self, place: Path, workers: int = 0, port: int = 0) -> None:
        place.mkdir(parents=True, exist_ok=True)
        self._place, self.bots = place, place / "bots"
        file = place / "scheduler.json"
        file.unlink(missing_ok=True)
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", str(port), "--scheduler-file", str(file)
        )
        limit = time.monotonic() + _LIMIT_S
        while not file.exists() or not file.read_text().endswith("}"):
            assert self.scheduler.poll() is None
            assert time.monotonic() < limit
            time.sleep(0.02)
        self.address: str = json.loads(file.read_text())["address"]
        self.on = self.address.replace("tcp://", "dask://")
        self.workers = [self.add_worker() for _ in range(workers)]

    def add_worker(
        self,
        *,
        threads: int = 1,
        older: str = "",
        environment: Mapping[str, str] | None = None,
        more: Sequence[str] = (),
    ) -> subprocess.Popen[bytes]:
        """Start a worker.

        Args:
            older: a key of _OLDER, for a worker of an older version.
            environment: replaces the environment of this process.
            more: further options.
        """
        main = "from distributed.cli.dask_worker import main\nmain()\n"
        program = ["-c", _OLDER[older] + main] if older else ["-m", "distributed.cli.dask_worker"]
        local = self._place / "workers"
        return self._start(
            "worker", self.address, "--nthreads", str(threads), "--no-nanny", "--host", "127.0.0.1",
            "--local-directory", str(local), *more, program=program, environment=environment,
        )  # fmt: skip

    def _start(
        self,
        kind: str,
        *words: str,
        program: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[bytes]:
        command = [sys.executable, *(program or ["-m", f"distributed.cli.dask_{kind}"])]
        environment = {**(environment or os.environ), **_QUIET, "TURNWRIGHT_BOT_CACHE": str(self.bots)}
        with (self._place / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(
                [*command, *words, "--no-dashboard"], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=environment, start_new_session=True,
            )  # fmt: skip

    def __enter__(self) -> DaskCluster:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.workers, self.scheduler):
            kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
