"""A branch of a recorded battle. Some seats are played live, and the others as recorded.

    branch = Branch(record, game, live={1}, until=300)
    while not branch.over:
        branch.asked()             the live seats that may act now; battle.observe(seat) for each
        branch.recorded(seat)      the recorded intent of that seat in this turn, for comparison
        branch.resolve(intents)    {live seat: intent}; a live seat without an intent has missed the turn

In the first `until` turns, the recorded intents of the live seats count. So the battle is the recorded one,
and a live participant gets the recorded observations. In later turns, the participant's own intents count.
The other seats repeat their recorded intents of the same round and turn. A seat that missed this turn in the
record misses it again. If the record has nothing about a seat in this turn, the seat is idle.

A room plays a `BranchBattle`. Its participants play the live seats, and the room waits only for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from turnwright.errors import SetupError
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.deadline import NO_TURN, Opened
from turnwright.kernel.game import Game, Seat
from turnwright.kernel.record import Record, TurnEntry
from turnwright.kernel.replay import rebuild, rebuild_as

ROUND_END_PATIENCE_NS = 200_000_000
"""The time for the live seats to answer the last observation of a round, in ns. The answer has no effect."""


def first_turns(record: Record) -> list[int]:
    """Return the number of turns before each round of a record.

    If no recorded turn opens a round, the battle counts as one round that begins with the first turn.
    """
    starts = [entry.turn - 1 for entry in record.turns if entry.opening]
    return starts if starts[:1] == [0] else [0, *starts]


class Branch:
    """A branch of a recorded battle (see the docstring of the module).

    Args:
        live: the seats that are played live.
        until: the number of turns that are played as recorded. None means all turns of the record.

    Attributes:
        battle: the battle that is played.

    Raises:
        RecordError: the record cannot be played.
        SetupError: a seat does not exist, or it had left or was disqualified by turn `until`.
    """

    def __init__(self, record: Record, game: Game, live: Iterable[Seat], until: int | None = None) -> None:
        self.record = record
        self.live = frozenset(live)
        self.until = len(record.turns) if until is None else min(until, len(record.turns))
        self.battle: Battle = rebuild(record, game)
        self._game = game
        self._starts = first_turns(record)
        opened = (
            bool(record.turns) and record.turns[0].opening
        )  # whether the first turn opens the first round
        self._round = 0 if opened else 1
        self._place = 0
        self._left: list[Seat] = []
        self._check()

    def _check(self) -> None:
        seats = self.battle.seats
        for seat in sorted(self.live):
            if not 0 <= seat < seats:
                raise SetupError(f"there is no bot {seat + 1} in this record: give 1 to {seats}")
        for entry in self.record.turns[: self.until]:
            for seat in sorted(self.live.intersection((*entry.gone, *entry.disqualified))):
                name = self.record.header.seats[seat].name
                raise SetupError(
                    f"{name} left or was disqualified in turn {entry.turn} of the record:"
                    " choose an earlier turn"
                )

    @property
    def over(self) -> bool:
        """Whether the branch has ended. It ends with the battle. If all recorded turns are played as
        recorded, it also ends with the record.
        """
        battle = self.battle
        if battle.outcome is not None or battle.void is not None:
            return True
        return self.until == len(self.record.turns) and battle.turn >= self.until

    @property
    def is_anew(self) -> bool:
        """Whether the next turn uses the intents of the live seats, instead of their recorded intents."""
        return self.battle.turn >= self.until

    def asked(self) -> tuple[Seat, ...]:
        """Return the live seats that may act now, in order."""
        return tuple(seat for seat in self._game.asked(self.battle.state) if seat in self.live)

    def recorded(self, seat: Seat) -> Any | None:
        """Return a seat's recorded intent for the next turn, or None if the record has none."""
        entry = self._entry()
        return None if entry is None else entry.intents.get(seat)

    def resolve(self, intents: Mapping[Seat, Any]) -> Closed:
        """Play the next turn.

        Args:
            intents: the intents of live seats. In the first `until` turns they are ignored.

        Raises:
            VoidBattleError: the rules fail.
        """
        entry = self._entry()
        if self.battle.turn < self.until:
            assert entry is not None, "the record has all turns up to `until`"
        else:
            entry = self._merged(entry, intents)
        closed = self.battle.replay_turn(entry)
        self._move_on()
        return closed

    def _entry(self) -> TurnEntry | None:
        """Return the recorded entry for the round and turn that is played next, or None."""
        if self.battle.turn < self.until:
            return self.record.turns[self.battle.turn]
        if not 0 < self._round <= len(self._starts):
            return None
        bounds = [*self._starts, len(self.record.turns)]
        place = bounds[self._round - 1] + self._place
        return self.record.turns[place] if place < bounds[self._round] else None

    def _move_on(self) -> None:
        if self._game.opening(self.battle.state):
            self._round += 1
            self._place = 1
            self._note_left_at_opening()
        else:
            self._place += 1

    def _note_left_at_opening(self) -> None:
        """Add the seats that left in the recorded first turn of this round, if the branch does not play that
        turn.
        """
        if self.battle.turn > self.until and self._round <= len(self._starts):
            entry = self.record.turns[self._starts[self._round - 1]]
            self._left += [seat for seat in entry.gone if seat not in self.live]

    def _merged(self, entry: TurnEntry | None, intents: Mapping[Seat, Any]) -> TurnEntry:
        """Return the turn as it is played, with live intents and the recorded intents of the other seats."""
        game, state = self._game, self.battle.state
        played: dict[Seat, Any] = {}
        skipped: list[Seat] = []
        for seat in game.asked(state):
            if seat in self.live:
                if seat in intents:
                    played[seat] = intents[seat]
                else:
                    skipped.append(seat)
            elif entry is not None and seat in entry.intents:
                played[seat] = entry.intents[seat]
            elif entry is not None and seat in entry.skipped:
                skipped.append(seat)
            elif (idle := game.default_intent(state, seat, "idle")) is not None:
                played[seat] = idle
        gone = [s for s in (entry.gone if entry is not None else ()) if s not in self.live]
        gone, self._left = [*self._left, *gone], []
        out = (*(entry.disqualified if entry is not None else ()), *self.live)
        return TurnEntry(self.battle.turn + 1, played, tuple(skipped), {}, tuple(gone), out)


