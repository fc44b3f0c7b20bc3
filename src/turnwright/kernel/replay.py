"""Play a record again without its participants: all of it, up to a turn, or to see where it differs."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from turnwright.errors import RecordError, SetupError, VoidBattleError
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.checks import SEAT_DIGITS, checks, differing, odd_seat, part_names, watched
from turnwright.kernel.game import Game, Outcome, Seat
from turnwright.kernel.keyframes import keyframe_interval
from turnwright.kernel.record import Broken, Record, TurnEntry

__all__ = ["Mismatch", "Replayer", "Verification", "agrees", "rebuild", "replay", "verify"]

_LOOK_AHEAD = 64
"""Turns in which checks are looked for, once a turn differs."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first turn that comes out differently, and the first part of the state that does.

    turn: 0 for the header, None for the footer. seat: the first one whose state differs, where one does.
    seen: the turn in which the parts were compared, where the turn's own checks do not tell them: up to 31
    turns later. line: of the file, where what differs is a line that was changed. also: other parts that
    differ.
    """

    turn: int | None
    field: str
    recorded: str
    replayed: str
    seat: Seat | None = None
    seen: int | None = None
    line: int | None = None
    also: tuple[str, ...] = ()


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
        if turn < self.turn or keyframe > self.turn:
            if keyframe:
                self.battle.restore(self._keyframes[keyframe])
                self._prepare(self.battle)
            else:
                self._start()
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

    def _start(self) -> None:
        self.battle = rebuild(self.record, self.game, keep_digests=False)
        self.last = None
        self._prepare(self.battle)


def _nothing(battle: Battle) -> None:
    """Nothing is to be prepared."""


# ---- verify --------------------------------------------------------------------------------------------


def verify(record: Record, game: Game) -> Verification:
    """Re-simulate a record and compare it turn by turn; then say which line was changed, if one was.

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
                located = _locate(mismatch, record.turns[done:], battle)
                return Verification(done, located, record.truncated, rounds)
            rounds += closed.entry.opening
            done += 1
    except VoidBattleError as error:
        entry = record.turns[done]
        if entry.digest:
            mismatch = Mismatch(entry.turn, "rules", entry.digest, str(error))
            return Verification(done, mismatch, record.truncated, rounds)
    outcome = battle.outcome if record.turns else None
    return Verification(done, _end_of(record, outcome), record.truncated, rounds, outcome)


def agrees(recorded: str, digest: str) -> bool:
    """Return whether a state's digest is the recorded one, of which a file holds the first digits."""
    return digest.startswith(recorded) and bool(recorded) == bool(digest)


def _changed(broken: Broken) -> Mismatch:
    return Mismatch(broken.turn, "line", broken.recorded, broken.found, line=broken.line)


def _end_of(record: Record, outcome: Outcome | None) -> Mismatch | None:
    """Compare what the end of a record says with its turns."""
    if record.broken is not None:
        return _changed(record.broken)
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


def _locate(mismatch: Mismatch, rest: Sequence[TurnEntry], battle: Battle) -> Mismatch:
    """Say whose and which part of the state differs, as far as the record's checks tell.

    rest: the entries from the turn that differs on; the battle has resolved that one. Each turn has checks
    of the single seat that differs, and of the parts where it shows first. Where they do not tell, the
    battle is played on to the next turn that has more.
    """
    if mismatch.field != "state":
        return mismatch
    game, kept = battle.game, battle.header.check_digits
    recorded, found = rest[0].checks, checks(game, battle.state, everything=False)
    names = watched(game, battle.state)
    parts = [names[k - SEAT_DIGITS] for k in differing(recorded[:kept], found) if k >= SEAT_DIGITS]
    located = _with_parts(replace(mismatch, seat=odd_seat(recorded, found, battle.seats)), parts)
    if located.seat is not None and parts:
        return replace(located, seen=mismatch.turn)
    return _locate_later(located, rest, battle, kept)


def _locate_later(mismatch: Mismatch, rest: Sequence[TurnEntry], battle: Battle, kept: int) -> Mismatch:
    """Take what is not known yet from the next checks of everything.

    Parts that are watched in each turn did not differ before, so those that are not go first.
    """
    game, seats = battle.game, battle.seats
    with suppress(VoidBattleError):
        for entry in rest[:_LOOK_AHEAD]:
            if entry.turn > battle.turn:
                battle.replay_turn(entry)
            if len(entry.checks) <= kept:
                continue
            places = differing(entry.checks[kept:], checks(game, battle.state)[kept:])
            if places:
                names, known = part_names(game, battle.state), watched(game, battle.state)
                parts = [names[k - seats] for k in places if k >= seats]
                if mismatch.field == "state":
                    mismatch = _with_parts(mismatch, sorted(parts, key=lambda part: part in known))
                if mismatch.seat is None:
                    mismatch = replace(mismatch, seat=next((k for k in places if k < seats), None))
                return replace(mismatch, seen=entry.turn)
    return mismatch


def _with_parts(mismatch: Mismatch, parts: Sequence[str]) -> Mismatch:
    return replace(mismatch, field=parts[0], also=tuple(parts[1:])) if parts else mismatch
