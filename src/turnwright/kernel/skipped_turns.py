"""Counts of skipped turns, disqualification, and turns lost to a late server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from turnwright.errors import SetupError
from turnwright.kernel.game import Seat
from turnwright.kernel.record import TurnEntry

__all__ = ["GUESTS_MAX", "MAX_SKIPPED_DEFAULT", "LateMisses", "SeatFaults", "SkipCounts"]

MAX_SKIPPED_DEFAULT = 30
"""Skipped turns in a row until a seat is disqualified (document 002); 0 = never."""
GUESTS_MAX = 100_000
"""Seats outside the header whose faults are kept at a time; beyond it the oldest are dropped."""


@dataclass(slots=True)
class SeatFaults:
    """Faults of one seat so far.

    skipped: turns; skipped_in_row: turns since its last answer. late: answers after their deadline;
    late_before: those before the newest row of skipped turns began.
    """

    skipped: int = 0
    skipped_in_row: int = 0
    late: int = 0
    late_before: int = 0
    disqualified: bool = False

    @property
    def is_late(self) -> bool:
        """Whether answers came in the turns that it skipped in a row: late ones."""
        return self.late > self.late_before


class SkipCounts:
    """The faults of every seat.

    max_skipped: turns in a row until disqualification, 0 = never.

    seats: those of the header. In a game with open-ended seats others act too, guests: the faults of a guest
    are kept until it answers again.
    """

    __slots__ = ("_guests", "_in_row", "_open_ended", "max_skipped", "seats")

    def __init__(
        self, seats: int, max_skipped: int = MAX_SKIPPED_DEFAULT, *, open_ended: bool = False
    ) -> None:
        if max_skipped < 0:
            raise SetupError(f"max-skipped is {max_skipped}; give 0 (never) or a number of turns, e.g. 30")
        self.max_skipped = max_skipped
        self.seats = [SeatFaults() for _ in range(seats)]
        self._in_row: set[Seat] = set()
        self._open_ended = open_ended
        self._guests: dict[Seat, SeatFaults] = {}

    def of(self, seat: Seat) -> SeatFaults:
        """Return the faults of a seat; a guest without faults gets a new object."""
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
        """Note an answer: it ends a row of skipped turns."""
        self._in_row.discard(seat)
        if self._guests.pop(seat, None) is None and seat < len(self.seats):
            faults = self.seats[seat]
            faults.skipped_in_row, faults.late_before = 0, faults.late

    def note_answers(self, seats: Iterable[Seat]) -> None:
        """Note an answer for each of these seats."""
        if self._in_row:
            for seat in seats:
                if seat in self._in_row:
                    self.note_answer(seat)

    def note_skip(self, seat: Seat) -> bool:
        """Count a skipped turn and return whether it disqualifies the seat.

        True once for each seat.
        """
        faults = self._kept(seat)
        faults.skipped += 1
        faults.skipped_in_row += 1
        self._in_row.add(seat)
        if faults.disqualified or not self.max_skipped or faults.skipped_in_row < self.max_skipped:
            return False
        faults.disqualified = True
        return True

    def to_data(self) -> list[list[int]]:
        """Return the faults as JSON values, a row for each seat with faults.

        A row: seat, skipped, in a row, disqualified.
        """
        faults = [*enumerate(self.seats), *sorted(self._guests.items())]
        return [[seat, f.skipped, f.skipped_in_row, int(f.disqualified)] for seat, f in faults if f.skipped]

    def take_data(self, data: Sequence[Sequence[int]]) -> None:
        """Take what `to_data` returned.

        Raises: ValueError, TypeError, IndexError for anything else.
        """
        for seat, skipped, in_row, disqualified in data:
            exists = 0 <= seat < len(self.seats) or (self._open_ended and seat >= 0)
            if not (exists and 0 <= in_row <= skipped):
                raise ValueError(f"skipped turns of seat {seat}")
            kept = self._kept(seat)
            kept.skipped, kept.skipped_in_row, kept.disqualified = skipped, in_row, bool(disqualified)
            if in_row:
                self._in_row.add(seat)

    def note_late(self, seat: Seat) -> None:
        """Count an answer that came after its deadline."""
        self._kept(seat).late += 1


class LateMisses:
    """The number of turns that the lateness of the server may have cost a bot.

    A late server ends a turn late, so a bot has more time in it. The bot may still have been held up by what
    held up the server, if it missed the turn by less than the lateness: its answer came less than the
    lateness after the end of the turn. A bot that does not answer, or much later, lost nothing by it.

    deadline      end of the turn     counts until
        |-- lateness --|----- lateness -----|

    turns: how many there were. Each counts once, however many bots missed it.
    """

    __slots__ = ("_missed", "_newest", "turns")

    def __init__(self) -> None:
        self.turns = 0
        self._newest = 0
        self._missed: dict[Seat, tuple[int, int]] = {}
        """By seat, the oldest missed turn to which no answer has come, and the server's lateness in it."""

    def note(self, entry: TurnEntry, server_late_ns: int) -> None:
        """Take the entry of the next turn, and the lateness of the server in it."""
        missed = self._missed
        if entry.opening:
            missed.clear()
        now = entry.turn, server_late_ns
        for seat in entry.skipped:
            missed.setdefault(seat, now)
        if not missed:
            return
        for seat, late_ns in entry.late_ns.items():
            if (answered := missed.pop(seat, None)) is None:
                continue
            self._count(*answered, late_ns)
            if answered != now and seat in entry.skipped:
                missed[seat] = now
        for seat in entry.intents:
            missed.pop(seat, None)

    def _count(self, turn: int, server_late_ns: int, late_ns: int) -> None:
        if late_ns < 2 * server_late_ns and turn > self._newest:
            self._newest = turn
            self.turns += 1
