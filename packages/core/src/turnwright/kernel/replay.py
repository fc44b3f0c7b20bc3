"""Replays a record without its participants, in full or at any turn."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import TypeVar

from turnwright.errors import RecordError, SetupError, VoidBattleError
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.game import Game
from turnwright.kernel.record import Record, TurnEntry, keyframe_interval

B = TypeVar("B", bound=Battle)


def rebuild(record: Record, game: Game, *, keep_digests: bool = True) -> Battle:
    """Return the battle of a record before its first turn.

    Raises:
        RecordError: the record is of another game or behaviour version, or a battle with its header cannot be
            played.
    """
    return rebuild_as(Battle, record, game, keep_digests=keep_digests)


def rebuild_as(
    kind: type[B],
    record: Record,
    game: Game,
    *,
    keep_digests: bool = True,
    keep_checks: bool = False,
    made_by: str = "",
) -> B:
    """Return the battle of a record before its first turn, as an instance of `kind`.

    The other arguments are the same as for `Battle`, and the errors are the same as for `rebuild`.
    """
    header = record.header
    if header.game != game.name:
        raise RecordError(f"the record is of the game {header.game!r}, not of {game.name!r}")
    if header.behaviour_version != game.behaviour_version:
        raise RecordError(
            f"the record was made by behaviour version {header.behaviour_version} of {game.name!r}; "
            f"this is version {game.behaviour_version}: replay it with a turnwright of that version"
        )
    try:
        return kind(
            game,
            header.setup,
            header.seats,
            header.seed,
            header.rules,
            tolerant=header.tolerant,
            keep_digests=keep_digests,
            keep_checks=keep_checks,
            made_by=made_by,
            announced=header.announced,
        )
    except (SetupError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise RecordError(f"the record's battle cannot be set up: {error}") from error


def replay(record: Record, game: Game) -> Iterator[tuple[TurnEntry, Closed, Battle]]:
    """For each recorded turn, yield the entry in the record, the same turn resolved again, and the battle
    after this turn. The battle is always the same object.

    Raises:
        RecordError: the record cannot be played (see `rebuild`).
        VoidBattleError: the rules fail in a turn.
    """
    battle = rebuild(record, game)
    for entry in record.turns:
        yield entry, battle.replay_turn(entry), battle


# ---- any turn ------------------------------------------------------------------------------------------


class Replayer:
    """The battle of a record at any of its turns.

    The replayer starts from the keyframes of the record, and makes and keeps additional keyframes.

    Args:
        prepare: called with the battle whenever the replayer has made a new state. It can set facts that the
            record does not contain, e.g. whose debug graphics are shown.

    Attributes:
        turns: the number of turns that can be reached. A turn in which the rules failed cannot be reached.

    Raises:
        RecordError: as for `rebuild`.
    """

    def __init__(self, record: Record, game: Game, prepare: Callable[[Battle], None] | None = None) -> None:
        self.record = record
        self.game = game
        entries = record.turns
        failed = bool(entries) and not entries[-1].digest and any(entry.digest for entry in entries)
        self.turns = len(entries) - failed
        self.last: Closed | None = None
        """The last resolved turn. None means that the replayer is at the beginning of the battle."""
        self._prepare = prepare or _prepare_nothing
        self._keyframes = {entry.turn: entry.keyframe for entry in entries if entry.keyframe}
        self._at = sorted(self._keyframes)
        every = game.keyframe_turns
        self._interval = keyframe_interval(len(record.header.seats)) if every is None else every
        self._start()

    @property
    def turn(self) -> int:
        """The number of resolved turns, 0 … turns."""
        return self.battle.turn

    def seek(self, turn: int) -> Battle:
        """Return the battle after `turn` turns, 0 … turns.

        The battle belongs to the replayer. Do not change it.

        Raises:
            RecordError: the record does not have the turn, or cannot be played up to it.
        """
        if not 0 <= turn <= self.turns:
            raise RecordError(f"turn {turn} is not in the record: give 0 to {self.turns}")
        start = self._start_of(turn)
        if start != self.turn:
            self._restart(start)
        while self.turn < turn:
            self.step()
        return self.battle

    def distance(self, turn: int) -> int:
        """Return the number of turns that `seek` would resolve to reach a turn."""
        return turn - self._start_of(turn)

    def _start_of(self, turn: int) -> int:
        """Return the turn from which a seek starts. It is the turn of a keyframe, the beginning (0), or the
        current turn.
        """
        # Keyframes contain no events, so the turn that is shown is always resolved.
        before = bisect_left(self._at, turn)
        keyframe = self._at[before - 1] if before else 0
        return keyframe if turn < self.turn or keyframe > self.turn else self.turn

    def step(self) -> Closed | None:
        """Resolve the next turn and return it, or None at the end. `battle` is then the battle after it.

        Raises:
            RecordError: the turn cannot be played.
        """
        if self.turn >= self.turns:
            return None
        try:
            self.last = closed = self.battle.replay_turn(self.record.turns[self.turn])
        except VoidBattleError as error:
            raise RecordError(f"the record cannot be continued: {error}") from error
        turn = self.turn
        due = self._interval and turn % self._interval == 0
        if due and turn not in self._keyframes and closed.outcome is None:
            self._keyframes[turn] = self.battle.save()
            self._at.insert(bisect_left(self._at, turn), turn)
        return closed

    def rounds(self) -> list[int]:
        """Return the turns that began a round, in order."""
        return [entry.turn for entry in self.record.turns[: self.turns] if entry.opening]

    def _restart(self, keyframe: int) -> None:
        """Load the keyframe after the turn `keyframe`, or the beginning of the battle (0)."""
        if keyframe:
            self.battle.restore(self._keyframes[keyframe])
            self._prepare(self.battle)
        else:
            self._start()

    def _start(self) -> None:
        self.battle = rebuild(self.record, self.game, keep_digests=False)
        self.last = None
        self._prepare(self.battle)


def _prepare_nothing(battle: Battle) -> None:
    """Do nothing. This is the default of `prepare`."""


def agrees(recorded: str, digest: str) -> bool:
    """Return whether a digest begins with the recorded digits.

    For a turn in which the rules failed, `recorded` is empty, and agrees only with an empty digest.
    """
    return digest.startswith(recorded) and bool(recorded) == bool(digest)
