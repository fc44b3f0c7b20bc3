"""A separate PostgreSQL server, on a socket in a directory that only this user reads."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import pytest


class Postgres:
    """A server that a test can stop and start again. Without PostgreSQL the test is skipped.

    Attributes:
        url: the url of its database.
    """

    def __init__(self) -> None:
        pytest.importorskip("psycopg", reason="the extra [postgres] is not installed")
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        if not found:
            pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
        self._programs = found[-1].parent
        self._folder = Path(tempfile.mkdtemp(prefix="tw-pg-"))
        self._data = self._folder / "data"
        self._as: list[str] = []
        if os.geteuid() == 0:
            self._as = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            shutil.chown(self._folder, "postgres", "postgres")
        self.url = f"postgresql://tw@/postgres?host={self._folder}"

    def __enter__(self) -> Postgres:
        self._run("initdb", "-A", "trust", "-U", "tw", "-D", self._data)
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if (self._data / "postmaster.pid").exists():
            self.resume()
            self.stop("immediate")
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self) -> None:
        """Start the server (again)."""
        options = f"-c listen_addresses= -c unix_socket_directories={self._folder} -c fsync=off"
        self._run("pg_ctl", "-D", self._data, "-w", "-o", options, "-l", self._folder / "log", "start")

    def stop(self, how: str) -> None:
        """Stop the server.

        Args:
            how: fast (connections are ended), or immediate (as if it had crashed).
        """
        self._run("pg_ctl", "-D", self._data, "-w", "-m", how, "stop")

    def pause(self) -> None:
        """Stop its processes. Connections stay."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let its processes continue."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        for pid in self.processes():
            with suppress(ProcessLookupError):  # a child may have ended meanwhile
                os.kill(pid, number)

    def processes(self) -> list[int]:
        """Return the server's processes, the main one first."""
        main = int((self._data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        return [main, *map(int, children)]

    def _run(self, program: str, *words: str | Path) -> None:
        subprocess.run(
            [*self._as, self._programs / program, *words], check=True, cwd="/", stdout=subprocess.DEVNULL
        )
