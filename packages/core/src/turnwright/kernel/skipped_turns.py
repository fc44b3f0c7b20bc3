"""Counts skipped turns, disqualifies seats, and finds turns that were lost to a late server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from turnwright.errors import SetupError
from turnwright.kernel.deadline import SkipReason
from turnwright.kernel.game import Seat
from turnwright.kernel.record import MAX_SKIPPED_DEFAULT, TurnEntry

MAX_SILENCE_NS = 5_000_000_000
"""The default of the option --max-silence, in ns. For this time the server must have waited for a seat before
the seat can be disqualified.
"""
MAX_ROUNDS_OUT = 3
"""The `max_rounds_out` (see `TurnRules`) of the battles of servers and of the command `battle`."""
LATE_TURNS_MIN = 3
"""The least number of turns that bots may have missed because of the server. Fewer such turns do not show
that the server was too slow.
"""
GUESTS_MAX = 100_000
"""The largest number of seats outside the header whose faults are kept. If there are more, the oldest are
dropped.
"""


class Miss(NamedTuple):
    """A turn that a seat missed.

    Attributes:
        waited_ns: the time for which the server waited for the answer. None means that the seat had no
            deadline.
    """

    waited_ns: int | None
    reason: SkipReason


@dataclass(slots=True)
class SeatFaults:
    """Faults of one seat so far.

    Attributes:
        skipped: the number of skipped turns.
        skipped_in_row: the number of turns that the seat has skipped since its last answer.
        silence_ns: the total time for which the server waited for the seat in the turns of `skipped_in_row`.
        late: the number of answers after their deadline.
        late_before: the value of `late` when the current row of skipped turns began.
        late_misses: the number of turns in the current row that the seat may have missed because the server
            was late.
        reasons: the reasons for the missed turns. A replay does not know these reasons.
        disqualified: whether the seat is out of the round or of the battle.
        rounds_out: the number of rounds in which the seat was disqualified.
    """

    skipped: int = 0
    skipped_in_row: int = 0
    late: int = 0
    late_before: int = 0
    disqualified: bool = False
    silence_ns: int = 0
    late_misses: int = 0
    rounds_out: int = 0
    is_out_of_battle: bool = False
    reasons: dict[SkipReason, int] = field(default_factory=dict)

    @property
    def is_late(self) -> bool:
        """Whether late answers came during the current row of skipped turns."""
        return self.late > self.late_before

    def end_row(self) -> None:
        """Begin a new row of skipped turns."""
        self.skipped_in_row = self.silence_ns = self.late_misses = 0
        self.late_before = self.late


class SkipCounts:
    """The faults of every seat.

    In an open-ended game there are also guests. A guest is a seat that is not in the header. The faults of a
    guest are kept until it answers again.

    Args:
        seats: the number of seats in the header.
        max_skipped, max_silence_ns, max_rounds_out: see `TurnRules`.

    Attributes:
        late_misses: counts the turns of the whole battle that bots may have missed because the server was
            late.

    Raises:
        SetupError: a limit is out of range.
    """

    __slots__ = (
        "_guests",
        "_in_row",
        "_open_ended",
        "late_misses",
        "max_rounds_out",
        "max_silence_ns",
        "max_skipped",
        "out_of_round",
        "seats",
    )

    def __init__(
        self,
        seats: int,
        max_skipped: int = MAX_SKIPPED_DEFAULT,
        max_silence_ns: int = 0,
        max_rounds_out: int = 1,
        *,
        open_ended: bool = False,
    ) -> None:
        if max_skipped < 0:
            raise SetupError(f"max-skipped is {max_skipped}: give 0 (never) or a number of turns, e.g. 30")
        if max_silence_ns < 0:
            raise SetupError(
                f"max-silence is {max_silence_ns} ns: give 0 (only missed turns count) or a time, e.g. 5s"
            )
        if max_rounds_out < 1:
            raise SetupError(f"max_rounds_out is {max_rounds_out}: give 1 (the battle at once) or more")
        self.max_skipped = max_skipped
        self.max_silence_ns, self.max_rounds_out = max_silence_ns, max_rounds_out
        self.late_misses = LateMisses()
        self.out_of_round: set[Seat] = set()
        """The seats that are out of the round, but not of the battle."""
        self.seats = [SeatFaults() for _ in range(seats)]
        self._in_row: set[Seat] = set()
        self._open_ended = open_ended
        self._guests: dict[Seat, SeatFaults] = {}

    def of(self, seat: Seat) -> SeatFaults:
        """Return the faults of a seat. For a guest without faults, return a new object that is not kept."""
        if seat < len(self.seats):
            return self.seats[seat]
        return self._guests.get(seat) or SeatFaults()

    def _kept(self, seat: Seat) -> SeatFaults:
        if seat < len(self.seats) or not self._open_ended:
            return self.seats[seat]
        faults = self._guests.setdefault(seat, SeatFaults())
        while len(self._guests) > GUESTS_MAX:
            del self._guests[next(iter(self._guests))]
        return faults

    def note_answer(self, seat: Seat) -> None:
        """Record an answer of the seat. It ends the seat's row of skipped turns."""
        self._in_row.discard(seat)
        if self._guests.pop(seat, None) is None and seat < len(self.seats):
            self.seats[seat].end_row()

    def note_answers(self, seats: Iterable[Seat]) -> None:
        """Record an answer of each of these seats."""
        if self._in_row:
            for seat in seats:
                if seat in self._in_row:
                    self.note_answer(seat)

    def note_skip(self, seat: Seat, miss: Miss | None = None) -> bool:
        """Count a skipped turn. Return whether the seat has skipped enough turns in a row to be disqualified.

        For a seat that is already out, return False.

        Args:
            miss: how the turn was missed. None means that this is a replay, which does not know it.
        """
        faults = self._kept(seat)
        faults.skipped += 1
        faults.skipped_in_row += 1
        if miss is not None:
            faults.silence_ns += miss.waited_ns or 0
            faults.reasons[miss.reason] = faults.reasons.get(miss.reason, 0) + 1
        self._in_row.add(seat)
        return not faults.disqualified and 0 < self.max_skipped <= faults.skipped_in_row

    def is_silent(self, seat: Seat, miss: Miss) -> bool:
        """Return whether the server has waited for a seat for at least `max_silence_ns` in the current row of
        skipped turns.

        For a seat without a deadline, return True, because only the number of turns counts.
        """
        return miss.waited_ns is None or self.of(seat).silence_ns >= self.max_silence_ns

    def disqualify(self, seat: Seat, *, of_battle: bool) -> None:
        """Put a seat out of the round. After `max_rounds_out` such rounds, put it out of the battle.

        Args:
            of_battle: whether to put the seat out of the battle at once.
        """
        faults = self._kept(seat)
        faults.disqualified = True
        faults.rounds_out += 1
        if of_battle or faults.rounds_out >= self.max_rounds_out:
            self.put_out_of_battle(seat)
        else:
            self.out_of_round.add(seat)

    def put_out_of_battle(self, seat: Seat) -> None:
        """Put a seat that is already out of the round out of the battle, too."""
        self._kept(seat).is_out_of_battle = True
        self.out_of_round.discard(seat)

    def reinstate(self, seat: Seat) -> None:
        """Let a seat that was out of a round play again."""
        faults = self.seats[seat]
        faults.disqualified = False
        self.out_of_round.discard(seat)
        faults.end_row()
        self._in_row.discard(seat)

    def note_lateness(self, entry: TurnEntry, server_late_ns: int) -> None:
        """Take the entry of the next turn, in which the server was late by `server_late_ns`. Count the seats
        that may have missed a turn because of the server (see `LateMisses`).
        """
        for seat in self.late_misses.note(entry, server_late_ns):
            self._kept(seat).late_misses += 1

    def to_data(self) -> list[list[int]]:
        """Return the counts of a keyframe as JSON values, with a row for each seat that has skipped turns.

        A row has the seat, the number of its skipped turns, the number of its skipped turns in a row, and
        whether the seat is disqualified. If a seat can be disqualified from a single round, and this has
        happened to the seat, two more values follow. They are the number of these rounds, and whether the
        seat is out of the battle.
        """
        faults = [*enumerate(self.seats), *sorted(self._guests.items())]
        return [self._row(seat, row) for seat, row in faults if row.skipped]

    def _row(self, seat: Seat, faults: SeatFaults) -> list[int]:
        row = [seat, faults.skipped, faults.skipped_in_row, int(faults.disqualified)]
        if self.max_rounds_out > 1 and faults.rounds_out:
            row += faults.rounds_out, int(faults.is_out_of_battle)
        return row

    def restored(self, data: Sequence[Sequence[int]]) -> SkipCounts:
        """Return new counts with the same rules, from `data`, a result of `to_data`.

        Raises:
            ValueError, TypeError, IndexError: the data is not from `to_data`.
        """
        limits = self.max_skipped, self.max_silence_ns, self.max_rounds_out
        restored = SkipCounts(len(self.seats), *limits, open_ended=self._open_ended)
        for seat, skipped, in_row, disqualified, *more in data:
            rounds_out, is_out_of_battle = more or (disqualified, disqualified)
            exists = 0 <= seat < len(self.seats) or (self._open_ended and seat >= 0)
            if not (exists and 0 <= in_row <= skipped and disqualified <= rounds_out):
                raise ValueError(f"skipped turns of seat {seat}")
            kept = restored._kept(seat)
            kept.skipped, kept.skipped_in_row, kept.disqualified = skipped, in_row, bool(disqualified)
            kept.rounds_out, kept.is_out_of_battle = rounds_out, bool(is_out_of_battle)
            if in_row:
                restored._in_row.add(seat)
            if kept.disqualified and not kept.is_out_of_battle:
                restored.out_of_round.add(seat)
        return restored

    def note_late(self, seat: Seat) -> None:
        """Count an answer that came after its deadline."""
        self._kept(seat).late += 1


