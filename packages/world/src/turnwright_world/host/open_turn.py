"""OpenTurn keeps what is due in the open turn of a world.

This is landings, other timers, reactions, and the end of collecting. If the loop is late for one of these,
the sockets are read before it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from turnwright.kernel.battle import Battle
from turnwright_world.game import WorldGame, WorldState
from turnwright_world.host import effects as fx
from turnwright_world.host.late_input import LateInput
from turnwright_world.host.pace import TurnPace
from turnwright_world.intent import PRESSES_MAX, ReactionInput, WorldIntent
from turnwright_world.wire.clock import GameClock

HELD_SHARE = 2
"""Collecting ends half a turn late at most, if a landing near the turn's end waits for a player's line."""


class OpenTurn:
    """What is due in the open turn; between turns it holds the reactions that count in the next one.

    Args:
        battle: the battle of a `WorldGame`.
        tell_early: reports messages inside the open turn, (body, message).
        graces_us: returns by game time how long landings wait for players without a clock, µs of real time.
    """

    def __init__(
        self,
        battle: Battle,
        clock: GameClock,
        pace: TurnPace,
        emit: Callable[[fx.Effect], None],
        tell_early: Callable[[list[tuple[int, dict[str, Any]]]], None],
        graces_us: Callable[[], Mapping[int, int]],
    ) -> None:
        assert isinstance(battle.game, WorldGame)
        self.late_input = LateInput()
        self._battle, self._game, self._clock, self._pace = battle, battle.game, clock, pace
        self._emit, self._tell_early, self._ask_graces = emit, tell_early, graces_us
        self._saved_turn = self._state.world.turn
        self._saved_ns = self._held_ns = self._released_ns = 0
        self._graced: tuple[tuple[int, int] | None, Mapping[int, int]] = (None, {})
        self._held: list[tuple[int, ReactionInput]] = []
        """Reactions that count in a later turn, by body."""
        self._pressed_us: list[int] = []
        """The times at which those count that have been handed in and not been played."""

    @property
    def _state(self) -> WorldState:
        state: WorldState = self._battle.state
        return state

    @property
    def end_us(self) -> int:
        """The game time at which the open turn ends."""
        return self._state.world.now_us + self._state.world.dt_us

    def reached_now(self, now_ns: int) -> int:
        """Return the game time now, not beyond the open turn."""
        return min(self._clock.game_us(now_ns), self.end_us)

    def saved(self, turn: int, now_ns: int) -> None:
        """Note that the store has a turn: the next one may end."""
        if turn > self._saved_turn:
            self._saved_turn, self._saved_ns = turn, now_ns

    # ---- when it is due ------------------------------------------------------------------------------------

    def next_ns(self) -> int | None:
        """Return when something is due; None: nothing comes by itself."""
        if self.late_input.reading:
            return None
        times = (self.ends_ns(), self._due_inside_ns())
        return min((at_ns for at_ns in times if at_ns is not None), default=None)

    def late_ns(self, now_ns: int) -> int:
        """Return how late collecting ends if it ends now."""
        return now_ns - (self._collected_ns() or now_ns)

    def _collected_ns(self) -> int | None:
        """Return when collecting is to end: on schedule, or a little later if a landing waits for a player.

        The next turn ends on schedule all the same; HELD_SHARE bounds what is taken from it.
        """
        ends_ns, next_us = self._clock.due_ns(self.end_us), self._state.world.timer_queue.next_due
        if ends_ns is None:
            return None
        waits = next_us is not None and next_us <= self.end_us and self._graces_us()
        held_ns = self._held_ns if waits else 0
        latest_ns = ends_ns + self._pace.turn_us * 1000 // HELD_SHARE
        return max(ends_ns, min(held_ns, latest_ns), self._released_ns)

    def ends_ns(self) -> int | None:
        """Return when the turn can end, or None while the store does not have the previous turn."""
        collected_ns = self._collected_ns() if self._saved_turn >= self._state.world.turn else None
        return None if collected_ns is None else max(collected_ns, self._saved_ns)

    def _landing_us(self) -> int | None:
        """Return the game time of the next landing, or another timer, inside the turn."""
        landing_us = self._state.world.timer_queue.next_due
        return landing_us if landing_us is not None and landing_us < self.end_us else None

    def _due_inside_ns(self) -> int | None:
        """Return when something inside the turn must be played: a landing, or a reaction before it."""
        landing_us = self._landing_us()
        found = [] if landing_us is None else [self._ripe_ns(landing_us)]
        until_us = self.end_us if landing_us is None else landing_us
        found += [self._clock.due_ns(at_us) for at_us in self._pressed_us if at_us < until_us]
        return min((at_ns for at_ns in found if at_ns is not None), default=None)

    def _ripe_ns(self, landing_us: int) -> int | None:
        """Return when a landing may be played: it waits for players without a clock."""
        at_ns = self._clock.due_ns(landing_us)
        return None if at_ns is None else at_ns + 1000 * self._graces_us().get(landing_us, 0)

    def _graces_us(self) -> Mapping[int, int]:
        """Return how long landings wait; asked for once until something is played."""
        asked = self._state.world.reached_us, self._battle.turn
        if self._graced[0] != asked:
            self._graced = asked, self._ask_graces()
            landings = [self._ripe_ns(us) or 0 for us in self._graced[1] if us <= self.end_us]
            self._held_ns = max(landings, default=0)
        return self._graced[1]

    def _overdue(self, now_ns: int) -> list[tuple[int, int]]:
        """Return what the loop has come late to, unread things perhaps before it: (when due, game time)."""
        landing_us = self._landing_us()
        dues = [] if landing_us is None else [(self._ripe_ns(landing_us), landing_us)]
        dues.append((self.ends_ns(), self.end_us))
        return [
            (at_ns, us)
            for at_ns, us in dues
            if at_ns is not None and self.late_input.may_lie_unread(at_ns, now_ns)
        ]

    # ---- what is played ------------------------------------------------------------------------------------

    def must_read(self, now_ns: int) -> bool:
        """Return whether the sockets are read before anything is played; where they must be, ask for it."""
        if not self.late_input.reading and self._overdue(now_ns):
            self.late_input.start_reading(now_ns)
            self._emit(fx.ReadPending())
        return self.late_input.reading

    def catch_up(self, now_ns: int) -> None:
        """Play what is due inside the turn; between two landings the sockets are read, if need be."""
        while (due_ns := self._due_inside_ns()) is not None and due_ns <= now_ns:
            if self.must_read(now_ns):
                return
            before_us = self._state.world.reached_us
            landing_us = self._landing_us()
            ripe_ns = None if landing_us is None or landing_us <= before_us else self._ripe_ns(landing_us)
            late = ripe_ns is not None and ripe_ns < now_ns
            self._advance(self.late_input.read_until_ns if late else now_ns)
            if self._state.world.reached_us == before_us:
                return

    def _advance(self, now_ns: int) -> None:
        """Play what has come due inside the turn by then, but nothing from a landing on that waits."""
        until_us, collected_ns = self.reached_now(now_ns), self._collected_ns()
        for landing_us in self._graces_us():
            if landing_us <= until_us and now_ns < (self._ripe_ns(landing_us) or 0):
                until_us = landing_us - 1
        battle = self._battle
        told = self._game.advance(self._state, battle.streams, until_us, battle.collecting.inbox.answers)
        self._pressed_us = [at_us for at_us in self._pressed_us if at_us > self._state.world.reached_us]
        if told:
            self._tell_early(told)
        if collected_ns is not None and (self._collected_ns() or 0) < now_ns < collected_ns:
            self._released_ns = now_ns  # the turn is now released

    # ---- reactions -----------------------------------------------------------------------------------------

    def arrived_us(self, now_ns: int, grace_us: int) -> int:
        """Return when a reaction that is read now arrived. See `TurnLoop.arrived_us`."""
        return min((self._clock.game_us(now_ns) - grace_us, *(at_us for _, at_us in self._overdue(now_ns))))

    def hold(self, body: int, press: ReactionInput) -> None:
        """Keep a reaction until it counts."""
        self._held.append((body, press))

    def hand_in(self, now_ns: int) -> None:
        """Give the kernel the reactions that count in the turn.

        Of more than PRESSES_MAX the rest waits, and is reported as too late in the next turn.
        """
        held, self._held = self._held, []
        for body, press in held:
            answers = self._battle.collecting.inbox.answers
            handed = len(answers[body].presses) if body in answers else 0
            if press.at_us <= self.end_us and handed < PRESSES_MAX:
                self._battle.collecting.submit(
                    body, WorldIntent(presses=(press,)), now_ns, self._battle.turn + 1
                )
                self._pressed_us.append(press.at_us)
            else:
                self._held.append((body, press))

    def closed(self) -> None:
        """Note that the turn is resolved, with all that was handed in."""
        self._pressed_us = []

    def bring_back(self, by_us: int) -> None:
        """Let reactions that were pressed while the turn was late count earlier, as the clock goes back.

        No reaction counts before the turn that opens now, and no reaction in time is too late.
        """
        first_us = self._state.world.reached_us + 1
        self._held = [
            (body, ReactionInput(max(held.at_us - by_us, first_us), held.reaction, held.threat, held.band_us))
            for body, held in self._held
        ]
