"""Play a record again without its participants: all of it, up to a turn, or to see where it differs."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from turnwright.errors import RecordError, SetupError, VoidBattleError
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.game import Game, Outcome, Table
from turnwright.kernel.keyframes import keyframe_interval
from turnwright.kernel.locating import Mismatch, compared, differs, locate
from turnwright.kernel.record import Broken, Record, TurnEntry
from turnwright.kernel.unswept import unswept

__all__ = ["Mismatch", "Replayer", "Verification", "agrees", "rebuild", "replay", "verify"]

_UNSWEPT_TURNS = 1_000
"""So many turns are played without garbage being looked for; keyframes lie closer together."""
_PAST = 64
"""Turns before one that differs whose states tell what it may have been."""
_LOOK_BACK = 8
"""Turns before one that differs in which the checks may show it first: a file has few digits of a digest."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What verifying found. turns, rounds: that came out as recorded. outcome: if the battle has ended."""

    turns: int
    mismatch: Mismatch | None
    truncated: bool = False
    rounds: int = 0
    outcome: Outcome | None = None

    @property
    def ok(self) -> bool:
        """Whether every turn came out as recorded."""
        return self.mismatch is None


def rebuild(record: Record, game: Game, *, keep_digests: bool = True) -> Battle:
    """Return the battle of a record before its first turn.

    Raises: RecordError when the record is of another game or of another version of its behaviour, or when
    what its header says cannot be played.
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
        return Battle(
            game,
            header.setup,
            header.seats,
            header.seed,
            header.rules,
            tolerant=header.tolerant,
            keep_digests=keep_digests,
        )
    except (SetupError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise RecordError(f"the record's battle cannot be set up: {error}") from error


def replay(record: Record, game: Game) -> Iterator[tuple[TurnEntry, Closed, Battle]]:
    """Yield, for each recorded turn, its entry, the turn resolved again, and the battle after it.

    Raises: VoidBattleError at the turn in which the recorded battle became void too.
    """
    battle = rebuild(record, game)
    for entry in record.turns:
        yield entry, battle.replay_turn(entry), battle


# ---- any turn ------------------------------------------------------------------------------------------


class Replayer:
    """The battle of a record, at any turn of it: by keyframes of the record, and of its own on the way.

    turns: how many can be seen; the one in which the rules failed cannot. prepare: is called with the battle
    whenever it has a new state, to set what is not the record's affair, e.g. whose debug graphics are shown.
    Raises: RecordError when the record is of another game or version; later, when a keyframe is no good.
    """

    def __init__(self, record: Record, game: Game, prepare: Callable[[Battle], None] | None = None) -> None:
        self.record = record
        self.game = game
        entries = record.turns
        failed = bool(entries) and not entries[-1].digest and any(entry.digest for entry in entries)
        self.turns = len(entries) - failed
        self.last: Closed | None = None
        """The turn that the replayer stands at, as it was resolved; None before the first."""
        self._prepare = prepare or _nothing
        self._keyframes = {entry.turn: entry.keyframe for entry in entries if entry.keyframe}
        self._at = sorted(self._keyframes)
        every = game.keyframe_turns
        self._interval = keyframe_interval(len(record.header.seats)) if every is None else every
        self._start()

    @property
    def turn(self) -> int:
        """How many turns of the battle are resolved, 0 … turns."""
        return self.battle.turn

    def seek(self, turn: int) -> Battle:
        """Return the battle after `turn` turns, 0 … turns. The battle is the replayer's: read it only.

        Raises: RecordError for a turn that the record does not have, or a keyframe that is no good.
        """
        if not 0 <= turn <= self.turns:
            raise RecordError(f"turn {turn} is not in the record: give 0 to {self.turns}")
        before = bisect_left(self._at, turn)  # a turn is seen by resolving it, not by its own keyframe
        keyframe = self._at[before - 1] if before else 0
        start = keyframe if turn < self.turn or keyframe > self.turn else self.turn
        with unswept() if turn - start <= _UNSWEPT_TURNS else nullcontext():
            if start != self.turn:
                self._restart(start)
            while self.turn < turn:
                self.step()
        return self.battle

    def step(self) -> Closed | None:
        """Resolve the next turn and return it; None when there is none. The battle is `battle`.

        Raises: RecordError when it cannot be played.
        """
        if self.turn >= self.turns:
            return None
        try:
            self.last = closed = self.battle.replay_turn(self.record.turns[self.turn])
        except VoidBattleError as error:
            raise RecordError(f"the record cannot be played on: {error}") from error
        turn = self.turn
        due = self._interval and turn % self._interval == 0
        if due and turn not in self._keyframes and closed.outcome is None:
            self._keyframes[turn] = self.battle.save()
            self._at.insert(bisect_left(self._at, turn), turn)
        return closed

    def rounds(self) -> list[int]:
        """Return the turns that began a round, in order; plays all of it where the record does not say."""
        entries = self.record.turns
        if not entries or entries[0].opening:
            return [entry.turn for entry in entries[: self.turns] if entry.opening]
        here, starts = self.turn, []
        self.seek(0)
        while (closed := self.step()) is not None:
            if closed.entry.opening:
                starts.append(closed.entry.turn)
        self.seek(here)
        return starts

    def _restart(self, keyframe: int) -> None:
        """Stand at a keyframe, or at the beginning: 0."""
        if keyframe:
            self.battle.restore(self._keyframes[keyframe])
            self._prepare(self.battle)
        else:
            self._start()

    def _start(self) -> None:
        self.battle = rebuild(self.record, self.game, keep_digests=False)
        self.last = None
        self._prepare(self.battle)


def _nothing(battle: Battle) -> None:
    """Nothing is to be prepared."""


# ---- verify --------------------------------------------------------------------------------------------


def verify(record: Record, game: Game, watch: Callable[[int], None] | None = None) -> Verification:
    """Re-simulate a record and compare it turn by turn; then say which line was changed, if one was.

    watch: told after each turn how many came out as recorded.
    Raises: RecordError when the record is of another game or behaviour version.
    """
    done = rounds = 0
    if record.broken is not None and record.broken.turn == 0:
        return Verification(0, _changed(record.broken))
    marked = bool(record.turns) and record.turns[0].opening
    try:
        for entry, closed, battle in replay(record, game):
            mismatch = _compare(entry, closed.entry, battle, marked=marked)
            if mismatch is not None:
                if mismatch.field == "state":
                    done, rounds, mismatch = _first_odd(record, game, done)
                return Verification(done, mismatch, record.truncated, rounds)
            rounds += closed.entry.opening
            done += 1
            if watch is not None:
                watch(done)
    except VoidBattleError as error:
        entry = record.turns[done]
        if entry.digest:
            mismatch = Mismatch(entry.turn, "rules", entry.digest, str(error))
            return Verification(done, mismatch, record.truncated, rounds)
    outcome = battle.outcome if record.turns else None
    if record.broken is not None:
        played = battle if record.turns else rebuild(record, game)
        return Verification(
            done, _broken_at(record, record.broken, played), record.truncated, rounds, outcome
        )
    return Verification(done, _end_of(record, outcome), record.truncated, rounds, outcome)


def _first_odd(record: Record, game: Game, done: int) -> tuple[int, int, Mismatch]:
    """Play a battle again, up to a turn whose digest differs, and return where the state does so first.

    Returns how many turns and rounds came out as recorded before it.
    """
    rounds = 0
    past: deque[list[Table]] = deque(maxlen=_PAST)
    for at, (entry, closed, battle) in enumerate(replay(record, game)):
        if at >= done - _LOOK_BACK and (at == done or differs(entry, battle)):
            said = Mismatch(entry.turn, "state", *compared(entry, battle, closed.entry.digest))
            return at, rounds, locate(said, record.turns[at:], battle, past)
        if at >= done - _PAST:
            past.append(list(game.tables(battle.state)))
        rounds += closed.entry.opening
    raise AssertionError(f"turn {done + 1} differed, and does not any more")


def agrees(recorded: str, digest: str) -> bool:
    """Return whether a state's digest is the recorded one, of which a file holds the first digits."""
    return digest.startswith(recorded) and bool(recorded) == bool(digest)


