"""Plays timers and reactions of a turn in order of game time.

The host can play the open turn up to any moment, and continue from there later. The number of these steps
does not change the result, because a reaction never counts before its arrival. So the host can report the
landing of an attack when it happens. The length of a turn decides only how late actions are.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Any

from turnwright.kernel.rng import Streams
from turnwright_world.intent import ReactionInput, WorldIntent
from turnwright_world.rules.deaths import count_deaths
from turnwright_world.rules.entities import OUTSIDE, Timer
from turnwright_world.rules.fight import BLOW_TIMERS, react, refuse
from turnwright_world.rules.joining import GATE_TIMERS
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import Act, Rules, TimerHandler

TIMERS_MAX = 100_000
"""The most timers that are played in one turn. Further timers are played in the next turn."""


class Timeline:
    """Plays timers and reactions of the open turn of `world`.

    Args:
        streams: the random streams of the battle.
    """

    def __init__(self, world: World, rules: Rules, streams: Streams) -> None:
        self.world = world
        self._rules = rules
        self._streams = streams
        self._handlers: Mapping[str, TimerHandler] = {**rules.timers, **BLOW_TIMERS, **GATE_TIMERS}

    def advance(self, until_us: int, intents: Mapping[int, WorldIntent]) -> None:
        """Play the open turn up to `until_us`, at most up to the last microsecond before its end.

        If a reaction and a landing have the same microsecond, the reaction comes first. So a press in the
        last microsecond is in time.

        Args:
            intents: the intents by body. Only their presses that have not been played yet count here.
        """
        until_us = min(until_us, self.world.now_us + self.world.dt_us - 1)
        if until_us > self.world.reached_us:
            for _ in self._play(until_us, self._ahead(intents, until_us)):
                pass

    def finish(self, intents: Mapping[int, WorldIntent]) -> Generator[None, None, None]:
        """Play the rest of the turn, piece by piece.

        A press after the turn's end counts at the end of the turn. A press from before the turn is refused as
        too late.
        """
        world = self.world
        end_us = world.now_us + world.dt_us
        yield from self._play(end_us, self._ahead(intents, end_us, beyond=True))
        for number, press in _presses(intents):
            body = world.creatures.get(number)
            if press.at_us <= world.now_us and body is not None:
                refuse(world, body, press, "it came too late")

    def _ahead(
        self, intents: Mapping[int, WorldIntent], until_us: int, *, beyond: bool = False
    ) -> list[tuple[int, int, int, ReactionInput]]:
        """Return presses after `reached_us` and up to `until_us`, in order, as (time, body, position, press).

        With `beyond`, the result also has the later presses. They count at `until_us`.
        """
        reached_us = self.world.reached_us
        found = [
            (min(press.at_us, until_us), body, k, press)
            for k, (body, press) in enumerate(_presses(intents))
            if press.at_us > reached_us and (beyond or press.at_us <= until_us)
        ]
        return sorted(found, key=lambda entry: entry[:3])

    def _play(
        self, until_us: int, presses: Iterable[tuple[int, int, int, ReactionInput]]
    ) -> Generator[None, None, None]:
        world = self.world
        for at_us, body, _, press in presses:
            yield from self._timers(at_us - 1)
            world.reached_us = max(world.reached_us, at_us)
            world.attempt(f"{press.reaction} of {body}", self._react, body, press)
            count_deaths(world, self._rules, self._streams)
        yield from self._timers(until_us)
        world.reached_us = max(world.reached_us, until_us)

    def _timers(self, until_us: int) -> Generator[None, None, None]:
        """Play the timers due by `until_us`. Deaths come after all attacks of the same microsecond."""
        world = self.world
        while (timer := self._next(until_us)) is not None:
            if timer.due_us > world.reached_us:
                count_deaths(world, self._rules, self._streams)
                world.reached_us = timer.due_us
            world.outbox.timers += 1
            world.remove(timer)
            world.attempt(f"timer {timer.name}", self._happen, timer)
            yield
        count_deaths(world, self._rules, self._streams)

    def _next(self, until_us: int) -> Timer | None:
        """Return the next timer that is due and not cancelled, or None if there is none or at TIMERS_MAX.

        The timer queue may still have an entry of an undone step. Another timer may have got the number of
        this entry.
        """
        world = self.world
        if world.outbox.timers >= TIMERS_MAX:
            return None
        while (due := world.timer_queue.pop(until_us)) is not None:
            timer = world.timers.get(due[1])
            if timer is not None and timer.due_us == due[0]:
                return timer
        return None

    def _happen(self, timer: Timer) -> None:
        body = self.world.creatures.get(timer.payload.get("who", -1))
        handler = self._handlers.get(timer.name)
        if handler is not None and body is not None and body.place != OUTSIDE:
            act = Act(self.world, self._rules, self._streams, body, (timer.name, timer.id))
            handler(act, timer.payload)

    def _react(self, body: int, press: ReactionInput) -> None:
        creature = self.world.creatures.get(body)
        if creature is not None:
            react(self.world, self._rules, creature, press)


def _presses(intents: Mapping[int, WorldIntent]) -> Iterable[tuple[int, Any]]:
    return ((body, press) for body in sorted(intents) for press in intents[body].presses)
