"""HostContext: state and output that all parts of the world's host share."""

from __future__ import annotations

from dataclasses import dataclass

from turnwright_world.host import effects as fx
from turnwright_world.host.joining import JoinEvents
from turnwright_world.host.output import SessionOutput
from turnwright_world.host.session_limits import SessionLimits
from turnwright_world.host.sessions import Session, Sessions
from turnwright_world.host.turns import TurnLoop
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.verbs import Rules
from turnwright_world.rules.view import ViewData


@dataclass(frozen=True, slots=True)
class WorldConfig:
    """The settings of a world's host.

    Attributes:
        pace_us: the real time that a turn takes.
        plan_us: the part of the turn in which minds plan.
        linkdead_turns: how many turns a body stays after its connection is lost.
        pace_us_min, pace_us_max, plan_us_min, plan_us_max: the bounds of `pace_us` and `plan_us`. Within
            these bounds, both durations grow while the machine is overloaded, and fall while it is calm. A
            bound of 0 means the duration itself.
        operators: folded names of the accounts that may control game time.
        secret: a password that also gives a session control of game time, or "" for none.
        name: the name of the world.
        banner: the first text on a terminal.
        salt: random bytes of this world, the key for hashes of addresses.
        lives: whether turns continue without players.
    """

    name: str = "turnwright"
    banner: str = "Welcome."
    pace_us: int = 250_000
    plan_us: int = 100_000
    pace_us_min: int = 0
    pace_us_max: int = 0
    plan_us_min: int = 0
    plan_us_max: int = 0
    linkdead_turns: int = 240
    salt: bytes = b""
    operators: frozenset[str] = frozenset()
    secret: str = ""
    lives: bool = False


class HostContext:
    """Sessions, turns, output and effects of one world.

    Args:
        now_ns: the time of the current call.
    """

    def __init__(self, config: WorldConfig, turns: TurnLoop, effects: list[fx.Effect], now_ns: int) -> None:
        self.config = config
        self.now_ns = now_ns
        self.turns = turns
        self.effects = effects
        self.emit = effects.append
        self.sessions = Sessions()
        self.output = SessionOutput(self.emit, lambda: turns.state)
        self.join_events = JoinEvents(
            self.sessions,
            lambda: turns.begin(self.now_ns),
            config.linkdead_turns,
            lambda: turns.clock.segment.rate,
        )
        self.say, self.ask = self.output.say, self.output.ask
        self.look, self.package = self.output.look, self.output.package
        self.limits = SessionLimits(self.sessions, self.say, self.drop)

    @property
    def rules(self) -> Rules:
        """The current ruleset."""
        return self.turns.state.rules

    def view(self, session: Session) -> ViewData:
        """Return the current view of a session's body.

        For a spectator, or while a turn is being resolved, return the last view.
        """
        turns = self.turns
        if session.body in turns.state.world.creatures and not (turns.resolving and session.view):
            session.view = turns.look(session.body)
        assert session.view is not None, "the session has a body or watches"
        return session.view

    def body(self, session: Session) -> Creature | None:
        """Return the body of a session, or None if the session has no body in the world."""
        return self.turns.state.world.creatures.get(session.body or 0)

    def announce(self, text: str) -> None:
        """Show a line to all players and spectators."""
        for session in (*self.sessions.players(), *self.sessions.watchers()):
            self.say(session, text)

    def end(self, session: Session, why: str) -> None:
        """Close a connection with a last line, and remove its session. The caller handles its body."""
        self.output.last_words(session)
        self.emit(fx.Close(session.conn, fx.CLOSE_NORMAL, why))
        self.forget(session)

    def drop(self, session: Session, why: str) -> None:
        """Close a connection with a last line. Its body stays as if the connection had been lost."""
        self.join_events.lose_session(session)
        self.end(session, why)

    def forget(self, session: Session) -> None:
        """Remove the session of a connection that has ended."""
        watched = session.stage == "watching"
        self.sessions.remove(session)
        if watched:
            self.mark_watched()
        self.limits.closed(session)

    def mark_watched(self) -> None:
        """Store in the world which places have spectators."""
        watches = [session.watches for session in self.sessions.watchers()]
        self.turns.state.world.watched = frozenset(
            str(place) for kind, place, _ in watches if kind == "place"
        )
