"""Commands of turnwright that serve pages, as separate processes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

_URL = re.compile(r"http://\S+")
_START_S = 120.0
"""Against a hang; other work on the machine may slow a start."""


class Running:
    """A command that runs.

    Attributes:
        lines: what it has said so far, on both outputs.
    """

    def __init__(self, *words: str | Path, module: str = "turnwright.cli") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,  # not the same pipe: a line of the log may cut another line in two
            text=True,
            start_new_session=True,
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
        """Return the address of the page, as soon as it is said."""
        return self.said(_URL.pattern)[0]

    def said(self, pattern: str) -> re.Match[str]:
        """Return what of a line fits a pattern, as soon as one does."""
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
        """Wait for its end and return its exit code; `lines` is complete then."""
        code = self.process.wait(timeout_s)
        self._read_all(timeout_s)
        return code

    def stop(self) -> None:
        """End it and all that it started."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self._read_all(5)


@contextmanager
def running(*words: str | Path, module: str = "turnwright.cli") -> Iterator[Running]:
    """Run a command; it is ended at the end.

    Args:
        module: has the command.
    """
    command = Running(*words, module=module)
    try:
        yield command
    finally:
        command.stop()
