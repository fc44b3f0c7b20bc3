"""A battle played again from its record, in which some seats are played anew by somebody who is there.

    rerun = Rerun(record, game, live={1}, until=300)
    while not rerun.over:
        rerun.asked()             the live seats that may act now; battle.observe(seat) for each
        rerun.recorded(seat)      what the record has for that seat here, to compare with
        rerun.resolve(intents)    {live seat: intent}; a live seat without one has missed the turn

Up to turn `until` the recorded intents of the live seats count, so that the battle is the recorded one and a
participant comes to turn `until` having seen what the first one saw. From there on its own intents count, and
the other seats are ghosts: they do what they did in the same round and turn of the record, whatever happens
now, and nothing where the record has nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from turnwright.errors import SetupError, VoidBattleError
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.game import Game, Seat
from turnwright.kernel.record import Record, TurnEntry
from turnwright.kernel.replay import rebuild, replay

__all__ = ["Rerun", "round_starts"]


def round_starts(record: Record, game: Game) -> list[int]:
    """Return, for each round of a record, how many turns were played before its first one.

    A record that does not mark them is played once. Raises: RecordError when it is of another game or
    behaviour version.
    """
    if record.turns and record.turns[0].opening:
        return [entry.turn - 1 for entry in record.turns if entry.opening]
    starts = []
    try:
        for entry, _, battle in replay(record, game):
            if game.opening(battle.state):
                starts.append(entry.turn - 1)
    except VoidBattleError:
        pass  # the recorded battle failed in this turn, too
    return starts


class Rerun:
    """See above. battle: the one that is played; live: the seats that are played anew; until: turns.

    Raises: RecordError for a record that cannot be played; SetupError for a seat that is not there, or that
    had left or was disqualified by turn `until`.
    """

    def __init__(self, record: Record, game: Game, live: Iterable[Seat], until: int | None = None) -> None:
        self.record = record
        self.live = frozenset(live)
        self.until = len(record.turns) if until is None else min(until, len(record.turns))
        self.battle: Battle = rebuild(record, game)
        self._game = game
        self._starts = round_starts(record, game)
        self._round = 0
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
        """Whether the battle has ended; while only the record counts, also when that ends."""
        battle = self.battle
        if battle.outcome is not None or battle.void is not None:
            return True
        return self.until == len(self.record.turns) and battle.turn >= self.until

    @property
    def is_anew(self) -> bool:
        """Whether what the live seats say counts now."""
        return self.battle.turn >= self.until

    def asked(self) -> tuple[Seat, ...]:
        """Return the live seats that may act now, in order."""
        return tuple(seat for seat in self._game.asked(self.battle.state) if seat in self.live)

    def recorded(self, seat: Seat) -> Any | None:
        """Return the intent that the record has for a seat at this place, or None where it has none."""
        entry = self._entry()
        return None if entry is None else entry.intents.get(seat)

    def was_skipped(self, seat: Seat) -> bool:
        """Return whether the record says that a seat missed this turn."""
        entry = self._entry()
        return entry is not None and seat in entry.skipped

    def resolve(self, intents: Mapping[Seat, Any]) -> Closed:
        """Play the next turn. intents: of live seats; they count from turn `until` on.

        Raises: VoidBattleError when the rules fail.
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
        """Return the recorded turn that stands at this round and turn, if there is one."""
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
        """Remember who left in the recorded first turn of this round; it was played from another entry."""
        if self.battle.turn > self.until and self._round <= len(self._starts):
            entry = self.record.turns[self._starts[self._round - 1]]
            self._left += [seat for seat in entry.gone if seat not in self.live]

    def _merged(self, entry: TurnEntry | None, intents: Mapping[Seat, Any]) -> TurnEntry:
        """Return the turn as it is played: the live seats' intents, and the ghosts'."""
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
            else:
                played[seat] = game.intent_when_missed(state, seat, "idle")
        gone = [s for s in (entry.gone if entry is not None else ()) if s not in self.live]
        gone, self._left = [*self._left, *gone], []
        return TurnEntry(self.battle.turn + 1, played, tuple(skipped), {}, tuple(gone))