# ---- in a room -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BranchAnswer:
    """An answer of a live seat to a turn.

    Attributes:
        intent: the intent, or None if the seat did not answer in time.
        recorded: the recorded intent of this turn, or None if the record has none.
        turn: the turn of the round.
        counted: whether the turn was played with the seat's own intent. Otherwise it was played with the
            recorded intent.
    """

    seat: Seat
    round: int
    turn: int
    intent: Any | None
    recorded: Any | None
    counted: bool


OnBranchTurn = Callable[[Closed, Sequence[BranchAnswer]], None]
"""Called after every turn, with the closed turn and the answers of the live seats."""


class BranchBattle(Battle):
    """A branch as a battle that a room plays.

    The battle waits only for its live seats (see `branch_battle`).

    Attributes:
        left: the live seats whose participants have left, with the turn in which they left.
    """

    branch: Branch
    patience_ns: int
    on_turn: OnBranchTurn

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.left: list[tuple[Seat, int]] = []
        self._answered: list[BranchAnswer] = []

    def _turn_timeout_ns(self, opening: bool) -> int:
        """Return the time, in ns, that live seats have in this turn."""
        progress = self.game.round_progress(self.state)
        over = progress is not None and progress.round_over
        return min(self.patience_ns, ROUND_END_PATIENCE_NS) if over else self.patience_ns

    def open_turn(self, *, timed: bool = True) -> Opened:
        """Open the next turn.

        The turn does not wait for seats whose intents come from the record.
        """
        opened = super().open_turn(timed=timed)
        for seat in opened.awaited:
            if seat not in self.branch.live:
                self.collecting.inbox.stop_waiting_for(seat)
        return opened

    def leave(self, seat: Seat) -> None:
        """Record that the participant of a live seat has left."""
        if seat not in self.referee.gone:
            self.left.append((seat, self.turn))
        super().leave(seat)

    def resolve_turn(self, answers: dict[Seat, Any] | None = None) -> Closed:
        """Resolve the turn of the branch.

        In the first `until` turns, the recorded intents of the live seats are used instead of `answers`.
        """
        collecting, self._opened = self.collecting, None
        inbox, collecting.inbox = collecting.inbox, NO_TURN
        given = inbox.answers if answers is None else answers
        said = {seat: intent for seat, intent in given.items() if seat in self.branch.live}
        self._answered = self._answers(said)
        closed = self.branch.resolve(said)
        closed.inbox = inbox
        return closed

    def record_turn(self, closed: Closed, server_late_ns: int = 0) -> None:
        """Add checks to the entry, which already has its digest, and call `on_turn`."""
        self._add_checks(closed, server_late_ns)
        self.on_turn(closed, self._answered)

    def _answers(self, said: Mapping[Seat, Any]) -> list[BranchAnswer]:
        """Return the answers of the live seats, except answers to a round's last turn."""
        branch, progress = self.branch, self.game.round_progress(self.state)
        if progress is not None and progress.round_over:
            return []
        number, turn = (1, self.turn) if progress is None else (progress.round, progress.turn)
        return [
            BranchAnswer(seat, number, turn, said.get(seat), branch.recorded(seat), branch.is_anew)
            for seat in branch.asked()
        ]


def branch_battle(
    record: Record,
    game: Game,
    live: Iterable[Seat],
    until: int | None = None,
    *,
    patience_ns: int,
    on_turn: OnBranchTurn,
    keep_checks: bool = False,
    made_by: str = "",
) -> BranchBattle:
    """Return a branch as a battle for a room.

    Args:
        live, until: as for `Branch`, which also lists the errors.
        patience_ns: the time limit of a live seat for one turn.
        keep_checks: whether to compute the checks that a record needs.
    """
    branch = Branch(record, game, live, until)
    battle = rebuild_as(BranchBattle, record, game, keep_checks=keep_checks, made_by=made_by)
    battle.branch, battle.patience_ns, battle.on_turn = branch, patience_ns, on_turn
    branch.battle = battle
    return battle
