"""A body's turn: stops, continues or begins an action.

An action that fails is undone for this turn and ends. The body does nothing more in the turn.
"""

from __future__ import annotations

from typing import Any

from turnwright.kernel.rng import Streams
from turnwright_world.intent import COMMAND_CHARS_MAX, WorldIntent
from turnwright_world.rules.entities import Action, Creature
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import DURATION_TURNS_MAX, Act, Rules, Verb

MEMORY_BYTES_MAX = 4_096
"""The longest memory of a mind, in bytes of JSON. A longer memory is refused, and the old memory stays."""


class Actions:
    """Plays the actions of bodies in one turn."""

    def __init__(self, world: World, rules: Rules, streams: Streams) -> None:
        self.world = world
        self._rules = rules
        self._streams = streams

    def act(self, number: int, intent: WorldIntent) -> None:
        """Play one body's turn. If the body has left or died since the turn began, do nothing."""
        world = self.world
        body = world.creatures.get(number)
        if body is None or body.died_us is not None or not body.place:
            return
        action = body.action
        stopped = action is not None and (intent.stop or action.broken)
        if action is not None and stopped:
            self._interrupt(body, action)
        elif intent.stop:
            world.tell(body, {"kind": "stopped", "verb": ""})
        if action is not None and not stopped:
            self._try(body, action.verb, action.text, self._go_on, body, action)
            if intent.verb:
                self._refuse(body, intent, f"You are busy: {action.verb}.")
        elif intent.verb:
            self._try(body, intent.verb, intent.text, self._begin, body, intent)

    def _try(self, body: Creature, verb: str, text: str, step: Any, *arguments: Any) -> bool:
        """Play a step of an action, and return whether it succeeded. If it fails, the action ends."""
        done = self.world.attempt(f"{body.name} ({body.id}): {verb} {text}".strip(), step, *arguments)
        if not done and body.id in self.world.creatures:
            body = self.world.creatures[body.id]
            self.world.touch(body)
            body.action = None
            self.world.tell(body, {"kind": "failed", "verb": verb})
            self._ended(body, verb, text, "failed")
        return done

    def _ended(self, body: Creature, verb: str, text: str, how: str, why: str = "") -> None:
        """Note for a mind what its body did, and how the action ended."""
        if body.driver == "mind":
            deed = {"turn": self.world.turn, "verb": verb, "text": text, "ended": how}
            self.world.outbox.deeds.append((body.id, {**deed, "why": why} if why else deed))

    def _handle(self, body: Creature, purpose: str, text: str, data: dict[str, Any]) -> Act:
        return Act(self.world, self._rules, self._streams, body, (purpose, self.world.turn), text, data)

    def _interrupt(self, body: Creature, action: Action) -> None:
        if self._try(body, action.verb, "interrupted", self._break_off, body, action):
            self.world.tell(body, {"kind": "stopped", "verb": action.verb})
            self._ended(body, action.verb, action.text, "stopped")

    def _break_off(self, body: Creature, action: Action) -> None:
        self.world.touch(body)
        body.action = None
        self._verb_of(action).interrupted(self._handle(body, "interrupted", action.text, action.data))

    def _go_on(self, body: Creature, action: Action) -> None:
        self.world.touch(body)
        verb, act = self._verb_of(action), self._handle(body, "act", action.text, action.data)
        if self.world.turn < action.ends_turn:
            verb.each_turn(act)
            return
        problem = verb.check(act)
        body.action = None
        if problem is None:
            verb.finish(act)
            self._ended(body, action.verb, action.text, "done")
            return
        self._refuse(body, action, problem)
        verb.interrupted(act)

    def _begin(self, body: Creature, intent: WorldIntent) -> None:
        world, turn = self.world, self.world.turn
        if max(len(intent.verb), len(intent.text)) > COMMAND_CHARS_MAX:
            self._refuse(body, intent, f"That is too long; {COMMAND_CHARS_MAX} characters are allowed.")
            return
        verb = self._rules.verb(intent.verb)
        action = Action(verb.name if verb is not None else "", intent.text, turn, turn)
        act = self._handle(body, "act", intent.text, action.data)
        problem = f"{intent.verb!r} is not a command." if verb is None else verb.check(act)
        if verb is None or problem is not None:
            self._refuse(body, intent, problem)
            return
        action.ends_turn += min(DURATION_TURNS_MAX, max(1, verb.turns(act))) - 1
        world.touch(body)
        body.action = action
        verb.begin(act)
        if body.action is action and action.ends_turn == turn:
            body.action = None
            verb.finish(act)
            self._ended(body, verb.name, intent.text, "done")

    def _refuse(self, body: Creature, asked: WorldIntent | Action, why: str | None) -> None:
        """Tell the body why something is not done.

        Raises:
            TypeError: the reason is not a text.
        """
        if not isinstance(why, str):
            raise TypeError(f"check() returned {why!r}; return a text that says why not, or None")
        verb, text = asked.verb[:COMMAND_CHARS_MAX], asked.text[:COMMAND_CHARS_MAX]
        self.world.tell(body, {"kind": "refused", "verb": verb, "text": why})
        self._ended(body, verb, text, "refused", why)

    def _verb_of(self, action: Action) -> Verb:
        """Return the verb of an action, or a verb that does nothing if the content no longer has it."""
        return self._rules.verbs.get(action.verb) or Verb()
