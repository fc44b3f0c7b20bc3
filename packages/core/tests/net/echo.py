"""An application that echoes and records what it receives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from turnwright.net.http.request import HttpResponse
from turnwright.net.websocket.interface import Connection, PeerAddress
from turnwright.wire.faults import Farewell


class Recorder:
    def __init__(self) -> None:
        self.open: list[Connection] = []
        self.peers: list[PeerAddress] = []
        self.closed: list[Connection] = []
        self.texts: list[bytes] = []
        self.binaries: list[bytes] = []
        self.pressure: list[bool] = []
        self.requests: list[tuple[str, str]] = []
        self.front: Any = None
        """Its listener."""
        self.on_message: Callable[[Connection, bytes], None] = lambda c, d: c.send(d)

    def on_open(self, connection: Connection, peer: PeerAddress) -> None:
        self.open.append(connection)
        self.peers.append(peer)

    def on_text(self, connection: Connection, data: bytes) -> None:
        self.texts.append(data)
        self.on_message(connection, data)

    def on_binary(self, connection: Connection, data: bytes) -> None:
        self.binaries.append(data)

    def on_pressure(self, connection: Connection, high: bool) -> None:
        self.pressure.append(high)

    def on_close(self, connection: Connection, farewell: Farewell) -> None:
        self.open.remove(connection)
        self.closed.append(connection)

    def on_http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        self.requests.append((method, path))
        return HttpResponse(200, f"{method} {path}".encode(), headers={"X-Test": "1"})
