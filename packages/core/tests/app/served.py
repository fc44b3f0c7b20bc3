"""A running `turnwright serve`, and its pages."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Self
from urllib.request import urlopen

from websockets.sync.client import ClientConnection, connect

from packages.core.tests.cli.playing import Run, turnwright

Join = Callable[..., tuple[ClientConnection, dict[str, Any]]]


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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.run.process.kill()
        self.run.process.wait()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> Run:
        self.run.process.send_signal(number)
        return self.run.finish()


@contextmanager
def joining(introduction: Callable[[dict[str, Any], str], dict[str, Any]]) -> Iterator[Join]:
    """Yield a function that connects clients and introduces them, as in `join(url, role, field=value)`.

    It returns the client and the server's first message.

    Args:
        introduction: returns a client's first message, from the server's first message and the client's role.
    """
    with ExitStack() as stack:

        def join(url: str, role: str, **more: object) -> tuple[ClientConnection, dict[str, Any]]:
            client = stack.enter_context(connect(url, proxy=None))
            heard = json.loads(client.recv())
            client.send(json.dumps({**introduction(heard, role), **more}))
            return client, heard

        yield join


def page(address: str) -> bytes:
    """Return the content of an address."""
    with urlopen(address, timeout=60) as answer:
        body: bytes = answer.read()
    return body
