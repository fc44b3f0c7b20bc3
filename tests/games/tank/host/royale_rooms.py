"""What the host's tests share: a host on a manual clock, and clients that keep what they were sent."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec

from tests.simulation.virtual_server import Said, VirtualServer
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.host.royale import RoyaleProtocol
from turnwright.games.tank.wire.royale.setup import preset
from turnwright.host.config import HostConfig
from turnwright.host.host import Host
from turnwright.kernel.record import Record

US = 1_000
MS = 1_000_000
S = 1_000_000_000
TIMEOUT_US = 10_000
TIMEOUT = TIMEOUT_US * US

Message = dict[str, Any]


class Client:
    """One connection. heard: what it was sent, in order; closed: (code, reason) when the server closed it.

    answer(tick): a playing bot's intent, or None to miss the turn; after_ns: how long it thinks, one thought
    after the other.
    """

    def __init__(self, room: Room, conn: int) -> None:
        self.room = room
        self.conn = conn
        self.heard: list[Message] = []
        self.stamps_ns: list[int] = []
        self.closed: tuple[int, str] | None = None
        self.answer: Callable[[Message], Message | None] | None = None
        self.after_ns = MS
        self.free_ns = 0
        self.readies = True
        self._role: str | None = None

    @property
    def role(self) -> str | None:
        """Its role, also after it has left."""
        client = self.room.host.lobby.clients.get(self.conn)
        self._role = client.role if client is not None else self._role
        return self._role

    @property
    def session(self) -> str:
        return str(self.heard[0]["sessionId"])

    def say(self, kind: str, **fields: Any) -> None:
        """Send a message that is read at once."""
        self.send(msgspec.json.encode({"type": kind, **fields}))

    def send(self, data: bytes) -> None:
        self.room.server.receive(self.conn, data)

    def post(self, kind: str, in_ns: int, **fields: Any) -> None:
        """Send a message that comes to the server's socket in a while."""
        data = msgspec.json.encode({"type": kind, **fields})
        self.room.server.arrive(self.conn, data, self.room.now_ns + in_ns)

    def hello(self, role: str, **fields: Any) -> Client:
        kind = {"bot": "BotHandshake", "observer": "ObserverHandshake"}.get(role, "ControllerHandshake")
        self.say(kind, **{"sessionId": self.session, "name": role, "version": "1", **fields})
        return self

    def leave(self) -> None:
        self.room.server.disconnect(self.conn)

    def of(self, *kinds: str) -> list[Message]:
        return [m for m in self.heard if m["type"] in kinds]

    def kinds(self) -> list[str]:
        return [m["type"] for m in self.heard]

    def last(self, kind: str) -> Message:
        return self.of(kind)[-1]

    def hush(self) -> Client:
        """Forget what was heard so far, except the first message."""
        del self.heard[1:], self.stamps_ns[1:]
        return self

    @property
    def ticks(self) -> list[tuple[int, int]]:
        """The turns it was shown: (round, turn)."""
        frames = self.of("TickEventForBot", "TickEventForObserver")
        return [(m["roundNumber"], m["turnNumber"]) for m in frames]

    def take(self, said: Said) -> None:
        message = msgspec.json.decode(said.data)
        assert self.role or message["type"] == "ServerHandshake"
        self.heard.append(message)
        self.stamps_ns.append(said.at_ns)
        if message["type"] == "GameStartedEventForBot" and self.readies:
            self.room.server.arrive(self.conn, b'{"type":"BotReady"}', said.at_ns)
        elif message["type"] == "TickEventForBot" and self.answer is not None:
            intent = self.answer(message)
            if intent is not None:
                data = msgspec.json.encode({"type": "BotIntent", **intent})
                self.free_ns = max(self.free_ns, said.at_ns) + self.after_ns
                self.room.server.arrive(self.conn, data, self.free_ns)


