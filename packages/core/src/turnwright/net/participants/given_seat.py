"""A seat without a socket. Its intents come from this process."""

from __future__ import annotations

from typing import Any

from turnwright.host.host import Host
from turnwright.host.lifecycle import Phase
from turnwright.host.protocol import HelloMessage
from turnwright.net.server import LiveServer
from turnwright.net.websocket.interface import PeerAddress


class GivenSeat:
    """A participant without a program.

    It gets ready when the battle waits for it, and ignores what the server's messages contain.

    Args:
        hello: the handshake of the seat.
    """

    def __init__(self, server: LiveServer, host: Host, hello: HelloMessage) -> None:
        self._server, self._host = server, host
        self._link = server.connect_local(self._get_ready)
        conn = self._link.peer.port
        server.command(lambda now_ns: host.introduce(conn, hello, now_ns))
        self._client = host.lobby.clients[conn]

    @property
    def peer(self) -> PeerAddress:
        """The seat's address in the list of bots."""
        return self._link.peer

    def give(self, intent: Any) -> None:
        """Answer the newest observation.

        Args:
            intent: an intent in the form that the rules use.
        """
        self._server.command(lambda now_ns: self._host.room.give(self._client, intent, now_ns))

    def _get_ready(self, data: bytes) -> None:
        room = self._host.room
        if room.phase is Phase.WAITING_FOR_READY:
            self._server.command(lambda now_ns: room.ready(self._client, now_ns))
