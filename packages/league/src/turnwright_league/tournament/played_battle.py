"""The played battles of a tournament, with the scores of their entries.

    specification ──▶ battle ──▶ PlayedBattle ──▶ standings, ratings (pure functions of all)

A played battle never changes, except that its record may be deleted. A new statistic needs no new battle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from turnwright.kernel.failure import Failure, FailureReason
from turnwright_league.tournament.battle_spec import BattleSpec

BattleState = Literal["ok", "forfeit", "void"]
"""The state of a battle.

* ok: it was played to its end.
* forfeit: an entry has failed, perhaps before the start, and has a score of 0.
* void: the rules or the server failed, so it does not count.
"""


@dataclass(frozen=True, slots=True)
class EntryScore:
    """The score of one entry in one battle. A team is one entry.

    Attributes:
        seat: the first of its seats in `BattleSpec.seats`.
        entry: the entry's id.
        score: the score over all rounds.
        rounds: the score of each round, in order. Their sum equals `score`, except for rounding.
        survival: the score for survival, if the game has one.
        columns: the game's own scores, by name.
        skipped: the number of missed turns.
        late: the number of answers after their deadline.
        p50_us, p99_us, max_us: the median, the 99th percentile and the largest of its answer times in µs, or
            0 if they were not measured. A team has the values of its slowest member.
        failure: why it stopped playing, without its printed lines, or None if it played to the end.
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
        """Whether the entry failed because the machine was busy."""
        return self.failure is not None and self.failure.reason is FailureReason.BUSY

    @property
    def is_forfeit(self) -> bool:
        """Whether the entry failed by its own fault and so has no points."""
        return self.failure is not None and self.score == 0 and not self.is_of_machine


@dataclass(frozen=True, slots=True)
class PlayedBattle:
    """A played battle of a tournament.

    Attributes:
        scores: the score of each entry, in the order of seats.
        suspect: why it does not count until it is played again, e.g. "the server was late in 12 of 800
            turns". It is empty without such a reason.
        server_late_turns: the number of turns in which the server was late.
        digest: the hexadecimal digest of the record's last turn, or "" if nothing was recorded.
        record: the name of its record in the tournament's folder, or None if no record is kept.
        turnwright: the version of turnwright that played it.
        sandbox: the sandbox level of its programs.
        attempts: how often it was played.
        played_us: the time of its end, UTC, µs since 1970.
        worker: the name of the cluster's worker that played it, "rumble" for an imported result, or "".
        kept: the number of bots whose processes had played other battles before.
        record_deleted: whether its record was deleted to make room.
        record_hash: the hash of its record's file, or "" if no record was kept or an earlier version played
            it.
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
        """The id of the battle's specification. A battle that is played twice counts once."""
        return self.spec.id

    @property
    def counts(self) -> bool:
        """Whether standings use it, because it is neither void nor suspect."""
        return self.state != "void" and not self.suspect


def failure_of_word(word: str, late: int) -> Failure | None:
    """Return the failure for the one word in a result of an earlier version, or None for an unknown word.

    The word does not say everything that a failure contains. Unknown fields stay empty.

    Args:
        late: the number of the entry's answers after their deadline.
    """
    untold = "" if late else "or it stopped answering (an earlier version did not tell)"
    return {
        "not started": Failure(FailureReason.SILENT, error="it did not start"),
        "crashed": Failure(FailureReason.LEFT, error="before its first answer"),
        "never answered": Failure(FailureReason.SILENT),
        "disqualified": Failure(FailureReason.SLOW, error=untold),
        "left": Failure(FailureReason.LEFT),
    }.get(word)
