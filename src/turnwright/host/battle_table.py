"""A running battle: the six steps as a state machine of the lifecycle's phases.

    open ──intents──▶ all answered ─┐
      └──alarm──▶ drain ──▶ missed ─┴▶ cut ──pace──▶ resolve ▶ send ▶ record, publish, open …
Every method takes the time and appends effects; none waits. `host` checks the right to command it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, Literal

from turnwright.errors import GameError, SetupError, VoidBattleError
from turnwright.host import effects as fx
from turnwright.host.config import HostConfig
from turnwright.host.latency import SeatTiming, Slowness, TurnTiming, seat_timings
from turnwright.host.lifecycle import Move, Phase
from turnwright.host.lobby import Client, Lobby
from turnwright.host.operator import OperatorControls
from turnwright.host.protocol import BattleSetup, HelloMessage, IntentMessage, StartMessage
from turnwright.host.summary import Ending, footer, silence, summarize, without_battle
from turnwright.host.table_state import NOT_BEGUN, BattleTableState
from turnwright.host.turn_output import EndedBattle, ToldBattle, TurnEncoder
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.deadline import Receipt
from turnwright.kernel.failure import OUT_REASONS, Failure, FailureReason, has_no_cause, outdated
from turnwright.kernel.game import RoundProgress, Seat, SeatInfo
from turnwright.kernel.printed import PrintedLine, Prints, TurnPrints, lines_of
from turnwright.kernel.record import Footer, TurnEntry, TurnRules
from turnwright.kernel.skipped_turns import MAX_ROUNDS_OUT
from turnwright.kernel.units import NS_PER_US
from turnwright.wire.faults import Fault, FaultCode

FAILED = "failed"
"""The code of the message that tells spectators of a participant's failure."""
_WHY_CHARS_MAX = 500
"""More of why a battle is void goes to the log alone."""


def start_battle(config: HostConfig, setup: BattleSetup, bots: Sequence[HelloMessage], number: int) -> Battle:
    """Return battle number `number` of a server, before its first turn. bots: by seat.

    Its seed is the server's, one more for each later battle, or a random one.
    Raises: SetupError when it cannot be played like this; any exception of the rules.
    """
    if (why := config.refusal()) is not None:
        raise SetupError(why)
    seats = _seats(config, bots)
    battle = Battle(
        config.new_game(config.on_rules_error_continue),
        setup.settings,
        seats,
        _seed(config, number),
        _rules(config, setup),
        keep_checks=config.history_bytes_max > 0 or (config.record and config.record_checks),
        keep_digests=config.history_bytes_max > 0 or config.record,
        tolerant=config.on_rules_error_continue,
        made_by=f"turnwright {config.version}",
        announced=config.protocol.announced(setup, bots, seats),
    )
    battle.header = replace(battle.header, sandbox=config.sandbox)
    if config.first_answer:
        battle.first_answers.timeout_ns = setup.ready_timeout_us * NS_PER_US
    return battle


def progress_of(battle: Battle) -> RoundProgress:
    """Return how far a battle is.

    A game that does not say has one round, and its turns are the kernel's.
    """
    progress = battle.game.round_progress(battle.state)
    if progress is not None:
        return progress
    over = battle.outcome is not None
    return RoundProgress(1, battle.turn, battle.turn == 1, over, over, battle.game.asked(battle.state))


def _seats(config: HostConfig, bots: Sequence[HelloMessage]) -> list[SeatInfo]:
    """Return the seats, with the hashes of their sources where they are known."""
    infos = config.protocol.seat_infos(bots)
    hashes = config.source_hashes
    if len(hashes) != len(infos):
        return infos
    return [replace(info, source_hash=known) for info, known in zip(infos, hashes, strict=True)]


def _seed(config: HostConfig, number: int) -> int:
    if config.seed is None:
        return int.from_bytes(config.random_bytes(8), "little") >> 1
    return (config.seed + number - 1) % 2**63


def _rules(config: HostConfig, setup: BattleSetup) -> TurnRules:
    opening = config.opening_timeout_us
    return TurnRules(
        timeout_ns=setup.turn_timeout_us * NS_PER_US,
        opening_timeout_ns=None if opening is None else max(opening, setup.turn_timeout_us) * NS_PER_US,
        on_late=config.on_late,
        on_skip=config.on_skip,
        max_skipped=config.max_skipped,
        max_silence_ns=config.max_silence_us * NS_PER_US,
        max_rounds_out=MAX_ROUNDS_OUT,
        on_disconnect=config.on_disconnect,
    )


def _by_seat(setup: BattleSetup, clients: Sequence[Client]) -> tuple[list[Client], set[Seat]]:
    """Return the participants by seat, and the seats whose intents come from a record."""
    recorded = setup.recorded
    if recorded is None:
        return list(clients), set()
    live = dict(zip(recorded.live, clients, strict=True))
    by_seat = [
        live.get(seat) or Client(_NOBODY, "", 0, 0, "", role="bot", hello=hello)
        for seat, hello in enumerate(recorded.hellos)
    ]
    return by_seat, set(range(len(by_seat))) - live.keys()


