"""An application for the transports that echoes, and writes down what it is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from turnwright.net.http import HttpResponse
from turnwright.net.transport import Connection, Peer


class Recorder:
    def __init__(self) -> None:
        self.open: list[Connection] = []
        self.peers: list[Peer] = []
        self.closed: list[Connection] = []
        self.texts: list[bytes] = []
        self.pressure: list[bool] = []
        self.requests: list[tuple[str, str]] = []
        self.front: Any = None
        """The door that it stands behind."""
        self.on_message: Callable[[Connection, bytes], None] = lambda c, d: c.send(d)

    def on_open(self, connection: Connection, peer: Peer) -> None:
        self.open.append(connection)
        self.peers.append(peer)

    def on_text(self, connection: Connection, data: bytes) -> None:
        self.texts.append(data)
        self.on_message(connection, data)

    def on_pressure(self, connection: Connection, high: bool) -> None:
        self.pressure.append(high)

    def on_close(self, connection: Connection) -> None:
        self.open.remove(connection)
        self.closed.append(connection)

    def on_http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        self.requests.append((method, path))
        return HttpResponse(200, f"{method} {path}".encode(), headers={"X-Test": "1"})
