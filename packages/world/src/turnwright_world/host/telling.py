"""TurnTeller: collects what the sessions of a world do in a turn, and sends them the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from turnwright.kernel.battle import Closed
from turnwright_world.host import effects as fx
from turnwright_world.host.arrivals import Arrivals
from turnwright_world.host.commands import PlayerCommands, rules_of
from turnwright_world.host.host_context import HostContext
from turnwright_world.host.intents import split
from turnwright_world.host.sessions import Session
from turnwright_world.host.spectators import Spectators
from turnwright_world.intent import GATE, WorldIntent
from turnwright_world.rules.verbs import Rules


class TurnTeller:
    """Gives players' intents to the turn loop, and sends sessions the outcome. See `TurnCallbacks`."""

    def __init__(
        self, context: HostContext, arrivals: Arrivals, commands: PlayerCommands, spectators: Spectators
    ) -> None:
        self._context, self._turns, self._sessions = context, context.turns, context.sessions
        self._output, self._join_events = context.output, context.join_events
        self._arrivals, self._commands, self._spectators = arrivals, commands, spectators
        self._told_rules: Rules | None = None
        """The ruleset that the clients have received."""

    def gather(self) -> Iterable[tuple[int, WorldIntent]]:
        """Yield the intents of players' bodies for this turn, and take the next commands from their queues.

        A body without a command or a stop has no intent. The gate's events are under the gate's number.
        """
        gate = self._join_events.take(self._turns.state.world.creatures)
        if gate:
            yield GATE, WorldIntent(gate=gate)
        creatures = self._turns.state.world.creatures
        for session in self._sessions.players():
            body = creatures.get(session.body or 0)
            if body is None or body.died_us is not None:
                continue
            stop, session.stop = session.stop, False
            line = session.queue.take() if stop or body.action is None else None
            session.acts = stop or line is not None or body.action is not None
            if stop or line is not None:
                verb, text = split(line or "", self._turns.state.rules)
                yield body.id, WorldIntent(verb, text, stop)

    def tell_early(self, told: list[tuple[int, dict[str, Any]]]) -> None:
        """Send messages of the open turn to the sessions of their bodies, before the turn ends."""
        by_body: dict[int, list[dict[str, Any]]] = {}
        for body, message in told:
            by_body.setdefault(body, []).append(message)
        for body, messages in by_body.items():
            session = self._sessions.of_body(body)
            if session is not None:
                session.told += len(messages)
                self._context.view(session)
                self._output.early(session, messages, self._turns.state.world.reached_us)

    def tell_turn(self, closed: Closed) -> Iterator[bool]:
        """Send the outcome of a turn to one session after the other, actors first.

        Before that, log failed steps and handle the answers of the gate. Yield whether the next session is an
        actor.
        """
        state = self._turns.state
        for trouble in state.troubles:
            text = f"{trouble.what} failed and was undone: {trouble.text} ({trouble.where})"
            self._context.emit(fx.Log("error", text))
            self._output.builders(self._sessions.players(), text)
        self._tell_rules(state.rules)
        for message in state.heard.get(GATE, ()):
            self._arrivals.gate_message(message)
        for session in sorted(self._sessions.players(), key=_only_looks_on):
            yield not _only_looks_on(session)
            if not session.playing:
                continue
            try:
                self._tell_session(session)
            except Exception as error:
                self._context.emit(fx.Log("error", f"{session.name} could not be told of a turn: {error!r}"))
                self._context.drop(session, "Something went wrong here; it was logged.")

        for session in self._sessions.watchers():
            yield False
            self._spectators.tell(session)

    def _tell_rules(self, rules: Rules) -> None:
        """Send clients the verbs and reactions, if the content has changed."""
        if rules is self._told_rules:
            return
        self._told_rules = rules
        self._output.meets(rules.threats.reactions.values())
        for session in self._sessions.players():
            self._output.package(session, rules_of(rules))
            self._output.forget_map(session)

    def _tell_session(self, session: Session) -> None:
        if session.body is None or session.body not in self._turns.state.world.creatures:
            self._context.end(session, "Your body is gone.")
            return
        view = self._turns.look(session.body)
        told, session.told = session.told, 0
        before = session.place
        self._output.turn(session, view, view["heard"][told:])
        if session.place != before:
            self._sessions.moved(session)
        if not session.entered:
            session.entered = True
            self._output.warn(session)
            self._came_in(session)

    def tell_segment(self) -> None:
        """Tell all sessions that the speed of game time has changed."""
        for session in (*self._sessions.players(), *self._sessions.watchers()):
            self._output.segment(session, self._turns.clock.segment)

    def graces_us(self) -> Mapping[int, int]:
        """Return how long landings wait for players without a clock, by the landing's game time, in µs.

        Landings that are not listed do not wait.
        """
        creatures, graces = self._turns.state.world.creatures, dict[int, int]()
        for session in self._sessions.players():
            grace_us = session.latency.grace_us
            body = creatures.get(session.body or 0) if grace_us else None
            for threat in body.threats if body is not None else ():
                graces[threat.lands_us] = max(grace_us, graces.get(threat.lands_us, 0))
        return graces

    def is_wanted(self) -> bool:
        """Return whether another turn is needed: for a driven body, a gate event, or a world that `lives`."""
        return (
            self._context.config.lives
            or len(self._join_events) > 0
            or bool(self._turns.state.world.index.driven())
        )

    def _came_in(self, session: Session) -> None:
        """Handle the lines that a session sent before it entered and was shown its place."""
        ahead, session.ahead = session.ahead, []
        for text in ahead:
            if session.playing:
                self._commands.line(session, text)


def _only_looks_on(session: Session) -> bool:
    """Return whether a player was present before and has not acted. Such players receive the turn last."""
    return session.entered and not session.acts