_NOBODY = -1
"""In place of the connection of a seat that is answered from a record."""
LOOP_LATE_NS = 2_000_000
"""A loop that wakes this much after a deadline or a due turn was late: that turn is marked."""
FIRST_TOLD_NS = 500_000_000
"""Spectators are told for whose first answer a battle waits after so long."""
SLOW_RULES_NS = 500_000_000
"""Operators are told of rules that take so long for a turn."""
OPERATOR_GAP_NS = 1_000_000
"""While an operator's program that is not ours is connected, a turn at unlimited speed lasts at least this
long, so that what it commands on seeing a turn is done before the next one, as by the official server."""


class BattleTable(BattleTableState):
    """Runs one battle at a time; numbers also those that never begin.

    `effects` is the host's list.

    ready_deadline_ns: until when bots may get ready. draining: the sockets are read before a missed deadline
    counts. checked_ns: deadlines before this time have counted. not_before_ns: no turn is resolved earlier.
    """

    def __init__(self, config: HostConfig, effects: list[fx.Effect], lobby: Lobby) -> None:
        super().__init__(config, effects, lobby)
        self.setup: BattleSetup | None = None
        self.number = 0
        self.timing = TurnTiming()
        self.seat_timing: list[SeatTiming] = []
        self.turns_total = 0
        self.void_text = ""
        """Why the newest battle is void, "" if it is not."""
        self.battles_over: dict[str, int] = {"over": 0, "aborted": 0, "void": 0}
        self._ready: set[int] = set()
        self._untimed: Set[Seat] = frozenset()
        """The seats that have no deadline."""
        self._recorded: set[int] = set()
        """The seats that are answered from a record."""
        self.ready_deadline_ns = 0
        self._sent_ns: dict[int, int] = {}
        self._first_deadline_ns = 0
        self._turn_sent_ns = 0
        self._last_sent_ns = 0
        self._send_order: list[int] = []
        self._turns_before = 0
        self._closed: Closed | None = None
        self.draining = False
        self._drain_began_ns = 0
        self.checked_ns = 0
        self._loop_late_ns = 0
        self._resolved: tuple[int, int | None, int, int] = 0, None, 0, 0
        """Of the turn just resolved: time of the cut; since when it was due, if it waited for that; time and
        duration of resolving."""
        self.not_before_ns = 0
        self._first_told_ns = 0
        """The time at which spectators are told for whose first answers the battle waits; 0: they are not."""
        self._withheld: Set[Seat] = frozenset()
        """The seats that get no observation of the turn that is sent."""
        self._missed: Sequence[Seat] = ()
        self._held = False
        """Whether the collected turn was held back for seats that missed it; they know that they did."""
        self._told_of_slow_rules = False
        self._encoder: TurnEncoder | None = None
        self._ended = EndedBattle()
        self._ended_at = 0, 0
        """Round and turn of the last turn of the battle that is over."""
        self._told: ToldBattle | None = None
        """The newest battle as spectators read it that have a pace of their own."""
        self._footer: Footer | None = None
        """Of a battle that is over, whose record is still open."""
        self.prints = Prints(config.prints_max)
        """The output of bots, given by the server and by intents."""
        self.printed: list[PrintedLine] = []
        """The lines of the newest battle, in order."""
        self._slowness = Slowness(0)
        self._slow: set[Seat] = set()
        """The seats of which people were told that they are slow: once in a battle."""
        self.operator = OperatorControls(self, self.check)

    @property
    def _present(self) -> set[int]:
        return self.output.present

    @property
    def _place(self) -> tuple[int, int]:
        """The round and turn of the newest turn that spectators are shown."""
        return self.progress.round, self.progress.turn

    @property
    def at_breakpoint(self) -> bool:
        """Whether the turn waits, without a deadline, for a bot in breakpoint mode."""
        return bool(self.operator.waited_for)

    @property
    def is_sending(self) -> bool:
        """Whether a turn's observations are being sent; `turn_sent` follows."""
        return self._closed is not None

    def start(self, setup: BattleSetup, clients: list[Client], debug_mode: bool, now_ns: int) -> None:
        """Begin a battle: tell every chosen bot.

        Each has until the ready timeout to say that it is ready.
        """
        self.close_record()
        self.move(Move.START)
        self.number += 1
        self.void_text = ""
        cap = self.config.turn_timeout_cap_us
        if cap is not None and setup.turn_timeout_us > cap:
            setup.turn_timeout_us = cap
        self.setup, self.debug_mode, self._untimed = setup, debug_mode, setup.untimed
        by_seat, self._recorded = _by_seat(setup, clients)
        self._ready = set(self._recorded)
        self.output.clients = by_seat
        self.output.present = set(range(len(by_seat))) - self._recorded
        self.ready_deadline_ns = now_ns + setup.ready_timeout_us * NS_PER_US
        for seat, client in enumerate(by_seat):
            client.seat = seat
        self._tell_chosen(setup)

    def _tell_chosen(self, setup: BattleSetup) -> None:
        self.output.tell_each(self.protocol.chosen(setup, self._hellos()))

    def _hellos(self) -> Sequence[HelloMessage]:
        if self.setup is not None and self.setup.recorded is not None:
            return self.setup.recorded.hellos
        return [client.hello for client in self.clients if client.hello is not None]

    def ready(self, client: Client, now_ns: int) -> None:
        """Note that a chosen bot is ready."""
        if self.phase is Phase.WAITING_FOR_READY and client.seat is not None:
            self._ready.add(client.seat)
            self._begin_if_ready(now_ns)

    def _begin_if_ready(self, now_ns: int) -> None:
        if self._present and self._ready >= self._present:
            self._begin(now_ns)

    def _ready_timed_out(self, now_ns: int) -> None:
        assert self.setup is not None
        late = [self.clients[s].name for s in sorted(self._present - self._ready)]
        missing = f"not ready after {self.setup.ready_timeout_us / 1e6:g} s: {', '.join(late)}"
        self.output.log("warning", missing)
        if len(self._ready) >= max(1, self.setup.bots_min):
            self._begin(now_ns)
            return
        self.move(Move.READY_TIMEOUT)
        self._announce_abort()
        self._over("aborted", missing)

    def _begin(self, now_ns: int) -> None:
        """Start the battle with the participants that are ready."""
        assert self.setup is not None
        for client in self.clients:
            client.seat = None
        dropped = self._ready != set(range(len(self.clients)))
        if dropped and self._recorded:
            self._cannot_begin("a bot has left before the battle began")
            return
        self.output.clients = [c for s, c in enumerate(self.clients) if s in self._ready]
        self.output.present = set(range(len(self.clients))) - self._recorded
        for seat, client in enumerate(self.clients):
            client.seat = seat
            if client.hello is not None and client.hello.debugged and self.config.breakpoint_mode:
                client.breakpoint = True
        if dropped:
            self._tell_chosen(self.setup)
        pacing = self.next_pacing
        try:
            recorded = self.setup.recorded
            if recorded is None:
                battle = start_battle(self.config, self.setup, self._hellos(), self.number)
            else:
                battle = recorded.begin()
            messages = self.protocol.battle(battle, self.setup, self._hellos())
            progress = progress_of(battle)
        except SetupError as error:
            self._cannot_begin(str(error))
            return
        except Exception as error:
            self._cannot_begin(f"the rules failed: {error!r}")
            return
        self.battle, self._messages, self.progress = battle, messages, progress
        self.printed = []
        seats = len(self.clients)
        self._sent_ns = {}
        self.seat_timing = seat_timings(seats)
        self._slowness = Slowness(seats)
        self._slow = set()
        timing = self.timing = TurnTiming()
        self.pace_as(pacing)
        self._encoder = TurnEncoder(self.config, self.output, messages, timing)
        self._loop_late_ns = self._turns_before = 0
        self._told_of_slow_rules = False
        self.operator.new_battle()
        self._ended, self._told = EndedBattle(), None
        self.move(Move.ALL_READY)
        if self.config.record:
            self._out.append(fx.RecordOpen(self.number, battle.header))
        self.output.begin(messages.started, self.tps)
        for client in self.clients:
            self.operator.apply_policy(client)
        self.operator.say_policies()
        if self.pace.paused:
            self.move(Move.PAUSE)
            self.operator.say_paused("pause")
        self._guard(self._open_first, now_ns)

    def _open_first(self, now_ns: int) -> None:
        """Open the first turn; a game that begins with an answer shows its state before."""
        assert self.battle is not None
        assert self._encoder is not None
        if self.config.history_bytes_max:
            record = self.number if self.config.record else None
            self._told = ToldBattle(self.output, self.messages, record, self.config.history_bytes_max)
            self._told.open(self.battle.header)
        if self.battle.game.asked(self.battle.state):
            self._encoder.show_start()
            self._send_observations(self.progress.alive, now_ns)
        self._open(now_ns)

    def _cannot_begin(self, why: str) -> None:
        self.output.log("error", f"the game cannot begin: {why}")
        name = self.protocol.name_of(StartMessage)
        self.output.tell_ours(self.protocol.error(FaultCode.BAD_SETUP, why, name))
        self.move(Move.STOP)
        self._announce_abort()
        self._over("aborted", why)

    def welcome(self, conn: int) -> None:
        """Tell a late spectator of the battle.

        That is its start, the newest turn, perhaps a round's end.
        Of a battle that is over its last turn and its results, as far as the protocol does.
        """
        if self._told is not None and conn in self.output.readers():
            self._told.welcome(conn)
            self.operator.welcome(conn)
            return
        if self._messages is not None:
            self._guard(lambda _: self._welcome(conn), 0)
            return
        for data in self._ended.told(self.output):
            self.output.send(conn, data)

    def _welcome(self, conn: int) -> None:
        encoder, messages = self._encoder, self.messages
        assert encoder is not None
        self.output.send(conn, messages.started)
        if conn in self.output.paced_spectators() and self.output.paced.is_behind:
            return  # it is sent the next frame with the others
        if self.progress.round:
            self.output.send(conn, messages.round_started())
            encoder.welcome(conn)
            if self.progress.round_over:
                self.output.send(conn, messages.round_ended())
        self.operator.welcome(conn)

    def stop(self, why: str) -> None:
        """Abort the game.

        Spectators get the message even when there is no game, as on the official server.
        """
        was = self.phase
        if was in (Phase.WAITING_FOR_READY, Phase.RUNNING, Phase.PAUSED):
            self.move(Move.STOP)
        self._announce_abort()
        if was in (Phase.WAITING_FOR_READY, Phase.RUNNING, Phase.PAUSED):
            self._over("aborted", why)

    def leave(
        self,
        client: Client,
        now_ns: int,
        reason: FailureReason = FailureReason.LEFT,
        error: str = "",
        printed: Sequence[str] = (),
    ) -> None:
        """Note that a participant's connection is gone, and why."""
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
        self.battle.leave(seat)
        self.fail(seat, reason, error, printed)
        self.messages.left(seat)
        if not self._present:
            self.stop("every participant has left")
            return
        self.operator.answered(seat)
        if self.operator.first_awaited:
            self._tell_first_awaited()
        self.check(now_ns)

    def fail(self, seat: Seat, reason: FailureReason, error: str = "", printed: Sequence[str] = ()) -> None:
        """Note why a seat plays no more, and tell people at once, if that is news.

        printed: the last lines of its program, for the page.
        """
        if self.battle is None or not self.playing:
            return
        before = self.battle.referee.failures.get(seat)
        error = self._too_old(seat, reason, error) or error
        try:
            failure = self.battle.fail(seat, reason, error, printed)
        except Exception as why:  # a game that cannot say how far it is fails in its next turn, too
            self.output.log("error", f"the round and turn of a failure are unknown: {why!r}")
            return
        if failure is None:
            return
        if before is None or before.full_text != failure.full_text:
            self.tell_failure(seat, failure)

    def _too_old(self, seat: Seat, reason: FailureReason, error: str) -> str:
        """Return the error of a program that has left because it cannot read an observation, else ""."""
        hello = self.clients[seat].hello
        can_read = self.seat_timing[seat].answers.count > 0 or hello is None or not hello.outdated
        return (
            "" if can_read or hello is None or not has_no_cause(reason, error) else outdated(hello.outdated)
        )

    def _public(self, failures: Mapping[Seat, Failure]) -> Mapping[Seat, Failure]:
        """Return failures as records and spectators have them."""
        if self.config.errors_public:
            return failures
        return {seat: failure.public for seat, failure in failures.items()}

    def _record_turn(self, entry: TurnEntry) -> None:
        if self.config.record:
            self._out.append(fx.RecordTurn(self.number, self._public_entry(entry)))

    def _public_entry(self, entry: TurnEntry) -> TurnEntry:
        """Return a turn as records and spectators have it."""
        return replace(entry, failures=self._public(entry.failures)) if entry.failures else entry

    def _take_prints(self, entry: TurnEntry, printed: Mapping[Seat, TurnPrints]) -> None:
        """Note what bots printed in the turn just resolved; record and spectators get what is public."""
        self.printed += lines_of(printed, self.progress.round, self.progress.turn)
        if self.config.errors_public:
            entry.printed = printed

    def tell_failure(self, seat: Seat, failure: Failure) -> None:
        """Tell people of a failure: in the log, and spectators that read errors."""
        assert self.battle is not None
        name = self.battle.header.seats[seat].name
        shown = failure if self.config.errors_public else failure.public
        level: Literal["warning", "error"] = "warning" if failure.reason is FailureReason.LEFT else "error"
        self.output.log(level, f"{name} {failure.full_text}")
        self._warn_people(f"{name} {shown.full_text}", failure)

    def _warn_people(self, text: str, failure: Failure) -> None:
        """Send spectators that read errors a warning of a failure, with the turn in which it happened."""
        place = (failure.round, failure.turn) if failure.turn else self._place
        self.output.tell_ours(self.protocol.error(FAILED, text, place=place))

    def _open(self, now_ns: int) -> None:
        assert self.battle is not None
        opened = self.battle.open_turn()
        if not opened.asked:
            self._last_sent_ns = now_ns
        if not self.battle.inbox.missing:
            self._out.append(fx.CallSettled())

    def turn_sent(self, stamps_ns: Sequence[int]) -> None:
        """Note the times at which the newest SendTurn was handed over.

        Then finish the turn.
        """
        if self.battle is None or not stamps_ns:
            return
        if self._closed is not None:
            self._guard(self._finish_turn, stamps_ns[-1])
        battle, started = self.battle, self._turn_sent_ns
        if battle is None:
            return
        battle.inbox.sent_all(self._send_order, stamps_ns)
        self._wait_for_withheld(stamps_ns[-1])
        for seat in self._untimed:
            battle.inbox.wait_without_deadline(seat)
        self._sent_ns = dict(zip(self._send_order, stamps_ns, strict=True))
        self._first_deadline_ns = stamps_ns[0] + battle.inbox.timeout_ns
        self._last_sent_ns = stamps_ns[-1]
        self._first_told_ns = (
            stamps_ns[-1] + FIRST_TOLD_NS if battle.first_answers.awaited(battle.inbox) else 0
        )
        self.timing.note_sent(started, stamps_ns)

    def _wait_for_withheld(self, now_ns: int) -> None:
        """Let the turn last as long for the seats that got no observation."""
        if self._withheld and self.battle is not None:
            self.battle.inbox.withhold(self._withheld, now_ns)

    def intent(self, client: Client, message: IntentMessage, now_ns: int) -> Fault | None:
        """Take an intent of a seat.

        A Fault when it breaks a rule of the protocol (nothing of it counts).
        """
        battle, seat = self.battle, client.seat
        if seat is None or battle is None or not self.playing:
            return None
        if client.credited_turn != battle.turn:
            client.credit_turn(battle.turn)
        intent = self._messages.accept(seat, message.intent, self.prints)  # type: ignore[union-attr]
        if type(intent) is Fault:
            if intent.code is FaultCode.GAME_FAILED:
                self._note_unread(battle, seat, intent, now_ns)
                return None
            self.spoilt(client, intent.advice, now_ns)
            return intent
        return self._submit(battle, seat, intent, message.turn, now_ns)

    def give(self, client: Client, intent: Any, now_ns: int) -> None:
        """Take an intent of a seat of this process, as the rules take it.

        It answers the newest observation.
        """
        if self.battle is not None and client.seat is not None and self.playing:
            self._submit(self.battle, client.seat, intent, None, now_ns)

    def _submit(
        self, battle: Battle, seat: Seat, intent: Any, number: int | None, now_ns: int
    ) -> Fault | None:
        """Take an accepted intent. number: of the observation that it names, or None."""
        turn = self.progress.turn
        if number is not None and turn < number <= self._turns_before:
            number -= self._turns_before  # of the round before
        answers = None if number is None else battle.turn + 1 + number - turn
        arrived_ns = now_ns if now_ns <= self._first_deadline_ns else self._arrived(seat, now_ns)
        try:
            receipt = battle.submit(seat, intent, arrived_ns, answers)
        except GameError as error:  # over two intents of one turn
            self._note_unread(battle, seat, Fault(FaultCode.GAME_FAILED, str(error)), now_ns)
            return None
        if receipt is Receipt.ACCEPTED:
            self.seat_timing[seat].answers.add(now_ns - self._sent_ns.get(seat, now_ns))
        elif receipt is Receipt.LATE:
            self.seat_timing[seat].add_late(battle.inbox.newest_took_ns, battle.inbox.newest_late_ns)
        else:
            return None
        if self.operator.waited_for and seat not in battle.inbox.missing:
            self.operator.answered(seat)
        if self.operator.first_awaited:
            self._tell_first_awaited()
        is_held = battle.inbox.cut_ns is not None
        if is_held or not battle.inbox.missing or (seat in self._untimed and battle.inbox.is_over(now_ns)):
            self._out.append(fx.CallSettled())
        return None

    def spoilt(self, client: Client, why: str, now_ns: int) -> None:
        """Note that an answer of a seat is invalid: its turn is missed.

        why: what was wrong with it, in one line.
        """
        battle, seat = self.battle, client.seat
        if battle is None or seat is None:
            return
        battle.spoilt(seat, why, now_ns)
        self._settle_spoilt(battle, seat, now_ns)

    def _settle_spoilt(self, battle: Battle, seat: Seat, now_ns: int) -> None:
        """Go on after an answer that does not count: a seat without a deadline is waited for no more."""
        if seat in self._untimed:
            battle.inbox.release(seat, now_ns)
        if self.operator.first_awaited:
            self._tell_first_awaited()
        if seat in self._untimed or battle.inbox.cut_ns is not None or not battle.inbox.missing:
            self._out.append(fx.CallSettled())

    def _note_unread(self, battle: Battle, seat: Seat, fault: Fault, now_ns: int) -> None:
        """Tell operators and the seat, once, that the game failed over an intent of it."""
        is_first = battle.note_unread(seat, GameError(fault.advice), now_ns)
        self._settle_spoilt(battle, seat, now_ns)
        if is_first:
            name = battle.header.seats[seat].name
            text = f"{fault.advice}, over an intent of {name}, which misses its turn"
            self.output.log("error", text)
            data = self.protocol.error(fault.code, text, fault.refers_to)
            self.output.tell_ours(data)
            if self.clients[seat].ours:
                self.output.tell(seat, data)

    def _arrived(self, seat: int, now_ns: int) -> int:
        """Return when an intent counts as arrived: what waited unread while the loop was late is in time."""
        battle = self.battle
        assert battle is not None
        deadline = self._sent_ns.get(seat, now_ns) + battle.inbox.timeout_ns
        past = deadline < self.checked_ns or battle.inbox.cut_ns is not None
        return now_ns if past else min(now_ns, deadline)

    def inputs_read(self, now_ns: int) -> None:
        """Check the turn after all input that was read is handed over.

        All awaited seats had answered before.
        """
        self.check(now_ns)

    def show_round_trips(self, trips_ns: Mapping[int, int]) -> None:
        """Tell spectators that read messages of ours how long pings took. trips_ns: by connection."""
        if self._messages is not None:
            seats = {seat: trips_ns[c.conn] for seat, c in enumerate(self.clients) if c.conn in trips_ns}
            self.output.tell_ours(self._messages.round_trips(seats) if seats else b"")

    def tick(self, now_ns: int) -> None:
        """Do what has become due; the alarm may have rung."""
        if self.phase is Phase.WAITING_FOR_READY and now_ns >= self.ready_deadline_ns:
            self._ready_timed_out(now_ns)
        if self._first_told_ns and now_ns >= self._first_told_ns:
            self._tell_first_awaited()
        self.output.paced.show_due(now_ns)
        self.check(now_ns)

    def _tell_first_awaited(self) -> None:
        """Tell spectators for whose first answers the battle waits now, if for any."""
        self._first_told_ns = 0
        self.operator.tell_first_awaited(
            frozenset() if self.battle is None else self.battle.first_answers.awaited(self.battle.inbox)
        )

    def pending_read(self, now_ns: int) -> None:
        """Go on after the sockets were read at a deadline.

        A seat that has not answered is late.
        """
        if not self.draining:
            return
        self.draining = False
        self.checked_ns = self._drain_began_ns
        self.check(now_ns)

    def check(self, now_ns: int) -> None:
        """Continue as far as time and answers allow."""
        battle = self.battle
        if battle is None or not self.playing or not battle.is_open or self.draining:
            return
        if battle.inbox.cut_ns is None and not self._collected(battle, now_ns):
            return
        ready = self._ready_ns(battle)
        if ready is None:
            return
        until = battle.inbox.held_until_ns(ready)
        if until > ready:
            self._tell_held()
            if now_ns >= until > self.checked_ns:
                self._drain(until, now_ns)
                return
        if now_ns >= until:
            self._guard(self._play_turn, now_ns)

    def _ready_ns(self, battle: Battle) -> int | None:
        """Return from when on the collected turn may be resolved, apart from a hold; None: the pace is 0."""
        due = self.pace.due_ns()
        return None if due is None else max(due, self.not_before_ns, battle.inbox.cut_ns or 0)

    def _due_ns(self, battle: Battle) -> int | None:
        """Return from when on the collected turn may be resolved; None: the pace is 0."""
        ready = self._ready_ns(battle)
        return None if ready is None else battle.inbox.held_until_ns(ready)

    def _tell_held(self) -> None:
        """Tell the seats that missed a turn at once if it is held for them: that wakes some programs."""
        if not self._held:
            self._held = True
            if not self.progress.round_over:
                self._tell_skipped(self._missed, self.progress.turn)

    def _collected(self, battle: Battle, now_ns: int) -> bool:
        """End collecting if it is over. Behind each deadline the sockets are read before it counts."""
        if not battle.inbox.missing:
            battle.end_collecting(now_ns)
            self._missed = ()
            return True
        deadline = battle.inbox.next_deadline_ns(self.checked_ns)
        if deadline is not None and now_ns > deadline:
            self._drain(deadline, now_ns)
            return False
        if not battle.inbox.is_over(now_ns):
            return False
        waited_for = [s for s in sorted(battle.inbox.missing) if self.clients[s].breakpoint]
        if waited_for:
            self.operator.wait_for(waited_for)
            return False
        self._note_missed(battle.end_collecting(now_ns))
        return True

    def _drain(self, deadline: int, now_ns: int) -> None:
        self._loop_late_ns = max(self._loop_late_ns, now_ns - deadline)
        self.draining, self._drain_began_ns = True, now_ns
        self._out.append(fx.ReadPending())

    def _note_missed(self, seats: Sequence[int]) -> None:
        assert self.battle is not None
        self._missed = seats
        for seat in seats:
            missed = self._slowness.note(seat, self.battle.turn) if seat in self._present else 0
            if not missed:
                continue
            name = self.battle.header.seats[seat].name
            text = Slowness.text(name, missed, self.seat_timing[seat])
            is_news = seat not in self._slow
            self._slow.add(seat)
            warning = self.protocol.error("slow", text, place=self._place)
            self.output.warn_slow(seat, text, warning, is_news=is_news)

    def _guard(self, step: Callable[[int], None], now_ns: int) -> None:
        """Take a step of a battle; what fails in it ends the battle alone."""
        try:
            step(now_ns)
        except VoidBattleError as error:
            self.void(error)
        except Exception as error:
            said = str(error) if isinstance(error, GameError) else repr(error)
            void = VoidBattleError(f"a turn could not be shown: {said}")
            void.__cause__ = error
            self.void(void)

    def _play_turn(self, now_ns: int) -> None:
        """Resolve the collected turn and send it; the rest of it is done while the bots think."""
        battle, messages, encoder = self.battle, self._messages, self._encoder
        assert battle is not None
        assert messages is not None
        assert encoder is not None
        watch, cut_ns, before = self.config.stopwatch, battle.inbox.cut_ns, self.progress
        assert cut_ns is not None
        self._first_told_ns = 0
        if self.operator.first_awaited:
            self._tell_first_awaited()
        due = self.pace.due_ns()
        started = watch()
        closed = self._closed = battle.resolve_turn()
        took_ns = watch() - started
        held, self._held = self._held, False
        self._resolved = cut_ns, due if due and cut_ns <= due and not held else None, now_ns, took_ns
        told = battle.game.round_progress(battle.state)
        now = self.progress = told or progress_of(battle)
        if printed := self.prints.close_turn():
            self._take_prints(closed.entry, printed)
        messages.resolved(closed.events, closed.entry)
        if now.opened_round:
            self._turns_before = before.turn
            self._announce_round(now_ns)
        if closed.entry.skipped and not held:
            self._tell_skipped([seat for seat in closed.entry.skipped if seat in now.alive], now.turn - 1)
        if self.output.watching:
            encoder.show("operator")  # operators first: what they command on it precedes the next turn
        if told is None:  # seats may take turns: those that were asked, and those that are asked next
            self._send_observations(sorted({*before.alive, *now.alive}), now_ns)
        else:
            self._send_observations(now.alive if now.opened_round else before.alive, now_ns)
        if not self._send_order:
            self._finish_turn(now_ns)
            self._wait_for_withheld(now_ns)

    def _note_resolved(self) -> int:
        """Note the times of the turn just resolved.

        Return how late the server was; 0 if no seat could notice.
        """
        cut_ns, waited, at_ns, took_ns = self._resolved
        late_ns = max(self._loop_late_ns, 0 if waited is None else at_ns - waited)
        self._loop_late_ns = 0
        is_late = late_ns > LOOP_LATE_NS
        self.timing.note_turn(waited, cut_ns - self._last_sent_ns, at_ns, is_late)
        self.timing.phases["resolve"].add(took_ns)
        if took_ns >= SLOW_RULES_NS:
            self._warn_of_slow_rules(took_ns)
        self.pace.resolved(cut_ns, at_ns)
        return late_ns if is_late else 0

    def _warn_of_slow_rules(self, took_ns: int) -> None:
        """Tell operators, once a battle, why nothing is answered meanwhile."""
        if not self._told_of_slow_rules:
            self._told_of_slow_rules = True
            text = f"the rules took {took_ns / 1e9:.1f} s for a turn; the server answered nothing meanwhile"
            self.output.log("warning", text)
            self.output.tell_ours(self.protocol.error("slow", text, place=self._place))

    def _announce_abort(self) -> None:
        """Announce that the battle has ended without results, or that there is none."""
        self.output.tell_all(self.protocol.aborted_for_seats())
        self.output.paced.skip_frames()
        self.output.publish(self.protocol.aborted())

    def _announce_round(self, now_ns: int) -> None:
        """Announce a round: to spectators first, as by the official server of Tank Royale."""
        data = self.messages.round_started()
        self.output.publish_reached(data, now_ns)
        self.output.tell_all(data)

    def _tell_skipped(self, seats: Sequence[Seat], turn: int) -> None:
        assert self.battle is not None
        for seat in seats:
            self.output.tell_skipped(seat, self.messages, turn, self.battle.referee.skip_reason(seat))

    def _announce_round_end(self, now_ns: int) -> None:
        """Announce the end of a round: to participants first."""
        self.output.tell_each(self.messages.round_ended_for_seats())
        self.output.publish_reached(self.messages.round_ended(), now_ns)

    def _announce_battle_end(self, now_ns: int) -> None:
        """Announce the end of the battle: to participants first."""
        self.output.tell_each(self.messages.battle_ended_for_seats())
        self.output.publish_reached(self.messages.battle_ended(), now_ns)

    def _send_observations(self, seats: Sequence[int], now_ns: int) -> None:
        assert self._encoder is not None
        assert self.battle is not None
        self._withheld = frozenset()
        if not self.progress.opened_round and (withheld := self.battle.late_rule.withheld(now_ns)):
            self._withheld = withheld & set(self.battle.game.asked(self.battle.state))
            seats = [seat for seat in seats if seat not in self._withheld]
        order, datas = self._encoder.observations(seats, self.output.present)
        self._send_order, self._turn_sent_ns = order, self.config.stopwatch() or now_ns
        if order:
            self._out.append(fx.SendTurn([self.clients[s].conn for s in order], datas))

    def _finish_turn(self, now_ns: int) -> None:
        """Do what no bot waits for, once the observations are on their way: record, show, open the next."""
        closed, self._closed = self._closed, None
        assert self.battle is not None
        assert closed is not None
        assert self._encoder is not None
        entry, late_ns = closed.entry, self._note_resolved()
        self.battle.record_turn(closed, late_ns)
        self.turns_total += 1
        self._record_turn(entry)
        if self._told is not None:
            self._told.turn(self._public_entry(entry))
        if entry.faults:
            self.output.log_troubles(entry)
        for seat in entry.disqualified:
            self._tell_out(seat)
        unlimited = self.pace.tps < 0 and not self.apart
        hurried = unlimited and self.output.watching and self.output.has_foreign_operators()
        self.not_before_ns = now_ns + OPERATOR_GAP_NS if hurried else 0
        if self.output.watching:
            self._encoder.show_rest(now_ns)
        self.operator.turn_shown()
        if self.progress.round_over:
            self._announce_round_end(now_ns)
        if self.progress.battle_over:
            self._announce_battle_end(now_ns)
            self.move(Move.OVER)
            self._over("over", "")
            return
        if self.config.turns_max is not None and self.battle.turn >= self.config.turns_max:
            self.stop(f"it was to end after turn {self.battle.turn}")
            return
        if why := silence(self.battle, self.seat_timing, self.config.unanswered_turns_max):
            self.stop(why)
            return
        if self.debug_mode:
            self.operator.pause_for_debugging()
        self._open(now_ns)

    def _tell_out(self, seat: Seat) -> None:
        """Tell people of a disqualified seat, unless its failure was told before."""
        assert self.battle is not None
        failure = self.battle.referee.failures.get(seat)
        if failure is not None and failure.reason in OUT_REASONS:
            self.tell_failure(seat, failure)
        elif failure is None and seat in self.battle.referee.disqualifications:
            self._tell_out_of_round(seat, self.battle.referee.disqualifications[seat][-1])

    def _tell_out_of_round(self, seat: Seat, failure: Failure) -> None:
        """Tell people of a seat that is out of this round."""
        assert self.battle is not None
        text = f"{self.battle.header.seats[seat].name} was {failure.full_text}; this counts for the round"
        self.output.log("error", text)
        self._warn_people(text, failure)

    def void(self, error: VoidBattleError) -> None:
        """End the battle, whose rules have failed: it does not count."""
        why = f"battle {self.number} is void: {error}"
        self.void_text = why[:_WHY_CHARS_MAX]
        self.output.log("error", why)
        self.output.tell_ours(self.protocol.error(FaultCode.VOID, self.void_text))
        self.move(Move.STOP)
        self._announce_abort()
        if isinstance(error.entry, TurnEntry):
            self._record_turn(error.entry)
        self._over("void", str(error), error)

    def _over(self, ending: Ending, why: str, error: VoidBattleError | None = None) -> None:
        battle, self.battle, self._closed = self.battle, None, None
        game_type = self.setup.game_type if self.setup else ""
        self.battles_over[ending] += 1
        self.debug_mode = False
        if battle is None:
            summary = without_battle(game_type, why)
        else:
            summary = summarize(
                battle,
                ending,
                () if ending == "void" else self.messages.result_rows(),
                self.seat_timing,
                game_type=game_type,
                rounds=self.progress.round,
                turn_timing=self.timing,
                why=why,
                error=error,
            )
            if self.config.record or self._told is not None:
                self._footer = footer(summary)
                self._ended_at = self.progress.round, self.progress.turn
                if not self.config.footer_later:
                    self.close_record()
        for client in self.clients:
            client.seat = None
        self.output.clients, self.output.present = [], set()
        if battle is not None:
            self._ended = EndedBattle(self._messages if ending == "over" else None)
        self.draining, self._encoder, self._messages = False, None, None
        self.progress = NOT_BEGUN
        self.operator.new_battle()
        self._out.append(fx.BattleOver(self.number, summary))

    def close_record(self) -> None:
        """Close the record of the battle that is over, with what bots printed after it.

        Harmless when it is closed.
        """
        known, self._footer = self._footer, None
        if known is None:
            return
        printed, self.prints = self.prints.end(), Prints(self.config.prints_max)
        self.printed += lines_of(printed, *self._ended_at)
        if self.config.errors_public:
            known = replace(known, printed=printed)
        if self._told is not None:
            self._told.close(known)
        if self.config.record:
            self._out.append(fx.RecordClose(self.number, known))

    def next_alarm_ns(self, now_ns: int) -> int | None:
        """Return the time at which the table becomes due by itself, or None."""
        due = self._battle_alarm_ns(now_ns)
        shown = self.output.paced.due_ns()
        return shown if due is None else due if shown is None else min(due, shown)

    def _battle_alarm_ns(self, now_ns: int) -> int | None:
        if self.phase is Phase.WAITING_FOR_READY:
            return self.ready_deadline_ns
        battle = self.battle
        if battle is None or not self.playing or not battle.is_open or self.draining:
            return None
        if battle.inbox.cut_ns is None:
            alarm = self._deadline_alarm_ns(battle, now_ns)
            return alarm if alarm is None or not self._first_told_ns else min(alarm, self._first_told_ns)
        return self._due_ns(battle) if not self.at_breakpoint else None

    def _deadline_alarm_ns(self, battle: Battle, now_ns: int) -> int | None:
        """Return just after the next deadline; while the first one is ahead, that is cheap."""
        if not battle.inbox.missing:
            return None
        if now_ns <= self._first_deadline_ns:
            return self._first_deadline_ns + 1
        deadline = battle.inbox.next_deadline_ns(self.checked_ns)
        return deadline + 1 if deadline is not None else None
