"""TurnLoop: opens, collects, cuts, resolves, reports and paces turns.

    open      the minds that are awake are asked; the others may act at any time
    collect   until the turn's end: plans until their deadline, commands and reactions all the while. What
              lands inside the turn is played at its moment, and told at once. Where the loop comes late to
              that, or to the turn's end, the sockets are read before it counts.
    cut       the host hands over what each body does: all at one instant
    resolve   the kernel plays the turn; the store is given what changed
    tell      all sessions get the turn; once the actors have it, minds begin to plan for the next turn
    pace      turns end on an absolute schedule. One that comes more than a whole turn late begins a new
              schedule (game time stood still for so long): slots are skipped, never caught up with.

Resolving and telling are done in slices; input is read between them: what needs no turn is answered
at once, and nothing else touches the world until the next turn is open.

A world without players stands still: no alarm is set. At most one turn is played ahead of the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from turnwright.kernel.battle import Battle, Closed
from turnwright_world.game import WorldGame, WorldState
from turnwright_world.host import effects as fx
from turnwright_world.host.late_input import LateInput
from turnwright_world.host.pace import Duration, TimeControl
from turnwright_world.host.plan_requests import PlanRequests
from turnwright_world.host.turn_stats import LATE_NS, OVERRUN_SHARE, MissedTurns, Overrun, TurnStats
from turnwright_world.intent import PRESSES_MAX, ReactionInput, WorldIntent
from turnwright_world.rules.view import ViewData
from turnwright_world.wire.clock import RATE_ONE, GameClock

HELD_SHARE = 2
"""A turn is cut late by half a turn at most, if a landing near its end waits for a player's line."""
SLICE_NS = 2_000_000
"""The time that the end of a turn is worked at before others are heard."""
_SLOWEST = 3
Part = Literal["resolve", "tell"]
"""The parts of the end of a turn."""


@dataclass(frozen=True, slots=True)
class TurnCallbacks:
    """Calls of the turn loop to the host."""

    gather: Callable[[], Iterable[tuple[int, WorldIntent]]]
    """Returns the intent of each body for this turn; the gate's events under its number."""
    tell_early: Callable[[list[tuple[int, dict[str, Any]]]], None]
    """Reports messages inside the open turn: (body, message)."""
    tell_turn: Callable[[Closed], Iterator[bool]]
    """Reports a turn, piece by piece; yields whether the next piece is for a session that waits for it."""
    tell_segment: Callable[[], None]
    """Reports that the speed of game time has changed."""
    graces_us: Callable[[], Mapping[int, int]]
    """Returns by game time how long landings wait for players without a clock, µs of real time."""
    is_wanted: Callable[[], bool]
    """Returns whether there is a player who needs another turn."""


@dataclass(slots=True)
class _Ending:
    """A turn that is being ended since cut_ns.

    pieces: what is left to do, by part, and who acts in it.

    used_ns: what it took; acts: who acted, (ns, body).
    """

    pieces: Iterator[tuple[Part, int | None]]
    cut_ns: int
    late_ns: int
    go_on: bool
    used_ns: dict[str, int] = field(default_factory=lambda: {"resolve": 0, "tell": 0})
    acts: list[tuple[int, int]] = field(default_factory=list)


