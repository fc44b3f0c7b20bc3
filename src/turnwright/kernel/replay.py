"""Play a record again without its participants, and say where it comes out differently."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from turnwright.errors import RecordError, VoidBattleError
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.game import Game
from turnwright.kernel.record import Record, TurnEntry, checks

__all__ = ["Mismatch", "Verification", "rebuild", "replay", "verify"]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first turn that comes out differently, and the first field of the state that does."""

    turn: int
    field: str
    recorded: str
    replayed: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What verifying found. turns: how many came out as recorded."""

    turns: int
    mismatch: Mismatch | None
    truncated: bool = False

    @property
    def ok(self) -> bool:
        """Whether every turn came out as recorded."""
        return self.mismatch is None


def rebuild(record: Record, game: Game) -> Battle:
    """Return the battle of a record before its first turn.

    Raises: RecordError when the record is of another game or of another version of its behaviour.
    """
    header = record.header
    if header.game != game.name:
        raise RecordError(f"the record is of the game {header.game!r}, not of {game.name!r}")
    if header.behaviour_version != game.behaviour_version:
        raise RecordError(
            f"the record was made by behaviour version {header.behaviour_version} of {game.name!r}; "
            f"this is version {game.behaviour_version}: replay it with a release of that version"
        )
    return Battle(game, header.setup, header.seats, header.seed, header.rules, tolerant=header.tolerant)


def replay(record: Record, game: Game) -> Iterator[tuple[TurnEntry, Closed, Battle]]:
    """Yield, for each recorded turn, its entry, the turn resolved again, and the battle after it.

    Raises: VoidBattleError at the turn in which the recorded battle became void too.
    """
    battle = rebuild(record, game)
    for entry in record.turns:
        yield entry, battle.replay_turn(entry), battle


def verify(record: Record, game: Game) -> Verification:
    """Re-simulate a record and compare it turn by turn.

    Raises: RecordError when the record is of another game or behaviour version.
    """
    done = 0
    try:
        for entry, closed, battle in replay(record, game):
            mismatch = _compare(entry, closed.entry, battle)
            if mismatch is not None:
                return Verification(done, mismatch, record.truncated)
            done += 1
    except VoidBattleError as error:
        entry = record.turns[done]
        if entry.digest:
            return Verification(
                done, Mismatch(entry.turn, "rules", entry.digest, str(error)), record.truncated
            )
    return Verification(done, None, record.truncated)


def _compare(recorded: TurnEntry, replayed: TurnEntry, battle: Battle) -> Mismatch | None:
    for name in ("turn", "disqualified", "faults"):
        one, two = getattr(recorded, name), getattr(replayed, name)
        if one != two:
            return Mismatch(recorded.turn, name, str(one), str(two))
    if recorded.digest == replayed.digest:
        return None
    where = _locate(recorded.checks, battle.game, battle.state)
    return Mismatch(recorded.turn, where, recorded.digest, replayed.digest)


def _locate(recorded: bytes, game: Game, state: Any) -> str:
    """Name the first field that differs, as far as the record's check bytes tell."""
    if not recorded:
        return "state"
    code, rows, columns = checks(game, state)
    if len(code) != len(recorded):
        return "the number of things in the state"
    differs = [a != b for a, b in zip(code, recorded, strict=True)]
    row = [n for n, d in zip(rows, differs, strict=False) if d]
    column = [n for n, d in zip(columns, differs[len(rows) :], strict=True) if d]
    return ".".join((row or ["state"])[:1] + column[:1])
