"""Helpers of the host's tests: a manual clock, clients that keep messages.

Its battles play `rounds` over the generic protocol. The tests of other games derive their rooms from these
two classes. Their attributes and first methods contain everything that differs between protocols.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields
from typing import Any, ClassVar, Self

import msgspec

from packages.core.tests.rounds import Rounds
from packages.core.tests.simulation.virtual_server import Said, VirtualServer
from turnwright.host.config import HostConfig
from turnwright.host.generic_protocol import GenericProtocol, generic_setup
from turnwright.host.host import Host
from turnwright.host.protocol import BattleSetup, HelloMessage
from turnwright.kernel.record import Record, TurnRules

US = 1_000
MS = 1_000_000
S = 1_000_000_000
TIMEOUT_US = 10_000
TIMEOUT = TIMEOUT_US * US

Message = dict[str, Any]


class Client:
    """One connection.

    answer(seen): the fields of a playing bot's intent, e.g. {"intent": 3}, or None to miss the turn.

    Attributes:
        heard: the messages that it has received, in order.
        closed: (code, reason) if the server has closed it.
        after_ns: how long it thinks about each observation, one after the other.
    """

    # the kinds of the first message, of a bot's two answers, and of what it answers
    greeting = "hello"
    ready = "ready"
    intent = "intent"
    observation = "observation"
    session_field = "session"

    def __init__(self, room: Room, conn: int) -> None:
        self.room = room
        self.conn = conn
        self.heard: list[Message] = []
        self.stamps_ns: list[int] = []
        self.pieces: list[bytes] = []
        """Pieces of battles that it reads at its own pace."""
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
        return str(self.heard[0][self.session_field])

    # ---- what differs by protocol ------------------------------------------------------------------------

    def encoded(self, kind: str, fields: Message) -> bytes:
        """Return an encoded message. An intent without a value is 0."""
        given = {"intent": 0, **fields} if kind == "intent" else fields
        return msgspec.json.encode({"type": kind, **given})

    def hello(self, role: str, **fields: Any) -> Self:
        """Introduce itself as a bot, spectator or operator."""
        given = {"protocol": 1, "session": self.session, "name": role, "version": "1"}
        self.say("hello", **{**given, "role": role, **fields})
        return self

    def is_asked(self, message: Message) -> bool:
        """Return whether a message asks this bot to get ready."""
        return message["type"] == "ready" and "seat" in message

    @property
    def ticks(self) -> list[tuple[int, int]]:
        """The turns that it has received: (round, turn)."""
        shown = [m.get("observation") or m["frame"] for m in self.of("observation", "frame")]
        return [(one["round"], one["turn"]) for one in shown]

    # ---- what it says ------------------------------------------------------------------------------------

    def say(self, kind: str, **fields: Any) -> None:
        """Send a message that the server reads immediately."""
        self.send(self.encoded(kind, fields))

    def send(self, data: bytes) -> None:
        self.room.server.receive(self.conn, data)

    def post(self, kind: str, in_ns: int, **fields: Any) -> None:
        """Send a message that reaches the server's socket in `in_ns`."""
        self.room.server.arrive(self.conn, self.encoded(kind, fields), self.room.now_ns + in_ns)

    def leave(self) -> None:
        self.room.server.disconnect(self.conn)

    # ---- what it heard -----------------------------------------------------------------------------------

    def of(self, *kinds: str) -> list[Message]:
        return [m for m in self.heard if m["type"] in kinds]

    def kinds(self) -> list[str]:
        return [m["type"] for m in self.heard]

    def last(self, kind: str) -> Message:
        return self.of(kind)[-1]

    def hush(self) -> Self:
        """Forget all received messages except the first."""
        del self.heard[1:], self.stamps_ns[1:]
        return self

    def take(self, said: Said) -> None:
        head, *pieces = said.data.splitlines()
        message = msgspec.json.decode(head)
        self.pieces += pieces
        assert self.role or message["type"] == self.greeting
        self.heard.append(message)
        self.stamps_ns.append(said.at_ns)
        if self.readies and self.is_asked(message):
            self.room.server.arrive(self.conn, self.encoded(self.ready, {}), said.at_ns)
        elif message["type"] == self.observation and self.answer is not None:
            intent = self.answer(message)
            if intent is not None:
                self.free_ns = max(self.free_ns, said.at_ns) + self.after_ns
                self.room.server.arrive(self.conn, self.encoded(self.intent, intent), self.free_ns)


