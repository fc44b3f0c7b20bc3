"""A server of pages alone: no game, no WebSocket. What `turnwright replay` opens."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from turnwright.host.gate import GateConfig
from turnwright.net.bind import bind
from turnwright.net.front import FrontDoor
from turnwright.net.http import HttpResponse, encode, text
from turnwright.net.linger import Linger
from turnwright.net.pages import Pages
from turnwright.net.transport import Accepted, Connection, Peer

__all__ = ["PageServer"]

HOST_NAME = "127.0.0.1"


class PageServer:
    """Shows `pages` on a port of this machine (0: a free one; then `port` says which).

    home: the path and query of what whoever asks for "/" alone is sent to; "/": for nothing else.
    """

    def __init__(self, pages: Pages, port: int = 0, home: str = "/") -> None:
        self.port = port
        self._pages = pages
        self._home = home

    @property
    def origin(self) -> str:
        """The address of its first page, without the slash."""
        return f"http://{HOST_NAME}:{self.port}"

    async def start(self) -> None:
        """Listen. Raises: SetupError when the port is taken."""
        sockets = bind(HOST_NAME, self.port)
        self.port = int(sockets[0].getsockname()[1])
        self._door = FrontDoor(self, _turn_away, GateConfig(bound_host=HOST_NAME))
        await self._door.open(sockets)

    async def stop(self) -> None:
        """Stop listening."""
        self._door.close()
        await asyncio.sleep(0)

    # ---- what the front door tells -----------------------------------------------------------------------

    def on_http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        """Answer a request."""
        page = path.partition("?")[0]
        if path == "/" != self._home:
            return text(302, "the record is shown on its own page", Location=self._home)
        shown = self._pages.show(page, headers)
        if shown is None:
            return text(404, f"there is no page {page[:80]!a} here; see /")
        if method == "HEAD":
            return replace(shown, bodiless=True)
        return shown if method == "GET" else text(405, "only GET and HEAD work here", Allow="GET, HEAD")

    def on_open(self, connection: Connection, peer: Peer) -> None:
        """Nobody ever gets so far."""

    def on_text(self, connection: Connection, data: bytes) -> None:
        """Nobody ever gets so far."""

    def on_pressure(self, connection: Connection, high: bool) -> None:
        """Nobody ever gets so far."""

    def on_close(self, connection: Connection) -> None:
        """Nobody ever gets so far."""


def _turn_away(accepted: Accepted) -> None:
    """Say that there is no game to connect to."""
    accepted.transport.write(encode(text(404, "no game is played here; this server shows records")))
    Linger(accepted.transport, lambda _error: accepted.lost())
