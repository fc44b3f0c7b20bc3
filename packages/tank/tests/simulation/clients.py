"""The clients of a simulated server: bots, operators and spectators, each from its own seed.

A client receives messages at their times and sends others later; the network delays both.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from turnwright_tank.structs import Frame, Observation
from turnwright_tank.wire.royale import messages as m

MS = 1_000_000
Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Habits:
    """Habits of clients, as chances from 0 to 1 for each turn, and how long bots think (ns)."""

    thinks_ns: tuple[int, int] = (10_000, 2 * MS)
    dawdles: float = 0.02
    """Thinks so long that its answer is late."""
    is_silent: float = 0.03
    says_twice: float = 0.03
    leaves: float = 0.001
    babbles: float = 0.01
    """Sends a message that is malformed or not allowed."""
    meddles: float = 0.02
    """An operator pushes a button."""
    never_ready: float = 0.02


BABBLE: tuple[bytes, ...] = (
    b"",
    b"{",
    b"[]",
    b'{"type":"StopGame"}',
    b'{"type":"PauseGame"}',
    b'{"type":"Nonsense"}',
    b'{"type":"BotIntent","turnRate":"x"}',
    b'{"type":"ChangeTps","tps":0}',
    b'{"type":"TickEventForBot"}',
    b'{"type":"BotReady"}',
)
"""None of it may change anything."""


class Peer:
    """A spectator, which only sends its handshake. `say(message or bytes, at_ns)` sends into the network."""

    role: m.Role = "observer"

    def __init__(self, conn: int, rng: random.Random, say: Callable[[Message | bytes, int], None]) -> None:
        self.conn = conn
        self.rng = rng
        self.say = say
        self.habits = Habits()
        self.leave: Callable[[int], None] = lambda at_ns: None
        """Set by the simulation: ends the connection."""
        self.later: Callable[[int, Callable[[], None]], None] = lambda at_ns, action: None
        """Set by the simulation: does something at a time."""

    def hear(self, message: Any, at_ns: int) -> None:
        """Receive a message of the server."""
        if isinstance(message, m.ServerHandshake):
            self.say(self.hello(message.session_id), at_ns)

    def hello(self, session_id: str) -> Message:
        """Return its handshake."""
        kind = {"bot": "BotHandshake", "observer": "ObserverHandshake", "controller": "ControllerHandshake"}
        ours = {"turnwright": 1} if self.rng.random() < 0.7 else {}
        name = f"{self.role} {self.conn}"
        return {"type": kind[self.role], "sessionId": session_id, "name": name, "version": "1", **ours}

    def babble(self, at_ns: int) -> None:
        """Send a message that is malformed or not allowed."""
        self.say(self.rng.choice(BABBLE), at_ns)


class Bot(Peer):
    """Drives about and fires. It may be late, miss a turn, answer twice or leave. It answers turn by turn.

    When it is free it takes the newest turn that it has heard of. Half of the bots name turns in their
    intents. The others never let a turn pass, say anything twice or babble, since then the turn that an
    intent answers would be unknown. The `stdOut` of each intent names what it answers, for the witness.
    """

    role: m.Role = "bot"

    def __init__(self, conn: int, rng: random.Random, say: Callable[[Message | bytes, int], None]) -> None:
        super().__init__(conn, rng, say)
        self.numbers = rng.random() < 0.5
        self._thinks = False
        self._newest: Observation | None = None

    def hear(self, message: Any, at_ns: int) -> None:
        """Answer a turn, or get ready."""
        super().hear(message, at_ns)
        if isinstance(message, m.GameStartedEventForBot) and self.rng.random() >= self.habits.never_ready:
            self.say({"type": "BotReady"}, at_ns)
        elif isinstance(message, m.RoundStartedEvent):
            self._newest = None
        elif isinstance(message, Observation):
            self._newest = message
            self._think(at_ns)

    def _think(self, at_ns: int) -> None:
        """Begin to think about the newest turn, if there is one and the bot does not think already."""
        seen, chance, habits = self._newest, self.rng.random, self.habits
        if seen is None or self._thinks:
            return
        self._newest = None
        if chance() < habits.leaves:
            self.leave(at_ns)
            return
        if chance() < habits.babbles and self.numbers:
            self.babble(at_ns)
        if chance() < habits.is_silent and self.numbers:
            return
        thinks_ns = self.rng.randint(*habits.thinks_ns) + (40 * MS if chance() < habits.dawdles else 0)
        free_ns, turn = at_ns + thinks_ns, (seen.round_number, seen.turn_number)
        self._thinks = True
        self.later(free_ns, lambda: self._answer(turn, free_ns))

    def _answer(self, turn: tuple[int, int], at_ns: int) -> None:
        twice = self.rng.random() < self.habits.says_twice and self.numbers
        for _ in range(2 if twice else 1):
            self.say(self._intent(turn), at_ns)
        self._thinks = False
        self._think(at_ns)

    def _intent(self, turn: tuple[int, int]) -> Message:
        rng = self.rng
        intent: Message = {
            "type": "BotIntent",
            "turnRate": rng.uniform(-12, 12),
            "gunTurnRate": rng.uniform(-22, 22),
            "radarTurnRate": rng.choice((45, -45, 0)),
            "targetSpeed": rng.uniform(-9, 9),
            "firepower": rng.choice((1, 3, 3)),
            "stdOut": f"{turn[0]} {turn[1]}",
        }
        return {**intent, "turnNumber": turn[1]} if self.numbers else intent


class Operator(Peer):
    """Pushes every button, and lets every pause end."""

    role: m.Role = "controller"

    def hear(self, message: Any, at_ns: int) -> None:
        """Push a button in some turns, and end each pause."""
        super().hear(message, at_ns)
        if isinstance(message, m.GamePausedEventForObserver):
            self._end_pause(message.pause_cause, at_ns + 30 * MS)
        elif isinstance(message, Frame) and self.rng.random() < self.habits.meddles:
            self.meddle(len(message.bot_states), at_ns)

    def meddle(self, bots: int, at_ns: int) -> None:
        """Push a button, and step now and then."""
        rng = self.rng
        buttons: tuple[Message, ...] = (
            {"type": "PauseGame"},
            {"type": "ResumeGame"},
            {"type": "ChangeTps", "tps": rng.choice((-1, 0, 30, 500, 5000))},
            {"type": "EnableDebugMode"},
            {"type": "StartGame"},
            {"type": "BotPolicyUpdate", "botId": rng.randint(0, bots + 1), "breakpointEnabled": True},
            {"type": "BotPolicyUpdate", "botId": rng.randint(0, bots + 1), "debuggingEnabled": True},
        )
        self.say(rng.choice(buttons), at_ns)
        for k in range(rng.randint(0, 3)):
            self.say({"type": "NextTurn"}, at_ns + k * MS)

    def _end_pause(self, cause: m.PauseCause | None, at_ns: int) -> None:
        if cause == "breakpoint":
            for bot in range(1, 7):
                self.say({"type": "BotPolicyUpdate", "botId": bot, "breakpointEnabled": False}, at_ns)
        self.say({"type": "DisableDebugMode"}, at_ns)
        self.say({"type": "ResumeGame"}, at_ns)
