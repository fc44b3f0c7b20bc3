"""A spectator in the server's own process: it hears what observers hear, without a socket."""

from __future__ import annotations

from collections.abc import Callable

from turnwright._version import __version__
from turnwright.net.local_bots import LocalServer
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.codec import decode_server, encode

__all__ = ["Onlooker"]


class Onlooker:
    """An observer of a live server. take: gets every message it is sent, as bytes."""

    def __init__(self, server: LocalServer, secret: str, take: Callable[[bytes], None]) -> None:
        self._secret = secret
        self._take = take
        self._known = False
        self._link = server.connect_local(self._receive)

    def leave(self) -> None:
        """Disconnect."""
        self._link.close()

    def _receive(self, data: bytes) -> None:
        if not self._known:
            self._known = True
            hello = decode_server(data)
            assert isinstance(hello, m.ServerHandshake), "a server speaks first"
            me = m.ObserverHandshake(
                name="turnwright recorder",
                version=__version__,
                session_id=hello.session_id,
                secret=self._secret,
            )
            self._link.send(encode(me))
        self._take(data)
