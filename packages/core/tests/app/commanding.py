"""A running `turnwright serve` of a game without a protocol, and its operator."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from packages.core.tests.cli.playing import turnwright

PATIENCE_S = 60.0


class Commanding:
    """An operator's connection."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def say(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **fields}))

    def hear(self, kind: str, errors: Container[str] = ()) -> dict[str, Any]:
        """Return the next message of a kind.

        Args:
            errors: the errors that may come before, by `about`, otherwise by code.
        """
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE_S))
            assert message["type"] != "error" or message.get("about", message["code"]) in errors, message
            if message["type"] == kind:
                return message

    def bots(self, count: int) -> list[dict[str, Any]]:
        """Wait until this many bots have joined, and return their addresses."""
        while True:
            found = self.hear("bots")["bots"]
            if len(found) >= count:
                return [{"host": bot["host"], "port": bot["port"]} for bot in found]


@contextmanager
def served(*words: object, cwd: Path) -> Iterator[tuple[str, Commanding]]:
    """Run `turnwright serve`, and yield its address and an operator. It must end without error."""
    run = turnwright("serve", "--port", "0", "--no-open", *words, cwd=cwd)
    try:
        assert run.process.stdout is not None
        url = run.process.stdout.readline().split()[-1]
        code = re.search(r"#code=(\S+)", run.process.stdout.readline())
        assert code is not None
        with connect(url, compression=None) as socket:
            operator = Commanding(socket)
            operator.say("hello", protocol=1, name="test", role="operator", code=code[1])
            yield url, operator
    finally:
        run.process.send_signal(signal.SIGTERM)
        run.finish()
    assert (run.code, "Traceback" in run.err) == (0, False), run.err
