"""TurnLoop: opens, collects, resolves, reports and paces turns.

    open      the server asks the minds of awake bodies for plans. Players may act at any time
    collect   plans arrive until their deadline, commands and reactions until the turn's end. An attack that
              lands within the turn is played at its time and reported immediately. If the loop is late for a
              landing or for the turn's end, the server reads the sockets first
    end       the host hands over the intents of all bodies at one instant
    resolve   the kernel plays the turn, and the store gets the changes
    tell      all sessions receive the turn. When the bodies that acted have it, minds plan the next turn
    pace      turns end on an absolute schedule. A turn that ends more than a whole turn late begins a new
              schedule, and game time does not count the delay. Missed turns are skipped, and not played later

Resolving and telling run in slices. Between slices the server reads input and answers immediate commands. All
other input waits until the next turn is open. A world without players stops and sets no timer. At most one
turn is played ahead of the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from turnwright.kernel.battle import Battle, Closed
from turnwright_world.game import WorldGame, WorldState
from turnwright_world.host import effects as fx
from turnwright_world.host.open_turn import OpenTurn
from turnwright_world.host.pace import TurnPace
from turnwright_world.host.plan_requests import PlanRequests
from turnwright_world.host.turn_stats import OVERRUN_SHARE, SLOWEST, Overrun, TurnReports, TurnStats
from turnwright_world.intent import ReactionInput, WorldIntent
from turnwright_world.rules.view import ViewData
from turnwright_world.wire.clock import GameClock

SLICE_NS = 2_000_000
"""The length of a slice: how long the end of a turn runs before the event loop reads input."""
Part = Literal["resolve", "tell"]
"""The parts of the end of a turn."""


@dataclass(frozen=True, slots=True)
class TurnCallbacks:
    """Calls of the turn loop to the host."""

    gather: Callable[[], Iterable[tuple[int, WorldIntent]]]
    """Yields the intents of players' bodies for this turn. The gate's events are under the gate's number."""
    tell_early: Callable[[list[tuple[int, dict[str, Any]]]], None]
    """Sends messages (body, message) that arise within the open turn."""
    tell_turn: Callable[[Closed], Iterator[bool]]
    """Sends a turn, one session after the other. Yields whether the next session is waiting for the turn."""
    tell_segment: Callable[[], None]
    """Reports that the speed of game time has changed."""
    graces_us: Callable[[], Mapping[int, int]]
    """Returns how long landings wait for players without a clock, by game time, in µs of real time."""
    is_wanted: Callable[[], bool]
    """Returns whether the world needs another turn."""


@dataclass(slots=True)
class _Ending:
    """A turn whose collecting ended at `collected_ns`, and which is being resolved and sent.

    Attributes:
        pieces: the remaining work. Each piece yields its part and the body that acted in it.
        used_ns: the time used, by part.
        acts: (ns, body) for each body that acted.
    """

    pieces: Iterator[tuple[Part, int | None]]
    collected_ns: int
    late_ns: int
    go_on: bool
    used_ns: dict[str, int] = field(default_factory=lambda: {"resolve": 0, "tell": 0})
    acts: list[tuple[int, int]] = field(default_factory=list)


