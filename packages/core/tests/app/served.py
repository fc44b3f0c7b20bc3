"""A running `turnwright serve`, and its pages."""

from __future__ import annotations

import re
import signal
from urllib.request import urlopen

from packages.core.tests.cli.playing import Run, turnwright


class Served:
    """A running `turnwright serve`."""

    def __init__(self, *words: object, environ: dict[str, str] | None = None) -> None:
        self.run: Run = turnwright("serve", "--port", 0, "--no-open", *words, environ=environ)
        assert self.run.process.stdout is not None
        line = self.run.process.stdout.readline()
        found = re.fullmatch(r"turnwright serves on (ws://\S+:(\d+))\n", line)
        assert found is not None, line + self.run.finish().err
        self.url, self.port = found[1], int(found[2])
        said, _, self.page = self.run.process.stdout.readline().strip().partition(" ")
        assert said == "watch:"
        assert self.run.process.stdout.readline().startswith("spectators see ")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> Run:
        self.run.process.send_signal(number)
        return self.run.finish()


def page(address: str) -> bytes:
    """Return what is at an address."""
    with urlopen(address, timeout=60) as answer:
        body: bytes = answer.read()
    return body