def _changed(broken: Broken) -> Mismatch:
    return Mismatch(broken.turn, "line", broken.recorded, broken.found, line=broken.line)


def _broken_at(record: Record, broken: Broken, battle: Battle) -> Mismatch:
    """Say which line was changed, and what in the state differs when its turn is played as it stands now."""
    mismatch, entry = _changed(broken), broken.entry
    if entry is None or battle.outcome is not None:
        return mismatch
    try:
        closed = battle.replay_turn(entry)
    except VoidBattleError:
        return mismatch
    same, checked = agrees(entry.digest, closed.entry.digest), not differs(entry, battle)
    if same and checked:
        return mismatch
    if same is not checked and entry.checks and _goes_on(broken.behind, battle):
        return mismatch  # a state that differs has another digest and other checks: these digits were changed
    whole = replace(record, turns=[*record.turns, entry, *broken.behind], broken=None)
    _, _, found = _first_odd(whole, battle.game, len(record.turns))
    return replace(found, turn=broken.turn, recorded=broken.recorded, replayed=broken.found, line=broken.line)


def _goes_on(behind: Sequence[TurnEntry], battle: Battle) -> bool:
    """Return whether the next turn is there and comes out as it was recorded."""
    if not behind or battle.outcome is not None:
        return False
    entry = behind[0]
    try:
        closed = battle.replay_turn(entry)
    except VoidBattleError:
        return False
    return agrees(entry.digest, closed.entry.digest) and not differs(entry, battle)