class TurnLoop:
    """The loop of one world's turns.

    Args:
        battle: an open battle of a `WorldGame`.
        stopwatch: a clock in ns, for statistics and for the ends of slices. Without a clock, each turn ends
            in one piece. The clock does not change what happens in the world.
    """

    def __init__(
        self,
        battle: Battle,
        callbacks: TurnCallbacks,
        clock: GameClock,
        emit: Callable[[fx.Effect], None],
        pace: TurnPace,
        stopwatch: Callable[[], int] = lambda: 0,
    ) -> None:
        assert isinstance(battle.game, WorldGame)
        self.battle = battle
        self.game: WorldGame = battle.game
        self.clock = clock
        self.pace = pace
        self._callbacks = callbacks
        self._emit = emit
        self._watch = stopwatch
        self._plan_requests = PlanRequests(battle, clock, emit, pace)
        self._open_turn = OpenTurn(battle, clock, pace, emit, callbacks.tell_early, callbacks.graces_us)
        self._reports = TurnReports()
        self._ending: _Ending | None = None
        self._now_ns = 0

    @property
    def state(self) -> WorldState:
        """The world between two turns or within the open turn."""
        state: WorldState = self.battle.state
        return state

    @property
    def stats(self) -> TurnStats:
        """Statistics of all turns."""
        return self._reports.stats

    @property
    def running(self) -> bool:
        """Whether a turn is open. A turn that is being ended is not open."""
        return self.battle.is_open and self._ending is None

    @property
    def resolving(self) -> bool:
        """Whether a turn is being ended. Meanwhile the world may be read, but it is incomplete."""
        return self.battle.is_open and self._ending is not None

    @property
    def end_us(self) -> int:
        """The game time at which the open turn ends."""
        return self._open_turn.end_us

    @property
    def played_us(self) -> int:
        """The game time up to which the world has been played.

        While a turn is being ended, this is the end of that turn.
        """
        return self.end_us if self.resolving else self.state.world.reached_us

    def look(self, body: int) -> ViewData:
        """Return the current view of a body. The caller must not change it."""
        return self.game.look(self.state, body)

    def reached_now(self, now_ns: int) -> int:
        """Return the game time now, not beyond the open turn."""
        return self._open_turn.reached_now(now_ns)

    # ---- beginning and end ---------------------------------------------------------------------------------

    def begin(self, now_ns: int) -> None:
        """Let the world run, unless it runs already.

        This does nothing while a turn is being ended, because the loop then continues by itself.
        """
        if not self.running and self._ending is None:
            self.clock.warp(now_ns, self.state.world.now_us)
            self._run(now_ns)
            self._open(now_ns)

    def steer(self, now_ns: int) -> None:
        """Apply the operators' current settings of pace and pause."""
        if self.running or self._ending is not None:
            self._run(now_ns)

    def stand_still(self, now_ns: int) -> None:
        """Stop the world, because no turn is needed: pause game time, and forget all plans."""
        self._log_missed(now_ns, last=True)
        self._plan_requests.forget()
        self.clock.warp(now_ns, self.state.world.now_us)
        self.clock.pause(now_ns)
        self._callbacks.tell_segment()

    # ---- while a turn is open ------------------------------------------------------------------------------

    def planned(self, turn: int, body: int, intent: WorldIntent, now_ns: int) -> None:
        """Accept a plan, or drop it if it is too late."""
        self._plan_requests.planned(turn, body, intent, now_ns, running=self.running)

    def arrived_us(self, now_ns: int, grace_us: int = 0) -> int:
        """Return the best estimate of the arrival, in game time, of a reaction that the server reads now.

        If the loop was late, the reaction may have waited unread. In this case the server assumes that the
        reaction arrived when the earliest overdue event was due.

        Args:
            grace_us: the latency of the connection, in game time.
        """
        if self.running:
            return self._open_turn.arrived_us(now_ns, grace_us)
        if self._ending is not None:
            now_ns = min(now_ns, self._open_turn.late_input.read_until_ns)
        return self.clock.game_us(now_ns) - grace_us

    def press(self, body: int, press: ReactionInput, now_ns: int) -> None:
        """Accept a reaction.

        A reaction that counts now is played immediately. A reaction that counts later is stored until then.
        While the world is stopped, a reaction is dropped.
        """
        if self.running or self._ending is not None:
            self._open_turn.hold(body, press)
        if self.running:
            self._open_turn.hand_in(now_ns)
            if not self._open_turn.must_read(now_ns):
                self._open_turn.catch_up(now_ns)

    def wake(self, now_ns: int) -> None:
        """Continue a turn that is ending. Otherwise play what lands in the open turn, or end the turn."""
        if self._ending is not None:
            self._go_on(self._ending, now_ns)
        if not self.running or self._open_turn.must_read(now_ns):
            return
        ends_ns = self._open_turn.ends_ns()
        if ends_ns is None or now_ns < ends_ns:
            self._open_turn.catch_up(now_ns)
        else:
            self._end(now_ns, self._open_turn.late_ns(now_ns))

    def saved(self, turn: int, now_ns: int) -> None:
        """Note that the store has written a turn, and do what is due, because the next turn may end now."""
        self._open_turn.saved(turn, now_ns)
        self.wake(now_ns)

    def pending_read(self, now_ns: int) -> None:
        """Continue, because the waiting input has been read from the sockets."""
        if self._open_turn.late_input.reading_done():
            self.wake(now_ns)

    def next_ns(self) -> int | None:
        """Return when `wake` has something to do, or None if nothing is scheduled."""
        if self._ending is not None:
            return self._now_ns
        return self._open_turn.next_ns() if self.running else None

    def close_early(self, now_ns: int) -> None:
        """End the open turn now, before its time, because the world is about to stop."""
        if self._ending is not None:
            self._go_on(self._ending, now_ns, whole=True)
        if self.running:
            self._end(now_ns, 0, go_on=False)

    # ---- from turn to turn ---------------------------------------------------------------------------------

    def _run(self, now_ns: int) -> None:
        self.clock.run(now_ns, self._rate())
        self._callbacks.tell_segment()

    def _rate(self) -> int:
        return self.pace.rate(self.state.world.dt_us)

    def _open(self, now_ns: int) -> None:
        """Open a turn and let the minds plan."""
        opened = self.battle.open_turn()
        self._open_turn.hand_in(now_ns)
        self._plan_requests.opened(opened.turn, opened.awaited, now_ns)

    def _end(self, now_ns: int, late_ns: int, *, go_on: bool = True) -> None:
        """Begin to end the open turn. Without `go_on`, end it completely and open no further turn."""
        self._open_turn.late_input.turn_ends(now_ns)
        self._ending = _Ending(self._pieces(now_ns, late_ns), now_ns, late_ns, go_on)
        self._go_on(self._ending, now_ns, whole=not go_on)

    def _go_on(self, ending: _Ending, now_ns: int, *, whole: bool = False) -> None:
        """Run one slice of the end of a turn, or all that remains."""
        self._now_ns = now_ns
        self._open_turn.late_input.slice_begins(now_ns)
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
                self._ended(ending, now_ns)  # the turn was played, so a failed report must not stop the world
            raise
        self._ended(ending, now_ns)

    def _pieces(self, now_ns: int, late_ns: int) -> Iterator[tuple[Part, int | None]]:
        """End collecting, resolve the open turn, and send it to all sessions."""
        turn = self.battle.turn + 1
        for body, intent in self._callbacks.gather():
            self.battle.collecting.submit(body, intent, now_ns, turn)
        self.battle.end_collecting(now_ns)
        for who in self.game.pieces(self.state, self.battle.streams, self.battle.collecting.inbox.answers):
            yield "resolve", who
        closed = self.battle.close_turn(server_late_ns=late_ns)
        self._open_turn.closed()
        changed, facts = self.state.take_changed(), self._facts()
        self._emit(fx.RecordTurn(fx.BATTLE, closed.entry))
        self._emit(fx.SaveTurn(self.state.world.turn, changed, facts, closed.entry))
        yield "resolve", None
        early = late_ns < self.pace.turn_us * 1000 and self._callbacks.is_wanted()
        for waits in self._callbacks.tell_turn(closed):
            if early and not waits:
                early = False
                self._plan_requests.begin_early(self._now_ns)
            yield "tell", None

    def _ended(self, ending: _Ending, now_ns: int) -> None:
        """Note that all sessions have the turn. Open the next turn if one is needed, or stop the world."""
        used_ns = sum(ending.used_ns.values())
        pace_ns = self.pace.turn_us * 1000
        if ending.late_ns * OVERRUN_SHARE >= pace_ns or 2 * used_ns >= pace_ns:
            self.pace.overloaded = True
        skipped = self._keep_pace(ending.collected_ns, ending.late_ns)
        if self.pace.control.steps and self.pace.control.turn_over():
            self.clock.warp(now_ns, self.state.world.now_us)
            self._run(now_ns)
        self._report(ending, skipped)
        self._ending = None
        if ending.go_on and self._callbacks.is_wanted():
            self._open(now_ns)
        else:
            self.stand_still(now_ns)

    def _facts(self) -> dict[str, str]:
        world = self.state.world
        return {"turn": str(world.turn), "now_us": str(world.now_us), "dt_us": str(world.dt_us)}

    def _keep_pace(self, now_ns: int, late_ns: int) -> int:
        """Begin a new schedule if one or more whole turns were missed, and return their number.

        Before that, adapt the durations to the machine unless they are fixed.
        """
        skipped = late_ns // (self.pace.turn_us * 1000)
        for text in self.pace.follow():
            self._emit(fx.Log("info", text))
        if skipped:
            self._open_turn.bring_back(self.clock.game_us(now_ns) - self.state.world.now_us)
            self.clock.warp(now_ns, self.state.world.now_us)
        if skipped or self.clock.segment.rate != self._rate():
            self._run(now_ns)
        return skipped

    def _report(self, ending: _Ending, skipped: int) -> None:
        """Add the turn to the statistics, and log overruns that are due."""
        creatures = self.state.world.creatures
        slowest = sorted(ending.acts, reverse=True)[:SLOWEST]
        acts = [(ns, n, creatures[n].name) for ns, n in slowest if n in creatures]
        turn = Overrun(self.state.world.turn, ending.late_ns, skipped, ending.used_ns)
        self._reports.note(turn, acts, self._plan_requests.times, self.pace.turn_us * 1000)
        self._log_missed(self._now_ns)

    def _log_missed(self, now_ns: int, *, last: bool = False) -> None:
        text = self._reports.missed.take(now_ns, last=last)
        if text is not None:
            self._emit(fx.Log("error", text))