class TurnLoop:
    """The loop of one world's turns.

    battle: of a `WorldGame`, open. pace: real time of a turn; plan: of it, for plans.

    stopwatch: a clock for figures, and for where slices end, ns; it decides nothing that anybody could see.
    Without it there are no slices.
    """

    def __init__(
        self,
        battle: Battle,
        callbacks: TurnCallbacks,
        clock: GameClock,
        emit: Callable[[fx.Effect], None],
        *,
        pace: Duration,
        plan: Duration,
        stopwatch: Callable[[], int] = lambda: 0,
    ) -> None:
        assert isinstance(battle.game, WorldGame)
        self.battle = battle
        self.game: WorldGame = battle.game
        self.clock = clock
        self.pace = pace
        self.plan = plan
        self.stats = TurnStats()
        self.time_control = TimeControl()
        self.overloaded = False
        """Whether the machine has had too much to do since the last turn ended."""
        self.saved_turn = battle.state.world.turn
        self._callbacks = callbacks
        self._emit = emit
        self._watch = stopwatch
        self._before: list[tuple[int, int, str]] = []
        """The slowest acts of the last turn's end: by them the next turn may be late."""
        self._plan_requests = PlanRequests(battle, clock, emit, pace=pace, plan=plan)
        self._missed = MissedTurns()
        self._graced: tuple[tuple[int, int] | None, Mapping[int, int]] = (None, {})
        self._late_input = LateInput()
        self._saved_ns = self._held_ns = self._released_ns = 0
        self._ending: _Ending | None = None
        self._now_ns = 0
        self._held: list[tuple[int, ReactionInput]] = []
        """Reactions that count in a later turn, by body."""
        self._pressed_us: list[int] = []
        """The times at which those count that have been handed in and not been played."""

    @property
    def state(self) -> WorldState:
        """The world between two turns, or in the open one."""
        state: WorldState = self.battle.state
        return state

    @property
    def pace_us(self) -> int:
        """The real time of a turn now, µs."""
        return self.pace.value_us * RATE_ONE // self.time_control.speed

    @property
    def running(self) -> bool:
        """Whether a turn is open; one that is being ended is not."""
        return self.battle.is_open and self._ending is None

    @property
    def resolving(self) -> bool:
        """Whether a turn is being played: the world may be read, but is not as it will be."""
        return self.battle.is_open and self._ending is not None

    @property
    def end_us(self) -> int:
        """The game time at which the open turn ends."""
        return self.state.world.now_us + self.state.world.dt_us

    @property
    def played_us(self) -> int:
        """The game time up to which the world has been played.

        While a turn is, that turn's end.
        """
        return self.end_us if self.resolving else self.state.world.reached_us

    def look(self, body: int) -> ViewData:
        """Return what a body knows now; not to be changed."""
        return self.game.look(self.state, body)

    def reached_now(self, now_ns: int) -> int:
        """Return the game time now, not beyond the open turn."""
        return min(self.clock.game_us(now_ns), self.end_us)

    # ---- beginning and end ---------------------------------------------------------------------------------

    def begin(self, now_ns: int) -> None:
        """Let the world go on, if it stands.

        Not while a turn is being ended, which sees to that itself.
        """
        if not self.running and self._ending is None:
            self.clock.warp(now_ns, self.state.world.now_us)
            self._run(now_ns)
            self._open(now_ns)

    def steer(self, now_ns: int) -> None:
        """Let what was asked of `steering` count from now on."""
        if self.running or self._ending is not None:
            self._run(now_ns)

    def stand_still(self, now_ns: int) -> None:
        """Stop the world: there are no players."""
        self._log_missed(now_ns, last=True)
        self._plan_requests.forget()
        self.clock.warp(now_ns, self.state.world.now_us)
        self.clock.pause(now_ns)
        self._callbacks.tell_segment()

    # ---- while a turn is open ------------------------------------------------------------------------------

    def planned(self, turn: int, body: int, intent: WorldIntent, now_ns: int) -> None:
        """Take a plan; one that comes too late is dropped."""
        self._plan_requests.planned(turn, body, intent, now_ns, running=self.running)

    def arrived_us(self, now_ns: int, grace_us: int = 0) -> int:
        """Return the game time at which a reaction that is read now arrived.

        As far as it can be known.

        grace_us: game time that the way of its line takes. What may have waited unread while the loop was
        late has come when the earliest thing that is overdue was due.
        """
        if self._ending is not None:
            return self.clock.game_us(min(now_ns, self._late_input.read_until_ns)) - grace_us
        arrived_us = self.clock.game_us(now_ns) - grace_us
        overdue = self._overdue(now_ns) if self.running else ()
        return min((arrived_us, *(at_us for _, at_us in overdue)))

    def press(self, body: int, press: ReactionInput, now_ns: int) -> None:
        """Take a reaction.

        What counts now is played at once, what counts later is held until then.
        """
        if self.running or self._ending is not None:
            self._held.append((body, press))
        if self.running:
            self._hand_in_presses(now_ns)
            if not self._must_read(now_ns):
                self._catch_up(now_ns)

    def wake(self, now_ns: int) -> None:
        """Do what is due."""
        if self._ending is not None:
            self._go_on(self._ending, now_ns)
        if not self.running or self._must_read(now_ns):
            return
        ends_ns = self._ends_ns()
        if ends_ns is None or now_ns < ends_ns:
            self._catch_up(now_ns)
        else:
            self._end(now_ns, now_ns - (self._cut_ns() or now_ns))

    def saved(self, turn: int, now_ns: int) -> None:
        """The store has a turn: the next one may end."""
        if turn > self.saved_turn:
            self.saved_turn, self._saved_ns = turn, now_ns
        self.wake(now_ns)

    def pending_read(self, now_ns: int) -> None:
        """Goes on: the input that lay in the sockets has been handed over."""
        if self._late_input.reading_done():
            self.wake(now_ns)

    def next_ns(self) -> int | None:
        """Return when `wake` has something to do; None: nothing comes by itself."""
        if self._ending is not None:
            return self._now_ns
        if not self.running or self._late_input.reading:
            return None
        times = (self._ends_ns(), self._due_inside_ns())
        return min((at_ns for at_ns in times if at_ns is not None), default=None)

    def close_early(self, now_ns: int) -> None:
        """End the open turn now, before its time: the world is about to stop."""
        if self._ending is not None:
            self._go_on(self._ending, now_ns, whole=True)
        if self.running:
            self._end(now_ns, 0, go_on=False)

    # ---- what is due in the open turn ----------------------------------------------------------------------

    def _cut_ns(self) -> int | None:
        """Return when the open turn is to be cut: on schedule, or a little later if a landing waits for then.

        The next turn ends on schedule all the same; HELD_SHARE bounds what is taken from it.
        """
        ends_ns, next_us = self.clock.due_ns(self.end_us), self.state.world.timer_queue.next_due
        if ends_ns is None:
            return None
        waits = next_us is not None and next_us <= self.end_us and self._graces_us()
        held_ns = self._held_ns if waits else 0
        return max(ends_ns, min(held_ns, ends_ns + self.pace_us * 1000 // HELD_SHARE), self._released_ns)

    def _ends_ns(self) -> int | None:
        """Return when the open turn can be cut; None: not before the store has the one before it."""
        cut_ns = self._cut_ns() if self.saved_turn >= self.state.world.turn else None
        return None if cut_ns is None else max(cut_ns, self._saved_ns)

    def _landing_us(self) -> int | None:
        """Return the game time of the next landing, or another timer, inside the open turn."""
        landing_us = self.state.world.timer_queue.next_due
        return landing_us if landing_us is not None and landing_us < self.end_us else None

    def _due_inside_ns(self) -> int | None:
        """Return when something inside the open turn must be played: a landing, or a reaction before it."""
        landing_us = self._landing_us()
        found = [] if landing_us is None else [self._ripe_ns(landing_us)]
        until_us = self.end_us if landing_us is None else landing_us
        found += [self.clock.due_ns(at_us) for at_us in self._pressed_us if at_us < until_us]
        return min((at_ns for at_ns in found if at_ns is not None), default=None)

    def _ripe_ns(self, landing_us: int) -> int | None:
        """Return when a landing may be played: it waits for players without a clock."""
        at_ns = self.clock.due_ns(landing_us)
        return None if at_ns is None else at_ns + 1000 * self._graces_us().get(landing_us, 0)

    def _graces_us(self) -> Mapping[int, int]:
        """Return how long landings wait; asked for once until something is played."""
        asked = self.state.world.reached_us, self.battle.turn
        if self._graced[0] != asked:
            self._graced = asked, self._callbacks.graces_us()
            landings = [self._ripe_ns(us) or 0 for us in self._graced[1] if us <= self.end_us]
            self._held_ns = max(landings, default=0)
        return self._graced[1]

    def _overdue(self, now_ns: int) -> list[tuple[int, int]]:
        """Return what the loop has come late to, unread things perhaps before it: (when due, game time)."""
        landing_us = self._landing_us()
        dues = [] if landing_us is None else [(self._ripe_ns(landing_us), landing_us)]
        dues.append((self._ends_ns(), self.end_us))
        return [
            (at_ns, us)
            for at_ns, us in dues
            if at_ns is not None and self._late_input.may_lie_unread(at_ns, now_ns)
        ]

    def _must_read(self, now_ns: int) -> bool:
        """Return whether the sockets are read before anything is played; where they must be, ask for it."""
        if not self._late_input.reading and self._overdue(now_ns):
            self._late_input.start_reading(now_ns)
            self._emit(fx.ReadPending())
        return self._late_input.reading

    def _catch_up(self, now_ns: int) -> None:
        """Play what is due inside the open turn; between two landings the sockets are read, if need be."""
        while (due_ns := self._due_inside_ns()) is not None and due_ns <= now_ns:
            if self._must_read(now_ns):
                return
            before_us = self.state.world.reached_us
            landing_us = self._landing_us()
            ripe_ns = None if landing_us is None or landing_us <= before_us else self._ripe_ns(landing_us)
            late = ripe_ns is not None and ripe_ns < now_ns
            self._advance(self._late_input.read_until_ns if late else now_ns)
            if self.state.world.reached_us == before_us:
                return

    def _advance(self, now_ns: int) -> None:
        """Play what has come due inside the open turn by then, but nothing from a landing on that waits."""
        until_us, cut_ns = self.reached_now(now_ns), self._cut_ns()
        for landing_us in self._graces_us():
            if landing_us <= until_us and now_ns < (self._ripe_ns(landing_us) or 0):
                until_us = landing_us - 1
        told = self.game.advance(self.state, self.battle.streams, until_us, self.battle.inbox.answers)
        self._pressed_us = [at_us for at_us in self._pressed_us if at_us > self.state.world.reached_us]
        if told:
            self._callbacks.tell_early(told)
        if cut_ns is not None and (self._cut_ns() or 0) < now_ns < cut_ns:
            self._released_ns = now_ns  # the turn is no longer held

    def _hand_in_presses(self, now_ns: int) -> None:
        """Give the kernel the reactions that count in the open turn.

        Of more than PRESSES_MAX the rest waits, and is told in the next turn that it came too late.
        """
        held, self._held = self._held, []
        for body, press in held:
            handed = len(self.battle.inbox.answers[body].presses) if body in self.battle.inbox.answers else 0
            if press.at_us <= self.end_us and handed < PRESSES_MAX:
                self.battle.submit(body, WorldIntent(presses=(press,)), now_ns, self.battle.turn + 1)
                self._pressed_us.append(press.at_us)
            else:
                self._held.append((body, press))

    # ---- from turn to turn ---------------------------------------------------------------------------------

    def _run(self, now_ns: int) -> None:
        self.clock.run(now_ns, self._rate())
        self._callbacks.tell_segment()

    def _rate(self) -> int:
        """Return how fast game time is to run, ppm."""
        return 0 if self.time_control.stands else self.state.world.dt_us * RATE_ONE // self.pace_us

    def _open(self, now_ns: int) -> None:
        """Open a turn and let the minds plan."""
        opened = self.battle.open_turn()
        self._hand_in_presses(now_ns)
        self._plan_requests.opened(opened.turn, opened.awaited, now_ns)

    def _end(self, now_ns: int, late_ns: int, *, go_on: bool = True) -> None:
        """Begin to end the open turn; without `go_on` all at once."""
        self._late_input.turn_ends(now_ns)
        self._ending = _Ending(self._pieces(now_ns, late_ns), now_ns, late_ns, go_on)
        self._go_on(self._ending, now_ns, whole=not go_on)

    def _go_on(self, ending: _Ending, now_ns: int, *, whole: bool = False) -> None:
        """Work at the end of a turn: a slice of it, or the whole."""
        self._now_ns = now_ns
        self._late_input.slice_begins(now_ns)
        last = began = self._watch()
        try:
            for part, who in ending.pieces:
                reached = self._watch()
                ending.used_ns[part] += reached - last
                if who is not None:
                    ending.acts.append((reached - last, who))
                last = reached
                if reached - began >= SLICE_NS and not whole:
                    return
        except BaseException:
            self._ending = None
            if not self.battle.is_open and self.battle.void is None:
                self._ended(ending, now_ns)  # it was played; that not all were told of it stops nobody else
            raise
        self._ended(ending, now_ns)

    def _pieces(self, now_ns: int, late_ns: int) -> Iterator[tuple[Part, int | None]]:
        """Cut and resolve the open turn, and send it to all sessions."""
        turn = self.battle.turn + 1
        for body, intent in self._callbacks.gather():
            self.battle.submit(body, intent, now_ns, turn)
        self.battle.end_collecting(now_ns)
        for who in self.game.pieces(self.state, self.battle.streams, self.battle.inbox.answers):
            yield "resolve", who
        closed = self.battle.close_turn(server_late_ns=late_ns)
        self._pressed_us = []
        changed, facts = self.state.take_changed(), self._facts()
        self._emit(fx.RecordTurn(fx.BATTLE, closed.entry))
        self._emit(fx.SaveTurn(self.state.world.turn, changed, facts, closed.entry))
        yield "resolve", None
        early = late_ns < self.pace_us * 1000 and self._callbacks.is_wanted()
        for waits in self._callbacks.tell_turn(closed):
            if early and not waits:
                early = False
                self._plan_requests.begin_early(self._now_ns)
            yield "tell", None

    def _ended(self, ending: _Ending, now_ns: int) -> None:
        """Note that all sessions have the turn; open the next one if there are players."""
        used_ns = sum(ending.used_ns.values())
        if ending.late_ns * OVERRUN_SHARE >= self.pace_us * 1000 or 2 * used_ns >= self.pace_us * 1000:
            self.overloaded = True
        skipped = self._keep_pace(ending.cut_ns, ending.late_ns)
        if self.time_control.steps and self.time_control.turn_over():
            self.clock.warp(now_ns, self.state.world.now_us)
            self._run(now_ns)
        creatures = self.state.world.creatures
        slowest = sorted(ending.acts, reverse=True)[:_SLOWEST]
        acted = [(ns, n, creatures[n].name) for ns, n in slowest if n in creatures]
        self._note(ending, skipped, acted)
        self._before = acted
        self._ending = None
        if ending.go_on and self._callbacks.is_wanted():
            self._open(now_ns)
        else:
            self.stand_still(now_ns)

    def _facts(self) -> dict[str, str]:
        world = self.state.world
        return {"turn": str(world.turn), "now_us": str(world.now_us), "dt_us": str(world.dt_us)}

    def _keep_pace(self, now_ns: int, late_ns: int) -> int:
        """Begin a new schedule when a whole turn or more was missed; return how many.

        Before that let durations follow the machine, where they are not fixed.
        """
        skipped = late_ns // (self.pace_us * 1000)
        overloaded, self.overloaded = self.overloaded, False
        for duration in (self.pace, self.plan):
            change = duration.note(overloaded)
            if change is not None:
                text = f"{change.name} {change.before_us} µs is now {change.after_us} µs ({change.reason})"
                self._emit(fx.Log("info", text))
        if skipped:
            self._bring_back_presses(self.clock.game_us(now_ns) - self.state.world.now_us)
            self.clock.warp(now_ns, self.state.world.now_us)
        if skipped or self.clock.segment.rate != self._rate():
            self._run(now_ns)
        return skipped

    def _bring_back_presses(self, by_us: int) -> None:
        """Let reactions that were pressed while the turn was late count earlier, as the clock goes back.

        Nobody reacts before the turn that opens now, and nobody who reacted in time is too late.
        """
        first_us = self.state.world.reached_us + 1
        self._held = [
            (body, ReactionInput(max(held.at_us - by_us, first_us), held.reaction, held.threat, held.band_us))
            for body, held in self._held
        ]

    def _note(self, ending: _Ending, skipped: int, acted: list[tuple[int, int, str]]) -> None:
        figures, late_ns, used_ns = self.stats, ending.late_ns, ending.used_ns
        if late_ns < LATE_NS:
            self._before = acted  # if anybody made this turn long, it was within it
        figures.turns += 1
        figures.skipped += skipped
        figures.late_ns.append(late_ns)
        figures.used_ns.append(sum(used_ns.values()))
        slowest = sorted([*self._before, *self._plan_requests.times], reverse=True)[:_SLOWEST]
        named = tuple((body, mind, took_ns) for took_ns, body, mind in slowest)
        over = Overrun(self.state.world.turn, late_ns, skipped, used_ns, named)
        if late_ns >= self.pace_us * 1000 // OVERRUN_SHARE:
            figures.overruns_total += 1
            figures.overruns.append(over)
        self._missed.note(over, self.pace_us * 1000)
        self._log_missed(self._now_ns)

    def _log_missed(self, now_ns: int, *, last: bool = False) -> None:
        text = self._missed.take(now_ns, last=last)
        if text is not None:
            self._emit(fx.Log("error", text))