def _end_of(record: Record, outcome: Outcome | None) -> Mismatch | None:
    """Compare what the end of a record says with its turns."""
    footer, turns = record.footer, len(record.turns)
    if footer is None or footer.ending != "over":
        return None
    if footer.turns != turns:
        return Mismatch(None, "turns", str(footer.turns), str(turns))
    return None if outcome is not None else Mismatch(None, "ending", "over", "it goes on")


def _compare(recorded: TurnEntry, replayed: TurnEntry, battle: Battle, *, marked: bool) -> Mismatch | None:
    turn = recorded.turn
    for name in ("turn", "disqualified", "faults", "opening")[: 4 if marked else 3]:
        one, two = getattr(recorded, name), getattr(replayed, name)
        if one != two:
            return Mismatch(turn, name, str(one), str(two))
    if not agrees(recorded.digest, replayed.digest):
        return Mismatch(turn, "state", recorded.digest, replayed.digest[: len(recorded.digest)])
    if recorded.keyframe:
        return _compare_keyframe(turn, recorded.keyframe, battle.save())
    return None


def _compare_keyframe(turn: int, recorded: bytes, replayed: bytes) -> Mismatch | None:
    if recorded == replayed:
        return None
    try:
        found = _difference("keyframe", json.loads(recorded), json.loads(replayed))
    except (ValueError, RecursionError):
        found = ("keyframe", "no JSON", "a keyframe")
    return None if found is None else Mismatch(turn, *found)


def _difference(path: str, one: Any, two: Any) -> tuple[str, str, str] | None:
    """Return the first place where two JSON values differ, and what is there."""
    if type(one) is type(two) is dict and one.keys() == two.keys():
        pairs = [(f"{path}.{key}", one[key], two[key]) for key in one]
    elif type(one) is type(two) is list and len(one) == len(two):
        pairs = [(f"{path}[{k}]", *pair) for k, pair in enumerate(zip(one, two, strict=True))]
    else:
        return None if one == two else (path, str(one)[:40], str(two)[:40])
    return next((found for pair in pairs if (found := _difference(*pair)) is not None), None)
