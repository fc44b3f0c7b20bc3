"""Results and progress of a battle, for people and programs.

The fields have the same names as in the JSON that `turnwright battle --json` prints. All values are plain
data.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from turnwright.host.summary import BattleSummary, SeatSummary
from turnwright.kernel.failure import Failure, FailureReason, PrintedError
from turnwright.kernel.printed import PrintedLine
from turnwright.kernel.units import NS_PER_US
from turnwright.wire.escape import escaped_json


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The result of one bot, or of one team.

    Attributes:
        rank: the rank. 1 is the best rank, and equal scores share a rank.
        name: the name of the bot or team. A second bot with the same name is called "name (2)".
        columns: the game's own columns, the most important first, e.g. {"score": 12.0}. Each column is also
            an attribute, e.g. `row.score`.
        disqualified: whether the bot was disqualified from the battle because it missed too many turns in
            a row. For a team: whether every member was disqualified.
        disqualified_rounds: the numbers of the rounds, counted from 1, in which the bot was disqualified. For
            a team: the rounds in which every member was disqualified.
        failure: why the bot stopped playing, or None. For a team: the failure of its first member, if all
            members failed.
        never_answered: whether the bot was asked and never answered, not even late. For a team: whether no
            member ever answered.
        seats: the bot's seats, from 0. A team has the seats of all its members.
        rounds: the score in each round, unrounded. A game without rounds has one round.
    """

    rank: int
    name: str
    version: str
    columns: Mapping[str, Any]
    disqualified: bool = False
    never_answered: bool = False
    seats: tuple[int, ...] = ()
    rounds: tuple[float, ...] = ()
    failure: Failure | None = None
    disqualified_rounds: tuple[int, ...] = ()

    def __getattr__(self, name: str) -> Any:
        if name in ResultRow.__slots__:
            raise AttributeError(name)
        try:
            return self.columns[name]
        except KeyError:
            known = ", ".join(self.columns)
            raise AttributeError(f"a result has no {name}; its columns are {known}") from None

    def to_data(self) -> dict[str, Any]:
        """Return the row as JSON values."""
        return {
            "rank": self.rank,
            "name": self.name,
            "version": self.version,
            **self.columns,
            "disqualified": self.disqualified,
            "disqualified_rounds": list(self.disqualified_rounds),
            "never_answered": self.never_answered,
            "reason": None if self.failure is None else str(self.failure.reason),
            "seats": list(self.seats),
            "rounds": list(self.rounds),
        }


@dataclass(frozen=True, slots=True)
class Ranking:
    """The results of a battle.

    Attributes:
        rows: the results, best first.
        names: the names of the bots by seat.
        details: further results of the game.
    """

    rows: Sequence[ResultRow]
    names: Sequence[str]
    details: Any = None


