"""A battle of any game: its turns, opened and closed, with time as an argument.

    opened = battle.open_turn()             observe   the seats asked; battle.observe(seat) for each
    battle.sent(seat, now_ns)                         starts the seat's deadline
    battle.submit(seat, intent, now_ns)     collect   a receipt, never an exception
    battle.is_over(now_ns), battle.cut(now_ns)        all answered, or the last deadline is past
    closed = battle.close_turn()            resolve, record

`close_turn` is `resolve_turn` and `complete_turn`: who sends observations does so between the two, so that no
participant waits for digests and checks.

The battle neither waits nor publishes: pace and spectators are its caller's.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from turnwright.errors import GameError, RecordError, SetupError, VoidBattleError
from turnwright.kernel.deadline import TIMEOUT_NS_MIN, Inbox, Receipt, SkipReason, deadline_ns
from turnwright.kernel.failure import Failure, FailureReason, refusal, unanswered
from turnwright.kernel.game import Game, OnSkip, Outcome, Seat, SeatInfo
from turnwright.kernel.on_late_drop import DropRule
from turnwright.kernel.on_late_next import NextRule
from turnwright.kernel.record import Header, KeyframePace, TurnEntry, TurnRules, answer_codes, digest
from turnwright.kernel.rng import Streams
from turnwright.kernel.skipped_turns import LATE_TURNS_MIN, Miss, SkipCounts
from turnwright.kernel.state_checks import full_check, is_full_check

ANSWERS_EVERY = 16
"""Turns from one record of answer times to the next."""
DEADLINES_KEPT = 64
"""Turns for which deadlines are kept, to tell how late an answer is that names its turn."""
_GAME_AT = b',"game":'
_UNTIMED = Inbox((), (), lambda first, second: second)
"""The inbox of every turn without deadlines: nothing is kept in it."""


@dataclass(slots=True)  # not frozen, as `TurnEntry`
class Opened:
    """An open turn.

    asked: seats that get an observation; awaited: those it waits for; in order of seat.
    """

    turn: int
    asked: tuple[Seat, ...]
    awaited: tuple[Seat, ...]


@dataclass(slots=True)  # not frozen, as `TurnEntry`
class Closed:
    """A resolved turn.

    Its entry in the record, the game's events, and the outcome if it ended the battle.
    """

    entry: TurnEntry
    events: Sequence[Any]
    outcome: Outcome | None


def check_rules(rules: TurnRules) -> TurnRules:
    """Return `rules` if they can be kept.

    Raises: SetupError for a timeout below 1 µs or an unknown policy.
    """
    for timeout in (rules.timeout_ns, rules.opening_timeout_ns):
        if timeout is not None and timeout < TIMEOUT_NS_MIN:
            raise SetupError(f"turn timeout is {timeout / 1000:g} µs; give 1 µs or more, e.g. 30000")
    if rules.on_skip not in ("repeat", "idle"):
        raise SetupError(f"on-skip is {rules.on_skip!r}; give repeat or idle")
    if rules.on_late not in ("drop", "next"):
        raise SetupError(f"on-late is {rules.on_late!r}; give drop or next")
    if rules.on_disconnect not in ("skip", "dead", "official"):
        raise SetupError(f"on-disconnect is {rules.on_disconnect!r}; give skip, dead or official")
    return rules


def _set_up(game: Game, settings: Mapping[str, Any], seats: Sequence[SeatInfo], streams: Streams) -> Any:
    """Return the state before the first turn. Raises: SetupError, also for a ValueError of the game."""
    try:
        return game.setup(settings, seats, streams)
    except ValueError as error:
        raise SetupError(f"the settings of {game.name} cannot be played: {error}") from error


def _turn_number(value: int) -> int:
    if type(value) is not int or value < 1:
        raise ValueError(f"its turn is {value!r}")
    return value


class Battle:
    """One run of a game.

    keep_digests: record the digest of every turn. keep_checks: also record checks of the parts of the state,
    answer times and keyframes. timeout_ns: of the open turn. digest: of the state after the last turn, ""
    before the first or where none are kept. shared_skips: turns that two or more seats have missed together.
    failures: of the seats that play no more, as far as is known (not to be changed; see `fail`).
    disqualifications: of the seats that were disqualified, of a round or of the battle; the newest last.
    """

    def __init__(
        self,
        game: Game,
        setup: Mapping[str, Any],
        seats: Sequence[SeatInfo],
        seed: int,
        rules: TurnRules | None = None,
        *,
        keep_checks: bool = False,
        keep_digests: bool = True,
        tolerant: bool = False,
        made_by: str = "",
        announced: Mapping[str, Any] | None = None,
    ) -> None:
        if not seats and not game.open_ended:
            raise SetupError(f"{game.name} got no seats; give it at least 1")
        self.game = game
        self.rules = check_rules(rules or TurnRules())
        self.streams = Streams(seed)
        self.skips = self._no_skips(len(seats))
        full = {**game.defaults, **setup}
        self.state = _set_up(game, full, seats, self.streams)
        self.header = Header(
            game.name,
            game.behaviour_version,
            seed,
            full,
            tuple(seats),
            self.rules,
            tolerant,
            made_by,
            announced or {},
            game.rules_hash,
        )
        self.turn, self.digest, self.shared_skips = 0, "", 0
        self.debugged: set[Seat] = set()
        """The seats that operators debug; the rules do not read it. Always the same set: a host changes it, a
        replay sets it as recorded."""
        self.outcome: Outcome | None = None
        self.void: Exception | None = None
        self._keep_checks, self._keep_digests = keep_checks, keep_digests
        self._inbox: Inbox | None = None
        self._before: Inbox | None = None
        self._asked: tuple[Seat, ...] = ()
        self.first_timeout_ns = 0
        """For the first observation of a seat in the battle, where that is longer. Set by the host."""
        self._seen, self._new = set[Seat](), frozenset[Seat]()
        """The seats that were asked, and those of them that are asked in the open turn for the first time."""
        self._late = self._late_rule()
        self._deadlines: deque[tuple[int, dict[Seat, int], int]] = deque(maxlen=DEADLINES_KEPT)
        self._opening, self.timeout_ns = False, self.rules.timeout_ns
        self._debugged_before: tuple[Seat, ...] = ()
        self._gone, self._left = set[Seat](), list[Seat]()
        self._slowest_ns: dict[Seat, int] = {}
        self._keyframes = KeyframePace(game.keyframe_turns)
        self._rounds: list[tuple[float, ...]] = []
        self._unread, self._refused, self._has_read = dict[Seat, GameError](), dict[Seat, str](), False
        self._refused_now = set[Seat]()
        self.failures, self._new_failures = dict[Seat, Failure](), dict[Seat, Failure]()
        self.disqualifications: dict[Seat, list[Failure]] = {}

    @property
    def seats(self) -> int:
        """The number of seats that the header names."""
        return len(self.header.seats)

    def open_turn(self) -> Opened:
        """Open the next turn.

        Intents that the turn before kept (on_late next) are answers already.

        Raises: VoidBattleError when the rules fail; the battle is then void.
        """
        opened = self._open()
        self._inbox = self._open_inbox(opened.asked, opened.awaited)
        self._before = None
        return opened

    def open_untimed_turn(self) -> Opened:
        """Open the next turn without deadlines.

        Its caller asks one seat after another, then calls `close_untimed_turn`.

        Raises: VoidBattleError when the rules fail; the battle is then void.
        """
        opened = self._open()
        self._inbox, self._before = _UNTIMED, None
        return opened

    def _open(self) -> Opened:
        assert self._inbox is None, f"turn {self.turn + 1} is already open"
        assert self.outcome is None, "the battle has ended"
        assert self.void is None, "the battle is void"
        try:
            self._opening = self.turn == 0 or self.game.opening(self.state)
            self.timeout_ns = self._turn_timeout_ns()
            asked = tuple(self.game.asked(self.state))
            awaited = tuple(self.game.awaited(self.state))
            self._new = frozenset()
            if self.first_timeout_ns and not self._seen.issuperset(asked):
                self._new = frozenset(asked) - self._seen
                self._seen.update(asked)
                self.timeout_ns = max(self.timeout_ns, self.first_timeout_ns)
            if asked and asked[-1] >= self.seats and not self.game.open_ended:
                named = str(asked[-1])[:20]
                raise GameError(
                    f"{self.game.name}.asked() named seat {named}; there are {self.seats} seats, from 0"
                )
        except Exception as error:
            raise self._voided(error, self.turn) from error
        if self._gone:
            awaited = tuple(s for s in awaited if s not in self._gone)
        self._asked = asked
        return Opened(self.turn + 1, asked, awaited)

    def _turn_timeout_ns(self) -> int:
        """Return the timeout of the turn that opens."""
        opening_ns = self.rules.opening_timeout_ns
        return self.rules.timeout_ns if opening_ns is None or not self._opening else opening_ns

    def _no_skips(self, seats: int) -> SkipCounts:
        rules = self.rules
        limits = rules.max_skipped, rules.max_silence_ns, rules.max_rounds_out
        return SkipCounts(seats, *limits, open_ended=self.game.open_ended)

    def _late_rule(self) -> DropRule | NextRule:
        return DropRule(self.rules.timeout_ns) if self.rules.on_late == "drop" else NextRule()

    def _open_inbox(self, asked: Sequence[Seat], awaited: Sequence[Seat]) -> Inbox:
        inbox = self._late.open(asked, awaited, self.game.merge, self.timeout_ns, self._opening)
        self._deadlines.append((self.turn + 1, inbox.deadlines, self.timeout_ns))
        return inbox

    @property
    def held_ns(self) -> Mapping[Seat, int]:
        """For how long the battle waited for seats that were behind, by seat."""
        return self._late.held_ns

    @property
    def gone(self) -> Set[Seat]:
        """The seats whose participants are gone. Not to be changed."""
        return self._gone

    @property
    def is_open(self) -> bool:
        """Whether a turn is open (collecting, or collected and held)."""
        return self._inbox is not None

    def observe(self, seat: Seat) -> Any:
        """Return what `seat` may know now. Raises: VoidBattleError when the rules fail."""
        try:
            return self.game.observe(self.state, seat)
        except Exception as error:
            raise self._voided(error, self.turn) from error

    def sent(self, seat: Seat, now_ns: int) -> None:
        """Start the seat's timeout: its observation was handed to its socket at `now_ns`."""
        if self._inbox is not None:
            self._inbox.sent(seat, deadline_ns(now_ns, self.timeout_ns))

    def sent_all(self, seats: Sequence[Seat], stamps_ns: Sequence[int]) -> None:
        """Start the timeouts of several seats; one stamp for each."""
        if self._inbox is not None:
            timeout_ns = self.timeout_ns
            self._inbox.sent_all(seats, [stamp + timeout_ns for stamp in stamps_ns])

    def withheld(self, now_ns: int) -> Set[Seat]:
        """Return the seats that must get no observation at `now_ns`.

        They may be at an older one.
        """
        return self._late.withheld(now_ns)

    def withhold(self, withheld: Set[Seat], now_ns: int) -> None:
        """Start the timeouts of seats that got no observation.

        The turn waits as long as for any other.
        """
        if self._inbox is not None and withheld:
            self._inbox.withhold(withheld, deadline_ns(now_ns, self.timeout_ns))

    def held_until_ns(self, ready_ns: int) -> int:
        """Return until when the collected turn is held, at most.

        ready_ns: the time at which it is due otherwise.
        """
        assert self._inbox is not None, "no turn is open"
        return self._inbox.held_until_ns(ready_ns)

    def submit(self, seat: Seat, intent: Any, now_ns: int, answers: int | None = None) -> Receipt:
        """Take an intent. answers: the turn that it names, or None when it names none."""
        inbox = self._inbox
        if inbox is None or seat in self._gone:
            return Receipt.NOT_ASKED
        if answers is not None and answers != self.turn + 1:
            return self._stale(inbox, seat, now_ns, answers) if answers <= self.turn else Receipt.WRONG_TURN
        self._has_read = True
        receipt = inbox.submit(seat, intent, now_ns, answers is not None)
        if receipt is Receipt.LATE:
            self.skips.note_late(seat)
        return receipt

    def _stale(self, inbox: Inbox, seat: Seat, now_ns: int, answers: int) -> Receipt:
        """Drop an intent that names a turn before the open one."""
        known = (row for row in self._deadlines if row[0] >= answers > 0 and seat in row[1])
        _, deadlines, timeout_ns = next(known, (0, {}, 0))
        receipt = inbox.stale(seat, now_ns, deadlines.get(seat), timeout_ns)
        if receipt is Receipt.LATE or self.rules.on_late == "next":
            self.skips.note_late(seat)
        return receipt

    def spoilt(self, seat: Seat, why: str, now_ns: int = 0) -> None:
        """Note that a seat has sent an invalid answer: its turn is missed.

        The longer wait for its first answer of the battle is over: its program runs.

        why: what was wrong with it, in one line.
        """
        self._refused.setdefault(seat, why)
        self._refused_now.add(seat)
        if self._inbox is not None and seat not in self._gone:
            if seat in self.first_awaited:
                self._inbox.missing.discard(seat)
            self._inbox.spoilt(seat, now_ns)

    def first_refused(self, seat: Seat) -> str:
        """Return why an answer of a seat was refused; "": none was.

        It is the first one since an answer of the seat counted.
        """
        return self._refused.get(seat, "")

    def skip_reason(self, seat: Seat) -> SkipReason:
        """Return why a seat missed the newest turn, as far as its answers say."""
        if seat in self._refused:
            return SkipReason.REFUSED
        return SkipReason.LATE if self.skips.of(seat).is_late else SkipReason.NO_ANSWER

    def note_unread(self, seat: Seat, error: GameError, now_ns: int = 0) -> bool:
        """Note that the game failed to read an intent of a seat: it misses its turn.

        A battle whose game has failed over every seat, and has read no intent at all, is void when the turn
        closes: no participant can bring that about alone. Return whether this is the seat's first time.
        """
        self.spoilt(seat, str(error), now_ns)
        is_first = seat not in self._unread
        self._unread.setdefault(seat, error)
        return is_first

    @property
    def newest_late_ns(self) -> int:
        """Lateness of the newest late intent of the open turn."""
        return self._inbox.newest_late_ns if self._inbox is not None else 0

    @property
    def newest_took_ns(self) -> int:
        """Duration of the newest late answer.

        Counted from the hand-over of the observation that it answers.
        """
        return self._inbox.newest_took_ns if self._inbox is not None else 0

    def note_answer_time(self, seat: Seat, duration_ns: int) -> None:
        """Note how long an answer took, for the record, where `sent` is not called."""
        if duration_ns > self._slowest_ns.get(seat, -1):
            self._slowest_ns[seat] = duration_ns

    def leave(self, seat: Seat) -> None:
        """Note that the participant of `seat` is gone; turns wait for it no longer.

        See OnDisconnect.
        """
        if seat in self._gone:
            return
        self._gone.add(seat)
        self._left.append(seat)
        if self._inbox is not None:
            self._inbox.stop_waiting_for(seat)

    def fail(
        self, seat: Seat, reason: FailureReason, error: str = "", printed: Sequence[str] = ()
    ) -> Failure | None:
        """Note why a seat plays no more, and return its failure.

        None if nothing of it is news.
        The first failure of a seat stays; only more of it may become known.
        """
        before = self.failures.get(seat)
        if before is None:
            failure = Failure(reason, *self.place(), error, tuple(printed))
        elif (failure := before.learnt(reason, error, printed)) == before:
            return None
        self._set_failure(seat, failure)
        return failure

    def _set_failure(self, seat: Seat, failure: Failure) -> None:
        self.failures[seat] = self._new_failures[seat] = failure

    def place(self) -> tuple[int, int]:
        """Return the round and turn in which the battle is."""
        progress = None if self.void is not None else self.game.round_progress(self.state)
        if progress is None:
            return 1, self.turn + (self._inbox is not None)
        return progress.round, progress.turn

    def wait_without_deadline(self, seat: Seat) -> None:
        """Wait for `seat` without a deadline, until it answers, leaves or is released."""
        if self._inbox is not None:
            self._inbox.wait_without_deadline(seat)

    def release(self, seat: Seat, now_ns: int) -> None:
        """End `wait_without_deadline`: the seat's deadline is just past at `now_ns`."""
        if self._inbox is not None:
            self._inbox.sent(seat, now_ns - 1)

    @property
    def missing(self) -> Set[Seat]:
        """The seats that the open turn still waits for. Not to be changed."""
        return self._inbox.missing if self._inbox is not None else frozenset()

    @property
    def first_awaited(self) -> Set[Seat]:
        """The seats for whose first answer of the battle the open turn waits, longer than for a later one."""
        return self._new & self.missing if self._new and self.cut_ns is None else frozenset()

    @property
    def collected(self) -> Mapping[Seat, Any]:
        """The intents collected so far in the open turn, by seat. Not to be changed."""
        return self._inbox.answers if self._inbox is not None else {}

    @property
    def last_deadline_ns(self) -> int | None:
        """The last deadline of the open turn.

        None while not every observation has been sent.
        """
        return self._inbox.last_deadline_ns if self._inbox is not None else None

    def next_deadline_ns(self, from_ns: int) -> int | None:
        """Return the first deadline at or after `from_ns`, or None.

        Only deadlines that the open turn waits for count.
        """
        return self._inbox.next_deadline_ns(from_ns) if self._inbox is not None else None

    def is_over(self, now_ns: int) -> bool:
        """Return whether collecting is over.

        All awaited seats answered, or the last deadline is past.
        """
        assert self._inbox is not None, "no turn is open"
        return self._inbox.is_over(now_ns)

    @property
    def cut_ns(self) -> int | None:
        """The time of the cut, or None before it."""
        return self._inbox.cut_ns if self._inbox is not None else None

    def cut(self, now_ns: int) -> tuple[Seat, ...]:
        """End collecting and return the seats that have missed the turn."""
        assert self._inbox is not None, "no turn is open"
        self._inbox.cut(now_ns, ends_round=bool(self._inbox.missing) and self._is_between_rounds())
        return self._skipped(self._inbox.answers)

    def _is_between_rounds(self) -> bool:
        """Return whether the open turn's observation was the last one of a round."""
        try:
            progress = self.game.round_progress(self.state)
        except Exception as error:
            raise self._voided(error, self.turn) from error
        return progress is not None and progress.round_over

    def close_turn(self, server_late_ns: int = 0) -> Closed:
        """Resolve the collected turn and complete its entry.

        server_late_ns: lateness of the server itself, for the record.

        Raises: VoidBattleError when the rules fail; the battle is then void.
        """
        closed = self.resolve_turn()
        self.complete_turn(closed, server_late_ns)
        return closed

    def close_untimed_turn(self, answers: dict[Seat, Any]) -> Closed:
        """Resolve a turn that was opened without deadlines, and complete its entry.

        answers: of seats that were asked, in order of seat.

        Raises: VoidBattleError when the rules fail; the battle is then void.
        """
        assert self._inbox is _UNTIMED, "no turn without deadlines is open"
        if answers:
            self._has_read = True
        closed = self._resolve_collected(answers, {})
        self.complete_turn(closed)
        return closed

    def resolve_turn(self) -> Closed:
        """Resolve the collected turn.

        Its entry gets digest and checks by `complete_turn`.

        Raises: VoidBattleError when the rules fail; the battle is then void.
        """
        inbox = self._inbox
        assert inbox is not None, "no turn is open"
        answers = inbox.answers
        inbox.end_hold()
        closed = self._resolve_collected({s: answers[s] for s in self._asked if s in answers}, inbox.late_ns)
        self._before = inbox
        return closed

    def _resolve_collected(self, answers: dict[Seat, Any], late_ns: Mapping[Seat, int]) -> Closed:
        """Resolve the open turn. answers: of seats that were asked, in order of seat."""
        if self._unread:
            self._check_reading()
        skipped = self._skipped(answers)
        left: tuple[Seat, ...] = ()
        if self._left:
            left, self._left = tuple(self._left), []
        inbox, self._inbox = self._inbox, None
        assert inbox is not None
        misses = {seat: Miss(inbox.waited_ns(seat), self._why_missed(inbox, seat)) for seat in skipped}
        self._refused_now.clear()
        return self._resolve(self._asked, answers, skipped, late_ns, left, misses)

    def _why_missed(self, inbox: Inbox, seat: Seat) -> SkipReason:
        if seat in self._gone:
            return SkipReason.LEFT
        return SkipReason.REFUSED if seat in self._refused_now else inbox.why_missed(seat)

    def complete_turn(self, closed: Closed, server_late_ns: int = 0) -> None:
        """Add digest and checks to the entry of a turn just resolved.

        To be called before the next turn opens.

        server_late_ns: lateness of the server itself, for the record.

        Raises: VoidBattleError when the rules fail; the battle is then void.
        """
        entry, inbox = closed.entry, self._before
        self.skips.note_lateness(entry, server_late_ns)
        if self._keep_digests:
            self._add_digest(entry)
        if not self._keep_checks:
            return
        try:
            if inbox is not None:
                inbox.note_durations(self._slowest_ns, self.timeout_ns)
            self._document(entry, server_late_ns)
        except Exception as error:
            raise self._voided(error, self.turn, entry) from error

    def _add_digest(self, entry: TurnEntry) -> None:
        try:
            self.digest = entry.digest = digest(self.game.snapshot(self.state))
        except Exception as error:
            self.outcome = None
            raise self._voided(error, self.turn, entry) from error

    def _check_reading(self) -> None:
        """Raise VoidBattleError where the game cannot read the intents of any seat."""
        if not self._has_read and len(self._unread.keys() | self._gone) >= self.seats:
            error = next(iter(self._unread.values()))
            raise self._voided(error, self.turn + 1) from error

    def replay_turn(self, entry: TurnEntry) -> Closed:
        """Resolve a turn again from its entry in a record."""
        if entry.gone:
            self._gone.update(entry.gone)
        if entry.failures:
            self.failures.update(entry.failures)
        if entry.debugged is not None:
            self._debug(entry.debugged)
        asked = tuple(self.game.asked(self.state))
        intents = entry.intents
        accepted = {s: intents[s] for s in asked if s in intents}
        for seat in entry.late_ns:
            self.skips.note_late(seat)
        closed = self._resolve(
            asked, accepted, entry.skipped, entry.late_ns, entry.gone, recorded=entry.disqualified
        )
        self.skips.note_lateness(entry, entry.server_late_ns)
        if self._keep_digests:
            self._add_digest(closed.entry)
        return closed

    def save(self) -> bytes:
        """Return the battle between two turns as JSON on one line: a keyframe.

        Pending observations and answers are not in it: it is for replays.
        """
        ours = {"turn": self.turn, "ledger": self.skips.to_data(), "gone": sorted(self._gone)}
        if self._debugged_before:
            ours["debugged"] = list(self._debugged_before)
        head = json.dumps(ours, separators=(",", ":"))[:-1].encode()
        return head + _GAME_AT + self.game.save(self.state) + b"}"

    def restore(self, keyframe: bytes) -> None:
        """Continue from a keyframe of this battle. Raises: RecordError when it is invalid."""
        try:
            head, _, rest = keyframe.partition(_GAME_AT)
            ours = json.loads(head + b"}")
            gone = set(ours["gone"])
            if not (self.game.open_ended or gone <= set(range(self.seats))):
                raise ValueError(f"seats {sorted(gone)} left")
            skips = self._no_skips(self.seats)
            skips.take_data(ours["ledger"])
            state = self.game.setup(self.header.setup, self.header.seats, self.streams)
            self.game.restore(state, rest[:-1])
            turn = _turn_number(ours["turn"])
            debugged = set(ours.get("debugged", ()))
            if not debugged <= set(range(self.seats)):
                raise ValueError(f"seats {sorted(debugged)} are debugged")
        except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
            raise RecordError(f"a keyframe cannot be used: {error}") from error
        self.state, self.skips, self.turn = state, skips, turn
        self.outcome = self.game.outcome(state)
        self._gone, self._left, self.void = gone, [], None
        self.digest, self._rounds = "", []
        self._inbox = self._before = None
        self._late = self._late_rule()
        self._deadlines.clear()
        self._debug(debugged)
        self._debugged_before = tuple(sorted(debugged))

    def _debug(self, seats: Iterable[Seat]) -> None:
        self.debugged.clear()
        self.debugged.update(seats)

    def _newly_debugged(self) -> tuple[Seat, ...] | None:
        """Return the debugged seats of this turn, or None if they are the same as in the turn before."""
        now = tuple(sorted(self.debugged)) if self.debugged else ()
        if now == self._debugged_before:
            return None
        self._debugged_before = now
        return now

    def _skipped(self, answers: Mapping[Seat, Any]) -> tuple[Seat, ...]:
        if len(answers) == len(self._asked):
            return ()
        asked, awaited = frozenset(self._asked), self.game.awaited(self.state)
        return tuple(s for s in awaited if s in asked and s not in answers)

    def _resolve(
        self,
        asked: Sequence[Seat],
        accepted: dict[Seat, Any],
        skipped: tuple[Seat, ...],
        late_ns: Mapping[Seat, int],
        left: tuple[Seat, ...],
        misses: Mapping[Seat, Miss] | None = None,
        recorded: Collection[Seat] = (),
    ) -> Closed:
        """Resolve a turn.

        misses: of the skipped seats; None: `recorded` are the seats that a record has as disqualified.
        """
        self.turn += 1
        game, state = self.game, self.state
        try:
            if self.skips.out_of_round and self._is_between_rounds():
                self._reinstate(sorted(self.skips.out_of_round))
            if self.rules.on_disconnect == "dead":
                for seat in left:
                    game.retire(state, seat)
            intents: Mapping[Seat, Any] = accepted
            if len(accepted) < len(asked):
                intents = {s: accepted[s] if s in accepted else self._missed(s) for s in asked}
            events = game.resolve(state, intents, self.streams)
            opening = game.opening(state)
            if opening:
                accepted, skipped = {}, ()  # a round began: answers before it do not count
            disqualified = self._judge(accepted, skipped, misses, recorded)
            faults = tuple(game.faults(state))
            if (scores := game.round_scores(state)) is not None:
                self._note_round(scores)
            if (outcome := game.outcome(state)) is not None:
                self._check_outcome(outcome)
                self._note_out_of_every_round()
            self.outcome = outcome
        except Exception as error:
            entry = TurnEntry(self.turn, accepted, skipped, late_ns, left)
            raise self._voided(error, self.turn, entry) from error
        debugged = self._newly_debugged() if self.debugged or self._debugged_before else None
        entry = TurnEntry(self.turn, accepted, skipped, late_ns, left, disqualified, faults)
        entry.opening, entry.debugged = opening, debugged
        if self._new_failures:
            entry.failures, self._new_failures = self._new_failures, {}
        return Closed(entry, events, outcome)

    def _document(self, entry: TurnEntry, server_late_ns: int) -> None:
        """Add checks, answer times and keyframe to an entry that nobody has seen yet."""
        ends = self.outcome is not None
        if self._slowest_ns and (ends or self.turn % ANSWERS_EVERY == 0):
            entry.answered = answer_codes(self._slowest_ns, self.seats)
            self._slowest_ns = {}
        if self._keyframes.is_due(self.turn, len(self.game.asked(self.state))) and not ends:
            entry.keyframe = self.save()
        if ends or is_full_check(self.turn):
            entry.checks = full_check(self.game, self.state)
        entry.server_late_ns = server_late_ns

    def scores(self) -> Sequence[float] | None:
        """Return the score of each seat so far, by seat; None: not known before the end.

        Raises: VoidBattleError when the game returns anything else; the battle is then void.
        """
        try:
            return self._scores_so_far() if self.outcome is None else self.outcome.scores
        except Exception as error:
            raise self._voided(error, self.turn) from error

    def _scores_so_far(self) -> Sequence[float] | None:
        """Return what the game says of scores. Raises: GameError for too few or many."""
        scores = self.game.scores(self.state)
        if scores is not None and len(scores) != self.seats and not self.game.open_ended:
            raise GameError(
                f"{self.game.name}.scores() returned {len(scores)} scores; "
                f"expected one for each of {self.seats} seats, or None"
            )
        return scores

    def round_scores(self) -> tuple[tuple[float, ...], ...]:
        """Return the scores of each round that is over, by round and seat.

        A game that does not say them has one round. After `restore`: those of later rounds.
        """
        if self._rounds or self.outcome is None:
            return tuple(self._rounds)
        return (tuple(map(float, self.outcome.scores)),)

    def _note_round(self, scores: Sequence[float]) -> None:
        """Note the scores of a round. Raises: GameError for too few or many."""
        if len(scores) != self.seats:
            raise GameError(
                f"{self.game.name}.round_scores() returned {len(scores)} scores; "
                f"expected one for each of {self.seats} seats, or None"
            )
        self._rounds.append(tuple(map(float, scores)))

    def _check_outcome(self, outcome: Outcome) -> None:
        """Raise GameError unless an outcome has one score for each seat, as the scores so far.

        Here the latter are looked at whether anybody watches or not.
        """
        if len(outcome.scores) != self.seats and not self.game.open_ended:
            raise GameError(
                f"{self.game.name}.outcome() returned {len(outcome.scores)} scores; "
                f"expected one for each of {self.seats} seats"
            )
        self._scores_so_far()

    def _voided(self, error: Exception, turn: int, entry: TurnEntry | None = None) -> VoidBattleError:
        """Make the battle void and return the error to raise."""
        self.void = error
        said = str(error) if isinstance(error, GameError) else repr(error)
        return VoidBattleError(f"the rules failed in turn {turn}: {said}", entry=entry)

    def _missed(self, seat: Seat) -> Any:
        policy: OnSkip = self.rules.on_skip
        if seat in self._gone:
            policy = "repeat" if self.rules.on_disconnect == "official" else "idle"
        return self.game.default_intent(self.state, seat, policy)

    def _judge(
        self,
        accepted: Mapping[Seat, Any],
        skipped: tuple[Seat, ...],
        misses: Mapping[Seat, Miss] | None,
        recorded: Collection[Seat],
    ) -> tuple[Seat, ...]:
        """Count skipped turns and return the seats that they disqualify. The arguments are as of `_resolve`.

        The time is an input, as what arrived in time is: a replay takes the decision from the record.
        """
        self.skips.note_answers(accepted)
        if self._refused:
            self._refused = {s: why for s, why in self._refused.items() if s not in accepted}
        if not skipped:
            return ()
        self.shared_skips += len(skipped) > 1
        spared = self._gone if self.rules.on_disconnect == "official" else ()
        skips, known = self.skips, misses or {}
        due = [s for s in skipped if s not in spared and skips.note_skip(s, known.get(s))]
        if misses is not None:
            due = [seat for seat in due if seat in self._gone or skips.is_silent(seat, misses[seat])]
        elif self.rules.max_silence_ns:
            due = [seat for seat in due if seat in recorded]
        for seat in due:
            self._disqualify(seat)
        return tuple(due)

    def _disqualify(self, seat: Seat) -> None:
        """Put a seat out of the round; out of the battle if it has left, or if no round follows."""
        self.game.retire(self.state, seat)
        is_single = self.game.round_progress(self.state) is None
        self.skips.disqualify(seat, of_battle=is_single or seat in self._gone)
        if seat < self.seats:
            failure = Failure(self._why_out(seat), *self.place(), self._error_of_out(seat))
            self.disqualifications.setdefault(seat, []).append(failure)
            if self.skips.seats[seat].is_out_of_battle:
                self._fail_out(seat)

    def _fail_out(self, seat: Seat) -> None:
        """Note that a seat is out of the battle, unless it failed before."""
        failure = self.disqualifications[seat][-1]
        if seat not in self.failures:
            self._set_failure(seat, failure)
        else:
            self.fail(seat, failure.reason, failure.error)

    def _why_out(self, seat: Seat) -> FailureReason:
        faults = self.skips.seats[seat]
        if faults.late_misses >= LATE_TURNS_MIN:
            return FailureReason.BUSY
        return FailureReason.SLOW if faults.is_late else FailureReason.SILENT

    def _error_of_out(self, seat: Seat) -> str:
        faults = self.skips.seats[seat]
        if not faults.is_late and (refused := refusal(self.first_refused(seat))):
            return refused
        return unanswered(faults.silence_ns) if faults.silence_ns else ""

    def _note_out_of_every_round(self) -> None:
        """Put the seats out of the battle that were out of each of its rounds."""
        rounds, _ = self.place()
        for seat in sorted(self.skips.out_of_round):
            if self.skips.seats[seat].rounds_out >= rounds:
                self.skips.put_out_of_battle(seat)
                self._fail_out(seat)

    def _reinstate(self, seats: Iterable[Seat]) -> None:
        """Let seats play in the round that begins, but for those that died because they left."""
        for seat in seats:
            if self.rules.on_disconnect != "dead" or seat not in self._gone:
                self.game.reinstate(self.state, seat)
                self.skips.reinstate(seat)