class LateMisses:
    """Counts the turns that bots may have missed because the server was late.

    A late server ends a turn late, so bots have more time in this turn. But a busy machine that delays the
    server may delay a bot, too. We assume this if the bot's answer came after the end of the turn, but by
    less time than the server was late. If a bot answers much later, or not at all, the server is not the
    cause.

    deadline      end of the turn     counts until
        |-- lateness --|----- lateness -----|

    Attributes:
        turns: the number of these turns. A turn counts once, even if several bots missed it.
    """

    __slots__ = ("_missed", "_newest", "turns")

    def __init__(self) -> None:
        self.turns = 0
        self._newest = 0
        self._missed: dict[Seat, tuple[int, int]] = {}
        """By seat, the oldest missed turn that the seat has not answered yet, and how late the server was in
        this turn.
        """

    def note(self, entry: TurnEntry, server_late_ns: int) -> list[Seat]:
        """Add the entry of the next turn, in which the server was late by `server_late_ns`.

        Return the seats whose late answers show that they may have missed a turn because of the server.
        """
        missed, found = self._missed, list[Seat]()
        if entry.opening:
            missed.clear()
        now = entry.turn, server_late_ns
        for seat in entry.skipped:
            missed.setdefault(seat, now)
        if not missed:
            return found
        for seat, late_ns in entry.late_ns.items():
            if (answered := missed.pop(seat, None)) is None:
                continue
            turn, server_ns = answered
            if late_ns < 2 * server_ns:
                found.append(seat)
                self.turns += turn > self._newest
                self._newest = max(turn, self._newest)
            if answered != now and seat in entry.skipped:
                missed[seat] = now
        for seat in entry.intents:
            missed.pop(seat, None)
        return found
