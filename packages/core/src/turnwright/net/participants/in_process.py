"""Bots in this process that play on a server. They exchange the same messages as other bots, but without a
socket.
"""

from __future__ import annotations

from turnwright.net.participants.seating import Entrant
from turnwright.net.websocket.interface import PeerAddress
from turnwright.net.websocket.local import ConnectLocal


class LocalBot:
    """A connected bot in this process.

    If the bot raises an exception, its connection ends, as if its process had crashed.
    """

    def __init__(self, connect: ConnectLocal, entrant: Entrant, secret: str, seed: int) -> None:
        assert entrant.game_bots is not None
        self._session = entrant.game_bots.session(entrant.given, entrant.name, secret, seed, entrant.team)
        self._link = connect(self._receive, None)

    @property
    def peer(self) -> PeerAddress:
        """The bot's address in the list of bots."""
        return self._link.peer

    @property
    def closed(self) -> bool:
        """Whether the bot's connection has ended."""
        return self._link.closed

    def leave(self) -> None:
        """Disconnect from the server."""
        self._link.close()

    def _receive(self, data: bytes) -> None:
        for reply in self._session.receive(data) + self._session.answer():
            self._link.send(reply)
