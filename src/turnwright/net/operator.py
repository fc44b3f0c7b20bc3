"""Our own operator of a live server: sees who has connected, starts one game, and leaves.

It stays only until the game has begun: a spectator that stays would have every frame encoded for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from turnwright._version import __version__
from turnwright.net.local_bots import LocalServer
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.codec import decode_server, encode

__all__ = ["Operator"]


class Operator:
    """A controller in this process. changed: set with every message; whoever waits for it clears it.

    bots: the newest list. started: how many play, once the game has begun. ended: why it has not, or None.
    """

    def __init__(self, server: LocalServer, secret: str) -> None:
        self.bots: tuple[m.BotInfo, ...] = ()
        self.started: int | None = None
        self.ended: str | None = None
        self.changed = asyncio.Event()
        self._secret = secret
        self._link = server.connect_local(self._receive, self._closed)

    def start_game(self, setup: m.GameSetup, bots: Sequence[m.BotInfo]) -> None:
        """Ask for the game; the order of the bots is the order of their seats."""
        addresses = tuple(m.BotAddress(host=bot.host, port=bot.port) for bot in bots)
        self._link.send(encode(m.StartGame(game_setup=setup, bot_addresses=addresses)))

    def leave(self) -> None:
        """Disconnect; the game goes on."""
        self._link.close()

    def _receive(self, data: bytes) -> None:
        match decode_server(data):
            case m.ServerHandshake(session_id=session_id):
                self._link.send(encode(self._hello(session_id)))
            case m.BotListUpdate(bots=bots):
                self.bots = bots
            case m.GameStartedEventForObserver(participants=participants):
                self.started = len(participants)
            case m.GameAbortedEvent():
                self.ended = self.ended or "the game was aborted"
            case m.ErrorReply(message=message, refers_to="StartGame"):
                self.ended = message
        self.changed.set()

    def _hello(self, session_id: str) -> m.ControllerHandshake:
        return m.ControllerHandshake(
            session_id=session_id,
            name="turnwright battle",
            version=__version__,
            secret=self._secret,
            turnwright=1,
        )

    def _closed(self, code: int, reason: str) -> None:
        self.ended = self.ended or reason or "the server closed the connection"
        self.changed.set()
