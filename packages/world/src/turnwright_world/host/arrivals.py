"""Arrivals: connects sessions with their bodies, and handles bodies whose players have left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright_world.host.commands import rules_of
from turnwright_world.host.host_context import HostContext
from turnwright_world.host.login import Login
from turnwright_world.host.sessions import Session
from turnwright_world.rules.entities import Creature
from turnwright_world.wire.server_messages import WelcomeMessage


class Arrivals:
    """Connects sessions with their bodies."""

    def __init__(self, context: HostContext, login: Login) -> None:
        self._context = context
        self._login = login

    def find_bodies(self) -> None:
        """Note the guests of a restored world, and mark its characters as disconnected."""
        world = self._context.turns.state.world
        self._login.remember(world.creatures.values())
        for number in world.index.driven():
            if world.creatures[number].linkdead_since is None:
                self._lose_creature(world.creatures[number])

    def _lose_creature(self, creature: Creature, address: str = "") -> None:
        """Disconnect a player's body. It leaves, or waits outside if it belongs to an account."""
        self._context.join_events.lose(creature.id, keep=self._login.keeps(creature), address=address)

    def gate_message(self, message: Mapping[str, Any]) -> None:
        """Handle the gate's answer to an event: a body has joined or left, or the event has failed."""
        context, token = self._context, message.get("token")
        session, address = context.sessions.of(int(token or 0)), context.join_events.arrived(token or "")
        if message["kind"] == "joined":
            if session is None or session.stage != "entering":
                body = context.turns.state.world.creatures.get(message["body"])
                if body is not None:
                    self._login.note_lost(body)
                    self._lose_creature(body, address)
                return
            context.sessions.embody(session, message["body"])
            context.limits.came_in(session)
            self._login.note_body(session)
            self.introduce(session)
        elif message["kind"] == "left":
            self._login.forget_body(message["body"])
        elif session is not None and session.stage == "entering":
            context.end(session, "Something went wrong when you came in; it was logged.")

    def introduce(self, session: Session) -> None:
        """Send a session's program the name and number of its body, the verbs and reactions that it can
        offer, and the speed of game time.
        """
        context = self._context
        context.package(session, WelcomeMessage(session.body, session.name))
        context.package(session, rules_of(context.rules))
        context.output.segment(session, context.turns.clock.segment)
