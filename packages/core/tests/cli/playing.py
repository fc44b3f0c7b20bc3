"""Runs the command line in a separate process, and finds the processes that it leaves running."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwright.cli.__main__ import main

PLAYING_BOT = """
from turnwright.client import play

play(lambda observation: "up")
"""
"""Plays snake: straight up."""

SILENT_BOT = """
import json, os, sys
from websockets.sync.client import connect

with connect(os.environ["SERVER_URL"]) as socket:
    me = {"name": os.environ["BOT_NAME"], "version": os.environ["BOT_VERSION"], "role": "bot"}
    socket.send(json.dumps({"type": "hello", "protocol": 1, "secret": os.environ["SERVER_SECRET"], **me}))
    print("silent bot connected", file=sys.stderr, flush=True)
    while True:
        socket.recv()
"""
"""Connects, and then sends nothing."""


@dataclass
class Run:
    """A command that runs, with a mark that all its children inherit."""

    process: subprocess.Popen[str]
    mark: str
    out: str = ""
    err: str = ""
    code: int | None = None
    lines: list[str] = field(default_factory=list)

    def finish(self, timeout_s: float = 150) -> Run:
        """Wait for the command to end, and read its output."""
        self.out, self.err = self.process.communicate(timeout=timeout_s)
        self.code = self.process.returncode
        self.lines = self.err.splitlines()
        return self

    def left(self) -> list[int]:
        """Return the ids of the processes with its mark that still run."""
        found = []
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    environ = Path(f"/proc/{name}/environ").read_bytes()
                except OSError:
                    continue
                if self.mark.encode() in environ:
                    found.append(int(name))
        return found

    def nothing_left(self, within_s: float = 60) -> bool:
        """Wait until all its processes have ended, and return whether they end in time."""
        deadline = time.monotonic() + within_s
        while self.left() and time.monotonic() < deadline:
            time.sleep(0.02)
        return not self.left()


def turnwright(*words: object, cwd: Path | None = None, environ: Mapping[str, str] | None = None) -> Run:
    """Start a command, which the caller finishes. Bots start with this Python, unless a PATH is given."""
    mark = f"TEST_MARK={uuid.uuid4().hex}"
    name, _, value = mark.partition("=")
    bin_first = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.Popen(
        [sys.executable, "-m", "turnwright.cli", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env={**os.environ, "PATH": bin_first, name: value, **(environ or {})},
    )
    return Run(process, mark)


@dataclass(frozen=True)
class Answer:
    """The exit code and output of a command that ran in this process."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of stderr."""
        return self.err.splitlines()


def answer(*words: object, cwd: Path | None = None) -> Answer:
    """Run a command in this process, for tests that need no separate one."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with (
        contextlib.chdir(cwd or "."),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = main([*map(str, words)])
    said = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return Answer(code, *said)


def played(run: Run) -> dict[str, Any]:
    """Finish a battle, and return its JSON. Assert that it succeeds and leaves no process running."""
    run.finish()
    assert run.code == 0, run.err
    assert run.nothing_left()
    result: dict[str, Any] = json.loads(run.out)
    return result
