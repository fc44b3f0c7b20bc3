"""The running battle: the six steps as a state machine of the lifecycle's phases.

    open ──intents──▶ all answered ─┐
      └──alarm──▶ drain ──▶ missed ─┴▶ cut ──pace──▶ resolve ▶ record ▶ publish ▶ open …

Every method takes the time and appends effects; none waits. The table knows seats and turns; who may
command it is decided in `host`, how messages look in `announce` and `wire`.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence

from turnwright.errors import SetupError, VoidBattleError
from turnwright.games.tank.intent import TankIntent
from turnwright.host import announce
from turnwright.host import effects as fx
from turnwright.host.config import HostConfig
from turnwright.host.latency import SeatTiming, TurnTiming
from turnwright.host.lobby import Client
from turnwright.host.summary import BattleSummary, SeatSummary
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.collect import Receipt
from turnwright.kernel.lifecycle import Move, Phase, advance
from turnwright.kernel.pace import Pace, check_tps
from turnwright.kernel.record import Footer, TurnRules
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.codec import check_team_messages, encode
from turnwright.wire.royale.faults import Fault
from turnwright.wire.royale.results import results_for_bots, results_for_observers
from turnwright.wire.royale.setup import tank_setup

__all__ = ["LOOP_LATE_NS", "SLOW_SKIPS", "Table"]

LOOP_LATE_NS = 2_000_000
"""A loop that wakes this much after a deadline or a due turn was late: that turn is marked."""
SLOW_SKIPS = 10
SLOW_WINDOW = 100
"""A bot is called slow when it missed SLOW_SKIPS of the last SLOW_WINDOW turns."""
_US = 1_000


class Table:
    """One game at a time. `effects` is the host's list; `spectators()` says who watches now."""

    def __init__(
        self, config: HostConfig, effects: list[fx.Effect], spectators: Callable[[], tuple[int, ...]]
    ) -> None:
        self.config = config
        self.phase = Phase.WAITING_FOR_PARTICIPANTS
        self.setup: m.GameSetup | None = None
        self.tps = config.tps
        self.debug_mode = False
        self.clients: list[Client] = []
        self.battle: Battle | None = None
        self.pace = Pace(config.tps)
        self.number = 0
        self.timing = TurnTiming()
        self.seat_timing: list[SeatTiming] = []
        self.turns_total = 0
        self.battles_over: dict[str, int] = {"over": 0, "aborted": 0, "void": 0}
        self._out = effects
        self._spectators = spectators
        self._ready: set[int] = set()
        self._ready_deadline_ns = 0
        self._present: set[int] = set()
        self._sent_ns: list[int] = []
        self._turn_sent_ns = 0
        self._last_sent_ns = 0
        self._send_order: list[int] = []
        self._draining = False
        self._breakpoint_wait: set[int] = set()
        self._frame: bytes | None = None
        self._slow_turn: list[list[int]] = []
        self._seed = 0

    # ---- lifecycle -------------------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether a battle is running or paused."""
        return self.phase in (Phase.RUNNING, Phase.PAUSED)

    def _move(self, move: Move) -> None:
        after = advance(self.phase, move)
        assert after is not None, f"{move} is not legal while {self.phase}"
        self.phase = after

    def start(self, setup: m.GameSetup, clients: list[Client], debug_mode: bool, now_ns: int) -> None:
        """Begin to gather: every chosen bot is told and has until the ready timeout to say it is ready."""
        self._move(Move.START)
        cap = self.config.turn_timeout_cap_us
        if cap is not None and setup.turn_timeout > cap:
            setup.turn_timeout = cap
        self.setup, self.clients, self.debug_mode = setup, clients, debug_mode
        self._ready = set()
        self._present = set(range(len(clients)))
        self._ready_deadline_ns = now_ns + setup.ready_timeout * _US
        for seat, client in enumerate(clients):
            client.seat = seat
        for client, message in zip(clients, announce.game_started(clients, setup), strict=True):
            self._out.append(fx.Send(client.conn, encode(message)))

    def ready(self, client: Client, now_ns: int) -> None:
        """A chosen bot says that it is ready."""
        if self.phase is Phase.WAITING_FOR_READY and client.seat is not None:
            self._ready.add(client.seat)
            self._begin_if_ready(now_ns)

    def _begin_if_ready(self, now_ns: int) -> None:
        if self._present and self._ready >= self._present:
            self._begin(now_ns)

    def _ready_timed_out(self, now_ns: int) -> None:
        assert self.setup is not None
        late = [self.clients[s].name for s in sorted(self._present - self._ready)]
        missing = f"not ready after {self.setup.ready_timeout / 1e6:g} s: {', '.join(late)}"
        self._log("warning", missing)
        if len(self._ready) >= max(1, self.setup.min_number_of_participants):
            self._begin(now_ns)
            return
        self._move(Move.READY_TIMEOUT)
        self._publish(m.GameAbortedEvent())
        self._over("aborted", missing)

    def _begin(self, now_ns: int) -> None:
        """Start the battle with those who are ready."""
        assert self.setup is not None
        for client in self.clients:
            client.seat = None
        self.clients = [c for s, c in enumerate(self.clients) if s in self._ready]
        dropped = len(self._ready) != len(self._present)
        for seat, client in enumerate(self.clients):
            client.seat = seat
            if dropped:
                message = announce.game_started(self.clients, self.setup)[seat]
                self._out.append(fx.Send(client.conn, encode(message)))
        try:
            self.battle = self._new_battle(self.setup)
        except SetupError as error:
            self._log("error", f"the game cannot begin: {error}")
            self._move(Move.STOP)
            self._publish(m.GameAbortedEvent())
            self._over("aborted", str(error))
            return
        seats = len(self.clients)
        self._present = set(range(seats))
        self._sent_ns = [0] * seats
        self.seat_timing = [SeatTiming() for _ in range(seats)]
        self._slow_turn = [[] for _ in range(seats)]
        self.timing = TurnTiming()
        self.pace = Pace(self.tps)
        self._frame, self._draining, self._breakpoint_wait = None, False, set()
        self._move(Move.ALL_READY)
        if self.config.record:
            self._out.append(fx.RecordOpen(self.number, self.battle.header))
        self._publish(self._started_message())
        for client in self.clients:
            attached = isinstance(client.hello, m.BotHandshake) and client.hello.debugger_attached
            if attached and self.config.breakpoint_mode:
                client.breakpoint = True
            self._apply_policy(client)
        if self.tps == 0:
            self._move(Move.PAUSE)
            self._publish(m.GamePausedEventForObserver("pause"))
        self._open(now_ns)

    def _new_battle(self, setup: m.GameSetup) -> Battle:
        self.number += 1
        config = self.config
        if config.seed is None:
            self._seed = int.from_bytes(config.random_bytes(8), "little") >> 1
        else:
            self._seed = (config.seed + self.number - 1) % 2**63
        opening = config.opening_timeout_us
        rules = TurnRules(
            timeout_ns=setup.turn_timeout * _US,
            opening_timeout_ns=max(opening, setup.turn_timeout) * _US if opening is not None else None,
            on_skip=config.on_skip,
            max_skipped=config.max_skipped,
            on_disconnect=config.on_disconnect,
        )
        return Battle(
            config.new_game(config.on_rules_error_continue),
            tank_setup(setup),
            announce.seat_infos(self.clients, config.initial_positions),
            self._seed,
            rules,
            keep_checks=config.record_checks,
            tolerant=config.on_rules_error_continue,
            made_by=f"turnwright {config.version}",
        )

    def _started_message(self) -> m.GameStartedEventForObserver:
        assert self.setup is not None
        return m.GameStartedEventForObserver(
            game_setup=self.setup, participants=announce.participants(self.clients)
        )

    def welcome(self, conn: int) -> None:
        """Give a spectator that comes late the game's start and the current state."""
        if not self.playing or self.battle is None:
            return
        self._out.append(fx.Send(conn, encode(self._started_message())))
        state = self.battle.state
        if state.turn_number:
            self._out.append(fx.Send(conn, encode(m.RoundStartedEvent(round_number=state.round_number))))
            self._out.append(fx.Send(conn, self._current_frame()))
        if self.phase is Phase.PAUSED:
            self._out.append(fx.Send(conn, encode(m.GamePausedEventForObserver("pause"))))

    def stop(self, why: str) -> None:
        """Abort whatever goes on; spectators are told even when nothing does, as by the official server."""
        was = self.phase
        if was in (Phase.WAITING_FOR_READY, Phase.RUNNING, Phase.PAUSED):
            self._move(Move.STOP)
        self._publish(m.GameAbortedEvent())
        if was in (Phase.WAITING_FOR_READY, Phase.RUNNING, Phase.PAUSED):
            self._over("aborted", why)

    def leave(self, client: Client, now_ns: int) -> None:
        """A participant's connection is gone."""
        seat = client.seat
        if seat is None or seat >= len(self.clients) or self.clients[seat] is not client:
            return
        self._present.discard(seat)
        if self.phase is Phase.WAITING_FOR_READY:
            self._ready.discard(seat)
            if not self._present:
                self.stop("every chosen bot has left")
            else:
                self._begin_if_ready(now_ns)
            return
        if not self.playing or self.battle is None:
            return
        self._log("warning", f"{client.name} has left in turn {self.battle.turn}")
        self.battle.leave(seat)
        if not self._present:
            self.stop("every participant has left")
            return
        if seat in self._breakpoint_wait:
            self._breakpoint_answered(seat)
        self._check_collected(now_ns)

    # ---- collecting ------------------------------------------------------------------------------------

    def _open(self, now_ns: int) -> None:
        assert self.battle is not None
        opened = self.battle.open_turn()
        if not opened.asked:
            self._last_sent_ns = now_ns
            self._out.append(fx.Soon())

    def observed(self, stamps_ns: Sequence[int]) -> None:
        """Note when each observation of the newest SendTurn was handed to its socket."""
        battle, started = self.battle, self._turn_sent_ns
        if battle is None or not stamps_ns:
            return
        for seat, stamp in zip(self._send_order, stamps_ns, strict=True):
            self._sent_ns[seat] = stamp
            battle.sent(seat, stamp)
        self._last_sent_ns = stamps_ns[-1]
        self.timing.phases["send"].add(stamps_ns[-1] - started)
        self.timing.spread.add(stamps_ns[-1] - stamps_ns[0])

    def intent(self, client: Client, intent: TankIntent, now_ns: int) -> Fault | None:
        """Take an intent of a seat; a Fault when its team messages break a rule (nothing of it counts)."""
        battle, seat = self.battle, client.seat
        if seat is None or battle is None or not self.playing:
            return None
        if intent.team_messages:
            fault = self._team_fault(seat, intent)
            if fault is not None:
                return fault
        answers = None
        if intent.turn_number is not None:
            answers = battle.turn + 1 if intent.turn_number == battle.state.turn_number else -1
        receipt = battle.submit(seat, intent, self._arrived(seat, now_ns), answers)
        if receipt is Receipt.ACCEPTED:
            self.seat_timing[seat].answers.add(now_ns - self._sent_ns[seat])
            if self._breakpoint_wait:
                self._breakpoint_answered(seat)
            if not battle.missing:
                self._out.append(fx.Soon())
        return None

    def _arrived(self, seat: int, now_ns: int) -> int:
        """Return when an intent counts as arrived: what waited unread while the loop was late is in time."""
        battle = self.battle
        assert battle is not None
        deadline = self._sent_ns[seat] + battle.timeout_ns
        if now_ns <= deadline or battle.cut_ns is not None:
            return now_ns
        last = battle.last_deadline_ns
        return deadline if self._draining or (last is not None and now_ns > last) else now_ns

    def _team_fault(self, seat: int, intent: TankIntent) -> Fault | None:
        capable = frozenset(
            s + 1
            for s, c in enumerate(self.clients)
            if isinstance(c.hello, m.BotHandshake) and (c.hello.team_message_batch_version or 0) >= 1
        )
        mates = announce.teammates(self.clients)[seat]
        return check_team_messages(intent, seat + 1, frozenset(mates), capable)

    def settled(self, now_ns: int) -> None:
        """Everybody awaited had answered, and what else had been read is in."""
        self._check_collected(now_ns)

    def tick(self, now_ns: int) -> None:
        """The alarm rang, or something may have become due."""
        if self.phase is Phase.WAITING_FOR_READY and now_ns >= self._ready_deadline_ns:
            self._ready_timed_out(now_ns)
        self._check_collected(now_ns)

    def drained(self, now_ns: int) -> None:
        """What the sockets held at the deadline has been read: now whoever has not answered has missed."""
        self._draining = False
        battle = self.battle
        if battle is None or not self.playing or not battle.is_open or battle.cut_ns is not None:
            return
        waited_for = [s for s in sorted(battle.missing) if self.clients[s].breakpoint]
        if waited_for:
            self._wait_at_breakpoint(waited_for)
            return
        if battle.is_over(now_ns):
            self._note_missed(battle.cut(now_ns))
        self._check_collected(now_ns)

    def _check_collected(self, now_ns: int) -> None:
        battle = self.battle
        if battle is None or not self.playing or not battle.is_open or self._draining:
            return
        if battle.cut_ns is None:
            if not battle.is_over(now_ns):
                return
            if battle.missing:
                self._deadline_passed(now_ns)
                return
            battle.cut(now_ns)
        if self._breakpoint_wait:
            return
        due = self.pace.due_ns()
        if due is not None and now_ns >= due:
            self._resolve(now_ns)

    def _deadline_passed(self, now_ns: int) -> None:
        assert self.battle is not None
        deadline = self.battle.last_deadline_ns
        if deadline is not None and now_ns - deadline > LOOP_LATE_NS and not self._breakpoint_wait:
            self.timing.late_turns += 1
        self._draining = True
        self._out.append(fx.Drain())

    def _note_missed(self, seats: Sequence[int]) -> None:
        for seat in seats:
            if seat not in self._present:
                continue
            recent = self._slow_turn[seat]
            turn = self.battle.turn if self.battle else 0
            recent.append(turn)
            while recent and recent[0] <= turn - SLOW_WINDOW:
                recent.pop(0)
            if len(recent) >= SLOW_SKIPS:
                self._tell_slow(seat, len(recent))
                recent.clear()

    def _tell_slow(self, seat: int, missed: int) -> None:
        client = self.clients[seat]
        p95 = self.seat_timing[seat].answers.percentile_ns(95) / 1e6
        text = (
            f"{client.hello.name if client.hello else client.name} is slow: it missed {missed} of the last "
            f"{SLOW_WINDOW} turns (95 % of its answers come within {p95:.1f} ms)"
        )
        self._log("warning", text)
        reply = encode(m.ErrorReply(code="slow", message=text))
        if client.ours:
            self._out.append(fx.Send(client.conn, reply))
        self.tell_ours(reply)

    tell_ours: Callable[[bytes], None] = staticmethod(lambda data: None)
    """Set by the host: sends a line to the spectators that understand ErrorReply."""

    # ---- breakpoints -----------------------------------------------------------------------------------

    def _wait_at_breakpoint(self, seats: list[int]) -> None:
        assert self.battle is not None
        self._breakpoint_wait = set(seats)
        for seat in seats:
            self.battle.hold(seat)
        if self.phase is Phase.RUNNING:
            self._move(Move.PAUSE)
        self._publish(m.GamePausedEventForObserver("breakpoint"))

    def _breakpoint_answered(self, seat: int) -> None:
        if seat not in self._breakpoint_wait:
            return
        self._breakpoint_wait.discard(seat)
        if not self._breakpoint_wait and self.phase is Phase.PAUSED and not self.pace.paused:
            self._move(Move.RESUME)
            self._publish(m.GameResumedEventForObserver())
            self._out.append(fx.Soon())

    def set_policy(self, seat: int, debugging: bool | None, breakpoints: bool | None, now_ns: int) -> None:
        """Change how one seat is treated; None leaves it."""
        client = self.clients[seat]
        if debugging is not None:
            client.debugging = debugging
        if breakpoints is not None:
            client.breakpoint = breakpoints
        self._apply_policy(client)
        if not client.breakpoint and seat in self._breakpoint_wait and self.battle is not None:
            self.battle.release(seat)
            self._breakpoint_answered(seat)
            self._check_collected(now_ns)

    def _apply_policy(self, client: Client) -> None:
        if self.battle is None or client.seat is None:
            return
        if client.debugging:
            self.battle.state.debugging.add(client.seat)
        else:
            self.battle.state.debugging.discard(client.seat)

    # ---- pace ------------------------------------------------------------------------------------------

    def pause(self) -> None:
        """Hold turns; spectators are told each time it is asked."""
        if not self.playing:
            return
        if self.phase is Phase.RUNNING:
            self._move(Move.PAUSE)
        self.pace.pause()
        self._publish(m.GamePausedEventForObserver("pause"))

    def resume(self, now_ns: int) -> None:
        """Go on after a pause; ends debug mode."""
        if self.phase is not Phase.PAUSED:
            return
        self.debug_mode = False
        tps = self.pace.tps
        self.pace.resume()
        if self.pace.tps != tps:
            self.tps = self.pace.tps
            self._publish(m.TpsChangedEvent(tps=self.tps))
        self._move(Move.RESUME)
        self._publish(m.GameResumedEventForObserver())
        if self._breakpoint_wait:
            self._wait_at_breakpoint(sorted(self._breakpoint_wait))
        self._check_collected(now_ns)

    def next_turn(self, now_ns: int) -> None:
        """Play one turn of a paused game."""
        if self.phase is not Phase.PAUSED:
            return
        if self._breakpoint_wait:
            self._publish(m.GamePausedEventForObserver("breakpoint"))
            return
        self.pace.step()
        self._check_collected(now_ns)

    def change_tps(self, tps: int, now_ns: int) -> None:
        """Change the speed: it stays for later games. Raises: SetupError for a speed that does not exist."""
        before = self.tps
        if check_tps(tps) == before:
            return
        self.pace.set_tps(tps)
        self.tps = tps
        self._publish(m.TpsChangedEvent(tps=tps))
        if not self.playing:
            return
        if tps == 0:
            self.pause()
        elif before == 0 and self.phase is Phase.PAUSED and not self._breakpoint_wait:
            self._move(Move.RESUME)
            self._publish(m.GameResumedEventForObserver())
        self._check_collected(now_ns)

    # ---- resolve, record, publish ----------------------------------------------------------------------

    def _resolve(self, now_ns: int) -> None:
        battle, watch = self.battle, self.config.stopwatch
        assert battle is not None and battle.cut_ns is not None
        due, cut_ns, asked_before = self.pace.due_ns(), battle.cut_ns, battle.state.alive
        if due and cut_ns <= due:
            self.timing.lateness.add(now_ns - due)
            self.timing.late_turns += now_ns - due > LOOP_LATE_NS
        if battle.turn:
            self.timing.phases["collect"].add(cut_ns - self._last_sent_ns)
        started = watch()
        try:
            closed = battle.close_turn()
        except VoidBattleError as error:
            self._void(error)
            return
        self.timing.phases["resolve"].add(watch() - started)
        self.turns_total += 1
        self.pace.resolved(cut_ns, now_ns)
        for stage, error_text in closed.entry.faults:
            self._log("error", f"stage {stage} failed in turn {battle.turn} and was skipped: {error_text}")
        if self.config.record:
            self._out.append(fx.RecordTurn(self.number, closed.entry))
        self._publish_turn(closed, asked_before, now_ns)

    def _publish_turn(self, closed: Closed, asked_before: Sequence[int], now_ns: int) -> None:
        battle = self.battle
        assert battle is not None
        state = battle.state
        if state.opened_round:
            started = encode(m.RoundStartedEvent(round_number=state.round_number))
            self._publish_bytes(started)
            self._to_participants(started)
        else:
            self._send_skips(closed, state.turn_number - 1)
        for seat in closed.entry.disqualified:
            name, misses = self.clients[seat].name, battle.ledger.seats[seat].skipped_in_row
            self._log("warning", f"{name} is disqualified: {misses} skipped turns in a row")
        self._send_observations(asked_before, now_ns)
        self._publish_frame()
        if state.round_over:
            self._end_round()
        if state.game_over:
            self._end_game()
            return
        if self.debug_mode:
            self._debug_pause()
        self._open(now_ns)

    def _send_skips(self, closed: Closed, unanswered: int) -> None:
        assert self.battle is not None
        alive = self.battle.state.alive
        for seat in closed.entry.skipped:
            if seat in self._present and seat in alive:
                data = encode(m.SkippedTurnEvent(turn_number=unanswered))
                self._out.append(fx.Send(self.clients[seat].conn, data))

    def _send_observations(self, asked_before: Sequence[int], now_ns: int) -> None:
        battle, watch = self.battle, self.config.stopwatch
        assert battle is not None
        state, clients = battle.state, self.clients
        started = watch()
        seats = state.alive if state.opened_round else asked_before
        order = [s for s in seats if s in self._present]
        datas = [encode(battle.observe(seat)) for seat in order]
        for seat in order:
            clients[seat].earn()
        self.timing.phases["events"].add(watch() - started)
        self._send_order, self._turn_sent_ns = order, watch() or now_ns
        if order:
            self._out.append(fx.SendTurn([clients[s].conn for s in order], datas))

    def _current_frame(self) -> bytes:
        assert self.battle is not None
        if self._frame is None:
            self._frame = encode(self.battle.game.frame(self.battle.state))
        return self._frame

    def _publish_frame(self) -> None:
        self._frame = None
        conns = self._spectators()
        if conns:
            watch = self.config.stopwatch
            started = watch()
            self._out.append(fx.Publish(conns, self._current_frame(), droppable=True))
            self.timing.phases["observers"].add(watch() - started)

    def _end_round(self) -> None:
        assert self.battle is not None
        state = self.battle.state
        place = {"round_number": state.round_number, "turn_number": state.turn_number}
        for client, result in zip(self.clients, self._own_results(), strict=True):
            if client.seat in self._present:
                message = m.RoundEndedEventForBot(results=result, **place)
                self._out.append(fx.Send(client.conn, encode(message)))
        self._publish(m.RoundEndedEventForObserver(results=self._rows(), **place))

    def _end_game(self) -> None:
        assert self.battle is not None
        rounds = self.battle.state.round_number
        for client, result in zip(self.clients, self._own_results(), strict=True):
            if client.seat in self._present:
                message = m.GameEndedEventForBot(number_of_rounds=rounds, results=result)
                self._out.append(fx.Send(client.conn, encode(message)))
        self._publish(m.GameEndedEventForObserver(number_of_rounds=rounds, results=self._rows()))
        self._move(Move.OVER)
        self._over("over", "")

    def _debug_pause(self) -> None:
        if self.phase is Phase.RUNNING:
            self._move(Move.PAUSE)
        if not self.pace.stepping:
            self.pace.pause()
        self._publish(m.GamePausedEventForObserver("debug_step"))

    def _own_results(self) -> list[m.ResultsForBot]:
        assert self.battle is not None
        return list(results_for_bots(self.battle.state.scores))

    def _rows(self) -> tuple[m.ResultsForObserver, ...]:
        assert self.battle is not None
        hellos = [c.hello for c in self.clients if isinstance(c.hello, m.BotHandshake)]
        return tuple(results_for_observers(self.battle.state.scores, hellos))

    # ---- the end ---------------------------------------------------------------------------------------

    def _void(self, error: VoidBattleError) -> None:
        cause = error.__cause__
        text = "".join(traceback.format_exception(cause)) if cause else str(error)
        self._log("error", f"battle {self.number} is void: {error}")
        self._move(Move.STOP)
        self._publish(m.GameAbortedEvent())
        self._over("void", str(error), text, error)

    def _over(self, ending: str, why: str, trace: str = "", error: VoidBattleError | None = None) -> None:
        battle, self.battle = self.battle, None
        for client in self.clients:
            client.seat = None
        if battle is None:
            self.battles_over["aborted"] += 1
            summary = self._summary_without_battle(why)
        else:
            self.battles_over[ending] += 1
            summary = self._summary(battle, ending, why, trace, error)
            if self.config.record:
                footer = Footer(ending, battle.turn, [_row_data(r) for r in summary.rows])
                self._out.append(fx.RecordClose(self.number, footer))
        self.clients = []
        self._present = set()
        self._out.append(fx.BattleOver(self.number, summary))

    def _summary_without_battle(self, why: str) -> BattleSummary:
        game_type = self.setup.game_type if self.setup else ""
        return BattleSummary("aborted", 0, game_type, 0, 0, why=why)

    def _summary(
        self, battle: Battle, ending: str, why: str, trace: str, error: VoidBattleError | None
    ) -> BattleSummary:
        assert self.setup is not None
        scored = ending == "over"
        hellos = [c.hello for c in self.clients if isinstance(c.hello, m.BotHandshake)]
        rows = tuple(results_for_observers(battle.state.scores, hellos)) if scored else ()
        return BattleSummary(
            ending=ending,  # type: ignore[arg-type]  # one of the three words, by construction
            seed=self._seed,
            game_type=self.setup.game_type,
            rounds=battle.state.round_number,
            turns=battle.turn,
            rows=rows,
            seats=tuple(self._seat_summary(battle, s) for s in range(battle.seats)),
            server_late_turns=self.timing.late_turns,
            why=why,
            traceback=trace,
            void_entry=error.entry if error else None,  # type: ignore[arg-type]  # errors know no kernel
        )

    def _seat_summary(self, battle: Battle, seat: int) -> SeatSummary:
        info, faults, timing = battle.header.seats[seat], battle.ledger.seats[seat], self.seat_timing[seat]
        answers = timing.answers
        return SeatSummary(
            name=info.name,
            version=info.version,
            p50_ns=answers.percentile_ns(50),
            p95_ns=answers.percentile_ns(95),
            p99_ns=answers.percentile_ns(99),
            max_ns=answers.max_ns,
            skipped=faults.skipped,
            late=faults.late,
            malformed=timing.malformed,
            disqualified=faults.disqualified,
            team=info.team,
        )

    # ---- small things ----------------------------------------------------------------------------------

    def next_alarm_ns(self) -> int | None:
        """Return when something here becomes due by itself, or None."""
        if self.phase is Phase.WAITING_FOR_READY:
            return self._ready_deadline_ns
        battle = self.battle
        if battle is None or not self.playing or not battle.is_open or self._draining:
            return None
        if battle.cut_ns is None:
            deadline = battle.last_deadline_ns
            return deadline + 1 if deadline is not None else None
        return self.pace.due_ns() if not self._breakpoint_wait else None

    def _log(self, level: str, text: str) -> None:
        self._out.append(fx.Log(level, text))  # type: ignore[arg-type]  # one of the three words

    def _publish(self, message: object) -> None:
        self._publish_bytes(encode(message))

    def _publish_bytes(self, data: bytes) -> None:
        conns = self._spectators()
        if conns:
            self._out.append(fx.Publish(conns, data))

    def _to_participants(self, data: bytes) -> None:
        for seat in sorted(self._present):
            self._out.append(fx.Send(self.clients[seat].conn, data))


def _row_data(row: m.ResultsForObserver) -> dict[str, object]:
    return {name: getattr(row, name) for name in row.__struct_fields__}
