"""What the turns ask of the host: what everybody does, and telling everybody what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from turnwright.games.world.intent import GATE, WorldIntent
from turnwright.games.world.rules import Rules
from turnwright.host.world import effects as fx
from turnwright.host.world import gmcp_out
from turnwright.host.world.commands import split
from turnwright.host.world.gatehouse import Gatehouse
from turnwright.host.world.sessions import Session, Sessions
from turnwright.host.world.table import WorldTable
from turnwright.host.world.voice import Voice
from turnwright.host.world.watching import Watching
from turnwright.kernel.battle import Closed

__all__ = ["House", "WorldHall"]


class House(Protocol):
    """What the hall needs of the host."""

    sessions: Sessions
    gatehouse: Gatehouse
    voice: Voice
    table: WorldTable
    watching: Watching

    def emit(self, effect: fx.Effect) -> None:
        """Ask for something."""

    def view(self, session: Session) -> Mapping[str, Any]:
        """Return what its body knows now."""

    def end(self, session: Session, why: str) -> None:
        """Close a connection with a last word."""

    def came_in(self, session: Session) -> None:
        """A session has been shown where it is."""

    def heard_at_gate(self, message: Mapping[str, Any]) -> None:
        """Take what came of an event at the gate."""


class WorldHall:
    """See `table.Hall`. lives: the world goes on while nobody is there."""

    def __init__(self, house: House, *, lives: bool = False) -> None:
        self._house = house
        self._lives = lives
        self._rules: Rules | None = None
        """Those that clients were told of."""

    def gather(self) -> Iterable[tuple[int, WorldIntent]]:
        """Return what each body does in this turn; the gate's events under its number."""
        gate = self._house.gatehouse.take(self._house.table.state.world.creatures)
        if gate:
            yield GATE, WorldIntent(gate=gate)
        creatures = self._house.table.state.world.creatures
        for session in self._house.sessions.players():
            body = creatures.get(session.body or 0)
            if body is None or body.died_us is not None:
                continue
            stop, session.stop = session.stop, False
            line = session.buffer.take() if stop or body.action is None else None
            session.acts = stop or line is not None or body.action is not None
            if stop or line is not None:
                verb, text = split(line or "", self._house.table.state.rules)
                yield body.id, WorldIntent(verb, text, stop)

    def told_early(self, told: list[tuple[int, dict[str, Any]]]) -> None:
        """Tell what has happened inside the open turn."""
        by_body: dict[int, list[dict[str, Any]]] = {}
        for body, message in told:
            by_body.setdefault(body, []).append(message)
        for body, messages in by_body.items():
            session = self._house.sessions.of_body(body)
            if session is not None:
                session.told += len(messages)
                self._house.view(session)
                self._house.voice.early(session, messages, self._house.table.state.world.reached_us)

    def turn_over(self, closed: Closed) -> Iterator[bool]:
        """Tell what a turn has brought, one session after the other, first those who acted; yield whether
        the next one has."""
        state = self._house.table.state
        for trouble in state.troubles:
            text = f"{trouble.what} failed and was undone: {trouble.text} ({trouble.where})"
            self._house.emit(fx.Log("error", text))
            self._house.voice.builders(self._house.sessions.players(), text)
        self._tell_rules(state.rules)
        for message in state.heard.get(GATE, ()):
            self._house.heard_at_gate(message)
        for session in sorted(self._house.sessions.players(), key=_only_looks_on):
            yield not _only_looks_on(session)
            if not session.playing:
                continue
            try:
                self._tell_turn(session)
            except Exception as error:
                self._house.emit(fx.Log("error", f"{session.name} could not be told of a turn: {error!r}"))
                self._house.gatehouse.lose_session(session)
                self._house.end(session, "Something went wrong here; it was logged.")

        for session in self._house.watching.watchers():
            yield False
            self._house.watching.tell(session)

    def _tell_rules(self, rules: Rules) -> None:
        """Tell clients what they can offer now, when the content has changed."""
        if rules is self._rules:
            return
        self._rules = rules
        self._house.voice.meets(rules.threats.reactions.values())
        for session in self._house.sessions.players():
            self._house.voice.package(session, "World.Rules", gmcp_out.rules_of(rules))

    def _tell_turn(self, session: Session) -> None:
        if session.body is None or session.body not in self._house.table.state.world.creatures:
            self._house.end(session, "Your body is gone.")
            return
        view = self._house.table.look(session.body)
        told, session.told = session.told, 0
        before = session.place
        self._house.voice.turn(session, view, view["heard"][told:])
        if session.place != before:
            self._house.sessions.moved(session)
        if not session.entered:
            session.entered = True
            self._house.voice.warn(session)
            self._house.came_in(session)

    def segment(self) -> None:
        """Tell that game time now runs otherwise."""
        for session in (*self._house.sessions.players(), *self._house.watching.watchers()):
            self._house.voice.segment(session, self._house.table.clock.segment)

    def graces_us(self) -> Mapping[int, int]:
        """Return by game time how long landings wait for players without a clock, µs; others do not."""
        creatures, graces = self._house.table.state.world.creatures, dict[int, int]()
        for session in self._house.sessions.players():
            grace_us = session.line.grace_us
            body = creatures.get(session.body or 0) if grace_us else None
            for threat in body.threats if body is not None else ():
                graces[threat.lands_us] = max(grace_us, graces.get(threat.lands_us, 0))
        return graces

    def wanted(self) -> bool:
        """Return whether anybody is there who needs another turn."""
        return (
            self._lives
            or len(self._house.gatehouse) > 0
            or bool(self._house.table.state.world.index.driven())
        )


def _only_looks_on(session: Session) -> bool:
    """Return whether somebody has not acted and is there already: such are told last."""
    return session.entered and not session.acts
