"""A small server for the tests of our client: sends the messages of a script, keeps what it receives."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import msgspec
from websockets.sync.server import Server, ServerConnection, serve

from turnwright_tank.structs import Observation

GAME_SETUP: dict[str, Any] = {
    "gameType": "classic",
    "arenaWidth": 800,
    "arenaHeight": 600,
    "minNumberOfParticipants": 2,
    "numberOfRounds": 10,
    "gunCoolingRate": 0.1,
    "maxInactivityTurns": 450,
    "turnTimeout": 30000,
    "readyTimeout": 1000000,
    "defaultTurnsPerSecond": 30,
    **{
        f"is{name}Locked": False
        for name in (
            "ArenaWidth", "ArenaHeight", "MinNumberOfParticipants", "MaxNumberOfParticipants",
            "NumberOfRounds", "GunCoolingRate", "MaxInactivityTurns", "TurnTimeout", "ReadyTimeout",
        )
    },
}  # fmt: skip
HELLO = {
    "type": "ServerHandshake",
    "sessionId": "s1",
    "variant": "Tank Royale",
    "version": "1.1.0",
    "gameTypes": ["classic"],
}
GAME = {"type": "GameStartedEventForBot", "myId": 1, "teammateIds": [], "gameSetup": GAME_SETUP}
ROUND = {"type": "RoundStartedEvent", "roundNumber": 1}
RESULTS = {
    "rank": 1,
    "survival": 50,
    "lastSurvivorBonus": 10,
    "bulletDamage": 40,
    "bulletKillBonus": 8,
    "ramDamage": 0,
    "ramKillBonus": 0,
    "totalScore": 108,
    "firstPlaces": 1,
    "secondPlaces": 0,
    "thirdPlaces": 0,
}
ROUND_OVER = {"type": "RoundEndedEventForBot", "roundNumber": 1, "turnNumber": 3, "results": RESULTS}
GAME_OVER = {"type": "GameEndedEventForBot", "numberOfRounds": 1, "results": RESULTS}


class Line:
    """The server's end of one connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket

    def say(self, *messages: object) -> None:
        """Send messages: observations, JSON values, or texts as they are."""
        for message in messages:
            if isinstance(message, Observation):
                self._socket.send(msgspec.json.encode(message).decode())
            else:
                self._socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def hear(self) -> dict[str, Any]:
        """Return the next message of the client."""
        heard: dict[str, Any] = json.loads(self._socket.recv(timeout=60))
        return heard

    def close(self, code: int = 1000, reason: str = "") -> None:
        """Close the connection."""
        self._socket.close(code, reason)


class FakeServer:
    """Serves one script on a free port of this machine while the `with` block lasts.

    An assertion that fails in the script is raised when the block ends.
    """

    def __init__(self, script: Callable[[Line], None]) -> None:
        self._script = script
        self._error: BaseException | None = None
        self._server: Server = serve(self._serve, "127.0.0.1", 0, compression=None)
        self.url = f"ws://127.0.0.1:{self._server.socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def _serve(self, socket: ServerConnection) -> None:
        try:
            self._script(Line(socket))
        except BaseException as error:
            self._error = error

    def __enter__(self) -> FakeServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join(10)
        if self._error is not None:
            raise self._error
