"""The battles of a tournament that were played, with the score of each entry.

    specification ──▶ battle ──▶ PlayedBattle ──▶ standings, ratings (pure functions of all)

A played battle is never changed, but for its record, which may be deleted; a new statistic needs no new
battle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from turnwright.kernel.failure import Failure, FailureReason
from turnwright_league.tournament.battle_spec import BattleSpec

BattleState = Literal["ok", "forfeit", "void"]
"""What became of a battle.

* ok: it was played to its end.
* forfeit: an entry has failed, perhaps before the start, and has a score of 0.
* void: the rules or the server failed, so it does not count.
"""


@dataclass(frozen=True, slots=True)
class EntryScore:
    """The score of one entry in one battle; a team is one row.

    Attributes:
        seat: the first of its seats in `BattleSpec.seats`.
        entry: its id.
        score: over all rounds.
        rounds: the score of each round, in order; their sum is `score`, but for rounding.
        survival: the score for survival, where the game has one.
        columns: the game's own, by name.
        skipped: missed turns.
        late: answers after their deadline.
        p50_us, p99_us, max_us: its answer times, 0 where nothing was measured.
        failure: why it played no more, without what it printed; None for one that played to the end.
    """

    seat: int
    entry: str
    score: float
    rounds: tuple[float, ...] = ()
    survival: float | None = None
    columns: Mapping[str, float] = field(default_factory=dict)
    skipped: int = 0
    late: int = 0
    p50_us: int = 0
    p99_us: int = 0
    max_us: int = 0
    failure: Failure | None = None

    @property
    def is_of_machine(self) -> bool:
        """Whether it failed because the machine was busy."""
        return self.failure is not None and self.failure.reason is FailureReason.BUSY

    @property
    def is_forfeit(self) -> bool:
        """Whether it failed by its own fault, and scored nothing."""
        return self.failure is not None and self.score == 0 and not self.is_of_machine


@dataclass(frozen=True, slots=True)
class PlayedBattle:
    """One battle of a tournament that was played.

    Attributes:
        scores: by seat.
        suspect: why it does not count until it is played again, e.g. "the server was late in 12 of 800
            turns"; empty: it counts.
        digest: of the record's last turn, hexadecimal; "" where nothing was recorded.
        record: the name of its record below the tournament's folder, or None where none is kept.
        turnwright: the version that played it.
        sandbox: the level at which its programs were kept in.
        attempts: how often it was played until it counted.
        played_us: UTC, µs since 1970.
        kept: the bots whose processes had played other battles before.
        record_deleted: it had a record, which was deleted for room.
        record_hash: of the file of its record, "" where none was kept, or by an earlier version.
    """

    spec: BattleSpec
    state: BattleState
    scores: tuple[EntryScore, ...]
    turns: int = 0
    suspect: tuple[str, ...] = ()
    server_late_turns: int = 0
    digest: str = ""
    record: str | None = None
    turnwright: str = ""
    sandbox: str = "none"
    attempts: int = 1
    played_us: int = 0
    worker: str = ""
    kept: int = 0
    record_deleted: bool = False
    record_hash: str = ""

    @property
    def id(self) -> str:
        """The id of its specification: a battle that is played twice counts once."""
        return self.spec.id

    @property
    def counts(self) -> bool:
        """Whether standings use it: it is neither void nor suspect."""
        return self.state != "void" and not self.suspect


def failure_of_word(word: str, late: int) -> Failure | None:
    """Return the failure that a result of an earlier version has as one word.

    Such a word says less than a failure does now. What is not known stays empty.

    Args:
        late: how many answers of the entry came after their deadline.
    """
    untold = "" if late else "or it stopped answering (an earlier version did not tell)"
    return {
        "not started": Failure(FailureReason.SILENT, error="it did not start"),
        "crashed": Failure(FailureReason.LEFT, error="before its first answer"),
        "never answered": Failure(FailureReason.SILENT),
        "disqualified": Failure(FailureReason.SLOW, error=untold),
        "left": Failure(FailureReason.LEFT),
    }.get(word)
