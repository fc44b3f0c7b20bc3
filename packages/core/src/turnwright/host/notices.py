"""Reports problems of a battle in the log, and to spectators whose programs understand our error messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from turnwright.host.latency import SeatTiming, Slowness
from turnwright.host.room_state import BattleRoomState
from turnwright.kernel.battle import Battle
from turnwright.kernel.failure import OUT_REASONS, Failure, FailureReason, has_no_cause, outdated
from turnwright.kernel.game import Seat
from turnwright.wire.faults import Fault

FAILED = "failed"
"""The code of the messages that report a participant's failure to spectators."""
SLOW_RULES_NS = 500_000_000
"""If the rules take this time for a turn, in ns, or longer, the log and spectators get a warning."""


class BattleNotices:
    """Reports the problems of a battle.

    Args:
        seat_timing: the answer times, by seat.
    """

    def __init__(self, room: BattleRoomState, battle: Battle, seat_timing: Sequence[SeatTiming]) -> None:
        self._room = room
        self._battle = battle
        self._output, self._protocol = room.output, room.protocol
        self._seat_timing = seat_timing
        self._slowness = Slowness(len(seat_timing))
        self._slow: set[Seat] = set()
        """The seats that were reported as slow. Each seat is reported only once in a battle."""
        self._told_of_slow_rules = False

    def _name(self, seat: Seat) -> str:
        return self._battle.header.seats[seat].name

    def _warn(self, text: str, failure: Failure) -> None:
        """Send a warning about a failure, with the turn in which it happened."""
        place = (failure.round, failure.turn) if failure.turn else self._room.place
        self._output.tell_ours(self._protocol.error(FAILED, text, place=place))

    def fail(self, seat: Seat, reason: FailureReason, error: str, printed: Sequence[str]) -> None:
        """Record why a seat stopped playing. If this was not known before, report it immediately.

        Args:
            printed: the last lines that the seat's program printed, for the page.
        """
        before = self._battle.referee.failures.get(seat)
        error = self._too_old(seat, reason, error) or error
        try:
            failure = self._battle.fail(seat, reason, error, printed)
        except Exception as why:  # a game that cannot report its progress fails in its next turn, too
            self._output.log("error", f"the round and turn of a failure are unknown: {why!r}")
            return
        if failure is not None and (before is None or before.full_text != failure.full_text):
            self._tell_failure(seat, failure)

    def _too_old(self, seat: Seat, reason: FailureReason, error: str) -> str:
        """Return the error for a program that left because it is too old to read an observation. "" means
        that this is not the reason.
        """
        hello = self._room.clients[seat].hello
        if hello is None or not hello.outdated or self._seat_timing[seat].answers.count > 0:
            return ""
        return outdated(hello.outdated) if has_no_cause(reason, error) else ""

    def _tell_failure(self, seat: Seat, failure: Failure) -> None:
        shown = failure if self._room.config.errors_public else failure.public
        level: Literal["warning", "error"] = "warning" if failure.reason is FailureReason.LEFT else "error"
        self._output.log(level, f"{self._name(seat)} {failure.full_text}")
        self._warn(f"{self._name(seat)} {shown.full_text}", failure)

    def tell_out(self, seat: Seat) -> None:
        """Report that a seat was disqualified, unless its failure was reported before."""
        referee = self._battle.referee
        failure = referee.failures.get(seat)
        if failure is not None and failure.reason in OUT_REASONS:
            self._tell_failure(seat, failure)
        elif failure is None and seat in referee.disqualifications:
            failure = referee.disqualifications[seat][-1]
            text = f"{self._name(seat)} was {failure.full_text}; this counts for the round"
            self._output.log("error", text)
            self._warn(text, failure)

    def note_missed(self, seats: Iterable[Seat]) -> None:
        """Count the turn that `seats` have missed, and warn about slow seats."""
        for seat in seats:
            missed = self._slowness.note(seat, self._battle.turn) if seat in self._output.present else 0
            if not missed:
                continue
            text = Slowness.text(self._name(seat), missed, self._seat_timing[seat])
            is_news = seat not in self._slow
            self._slow.add(seat)
            warning = self._protocol.error("slow", text, place=self._room.place)
            self._output.warn_slow(seat, text, warning, is_news=is_news)

    def tell_slow_rules(self, took_ns: int) -> None:
        """Warn that the rules took so long that the server could not respond. There is at most one such
        warning in a battle.
        """
        if not self._told_of_slow_rules:
            self._told_of_slow_rules = True
            text = f"the rules took {took_ns / 1e9:.1f} s for a turn; the server could not respond meanwhile"
            self._output.log("warning", text)
            self._output.tell_ours(self._protocol.error("slow", text, place=self._room.place))

    def tell_unread(self, seat: Seat, fault: Fault) -> None:
        """Report that the game failed to read an intent of a seat.

        The report goes to the log, to spectators and, if the seat uses our protocol, to the seat.
        """
        text = f"{fault.advice}, over an intent of {self._name(seat)}, which misses its turn"
        self._output.log("error", text)
        data = self._protocol.error(fault.code, text, fault.refers_to)
        self._output.tell_ours(data)
        if self._room.clients[seat].ours:
            self._output.tell(seat, data)
