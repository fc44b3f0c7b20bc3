"""OpenTurn tracks what is due in a world's open turn: landings, other timers, reactions and its end.

If the event loop is late for a landing or the turn's end, the server first reads the sockets.
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
"""Collecting ends at most half a turn late, if a landing near the turn's end waits for slow connections."""


class OpenTurn:
    """What is due in the open turn. Between turns it stores the reactions for the next turn.

    Args:
        battle: the battle of a `WorldGame`.
        tell_early: receives the messages (body, message) that arise within the open turn.
        graces_us: returns for how many µs of real time each landing waits for players without a clock. The
        key is the game time of the landing.
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
        """Reactions for a later turn, with their bodies."""
        self._pressed_us: list[int] = []
        """The game times of reactions that the kernel has and has not played yet."""

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
        """Note that the store has written a turn, so that the next turn may end."""
        if turn > self._saved_turn:
            self._saved_turn, self._saved_ns = turn, now_ns

    # ---- what is due when ----------------------------------------------------------------------------------

    def next_ns(self) -> int | None:
        """Return the time of the next due event, or None if nothing is due or the sockets are being read."""
        if self.late_input.reading:
            return None
        times = (self.ends_ns(), self._due_inside_ns())
        return min((at_ns for at_ns in times if at_ns is not None), default=None)

    def late_ns(self, now_ns: int) -> int:
        """Return by how many ns collecting is late if it ends now, or 0 while time is paused."""
        return now_ns - (self._collected_ns() or now_ns)

    def _collected_ns(self) -> int | None:
        """Return when collecting must end: on schedule, or a little later if a landing waits for a player.

        HELD_SHARE limits the delay. The next turn still ends on schedule, so it is shorter.
        Return None while time is paused.
        """
        ends_ns, next_us = self._clock.due_ns(self.end_us), self._state.world.timer_queue.next_due
        if ends_ns is None:
            return None
        waits = next_us is not None and next_us <= self.end_us and self._graces_us()
        held_ns = self._held_ns if waits else 0
        latest_ns = ends_ns + self._pace.turn_us * 1000 // HELD_SHARE
        return max(ends_ns, min(held_ns, latest_ns), self._released_ns)

    def ends_ns(self) -> int | None:
        """Return when the turn can end, or None while time is paused or the previous turn is not stored."""
        collected_ns = self._collected_ns() if self._saved_turn >= self._state.world.turn else None
        return None if collected_ns is None else max(collected_ns, self._saved_ns)

    def _landing_us(self) -> int | None:
        """Return the game time of the next landing, or another timer, inside the turn, or None."""
        landing_us = self._state.world.timer_queue.next_due
        return landing_us if landing_us is not None and landing_us < self.end_us else None

    def _due_inside_ns(self) -> int | None:
        """Return when the next landing or reaction within the turn must be played, or None."""
        landing_us = self._landing_us()
        found = [] if landing_us is None else [self._ripe_ns(landing_us)]
        until_us = self.end_us if landing_us is None else landing_us
        found += [self._clock.due_ns(at_us) for at_us in self._pressed_us if at_us < until_us]
        return min((at_ns for at_ns in found if at_ns is not None), default=None)

    def _ripe_ns(self, landing_us: int) -> int | None:
        """Return when a landing may be played, after its wait for players, or None while time is paused."""
        at_ns = self._clock.due_ns(landing_us)
        return None if at_ns is None else at_ns + 1000 * self._graces_us().get(landing_us, 0)

    def _graces_us(self) -> Mapping[int, int]:
        """Return how long landings wait. The value is computed again after something was played."""
        asked = self._state.world.reached_us, self._battle.turn
        if self._graced[0] != asked:
            self._graced = asked, self._ask_graces()
            landings = [self._ripe_ns(us) or 0 for us in self._graced[1] if us <= self.end_us]
            self._held_ns = max(landings, default=0)
        return self._graced[1]

    def _overdue(self, now_ns: int) -> list[tuple[int, int]]:
        """Return the overdue events that wait, because input that is still unread may count before them.

        For each event, return the time when it was due (ns) and its game time (µs).
        """
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
        """Request that the sockets are read if an event is overdue, and return whether the turn must wait."""
        if not self.late_input.reading and self._overdue(now_ns):
            self.late_input.start_reading(now_ns)
            self._emit(fx.ReadPending())
        return self.late_input.reading

    def catch_up(self, now_ns: int) -> None:
        """Play what is due within the turn, up to an event before which the sockets must be read."""
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
        """Play what is due within the turn by `now_ns`, up to the first landing that still waits."""
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
            self._released_ns = now_ns  # the turn no longer waits for a landing

    # ---- reactions -----------------------------------------------------------------------------------------

    def arrived_us(self, now_ns: int, grace_us: int) -> int:
        """Return the arrival, in game time, of a reaction that the server reads now. See
        `TurnLoop.arrived_us`.
        """
        return min((self._clock.game_us(now_ns) - grace_us, *(at_us for _, at_us in self._overdue(now_ns))))

    def hold(self, body: int, press: ReactionInput) -> None:
        """Store a reaction until its turn."""
        self._held.append((body, press))

    def hand_in(self, now_ns: int) -> None:
        """Give the kernel the reactions that belong to the turn.

        Reactions of a body beyond PRESSES_MAX wait. The next turn reports them as too late.
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
        """Note that the turn is resolved and all its reactions are played."""
        self._pressed_us = []

    def bring_back(self, by_us: int) -> None:
        """Move waiting reactions back by `by_us`, because a late turn has set game time back by as much.

        A reaction moves at most to the start of the turn that opens now, so no reaction becomes too late.
        """
        first_us = self._state.world.reached_us + 1
        self._held = [
            (body, ReactionInput(max(held.at_us - by_us, first_us), held.reaction, held.threat, held.band_us))
            for body, held in self._held
        ]
