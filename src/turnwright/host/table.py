"""The running battle: the six steps as a state machine of the lifecycle's phases.

    open ──intents──▶ all answered ─┐
      └──alarm──▶ drain ──▶ missed ─┴▶ cut ──pace──▶ resolve ▶ send ▶ record, publish, open …
Every method takes the time and appends effects; none waits. Who may command it is decided in `host`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from turnwright.errors import SetupError, VoidBattleError
from turnwright.games.tank.intent import TankIntent, without_messages
from turnwright.host import announce
from turnwright.host import effects as fx
from turnwright.host.config import HostConfig
from turnwright.host.founding import found
from turnwright.host.latency import SeatTiming, TurnTiming, seat_timings
from turnwright.host.lobby import Client
from turnwright.host.showing import Showing
from turnwright.host.slowness import Slowness
from turnwright.host.steering import Steering
from turnwright.host.summarize import Ending, footer, silence, summarize, without_battle
from turnwright.host.voice import Audience, Voice
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.collect import Receipt
from turnwright.kernel.lifecycle import Move, Phase, advance
from turnwright.kernel.pace import Pace
from turnwright.kernel.record import TurnEntry
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.codec import check_team_messages, encode
from turnwright.wire.royale.faults import Fault
from turnwright.wire.royale.results import results_for_observers

__all__ = ["LOOP_LATE_NS", "OPERATOR_GAP_NS", "Table"]

LOOP_LATE_NS = 2_000_000
"""A loop that wakes this much after a deadline or a due turn was late: that turn is marked."""
OPERATOR_GAP_NS = 1_000_000
"""While an operator's program that is not ours is connected, a turn at unlimited speed lasts at least this
long, so that what it commands on seeing a turn is done before the next one, as by the official server."""
_US = 1_000


class Table:
    """One game at a time, by number, also those that never begin. `effects` is the host's list."""

    def __init__(self, config: HostConfig, effects: list[fx.Effect], spectators: Audience) -> None:
        self.config = config
        self.phase = Phase.WAITING_FOR_PARTICIPANTS
        self.playing = False
        """Whether a battle is running or paused."""
        self.setup: m.GameSetup | None = None
        self.tps = config.tps
        self.debug_mode = False
        self.battle: Battle | None = None
        self.pace = Pace(config.tps)
        self.number = 0
        self.timing = TurnTiming()
        self.seat_timing: list[SeatTiming] = []
        self.turns_total = 0
        self.battles_over: dict[str, int] = {"over": 0, "aborted": 0, "void": 0}
        self.voice = Voice(effects, spectators)
        self._out = effects
        self._ready: set[int] = set()
        self._ready_deadline_ns = 0
        self._sent_ns: dict[int, int] = {}
        self._first_deadline_ns = 0
        self._turn_sent_ns = 0
        self._last_sent_ns = 0
        self._send_order: list[int] = []
        self._turns_before = 0
        self._closed: Closed | None = None
        self._draining = False
        self._drain_began_ns = 0
        self._checked_ns = 0
        self._loop_late_ns = 0
        self._not_before_ns = 0
        self._showing: Showing | None = None
        self._slowness = Slowness(0)
        self._mates: list[frozenset[int]] = []
        self._batch_capable: frozenset[int] = frozenset()
        self._started = b""
        self.steering = Steering(self)

    @property
    def clients(self) -> list[Client]:
        """The connections that play, by seat."""
        return self.voice.clients

    @property
    def _present(self) -> set[int]:
        return self.voice.present

    @property
    def at_breakpoint(self) -> bool:
        """Whether the turn waits for a bot in breakpoint mode, whatever the deadline."""
        return bool(self.steering.waited_for)

    def move(self, move: Move) -> None:
        """Change the phase; the move must be legal."""
        after = advance(self.phase, move)
        assert after is not None, f"{move} is not legal while {self.phase}"
        self.phase = after
        self.playing = after in (Phase.RUNNING, Phase.PAUSED)

    def start(self, setup: m.GameSetup, clients: list[Client], debug_mode: bool, now_ns: int) -> None:
        """Begin to gather: every chosen bot is told and has until the ready timeout to say it is ready."""
        self.move(Move.START)
        self.number += 1
        cap = self.config.turn_timeout_cap_us
        if cap is not None and setup.turn_timeout > cap:
            setup.turn_timeout = cap
        self.setup, self.debug_mode = setup, debug_mode
        self._ready = set()
        self.voice.clients, self.voice.present = clients, set(range(len(clients)))
        self._ready_deadline_ns = now_ns + setup.ready_timeout * _US
        for seat, client in enumerate(clients):
            client.seat = seat
        self.voice.chosen(setup)

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
        self.voice.log("warning", missing)
        if len(self._ready) >= max(1, self.setup.min_number_of_participants):
            self._begin(now_ns)
            return
        self.move(Move.READY_TIMEOUT)
        self.voice.publish(m.GameAbortedEvent())
        self._over("aborted", missing)

    def _begin(self, now_ns: int) -> None:
        """Start the battle with those who are ready."""
        assert self.setup is not None
        for client in self.clients:
            client.seat = None
        dropped = self._ready != set(range(len(self.clients)))
        self.voice.clients = [c for s, c in enumerate(self.clients) if s in self._ready]
        self.voice.present = set(range(len(self.clients)))
        for seat, client in enumerate(self.clients):
            client.seat = seat
        if dropped:
            self.voice.chosen(self.setup)
        try:
            self.battle = found(self.config, self.setup, self.clients, self.number)
        except SetupError as error:
            self._cannot_begin(str(error))
            return
        except Exception as error:
            self._cannot_begin(f"the rules failed: {error!r}")
            return
        self._mates = [frozenset(mates) for mates in announce.teammates(self.clients)]
        self._batch_capable = announce.batch_capable(self.clients)
        seats = len(self.clients)
        self._sent_ns = {}
        self.seat_timing = seat_timings(seats)
        self._slowness = Slowness(seats)
        timing = self.timing = TurnTiming()
        self.pace = Pace(self.tps)
        self._showing = Showing(self.config, self.voice, self.battle, timing, self.seat_timing, self.number)
        self._loop_late_ns = self._turns_before = 0
        self.steering.new_battle()
        self.move(Move.ALL_READY)
        if self.config.record:
            self._out.append(fx.RecordOpen(self.number, self.battle.header))
        self._started = encode(self.voice.started(self.setup))
        self.voice.begin(self._started)
        for client in self.clients:
            attached = isinstance(client.hello, m.BotHandshake) and client.hello.debugger_attached
            if attached and self.config.breakpoint_mode:
                client.breakpoint = True
            self.steering.apply_policy(client)
        self.steering.say_policies()
        if self.tps == 0:
            self.move(Move.PAUSE)
            self.steering.say_paused("pause")
        self._open(now_ns)

    def _cannot_begin(self, why: str) -> None:
        self.voice.log("error", f"the game cannot begin: {why}")
        self.voice.tell_ours(encode(m.ErrorReply(code="bad-setup", message=why, refers_to="StartGame")))
        self.move(Move.STOP)
        self.voice.publish(m.GameAbortedEvent())
        self._over("aborted", why)

    def welcome(self, conn: int) -> None:
        """Give a spectator that comes late the game's start and the current state."""
        if self._showing is None:
            return
        self._out.append(fx.Send(conn, self._started))
        self._showing.welcome(conn)
        self.steering.welcome(conn)

    def stop(self, why: str) -> None:
        """Abort whatever goes on; spectators are told even when nothing does, as by the official server."""
        was = self.phase
        if was in (Phase.WAITING_FOR_READY, Phase.RUNNING, Phase.PAUSED):
            self.move(Move.STOP)
        self.voice.publish(m.GameAbortedEvent())
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
        self.voice.log("warning", f"{client.name} has left in turn {self.battle.turn}")
        self.battle.leave(seat)
        self._batch_capable |= {seat + 1}  # it gets nothing any more, so it keeps nobody from sending batches
        if not self._present:
            self.stop("every participant has left")
            return
        self.steering.answered(seat)
        self.check(now_ns)

    def _open(self, now_ns: int) -> None:
        assert self.battle is not None
        opened = self.battle.open_turn()
        if not opened.asked:
            self._last_sent_ns = now_ns
        if not self.battle.missing:
            self._out.append(fx.Soon())

    def observed(self, stamps_ns: Sequence[int]) -> None:
        """Note when each observation of the newest SendTurn was handed to its socket; do the rest of it."""
        if self._closed is None or not stamps_ns:
            return
        self._guard(self._conclude, stamps_ns[-1])
        battle, started = self.battle, self._turn_sent_ns
        if battle is None:
            return
        battle.sent_all(self._send_order, stamps_ns)
        self._sent_ns = dict(zip(self._send_order, stamps_ns, strict=True))
        self._first_deadline_ns = stamps_ns[0] + battle.timeout_ns
        self._last_sent_ns = stamps_ns[-1]
        self.timing.note_sent(started, stamps_ns)

    def intent(self, client: Client, intent: TankIntent, now_ns: int) -> Fault | None:
        """Take an intent of a seat; a Fault when its team messages break a rule (nothing of it counts)."""
        battle, seat = self.battle, client.seat
        if seat is None or battle is None or not self.playing:
            return None
        if client.paid_turn != battle.turn:
            client.pay(battle.turn)
        if intent.team_messages:
            fault = check_team_messages(intent, seat + 1, self._mates[seat], self._batch_capable)
            if fault is not None:
                battle.spoilt(seat)
                return fault
            intent = intent if self._mates[seat] else without_messages(intent)
        number, turn = intent.turn_number, battle.state.turn_number
        if number is not None and turn < number <= self._turns_before:
            number -= self._turns_before  # of the round before
        answers = None if number is None else battle.turn + 1 + number - turn
        arrived_ns = now_ns if now_ns <= self._first_deadline_ns else self._arrived(seat, now_ns)
        if (receipt := battle.submit(seat, intent, arrived_ns, answers)) is Receipt.ACCEPTED:
            self.seat_timing[seat].add(now_ns - self._sent_ns.get(seat, now_ns))
        elif receipt is Receipt.LATE:
            self.seat_timing[seat].add_late(battle.newest_took_ns, battle.newest_late_ns)
        else:
            return None
        if self.at_breakpoint and seat not in battle.missing:
            self.steering.answered(seat)
        if not battle.missing:
            self._out.append(fx.Soon())
        return None

    def _arrived(self, seat: int, now_ns: int) -> int:
        """Return when an intent counts as arrived: what waited unread while the loop was late is in time."""
        battle = self.battle
        assert battle is not None
        deadline = self._sent_ns.get(seat, now_ns) + battle.timeout_ns
        past = deadline < self._checked_ns or battle.cut_ns is not None
        return now_ns if past else min(now_ns, deadline)

    def soon(self) -> None:
        """Ask to be called again once what has been read is handed over."""
        self._out.append(fx.Soon())

    def settled(self, now_ns: int) -> None:
        """Everybody awaited had answered, and what else had been read is in."""
        self.check(now_ns)

    def tick(self, now_ns: int) -> None:
        """The alarm rang, or something may have become due."""
        if self.phase is Phase.WAITING_FOR_READY and now_ns >= self._ready_deadline_ns:
            self._ready_timed_out(now_ns)
        self.check(now_ns)

    def drained(self, now_ns: int) -> None:
        """What the sockets held at a deadline has been read: who has not answered by then is late."""
        if not self._draining:
            return
        self._draining = False
        self._checked_ns = self._drain_began_ns
        self.check(now_ns)

    def check(self, now_ns: int) -> None:
        """Go on as far as time and answers allow."""
        battle = self.battle
        if battle is None or not self.playing or not battle.is_open or self._draining:
            return
        if battle.cut_ns is None and not self._collected(battle, now_ns):
            return
        due = self._due_ns()
        if due is not None and now_ns >= due:
            self._resolve(now_ns)

    def _due_ns(self) -> int | None:
        """Return from when on the collected turn may be resolved; None while it is held."""
        due = self.pace.due_ns()
        return None if due is None else max(due, self._not_before_ns)

    def _collected(self, battle: Battle, now_ns: int) -> bool:
        """End collecting if it is over. Behind each deadline the sockets are read before it counts."""
        if not battle.missing:
            battle.cut(now_ns)
            return True
        deadline = battle.next_deadline_ns(self._checked_ns)
        if deadline is not None and now_ns > deadline:
            self._drain(deadline, now_ns)
            return False
        if not battle.is_over(now_ns):
            return False
        waited_for = [s for s in sorted(battle.missing) if self.clients[s].breakpoint]
        if waited_for:
            self.steering.wait_for(waited_for)
            return False
        self._note_missed(battle.cut(now_ns))
        return True

    def _drain(self, deadline: int, now_ns: int) -> None:
        self._loop_late_ns = max(self._loop_late_ns, now_ns - deadline)
        self._draining, self._drain_began_ns = True, now_ns
        self._out.append(fx.Drain())

    def _note_missed(self, seats: Sequence[int]) -> None:
        assert self.battle is not None
        for seat in seats:
            missed = self._slowness.note(seat, self.battle.turn) if seat in self._present else 0
            if not missed:
                continue
            name = self.battle.header.seats[seat].name
            self.voice.say_slow(seat, Slowness.text(name, missed, self.seat_timing[seat]))

    def _resolve(self, now_ns: int) -> None:
        """Resolve the collected turn and send it; the rest of it is done while the bots think."""
        self._guard(self._play_turn, now_ns)

    def _guard(self, step: Callable[[int], None], now_ns: int) -> None:
        """Take a step of a turn; what fails in it ends the battle alone."""
        try:
            step(now_ns)
        except VoidBattleError as error:
            self._void(error)
        except Exception as error:
            void = VoidBattleError(f"a turn could not be shown: {error!r}")
            void.__cause__ = error
            self._void(void)

    def _play_turn(self, now_ns: int) -> None:
        battle, watch = self.battle, self.config.stopwatch
        assert battle is not None
        assert battle.cut_ns is not None
        cut_ns, asked_before, turn_before = battle.cut_ns, battle.state.alive, battle.state.turn_number
        due = self.pace.due_ns()
        waited = due if due and cut_ns <= due else None
        late_ns = max(self._loop_late_ns, 0 if waited is None else now_ns - waited)
        self.timing.note_turn(waited, cut_ns - self._last_sent_ns, now_ns, late_ns > LOOP_LATE_NS)
        self._loop_late_ns = 0
        started = watch()
        closed = self._closed = battle.close_turn(late_ns if late_ns > LOOP_LATE_NS else 0)
        self.timing.phases["resolve"].add(watch() - started)
        self.pace.resolved(cut_ns, now_ns)
        state = battle.state
        if state.opened_round:
            self._turns_before = turn_before
            self.voice.round_started(state.round_number)
        elif closed.entry.skipped:
            self.voice.skipped([s for s in closed.entry.skipped if s in state.alive], state.turn_number - 1)
        assert self._showing is not None
        self._showing.new_turn()
        self._showing.show("controller")  # operators first: what they command on it precedes the next turn
        self._send_observations(state.alive if state.opened_round else asked_before, now_ns)
        if not self._send_order:
            self._conclude(now_ns)

    def _send_observations(self, seats: Sequence[int], now_ns: int) -> None:
        assert self._showing is not None
        order, datas = self._showing.observations(seats, self._present)
        self._send_order, self._turn_sent_ns = order, self.config.stopwatch() or now_ns
        if order:
            self._out.append(fx.SendTurn([self.clients[s].conn for s in order], datas))

    def _conclude(self, now_ns: int) -> None:
        """Do what no bot waits for, once the observations are on their way: record, show, open the next."""
        closed, self._closed = self._closed, None
        assert self.battle is not None
        assert closed is not None
        assert self._showing is not None
        state, entry = self.battle.state, closed.entry
        self.turns_total += 1
        if self.config.record:
            self._out.append(fx.RecordTurn(self.number, entry))
        if entry.faults or entry.disqualified:
            self.voice.log_troubles(entry)
        hurried = self.pace.tps < 0 and self.voice.has_foreign_controllers()
        self._not_before_ns = now_ns + OPERATOR_GAP_NS if hurried else 0
        self._showing.show_rest(entry)
        self.steering.turn_shown()
        if state.round_over:
            self.voice.round_ended(state)
        if state.game_over:
            self.voice.game_ended(state)
            self.move(Move.OVER)
            self._over("over", "")
            return
        if why := silence(self.battle, self.seat_timing, self.config.unanswered_turns_max):
            self.stop(why)
            return
        if self.debug_mode:
            self.steering.pause_for_debugging()
        self._open(now_ns)

    def _void(self, error: VoidBattleError) -> None:
        self.voice.log("error", f"battle {self.number} is void: {error}")
        self.move(Move.STOP)
        self.voice.publish(m.GameAbortedEvent())
        if self.config.record and isinstance(error.entry, TurnEntry):
            self._out.append(fx.RecordTurn(self.number, error.entry))
        self._over("void", str(error), error)

    def _over(self, ending: Ending, why: str, error: VoidBattleError | None = None) -> None:
        battle, self.battle, self._closed = self.battle, None, None
        game_type = self.setup.game_type if self.setup else ""
        self.battles_over[ending] += 1
        if battle is None:
            summary = without_battle(game_type, why)
        else:
            summary = summarize(
                battle,
                ending,
                () if ending == "void" else results_for_observers(battle.state.results),
                self.seat_timing,
                game_type=game_type,
                server_late_turns=self.timing.late_turns,
                why=why,
                error=error,
            )
            if self.config.record:
                self._out.append(fx.RecordClose(self.number, footer(summary)))
        for client in self.clients:
            client.seat = None
        self.voice.clients, self.voice.present = [], set()
        self._draining, self._showing = False, None
        self.steering.new_battle()
        self._out.append(fx.BattleOver(self.number, summary))

    def next_alarm_ns(self, now_ns: int) -> int | None:
        """Return when something here becomes due by itself, or None."""
        if self.phase is Phase.WAITING_FOR_READY:
            return self._ready_deadline_ns
        battle = self.battle
        if battle is None or not self.playing or not battle.is_open or self._draining:
            return None
        if battle.cut_ns is None:
            return self._deadline_alarm_ns(battle, now_ns)
        return self._due_ns() if not self.at_breakpoint else None

    def _deadline_alarm_ns(self, battle: Battle, now_ns: int) -> int | None:
        """Return just after the next deadline; while the first one is ahead, that is cheap."""
        if not battle.missing:
            return None
        if now_ns <= self._first_deadline_ns:
            return self._first_deadline_ns + 1
        deadline = battle.next_deadline_ns(self._checked_ns)
        return deadline + 1 if deadline is not None else None
