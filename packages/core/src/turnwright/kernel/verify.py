"""Compares a record with its replay, and names the turn, seats and fields that differ."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from turnwright.errors import VoidBattleError
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import Game, Outcome, Seat
from turnwright.kernel.record import ChangedLine, Record, TurnEntry
from turnwright.kernel.replay import agrees, rebuild
from turnwright.kernel.state_checks import differing


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first turn that differs from the record, and what is known about the difference.

    Attributes:
        turn: the number of the turn. 0 means that the header differs. None means that the footer differs.
        what: the part that differs. It is "state", or another part of the turn or of the footer, e.g.
            "disqualified". It is "line" if a line was changed and `fields` is empty.
        recorded, replayed: this part in the record and in the replay. If a line was changed, they are the
            hash in the line and the hash of the line as it is now.
        line: the number, in the file, of the line that was changed. None means that no line was changed.
        seats, fields: the seats and fields of the state that differ in turn `seen`. Both are empty if the
            record does not show them.
        seen: the turn, `turn` or later, whose full check was compared. None means that none was compared.
    """

    turn: int | None
    what: str
    recorded: str
    replayed: str
    line: int | None = None
    seats: tuple[Seat, ...] = ()
    fields: tuple[str, ...] = ()
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class Verification:
    """Result of `verify`.

    If a turn differs, `outcome`, `round_scores` and `digest` keep their defaults.

    Attributes:
        turns, rounds: the numbers of turns and rounds that match the record.
        mismatch: the first difference or changed line, or None.
        outcome: the outcome, if the battle has ended.
        round_scores: the scores of each round, by round and seat.
        digest: the digest of the state after the last turn.
        truncated: whether the record has no footer.
    """

    turns: int
    mismatch: Mismatch | None
    truncated: bool = False
    rounds: int = 0
    outcome: Outcome | None = None
    round_scores: tuple[tuple[float, ...], ...] = ()
    digest: str = ""

    @property
    def ok(self) -> bool:
        """Whether the replay matches the record, and no line was changed."""
        return self.mismatch is None


def verify(record: Record, game: Game, watch: Callable[[int], None] | None = None) -> Verification:
    """Replay a record and compare it turn by turn.

    Args:
        watch: a function that is called after each turn with the number of turns that match.

    Raises:
        RecordError: the record is of another game or behaviour version, or its battle cannot be set up.
    """
    broken, done, rounds = record.broken, 0, 0
    if broken is not None and broken.turn == 0:
        return Verification(0, _changed(broken))
    battle = rebuild(record, game)
    for at, entry in enumerate(record.turns):
        mismatch = _replayed(entry, battle)
        if mismatch is not None and mismatch.what == "state":
            mismatch = _located(mismatch, record.turns[at:], battle)
        if broken is not None and entry.turn == broken.turn:
            mismatch = _changed(broken, mismatch)
        if mismatch is not None:
            return Verification(done, mismatch, record.truncated, rounds)
        if battle.void is not None:
            break
        done += 1
        rounds += entry.opening
        if watch is not None:
            watch(done)
    end = _changed(broken) if broken is not None else _compare_end(record, battle.outcome)
    scores = battle.score_sheet.by_round(battle.outcome)
    return Verification(done, end, record.truncated, rounds, battle.outcome, scores, battle.digest)


def replays_alike(record: Record, game: Game, turns: int) -> bool:
    """Return whether two replays of the first `turns` turns are equal.

    If they differ, the game is not deterministic.

    Raises:
        RecordError: the record cannot be played.
    """
    return _digests(record, game, turns) == _digests(record, game, turns)


def _digests(record: Record, game: Game, turns: int) -> list[str]:
    """Return the digests of a replay of `turns` turns. If the rules fail in a turn, the list ends before
    it.
    """
    battle, found = rebuild(record, game), list[str]()
    for entry in record.turns[:turns]:
        try:
            found.append(battle.replay_turn(entry).entry.digest)
        except VoidBattleError:
            break
    return found