@dataclass(frozen=True, slots=True)
class LatencyRow:
    """The answer times of one bot.

    An answer time begins when the server writes the observation to the bot's socket, and ends when it reads
    the answer.

    Attributes:
        p50_us, p95_us, p99_us, max_us: percentiles and maximum of the answer times, in µs.
        skipped: the number of turns that the bot missed.
        skip_reasons: for each reason, the number of turns that the bot missed for this reason. The reasons
            are no answer, late, behind, withheld, refused and left.
        late: the number of answers that came after their deadline.
        late_p50_us, late_max_us: the median and the largest delay of late answers, in µs after the deadline.
        held_us: the total time for which the battle waited for the bot's late answers, in µs.
        malformed: the number of messages that could not be understood.
        left: whether the bot left before the end.
    """

    p50_us: int
    p95_us: int
    p99_us: int
    max_us: int
    skipped: int
    late: int
    malformed: int
    late_p50_us: int = 0
    late_max_us: int = 0
    held_us: int = 0
    left: bool = False
    skip_reasons: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BattleResult:
    """The result of a battle that reached its end.

    Attributes:
        seed: the seed. A battle with the same seed and the same bots is the same, if the bots answer in time.
        turns: the number of turns in all rounds.
        results: the rows, best first.
        latency: the answer times by name of bot. Each member of a team has an entry.
        server_late_turns: the number of turns in which the server itself was late. No bot misses a turn
            because of this.
        late_missed_turns: among the turns in which the server was late, the number of turns in which a bot's
            answer came after the end of the turn, but by less time than the server was late.
        shared_skip_turns: the number of turns that two or more bots missed, for example because the
            machine was suspended.
        names: the names of the bots by seat. They are the keys of `latency`.
        behaviour_version: the behaviour version of the rules.
        digest: the digest of the state after the last turn, as in the record. "" means that no turn was
            played.
        record: the path of the record, if it is complete, or None.
        recording: the path of the recording for official viewers, if it is complete, or None.
        record_error: why one of these files is incomplete, or None.
        turn_timeout_us: each bot's time limit for a turn, in µs. None means that there was no limit, because
            all bots were Python objects of this process.
        failures: by name of each bot that stopped playing before the end, its failure.
        disqualifications: by name of each bot that was disqualified from a round, the reason and the turn.
        last_lines: by name of each failed bot, the last lines that its process printed.
        printed_errors: by name of each bot that did not fail, the first error that its process printed.
        sandbox: "full" if each bot that was started from a directory ran in its own sandbox, otherwise
            "none".
        printed: by name of each bot that printed anything, its lines. Lines beyond the limit are not kept.
        details: further results of the game (JSON values), or None.
    """

    seed: int
    game_type: str
    rounds: int
    turns: int
    results: tuple[ResultRow, ...]
    latency: Mapping[str, LatencyRow] = field(default_factory=dict)
    server_late_turns: int = 0
    record: str | None = None
    recording: str | None = None
    record_error: str | None = None
    turn_timeout_us: int | None = 30_000
    last_lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    details: Any = None
    shared_skip_turns: int = 0
    names: tuple[str, ...] = ()
    behaviour_version: int = 0
    digest: str = ""
    sandbox: str = "none"
    printed: Mapping[str, tuple[PrintedLine, ...]] = field(default_factory=dict)
    failures: Mapping[str, Failure] = field(default_factory=dict)
    printed_errors: Mapping[str, PrintedError] = field(default_factory=dict)
    late_missed_turns: int = 0
    disqualifications: Mapping[str, tuple[Failure, ...]] = field(default_factory=dict)

    @property
    def printed_in_order(self) -> list[tuple[str, PrintedLine]]:
        """The lines that bots printed, by round, turn and seat, each with the bot's name."""
        lines = [(name, line) for name, printed in self.printed.items() for line in printed]
        return sorted(lines, key=lambda pair: (pair[1].round, pair[1].turn, pair[1].seat))

    @property
    def has_crashed(self) -> bool:
        """Whether a bot crashed."""
        return any(one.reason is FailureReason.CRASHED for one in self.failures.values())

    @property
    def no_bot_answered(self) -> bool:
        """Whether no bot ever answered a turn. The results are then meaningless."""
        return bool(self.results) and all(row.never_answered for row in self.results)

    def to_data(self) -> dict[str, Any]:
        """Return the result as JSON values. `details` is left out if it is None. Of a bot's printed lines, at
        most the last PRINTED_LINES_MAX are included.
        """
        details = {} if self.details is None else {"details": self.details}
        return {
            "seed": self.seed,
            "game_type": self.game_type,
            "rounds": self.rounds,
            "turns": self.turns,
            "results": [row.to_data() for row in self.results],
            "latency": {name: asdict(row) for name, row in self.latency.items()},
            "server_late_turns": self.server_late_turns,
            "late_missed_turns": self.late_missed_turns,
            "record": self.record,
            "recording": self.recording,
            "record_error": self.record_error,
            "turn_timeout_us": self.turn_timeout_us,
            "failures": {name: failure_data(one) for name, one in self.failures.items()},
            "disqualifications": {
                name: [failure_data(one) for one in all_of_it]
                for name, all_of_it in self.disqualifications.items()
            },
            "printed_errors": {name: asdict(one) for name, one in self.printed_errors.items()},
            "last_lines": {name: list(lines) for name, lines in self.last_lines.items()},
            "printed": {name: _last_printed(lines) for name, lines in self.printed.items()},
            "shared_skip_turns": self.shared_skip_turns,
            "names": list(self.names),
            "behaviour_version": self.behaviour_version,
            "digest": self.digest,
            "sandbox": self.sandbox,
            **details,
        }

    def to_json(self) -> str:
        """Return the result as one JSON object, on one line."""
        return escaped_json(json.dumps(self.to_data(), ensure_ascii=False))


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing of one bot during the battle.

    Attributes:
        score: the score of the bot, or of its team. None means that the score is known only at the end of the
            battle.
        alive: whether the bot is still in the round.
        level: a further value from 0 to 100 that the game shows for the bot, or None.
        slow: whether the bot missed many of the last turns.
        team: the name of the bot's team, or None.
    """

    name: str
    score: float | None = 0
    alive: bool = True
    level: float | None = None
    slow: bool = False
    team: str | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a battle.

    Attributes:
        round: the number of the current round. In the stage "round over", the round that has ended.
        turn: the number of the turn in the current round.
        turns: the number of turns played in the whole battle.
        waiting_for: in the stage "starting", the names of the bots that are not connected yet. In later
            stages, the names of the bots for whose first answers the battle waits.
        printed: the lines that bots printed since the last report, each with the bot's name.
    """

    stage: Literal["starting", "playing", "round over", "over"]
    round: int = 0
    rounds: int = 0
    turn: int = 0
    turns: int = 0
    standings: tuple[Standing, ...] = ()
    waiting_for: tuple[str, ...] = ()
    printed: tuple[tuple[str, PrintedLine], ...] = ()


