"""A battle of any game. It opens and closes turns. Its methods get the current time as an argument.

    opened = battle.open_turn()         observe          the seats asked; battle.observe(seat) for each
    battle.collecting                   collect          see `Collecting`
    battle.end_collecting(now_ns)
    closed = battle.close_turn()        resolve, record

If the players answer immediately (`play`), the battle needs no collecting. A replay needs none either.

`close_turn` is `resolve_turn` followed by `record_turn`. A host sends observations between the two, so that
no participant waits for digests and checks.

The battle itself neither waits nor publishes. Its caller handles the pace and spectators.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from turnwright.errors import GameError, RecordError, SetupError, VoidBattleError
from turnwright.kernel.collecting import Collecting
from turnwright.kernel.deadline import NO_TURN, Inbox, Opened
from turnwright.kernel.failure import Failure, FailureReason
from turnwright.kernel.game import Game, Outcome, Seat, SeatInfo
from turnwright.kernel.keyframe import BattleKeyframe
from turnwright.kernel.record import Header, TurnEntry, TurnRules, check_rules
from turnwright.kernel.referee import Referee
from turnwright.kernel.rng import Streams
from turnwright.kernel.scores import ScoreSheet
from turnwright.kernel.settings import set_up
from turnwright.kernel.skipped_turns import Miss
from turnwright.kernel.turn_recorder import TurnRecorder


@dataclass(slots=True)  # not frozen, like `TurnEntry`
class Closed:
    """A resolved turn.

    The fields are the turn's entry in the record, the game's events, the outcome if the turn ended the
    battle, and the inbox with the turn's answers.
    """

    entry: TurnEntry
    events: Sequence[Any]
    outcome: Outcome | None
    inbox: Inbox = field(default=NO_TURN, compare=False)


# It is large because a turn can be played with deadlines, without deadlines, or again from a record.
class Battle:
    """One run of a game. If the rules raise an exception, the battle is void.

    Args:
        setup: settings that replace the game's defaults.
        seed: the seed of all random numbers, 0 to `SEED_MAX`.
        rules: None means the default rules.
        keep_digests: record the digest of every turn.
        keep_checks: also record checks of the parts of the state, answer times and keyframes.
        tolerant, made_by, announced: fields of the `header`.

    Attributes:
        state: the game's state. The rules change it in each turn.
        turn: the number of resolved turns.
        outcome: the outcome. None means that the battle has not ended.
        void: the exception that made the battle void, or None.
        collecting: collects the answers to the open turn.
        referee: decides which seats continue to play.
        recorder: completes the entries of turns.
        score_sheet: the scores of the rounds.

    Raises:
        SetupError: the game or the rules for turns do not allow this battle.
        ValueError: the seed is out of range.
        Exception: any other exception of `Game.setup` is raised unchanged.
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
            raise SetupError(f"{game.name} got no seats: give it at least 1")
        self.game = game
        rules = check_rules(rules or TurnRules())
        self.streams = Streams(seed)
        self.referee = Referee(game, rules, len(seats))
        full = {**game.defaults, **setup}
        self.state = set_up(game, full, seats, self.streams)
        self.header = Header(
            game.name,
            game.behaviour_version,
            seed,
            full,
            tuple(seats),
            rules,
            tolerant,
            made_by,
            announced or {},
            game.rules_hash,
        )
        self.turn = 0
        self.debugged: set[Seat] = set()
        """The seats that operators debug. The rules do not use this set. It is always the same object. A host
        changes its content, and a replay fills it from the record.
        """
        self.outcome: Outcome | None = None
        self.void: Exception | None = None
        self._opened: Opened | None = None
        self.collecting = Collecting(game, rules, self.referee)
        self.recorder = TurnRecorder(game, keep_digests=keep_digests, keep_checks=keep_checks)
        self.score_sheet = ScoreSheet(game, len(seats))

    @property
    def seats(self) -> int:
        """The number of seats that the header names."""
        return len(self.header.seats)

    @property
    def rules(self) -> TurnRules:
        """The rules for answers and missed turns."""
        return self.header.rules

    @property
    def digest(self) -> str:
        """The digest of the state after the last turn. "" means that no turn was played since the start or
        `restore`, or that no digests are kept.
        """
        return self.recorder.digest

    @property
    def is_open(self) -> bool:
        """Whether a turn is open. Its answers are being collected, or are collected and the turn is held."""
        return self._opened is not None

    def place(self) -> tuple[int, int]:
        """Return the current round, and the turn of this round.

        In a game without rounds, and in a void battle, the round is 1, and turns count from the start.
        """
        progress = None if self.void is not None else self.game.round_progress(self.state)
        if progress is None:
            return 1, self.turn + self.is_open
        return progress.round, progress.turn

    # ---- observe, collect ----------------------------------------------------------------------------------

    def open_turn(self, *, timed: bool = True) -> Opened:
        """Open the next turn.

        With the rule `on_late` "next", intents that the previous turn kept already count as answers.

        Args:
            timed: whether the turn has deadlines. False means that the caller asks one seat after another,
                and passes the answers to `close_turn`.

        Raises:
            VoidBattleError: the rules failed. The battle is then void.
        """
        assert self._opened is None, f"turn {self.turn + 1} is already open"
        assert self.outcome is None, "the battle has ended"
        assert self.void is None, "the battle is void"
        game, state = self.game, self.state
        try:
            opening = self.turn == 0 or game.opening(state)
            timeout_ns = self._turn_timeout_ns(opening)
            asked, awaited = tuple(game.asked(state)), tuple(game.awaited(state))
            if asked and asked[-1] >= self.seats and not game.open_ended:
                named = str(asked[-1])[:20]
                raise GameError(
                    f"{game.name}.asked() named seat {named}; there are {self.seats} seats, from 0"
                )
        except Exception as error:
            raise self._voided(error, self.turn) from error
        if gone := self.referee.gone:
            awaited = tuple(s for s in awaited if s not in gone)
        self._opened = opened = Opened(self.turn + 1, asked, awaited)
        if timed:
            self.collecting.open(opened, timeout_ns, new_round=opening)
        return opened

    def _turn_timeout_ns(self, opening: bool) -> int:
        """Return the timeout of the turn that opens.

        Args:
            opening: whether the turn begins with the first observation of a round.
        """
        opening_ns = self.rules.opening_timeout_ns
        return self.rules.timeout_ns if opening_ns is None or not opening else opening_ns

    def observe(self, seat: Seat) -> Any:
        """Return the observation of `seat` (see `Game.observe`).

        Raises:
            VoidBattleError: the rules failed. The battle is then void.
        """
        try:
            return self.game.observe(self.state, seat)
        except Exception as error:
            raise self._voided(error, self.turn) from error

    def leave(self, seat: Seat) -> None:
        """Record that the participant of `seat` has left. Turns no longer wait for this seat (see
        `OnDisconnect`).
        """
        if seat not in self.referee.gone:
            self.referee.leave(seat)
            self.collecting.inbox.stop_waiting_for(seat)

    def fail(
        self, seat: Seat, reason: FailureReason, error: str = "", printed: Sequence[str] = ()
    ) -> Failure | None:
        """Record why a seat no longer plays. Return the seat's failure, or None if nothing was new.

        Raises:
            Exception: the game could not report its round and turn.
        """
        return self.referee.fail(seat, Failure(reason, *self.place(), error, tuple(printed)))

    def end_collecting(self, now_ns: int) -> tuple[Seat, ...]:
        """End collecting at `now_ns`. Return the awaited seats without an answer, even if they have left.

        Raises:
            VoidBattleError: the rules failed. The battle is then void.
        """
        inbox = self.collecting.inbox
        inbox.end_collecting(now_ns, ends_round=bool(inbox.missing) and self._is_between_rounds())
        return self._skipped(inbox.answers)

    def _skipped(self, answers: Mapping[Seat, Any]) -> tuple[Seat, ...]:
        assert self._opened is not None, "no turn is open"
        asked = self._opened.asked
        if len(answers) == len(asked):
            return ()
        seats = frozenset(asked)
        return tuple(s for s in self.game.awaited(self.state) if s in seats and s not in answers)

    def _is_between_rounds(self) -> bool:
        """Return whether the open turn's observation was the last one of a round."""
        try:
            progress = self.game.round_progress(self.state)
        except Exception as error:
            raise self._voided(error, self.turn) from error
        return progress is not None and progress.round_over

    # ---- resolve, record -----------------------------------------------------------------------------------

    def close_turn(self, answers: dict[Seat, Any] | None = None, server_late_ns: int = 0) -> Closed:
        """Resolve the open turn with `resolve_turn`, and record it with `record_turn`. These methods describe
        the arguments and errors.
        """
        closed = self.resolve_turn(answers)
        self.record_turn(closed, server_late_ns)
        return closed

    def resolve_turn(self, answers: dict[Seat, Any] | None = None) -> Closed:
        """Resolve the open turn. Its entry has no digest and no checks until `record_turn` adds them.

        Args:
            answers: the answers of the asked seats, in order of seat. None means the answers in the inbox.

        Raises:
            VoidBattleError: the rules failed. The battle is then void.
        """
        opened, collecting, referee = self._opened, self.collecting, self.referee
        assert opened is not None, "no turn is open"
        inbox = collecting.inbox
        if answers is None:
            inbox.end_hold()
            collected = inbox.answers
            answers = {s: collected[s] for s in opened.asked if s in collected}
        elif answers:
            referee.refusals.has_read = True
        if referee.refusals.unread and (unread := referee.unreadable(self.seats)):
            raise self._voided(unread, self.turn + 1) from unread
        entry = TurnEntry(self.turn + 1, answers, self._skipped(answers), inbox.late_ns, referee.take_left())
        self._opened, collecting.inbox = None, NO_TURN
        return self._resolve(opened.asked, entry, referee.misses(inbox, entry.skipped), inbox=inbox)

    def record_turn(self, closed: Closed, server_late_ns: int = 0) -> None:
        """Complete the entry of the turn that was just resolved. Call it before the next turn opens.

        Args:
            server_late_ns: how late the server itself was in this turn, for the record.

        Raises:
            VoidBattleError: the rules failed. The battle is then void.
        """
        entry = closed.entry
        self.referee.skips.note_lateness(entry, server_late_ns)
        self._add_digest(entry)
        self._add_checks(closed, server_late_ns)

    def _add_digest(self, entry: TurnEntry) -> None:
        try:
            self.recorder.add_digest(entry, self.state)
        except Exception as error:
            self.outcome = None
            raise self._voided(error, self.turn, entry) from error

    def _add_checks(self, closed: Closed, server_late_ns: int) -> None:
        if self.recorder.keep_checks:
            save = self.save if self.outcome is None else None
            try:
                self.recorder.add_checks(closed.entry, self.state, closed.inbox, self.seats, save)
            except Exception as error:
                raise self._voided(error, self.turn, closed.entry) from error
            closed.entry.server_late_ns = server_late_ns

    def replay_turn(self, recorded: TurnEntry) -> Closed:
        """Resolve a turn again from its entry in a record. The result has a new entry, without checks.

        Raises:
            VoidBattleError: the rules failed. The battle is then void.
        """
        self.referee.follow(recorded)
        if recorded.debugged is not None:
            self._debug(recorded.debugged)
        asked = tuple(self.game.asked(self.state))
        intents = recorded.intents
        accepted = {s: intents[s] for s in asked if s in intents}
        entry = TurnEntry(self.turn + 1, accepted, recorded.skipped, recorded.late_ns, recorded.gone)
        closed = self._resolve(asked, entry, None, recorded)
        self.referee.skips.note_lateness(recorded, recorded.server_late_ns)
        self._add_digest(entry)
        return closed

    def _resolve(
        self,
        asked: Sequence[Seat],
        entry: TurnEntry,
        misses: Mapping[Seat, Miss] | None,
        recorded: TurnEntry | None = None,
        inbox: Inbox = NO_TURN,
    ) -> Closed:
        """Resolve a turn whose entry has the answers that arrived in time.

        Args:
            misses: see `Referee.judge`.
            recorded: the entry that a replay follows.
        """
        self.turn += 1
        game, state, referee = self.game, self.state, self.referee
        try:
            if referee.skips.out_of_round and self._is_between_rounds():
                referee.reinstate(state)
            if entry.gone:
                referee.retire_left(state, entry.gone)
            accepted = intents = entry.intents
            if len(accepted) < len(asked):
                intents = {s: accepted[s] if s in accepted else referee.stand_in(state, s) for s in asked}
            events = game.resolve(state, intents, self.streams)
            entry.opening = game.opening(state)
            if entry.opening:
                entry.intents, entry.skipped = {}, ()  # a round began, so answers from before it do not count
            due, why = (recorded.disqualified, recorded.out) if recorded is not None else ((), {})
            entry.disqualified = referee.judge(entry.intents, entry.skipped, misses, due)
            for seat in entry.disqualified:
                referee.disqualify(state, seat, self.turn, why.get(seat))
            entry.faults = tuple(game.faults(state))
            self.outcome = self.score_sheet.note_turn(state)
            if self.outcome is not None:
                referee.note_last_round(self.place()[0])
        except Exception as error:
            self.outcome = None
            raise self._voided(error, self.turn, entry) from error
        self.recorder.add_debugged(entry, self.debugged)
        entry.failures = referee.take_failures()
        if entry.disqualified:
            entry.out = referee.out_of_round_alone(entry.disqualified)
        return Closed(entry, events, self.outcome, inbox)

    def _voided(self, error: Exception, turn: int, entry: TurnEntry | None = None) -> VoidBattleError:
        """Make the battle void. Return the error to raise."""
        self.void = error
        said = str(error) if isinstance(error, GameError) else repr(error)
        return VoidBattleError(f"the rules failed in turn {turn}: {said}", entry=entry)

    # ---- scores, keyframes ---------------------------------------------------------------------------------

    def scores(self) -> Sequence[float] | None:
        """Return the score of each seat so far. None means that the game knows the scores only at the end.

        Raises:
            VoidBattleError: the game returned wrong scores. The battle is then void.
        """
        try:
            return self.score_sheet.so_far(self.state) if self.outcome is None else self.outcome.scores
        except Exception as error:
            raise self._voided(error, self.turn) from error

    def save(self) -> bytes:
        """Return the current battle as a keyframe: JSON on one line. Call it between two turns.

        Raises:
            GameError: as for `Game.save`.
        """
        referee, debugged = self.referee, self.recorder.debugged
        game = self.game.save(self.state)
        return BattleKeyframe(
            self.turn, referee.skips.to_data(), sorted(referee.gone), debugged, game
        ).encode()

    def restore(self, keyframe: bytes) -> None:
        """Continue from a keyframe of this battle. The scores of earlier rounds are lost.

        Raises:
            RecordError: the keyframe is invalid.
        """
        game = self.game
        try:
            known = BattleKeyframe.decode(keyframe, self.seats, open_ended=game.open_ended)
            state = game.setup(self.header.setup, self.header.seats, self.streams)
            game.restore(state, known.game)
            self.referee.restore(known.ledger, known.gone)
        except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
            raise RecordError(f"a keyframe cannot be used: {error}") from error
        self.state, self.turn = state, known.turn
        self.outcome, self.void = game.outcome(state), None
        self._opened, self.collecting = None, Collecting(game, self.rules, self.referee)
        self.recorder.digest, self.recorder.debugged = "", known.debugged
        self.score_sheet.rounds.clear()
        self._debug(known.debugged)

    def _debug(self, seats: Collection[Seat]) -> None:
        self.debugged.clear()
        self.debugged.update(seats)