class Room:
    """A host, its loop and its clients. Keyword arguments go to `config_of`; tps is -1 if not given."""

    client: type[Client] = Client
    start_word = "start"
    usual_operator: ClassVar[Message] = {}

    def __init__(self, **config: Any) -> None:
        rng = random.Random(1)
        defaults = {"random_bytes": rng.randbytes, "tps": -1, "seed": 7}
        self.config = self.config_of(**{**defaults, **config})
        self.host = Host(self.config)
        self.clients: dict[int, Client] = {}
        self.server = VirtualServer(self.host, on_said=self._said, on_closed=self._closed)

    # ---- what differs by protocol ------------------------------------------------------------------------

    @staticmethod
    def config_of(**settings: Any) -> HostConfig:
        """Return the settings of a server of `packages.core.tests.rounds`."""
        return config_of(**{"new_game": rules, **settings})

    @staticmethod
    def start_game(bots: list[Client], **setup: Any) -> Message:
        """Return the fields of the message that starts a battle."""
        return start_game(bots, **setup)

    # ---- the server --------------------------------------------------------------------------------------

    def _said(self, said: Said) -> None:
        assert said.conn in self.server.open, f"{said.data!r} was said to {said.conn}, which has left"
        self.clients[said.conn].take(said)

    def _closed(self, conn: int, code: int, reason: str) -> None:
        self.clients[conn].closed = self.clients[conn].closed or (code, reason)

    @property
    def now_ns(self) -> int:
        return self.server.now_ns

    @property
    def phase(self) -> str:
        return str(self.host.room.phase.value)

    @property
    def log(self) -> str:
        return "\n".join(line.text for line in self.server.logs)

    def logged(self, level: str) -> list[str]:
        return [line.text for line in self.server.logs if line.level == level]

    # ---- clients -----------------------------------------------------------------------------------------

    def stranger(self, address: str = "127.0.0.1") -> Client:
        conn = len(self.clients) + 1
        client = self.clients[conn] = self.client(self, conn)
        self.server.connect(conn, address)
        return client

    def bot(self, name: str = "", **fields: Any) -> Client:
        client = self.stranger()
        return client.hello("bot", **{"name": name or f"bot {client.conn}", **fields})

    def bots(self, count: int, **fields: Any) -> list[Client]:
        return [self.bot(**fields) for _ in range(count)]

    def operator(self, **fields: Any) -> Client:
        return self.stranger().hello("operator", **fields)

    def spectator(self, **fields: Any) -> Client:
        return self.stranger().hello("spectator", **fields)

    # ---- games -------------------------------------------------------------------------------------------

    def run(self, duration_ns: int = 0) -> Self:
        """Let time pass."""
        self.server.run(self.now_ns + duration_ns)
        return self

    def start(self, by: Client, bots: list[Client], **setup: Any) -> Self:
        """Start a battle, and run everything that needs no time."""
        by.say(self.start_word, **self.start_game(bots, **setup))
        return self.run()

    def record(self, number: int = 1) -> Record:
        record = self.server.battles[number].record
        assert record is not None
        return record

    @classmethod
    def gathered(cls, count: int = 2, **config: Any) -> tuple[Self, Client, list[Client]]:
        """Return a room with an operator, and bots that get ready only when the test calls `ready`."""
        room = cls(**config)
        boss, bots = room.operator(**cls.usual_operator), room.bots(count)
        for bot in bots:
            bot.readies = False
        return room, boss, bots

    def ready(self, *bots: Client) -> Self:
        """Let bots get ready."""
        for bot in bots:
            bot.say(bot.ready)
        return self.run()

    @classmethod
    def duel(cls, plays: bool = False, **config: Any) -> tuple[Self, Client, Client, Client]:
        """Return a room, its operator and two bots, which have received the first turn of their battle.

        Args:
            plays: both bots answer each turn after a millisecond.
            operator, setup: fields of the operator's hello and of the start.
        """
        setup = config.pop("setup", {})
        operator = config.pop("operator", cls.usual_operator)
        room = cls(**config)
        boss, one, two = room.operator(**operator), room.bot("one"), room.bot("two")
        if plays:
            one.answer = two.answer = lambda seen: {}
        room.start(boss, [one, two], **setup)
        return room, boss, one, two


def config_of(**settings: Any) -> HostConfig:
    """Return the settings of a server of `packages.core.tests.rounds`."""
    return HostConfig(**{"protocol": GenericProtocol(Rounds(), "test 1"), **with_rules(settings)})


def with_rules(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings of a server, with those for missed turns moved into `rules`."""
    names = {one.name for one in fields(TurnRules)} & settings.keys()
    rules = TurnRules(**{name: settings[name] for name in names})
    return {**{name: value for name, value in settings.items() if name not in names}, "rules": rules}


def quick_setup(turn_timeout_us: int = TIMEOUT_US) -> BattleSetup:
    """Return the setup of a battle."""
    times = {"turn_timeout_us": turn_timeout_us, "ready_timeout_us": 1_000_000}
    return generic_setup(Rounds(), {}, 2, bots_min=1, **times)


def hellos(count: int) -> list[HelloMessage]:
    """Return the handshakes of `count` bots."""
    return [HelloMessage("bot", f"bot {k}", "1") for k in range(count)]


def rules(tolerant: bool) -> Rounds:
    return Rounds()


def addresses(bots: list[Client]) -> list[Message]:
    """Return the addresses of bots, as an operator names them in a `start`."""
    return [{"host": "127.0.0.1", "port": 40_000 + bot.conn} for bot in bots]


def start_game(bots: list[Client], **setup: Any) -> Message:
    """Return the fields of a `start`.

    Args:
        setup: settings of the game, and the two timeouts of the message.
    """
    times = {"turnTimeoutUs": TIMEOUT_US, "readyTimeoutUs": 1_000_000}
    given = {name: setup.pop(name) for name in times.keys() & setup.keys()}
    return {"bots": addresses(bots), "settings": setup, **times, **given}


duel = Room.duel
