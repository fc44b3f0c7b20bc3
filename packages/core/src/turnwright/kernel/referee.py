"""The referee of a battle: skipped turns, disqualification, departures and failures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from turnwright.errors import GameError
from turnwright.kernel.deadline import Inbox, SkipReason
from turnwright.kernel.failure import Failure, FailureReason, refusal, unanswered
from turnwright.kernel.game import Game, OnSkip, Seat
from turnwright.kernel.record import TurnEntry, TurnRules
from turnwright.kernel.skipped_turns import LATE_TURNS_MIN, Miss, SkipCounts


class RefusedAnswers:
    """The answers that could not be used.

    `seat in refused_answers` is whether an answer was refused since the seat's last valid answer.

    Attributes:
        unread: for each seat with an intent that the game failed to read, the first error.
        has_read: whether the game has read any intent.
    """

    __slots__ = ("_first", "has_read", "now", "unread")

    def __init__(self) -> None:
        self._first: dict[Seat, str] = {}
        self.now = set[Seat]()
        """The seats whose answers were refused in the open turn."""
        self.unread: dict[Seat, GameError] = {}
        self.has_read = False

    def __contains__(self, seat: Seat) -> bool:
        return seat in self._first

    def note(self, seat: Seat, why: str) -> None:
        """Record an answer that was refused."""
        self._first.setdefault(seat, why)
        self.now.add(seat)

    def first(self, seat: Seat) -> str:
        """Return why the first answer was refused since the last valid answer of the seat, or "" for none."""
        return self._first.get(seat, "")

    def note_answers(self, seats: Collection[Seat]) -> None:
        """Record that seats gave valid answers, and forget their refused answers."""
        if self._first:
            self._first = {seat: why for seat, why in self._first.items() if seat not in seats}


class Referee:
    """Decides which seats continue to play.

    Attributes:
        skips: counts of missed turns.
        shared_skips: the number of turns that two or more seats have missed together.
        refusals: the answers that could not be used.
        gone: seats whose participants have left.
        failures: the failures of seats that no longer play, as far as they are known.
        disqualifications: the disqualifications from a round or from the battle, the newest last.
    """

    def __init__(self, game: Game, rules: TurnRules, seats: int) -> None:
        limits = rules.max_skipped, rules.max_silence_ns, rules.max_rounds_out
        self.skips = SkipCounts(seats, *limits, open_ended=game.open_ended)
        self.shared_skips = 0
        self.refusals = RefusedAnswers()
        self.gone, self._left = set[Seat](), list[Seat]()
        self.failures, self._news = dict[Seat, Failure](), dict[Seat, Failure]()
        self.disqualifications: dict[Seat, list[Failure]] = {}
        self._game, self._rules = game, rules

    def restore(self, ledger: Sequence[Sequence[int]], gone: Iterable[Seat]) -> None:
        """Continue with the counts and the seats of a keyframe.

        Raises:
            ValueError, TypeError, IndexError: the counts are invalid.
        """
        self.skips = self.skips.restored(ledger)
        self.gone, self._left = set(gone), []

    def follow(self, recorded: TurnEntry) -> None:
        """Take the facts about the seats from a record's entry, before its turn is replayed."""
        self.gone.update(recorded.gone)
        self.failures.update(recorded.failures)
        for seat in recorded.late_ns:
            self.skips.note_late(seat)

    def leave(self, seat: Seat) -> None:
        """Record that the participant of a seat has left."""
        if seat not in self.gone:
            self.gone.add(seat)
            self._left.append(seat)

    def take_left(self) -> tuple[Seat, ...]:
        """Return the seats that have left since the last call."""
        if not self._left:
            return ()
        left, self._left = tuple(self._left), []
        return left

    def fail(self, seat: Seat, failure: Failure) -> Failure | None:
        """Record why a seat no longer plays. Return the seat's failure, or None if nothing was new.

        The first failure of a seat stays. Later information can only complete it.
        """
        if (before := self.failures.get(seat)) is not None:
            failure = before.learnt(failure.reason, failure.error, failure.printed)
            if failure == before:
                return None
        self.failures[seat] = self._news[seat] = failure
        return failure

    def take_failures(self) -> Mapping[Seat, Failure]:
        """Return the failures that have become known since the last call."""
        news, self._news = self._news, {}
        return news

    def skip_reason(self, seat: Seat) -> SkipReason:
        """Return why a seat missed the newest turn, as far as its answers show."""
        if seat in self.refusals:
            return SkipReason.REFUSED
        return SkipReason.LATE if self.skips.of(seat).is_late else SkipReason.NO_ANSWER

    def misses(self, inbox: Inbox, skipped: Iterable[Seat]) -> dict[Seat, Miss]:
        """Return, for each of the skipped seats, how it missed the turn that ends now.

        Afterwards, no answer counts as refused in the open turn.
        """
        misses, refused = dict[Seat, Miss](), self.refusals.now
        for seat in skipped:
            why = SkipReason.REFUSED if seat in refused else inbox.why_missed(seat)
            why = SkipReason.LEFT if seat in self.gone else why
            misses[seat] = Miss(inbox.waited_ns(seat), why)
        refused.clear()
        return misses

    def unreadable(self, seats: int) -> GameError | None:
        """Return the game's first error if it could read no intent, otherwise None.

        This means: it has read none, and it failed to read one of each seat that is still there.
        """
        refusals = self.refusals
        if refusals.has_read or len(refusals.unread.keys() | self.gone) < seats:
            return None
        return next(iter(refusals.unread.values()))

    def judge(
        self,
        accepted: Mapping[Seat, object],
        skipped: Sequence[Seat],
        misses: Mapping[Seat, Miss] | None,
        recorded: Collection[Seat],
    ) -> tuple[Seat, ...]:
        """Count a turn and return the seats to disqualify with `disqualify`.

        A replay does not know the times of answers. So if `max_silence_ns` is above 0, it disqualifies only
        seats in `recorded`.

        Args:
            misses: how each skipped seat missed the turn. None means that this is a replay.
            recorded: in a replay, the seats that are disqualified in the record. Otherwise it is not used.
        """
        skips, rules = self.skips, self._rules
        skips.note_answers(accepted)
        self.refusals.note_answers(accepted.keys())
        if not skipped:
            return ()
        self.shared_skips += len(skipped) > 1
        spared = self.gone if rules.on_disconnect == "official" else ()
        known = misses or {}
        due = [s for s in skipped if s not in spared and skips.note_skip(s, known.get(s))]
        if misses is not None:
            due = [seat for seat in due if seat in self.gone or skips.is_silent(seat, misses[seat])]
        elif rules.max_silence_ns:
            due = [seat for seat in due if seat in recorded]
        return tuple(due)

    def disqualify(self, state: Any, seat: Seat, turn: int, recorded: Failure | None = None) -> None:
        """Put a seat out of the round.

        The seat is also out of the battle if it has left, if the game has no rounds, or if the seat was
        disqualified in `max_rounds_out` rounds.

        Args:
            turn: the turn that is resolved.
            recorded: in a replay, the failure in the record.
        """
        self._game.retire(state, seat)
        progress = self._game.round_progress(state)
        self.skips.disqualify(seat, of_battle=progress is None or seat in self.gone)
        if seat < len(self.skips.seats):
            place = (1, turn) if progress is None else (progress.round, progress.turn)
            failure = recorded or Failure(self._why_out(seat), *place, self._error_of_out(seat))
            self.disqualifications.setdefault(seat, []).append(failure)
            if self.skips.seats[seat].is_out_of_battle:
                self.fail(seat, failure)

    def retire_left(self, state: Any, seats: Iterable[Seat]) -> None:
        """If the rule is `on_disconnect` "dead", put the seats whose participants have left out of the
        game.
        """
        if self._rules.on_disconnect == "dead":
            for seat in seats:
                self._game.retire(state, seat)

    def stand_in(self, state: Any, seat: Seat) -> Any:
        """Return the intent that is played for a seat that has missed the turn."""
        policy: OnSkip = self._rules.on_skip
        if seat in self.gone:
            policy = "repeat" if self._rules.on_disconnect == "official" else "idle"
        return self._game.default_intent(state, seat, policy)

    def out_of_round_alone(self, seats: Iterable[Seat]) -> dict[Seat, Failure]:
        """Return the failures of the seats that were just disqualified from the round but not from the
        battle.
        """
        known = self.disqualifications
        return {seat: known[seat][-1] for seat in seats if seat in known and seat not in self.failures}

    def _why_out(self, seat: Seat) -> FailureReason:
        faults = self.skips.seats[seat]
        if faults.late_misses >= LATE_TURNS_MIN:
            return FailureReason.BUSY
        return FailureReason.SLOW if faults.is_late else FailureReason.SILENT

    def _error_of_out(self, seat: Seat) -> str:
        faults = self.skips.seats[seat]
        if not faults.is_late and (refused := refusal(self.refusals.first(seat))):
            return refused
        return unanswered(faults.silence_ns) if faults.silence_ns else ""

    def note_last_round(self, rounds: int) -> None:
        """Put the seats that were disqualified in all of the battle's `rounds` rounds out of the battle."""
        for seat in sorted(self.skips.out_of_round):
            if self.skips.seats[seat].rounds_out >= rounds:
                self.skips.put_out_of_battle(seat)
                self.fail(seat, self.disqualifications[seat][-1])

    def reinstate(self, state: Any) -> None:
        """Let the seats that were out of the last round play in the new round. Seats that died because they
        left stay out.
        """
        dead = self.gone if self._rules.on_disconnect == "dead" else ()
        for seat in sorted(self.skips.out_of_round.difference(dead)):
            self.skips.reinstate(seat)
            self._game.reinstate(state, seat)