def rounds_of(summary: BattleSummary, seats: Sequence[int]) -> tuple[float, ...]:
    """Return, for each round, the sum of the scores of `seats`."""
    return tuple(sum(scores[seat] for seat in seats) for scores in summary.round_scores)


def result_of(
    summary: BattleSummary,
    ranking: Ranking,
    record: Path | None,
    recording: Path | None = None,
    record_error: str | None = None,
) -> BattleResult:
    """Return the result of a battle that was played to its end.

    Args:
        record, recording: the paths of the files. Each file is complete.
        record_error: why a requested file is incomplete.
    """
    named = list(zip(ranking.names, summary.seats, strict=True))
    return BattleResult(
        seed=summary.seed,
        game_type=summary.game_type,
        rounds=summary.rounds,
        turns=summary.turns,
        results=tuple(ranking.rows),
        latency={name: _latency_row(seat) for name, seat in named},
        failures={name: seat.failure for name, seat in named if seat.failure is not None},
        disqualifications={name: seat.disqualifications for name, seat in named if seat.disqualifications},
        printed_errors={name: seat.printed_error for name, seat in named if seat.printed_error is not None},
        last_lines={name: seat.last_lines for name, seat in named if seat.failure is not None},
        printed=_by_name(summary.printed, ranking.names),
        server_late_turns=summary.server_late_turns,
        late_missed_turns=summary.late_missed_turns,
        record=None if record is None else str(record),
        recording=None if recording is None else str(recording),
        record_error=record_error,
        details=ranking.details,
        shared_skip_turns=summary.shared_skip_turns,
        names=tuple(ranking.names),
        behaviour_version=summary.behaviour_version,
        digest=summary.digest,
    )


PRINTED_LINES_MAX = 100
"""The largest number of a bot's last printed lines in `to_data`. A record has more."""


def _by_name(lines: Sequence[PrintedLine], names: Sequence[str]) -> dict[str, tuple[PrintedLine, ...]]:
    """Return printed lines by name of bot.

    Args:
        names: the names by seat.
    """
    found: dict[str, list[PrintedLine]] = {}
    for line in lines:
        found.setdefault(names[line.seat], []).append(line)
    return {name: tuple(printed) for name, printed in found.items()}


def _last_printed(lines: Sequence[PrintedLine]) -> list[dict[str, Any]]:
    return [
        {"round": one.round, "turn": one.turn, "text": one.text, "error": one.is_error}
        for one in lines[-PRINTED_LINES_MAX:]
    ]


def failure_of(summary: BattleSummary, seats: Sequence[int]) -> Failure | None:
    """Return the failure of the bot or team with these seats. If all of the seats have failed, this is the
    failure of the first seat. Otherwise return None.
    """
    failures = [summary.seats[seat].failure for seat in seats]
    return failures[0] if failures and all(failures) else None


def rounds_out(summary: BattleSummary, seats: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of the rounds in which all of these seats were disqualified."""
    out = [{one.round for one in summary.seats[seat].disqualifications} for seat in seats]
    return tuple(sorted(set.intersection(*out))) if out else ()


def failure_data(failure: Failure) -> dict[str, Any]:
    """Return a failure as JSON values.

    The values include the failure's description and the advice, but not the lines that the bot printed.
    """
    data = {**asdict(failure), "text": failure.text, "advice": failure.advice}
    del data["printed"]  # `last_lines` of the battle has them
    return data


def _latency_row(seat: SeatSummary) -> LatencyRow:
    return LatencyRow(
        p50_us=seat.p50_ns // NS_PER_US,
        p95_us=seat.p95_ns // NS_PER_US,
        p99_us=seat.p99_ns // NS_PER_US,
        max_us=seat.max_ns // NS_PER_US,
        skipped=seat.skipped,
        late=seat.late,
        malformed=seat.malformed,
        late_p50_us=seat.late_p50_ns // NS_PER_US,
        late_max_us=seat.late_max_ns // NS_PER_US,
        held_us=seat.held_ns // NS_PER_US,
        left=seat.left,
        skip_reasons=seat.skip_reasons,
    )