class Room:
    """A host, its loop and its clients. Keyword arguments go to `config_of`; tps is -1 if not given."""

    def __init__(self, **config: Any) -> None:
        rng = random.Random(1)
        defaults = {"new_game": rules, "random_bytes": rng.randbytes, "tps": -1, "seed": 7}
        self.config = config_of(**{**defaults, **config})
        self.host = Host(self.config)
        self.clients: dict[int, Client] = {}
        self.server = VirtualServer(self.host, on_said=self._said, on_closed=self._closed)

    def _said(self, said: Said) -> None:
        assert said.conn in self.server.open, f"{said.data!r} was said to {said.conn}, which has left"
        self.clients[said.conn].take(said)

    def _closed(self, conn: int, code: int, reason: str) -> None:
        self.clients[conn].closed = self.clients[conn].closed or (code, reason)

    @property
    def now_ns(self) -> int:
        return self.server.now_ns

    @property
    def table(self) -> Any:
        return self.host.table

    @property
    def phase(self) -> str:
        return str(self.table.phase.value)

    @property
    def log(self) -> str:
        return "\n".join(line.text for line in self.server.logs)

    def logged(self, level: str) -> list[str]:
        return [line.text for line in self.server.logs if line.level == level]

    # ---- clients -----------------------------------------------------------------------------------------

    def stranger(self, address: str = "127.0.0.1") -> Client:
        conn = len(self.clients) + 1
        client = self.clients[conn] = Client(self, conn)
        self.server.connect(conn, address)
        return client

    def bot(self, name: str = "", **fields: Any) -> Client:
        client = self.stranger()
        return client.hello("bot", **{"name": name or f"bot {client.conn}", **fields})

    def bots(self, count: int, **fields: Any) -> list[Client]:
        return [self.bot(**fields) for _ in range(count)]

    def controller(self, **fields: Any) -> Client:
        return self.stranger().hello("controller", **fields)

    def observer(self, **fields: Any) -> Client:
        return self.stranger().hello("observer", **fields)

    # ---- games -------------------------------------------------------------------------------------------

    def run(self, duration_ns: int = 0) -> Room:
        """Let time pass."""
        self.server.run(self.now_ns + duration_ns)
        return self

    def start(self, by: Client, bots: list[Client], debug: bool = False, **setup: Any) -> Room:
        """Ask for a game, and let everything that needs no time happen."""
        by.say("StartGame", **start_game(bots, debug, **setup))
        return self.run()

    def record(self, number: int = 1) -> Record:
        record = self.server.battles[number].record
        assert record is not None
        return record


def config_of(**settings: Any) -> HostConfig:
    """Return the settings of a server of tanks; game_types and initial_positions are of its protocol."""
    names = {"game_types", "initial_positions"} & settings.keys()
    protocol = RoyaleProtocol(**{name: settings.pop(name) for name in names})
    return HostConfig(protocol=protocol, **settings)


def rules(tolerant: bool) -> TankGame:
    return TankGame(backend="python", on_error="continue" if tolerant else "raise")


def game_setup(**changes: Any) -> Message:
    """Return a GameSetup as JSON values: one round of 2000 turns at most, a timeout of TIMEOUT_US."""
    setup = msgspec.to_builtins(preset("custom"))
    base = {"numberOfRounds": 1, "minNumberOfParticipants": 1, "turnTimeout": TIMEOUT_US}
    return {**setup, **base, "readyTimeout": 1_000_000, **changes}


def start_game(bots: list[Client], debug: bool = False, **setup: Any) -> Message:
    addresses = [{"host": "127.0.0.1", "port": 40_000 + bot.conn} for bot in bots]
    message: Message = {"gameSetup": game_setup(**setup), "botAddresses": addresses}
    return {**message, "debugMode": True} if debug else message


def duel(plays: bool = False, **config: Any) -> tuple[Room, Client, Client, Client]:
    """Return a room, its controller and two bots whose game has been shown its first turn.

    plays: both bots answer each turn after a millisecond. operator, setup: fields of the handshake and of the
    game's setup.
    """
    setup = config.pop("setup", {})
    operator = config.pop("operator", {"turnwright": 1})
    room = Room(**config)
    boss, one, two = room.controller(**operator), room.bot("one"), room.bot("two")
    if plays:
        one.answer = two.answer = lambda tick: {}
    room.start(boss, [one, two], **setup)
    return room, boss, one, two