def _replayed(entry: TurnEntry, battle: Battle) -> Mismatch | None:
    """Play the next turn and return its difference from its entry, or None. If the entry has no digest, the
    rules failed in this turn, and they must fail again.
    """
    try:
        closed = battle.replay_turn(entry)
    except VoidBattleError as error:
        return Mismatch(entry.turn, "rules", entry.digest, str(error)) if entry.digest else None
    return _compare(entry, closed.entry, battle)


_FACTS = ("turn", "disqualified", "faults", "opening")
_facts_of = attrgetter(*_FACTS)
"""The parts of a turn's entry that are compared in addition to its state."""


def _compare(recorded: TurnEntry, replayed: TurnEntry, battle: Battle) -> Mismatch | None:
    turn = recorded.turn
    one, two = _facts_of(recorded), _facts_of(replayed)
    if one != two:
        name, a, b = next(row for row in zip(_FACTS, one, two, strict=True) if row[1] != row[2])
        return Mismatch(turn, name, str(a), str(b))
    if not agrees(recorded.digest, replayed.digest):
        return Mismatch(turn, "state", recorded.digest, replayed.digest[: len(recorded.digest)])
    if recorded.keyframe:
        return _compare_keyframe(turn, recorded.keyframe, battle.save())
    return None


def _located(mismatch: Mismatch, rest: Sequence[TurnEntry], battle: Battle) -> Mismatch:
    """Add the seats and fields that differ at the next full check. If the states are equal again in that
    turn, add nothing.

    Args:
        rest: the entries, beginning with the first turn that differs. The battle has already resolved this
            turn.
    """
    for entry in rest:
        if entry.turn > battle.turn and not _still_differs(entry, battle):
            break
        if entry.checks:
            seats, fields = differing(battle.game, battle.state, entry.checks)
            return replace(mismatch, seats=seats, fields=fields, seen=entry.turn)
    return mismatch


def _still_differs(entry: TurnEntry, battle: Battle) -> bool:
    """Play the next turn. Return whether the turn could be played, and its state differs, too."""
    if battle.outcome is not None:
        return False
    try:
        closed = battle.replay_turn(entry)
    except VoidBattleError:
        return False
    return not agrees(entry.digest, closed.entry.digest)


def _changed(broken: ChangedLine, mismatch: Mismatch | None = None) -> Mismatch:
    """Return the mismatch with the number of the changed line.

    Args:
        mismatch: the difference that the changed line causes in its turn, or None. It is only kept if it
            names fields.
    """
    if mismatch is None or not mismatch.fields:
        mismatch = Mismatch(broken.turn, "line", "", "")
    return replace(mismatch, recorded=broken.recorded, replayed=broken.found, line=broken.line)


def _compare_end(record: Record, outcome: Outcome | None) -> Mismatch | None:
    """Return the difference between the footer of a record and its turns, or None."""
    footer, turns = record.footer, len(record.turns)
    if footer is None or footer.ending != "over":
        return None
    if footer.turns != turns:
        return Mismatch(None, "turns", str(footer.turns), str(turns))
    return None if outcome is not None else Mismatch(None, "ending", "over", "it continues")


def _compare_keyframe(turn: int, recorded: bytes, replayed: bytes) -> Mismatch | None:
    if recorded == replayed:
        return None
    try:
        found = _difference("keyframe", json.loads(recorded), json.loads(replayed))
    except (ValueError, RecursionError):
        found = ("keyframe", "no JSON", "a keyframe")
    return None if found is None else Mismatch(turn, *found)


def _difference(path: str, one: Any, two: Any) -> tuple[str, str, str] | None:
    """Return the first place where two JSON values differ, and the beginnings of the two values there. If
    nothing differs, return None.
    """
    if type(one) is type(two) is dict and one.keys() == two.keys():
        pairs = [(f"{path}.{key}", one[key], two[key]) for key in one]
    elif type(one) is type(two) is list and len(one) == len(two):
        pairs = [(f"{path}[{k}]", *pair) for k, pair in enumerate(zip(one, two, strict=True))]
    else:
        return None if one == two else (path, str(one)[:40], str(two)[:40])
    return next((found for pair in pairs if (found := _difference(*pair)) is not None), None)
