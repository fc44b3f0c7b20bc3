"""Checks one battle by replaying its record and comparing the result."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from turnwright.app.game.playable import find_game
from turnwright.app.verify import Verified, verify_file
from turnwright_league.app.folder import file_hash
from turnwright_league.app.recorded.specification import EntrySeat, Finding, specification_findings
from turnwright_league.app.recorded.timing import recorded_suspicions, recorded_timing, timing_problems
from turnwright_league.app.worker import entry_seats
from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle


@dataclass(frozen=True, slots=True)
class CheckJob:
    """One battle to check.

    Attributes:
        path: the path of its record.
        game: the folder of a game from outside turnwright, or None.
        seats: the seats of entries, by id.
        labels: the labels of entries, by id.
    """

    played: PlayedBattle
    path: str
    game: str | None
    seats: Mapping[str, tuple[EntrySeat, ...]]
    labels: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class BattleCheck:
    """The result for one battle.

    Attributes:
        problems: the differences.
        gaps: the parts that could not be checked.
        again: the battle with the scores of the replay, or None without a complete replay.
    """

    problems: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    again: PlayedBattle | None = None


def check_battle(job: CheckJob) -> BattleCheck:
    """Replay a record, and compare the outcome with the result.

    Raises:
        SetupError: the game is unknown, or has no battle with these settings.
        OSError: the file of the record cannot be read.
    """
    played, path = job.played, Path(job.path)
    if not path.is_file():
        return BattleCheck((f"its record {played.record} is missing",))
    game = job.game or played.spec.game
    if (version := find_game(game).rules().behaviour_version) != played.spec.behaviour:
        return BattleCheck(
            gaps=(f"it has version {played.spec.behaviour} of the rules, this turnwright has {version}",)
        )
    changed = _changed_file(played, path)
    verified = verify_file(path, game=job.game)
    record, found = verified.record, verified.found
    if record is None or found is None:
        return BattleCheck((*changed, f"its record cannot be read: {verified.error}"))
    if found.mismatch is not None:
        return BattleCheck((*changed, _mismatch(verified)))
    if verified.truncated or record.footer is None or record.footer.ending != "over":
        return BattleCheck((*changed, "its record has no end"))
    findings = list(specification_findings(played, record.header, game, job.seats))
    problems = [*changed, *_texts(findings, is_gap=False)]
    if found.digest != played.digest:
        problems.append(
            f"the digest of its last turn is {played.digest}, but its record gives {found.digest}"
        )
    if found.turns != played.turns:
        problems.append(f"it has {played.turns} turns, its record {found.turns}")
    if played.state == "void":
        problems.append("it is marked void, but its record is complete")
    rows, said = _again(job, found.round_scores, record.footer.results)
    told = recorded_timing(record)
    problems += [*said, *timing_problems(played, record, told, job.labels)]
    again = replace(played, scores=rows, state=_state(played), suspect=recorded_suspicions(played, told))
    return BattleCheck(tuple(problems), _texts(findings, is_gap=True), again)


def _changed_file(played: PlayedBattle, path: Path) -> tuple[str, ...]:
    """Return a line if the record's file is not the file that the result names.

    Results of earlier versions do not name a file. For them, return no line.
    """
    found = file_hash(path)
    if not played.record_hash or found == played.record_hash:
        return ()
    return (f"its record is another file ({found[:12]}) than when it was played ({played.record_hash[:12]})",)


def _texts(findings: Sequence[Finding], *, is_gap: bool) -> tuple[str, ...]:
    return tuple(one.text for one in findings if one.is_gap is is_gap)


def _state(played: PlayedBattle) -> Any:
    return "ok" if played.state == "void" else played.state


def _mismatch(verified: Verified) -> str:
    assert verified.found is not None
    assert verified.found.mismatch is not None
    found = verified.found.mismatch
    where = "its end" if found.turn is None else f"turn {found.turn}"
    return f"the replay of its record differs in {where}: {found.what}"


def _again(
    job: CheckJob, rounds: Sequence[Sequence[float]], results: Any
) -> tuple[tuple[EntryScore, ...], list[str]]:
    """Return the scores of the replay, and the differences."""
    played = job.played
    by_entry = {row.entry: row for row in played.scores}
    by_round = {
        entry: tuple(sum(one[seat] for seat in seats) for one in rounds)
        for entry, seats in entry_seats(played.spec)
    }
    totals = sorted(map(math.fsum, by_round.values()), reverse=True)
    rows, problems = [], []
    for entry, seats in entry_seats(played.spec):
        row, name = by_entry.get(entry), job.labels.get(entry, entry[:6])
        mine = by_round[entry]
        total = math.fsum(mine)
        if row is None:
            problems.append(f"the score of {name} is missing")
            row = EntryScore(seats[0], entry, total, mine)
        elif row.score != total or row.rounds != mine or row.seat != seats[0]:
            problems.append(f"the score of {name} is {row.score:g}, its record gives {total:g}")
        elif not _has_columns(row, _rows_of(total, totals, results)):
            problems.append(f"the columns of {name} differ from its record")
        rows.append(replace(row, score=total, rounds=mine, seat=seats[0]))
    if len(by_entry) > len(rows):
        problems.append("it has scores of entries that did not play")
    return tuple(rows), problems


def _rows_of(total: float, totals: Sequence[float], results: Any) -> list[dict[str, Any]]:
    """Return the rows of a record's results that may belong to an entry with this total, best first.

    If two entries have about the same total, each row may belong to either of them. There are none if the
    results are not a list with a row for each entry.

    Args:
        totals: the totals of all entries, best first.
    """
    if not isinstance(results, list) or len(results) != len(totals):
        return []
    pairs = zip(totals, results, strict=True)
    return [row for other, row in pairs if abs(other - total) < 1 and isinstance(row, dict)]


def _has_columns(row: EntryScore, recorded: Sequence[dict[str, Any]]) -> bool:
    """Return whether any of these result rows has the columns of a score.

    Without rows, only the score's survival is compared with its own columns.
    """
    if row.survival is not None and row.columns.get("survival") != row.survival:
        return False
    return not recorded or any(
        all(one[name] == row.columns[name] for name in one.keys() & row.columns.keys())
        and one.get("survival", row.survival) == row.survival
        for one in recorded
    )
