"""A ladder server in its own process."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import threading
import time

from packages.league.tests.app.ladder.client import PATIENCE_S


class Served:
    """A ladder server that runs in its own process."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "turnwright.cli", "ladder", "--port", "0", "--no-open", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.lines: list[str] = []
        for output in (self.process.stdout, self.process.stderr):
            threading.Thread(target=self._read, args=(output,), daemon=True).start()

    def _read(self, output: io.TextIOBase) -> None:
        self.lines.extend(iter(output.readline, ""))

    def page(self) -> str:
        """Return the address of the teacher's page."""
        limit = time.monotonic() + PATIENCE_S
        while time.monotonic() < limit and self.process.poll() is None:
            for line in list(self.lines):
                if found := re.fullmatch(r"teacher: (http://\S+)", line.strip()):
                    return found[1]
            time.sleep(0.02)
        raise AssertionError("it did not start: " + "".join(self.lines))

    def kill(self) -> None:
        """Kill it as the kernel would: at once, and with nothing said."""
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def stop(self) -> int:
        """Stop it as an operator does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(PATIENCE_S)
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)
