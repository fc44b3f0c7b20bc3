"""Commands of turnwright that keep running, as separate processes, and the ports that they need."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any, Self

_URL = re.compile(r"http://\S+")
_START_S = 120.0
"""A limit against a hang. It is generous, because other work on the machine may slow a start."""


class Running:
    """A running command.

    Args:
        module: the module that contains the command.

    Attributes:
        lines: the lines of stdout and stderr so far.
        stop_s: the time that `stop` gives it to end.
    """

    stop_s = 10.0

    def __init__(self, *words: str | Path, module: str = "turnwright.cli", cwd: Path | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,  # not the same pipe: a line of the log may cut another line in two
            text=True,
            start_new_session=True,
            cwd=cwd,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )
        self.lines: list[str] = []
        outputs = (self.process.stdout, self.process.stderr)
        self._readers = [threading.Thread(target=self._read, args=(one,), daemon=True) for one in outputs]
        for reader in self._readers:
            reader.start()

    def _read(self, output: IO[str]) -> None:
        for line in output:
            self.lines.append(line.rstrip("\n"))

    def _read_all(self, timeout_s: float) -> None:
        for reader in self._readers:
            reader.join(timeout_s)

    def page(self) -> str:
        """Wait until the command prints the address of its page, and return that."""
        return self.said(_URL.pattern)[0]

    def said(self, pattern: str) -> re.Match[str]:
        """Return the match of the first line that matches a pattern. Wait for it if necessary.

        Raises:
            AssertionError: the command ended without such a line, or did not print it in time.
        """
        deadline = time.monotonic() + _START_S
        while time.monotonic() < deadline:
            ended = self.process.poll() is not None
            for line in list(self.lines):
                found = re.search(pattern, line)
                if found is not None:
                    return found
            if ended:
                break
            time.sleep(0.01)
        raise AssertionError(f"no line fits {pattern}: " + "\n".join(self.lines))

    def wait(self, timeout_s: float = 120) -> int:
        """Wait for its end, and return its exit code. `lines` is complete then."""
        code = self.process.wait(timeout_s)
        self._read_all(timeout_s)
        return code

    def kill(self) -> None:
        """Kill the command with SIGKILL, so it can print nothing more."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Stop the command as an operator does. If it does not end in time, kill it and its children.

        Return its exit code.
        """
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(self.stop_s)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self._read_all(5)
        return self.process.returncode

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_listening(port: int, server: subprocess.Popen[Any]) -> None:
    """Wait until a server that was just started listens on a port.

    Raises:
        RuntimeError: it ended, or does not listen in time.
    """
    end = time.monotonic() + _START_S
    while time.monotonic() < end and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError(f"the server does not listen (exit code {server.returncode})")
