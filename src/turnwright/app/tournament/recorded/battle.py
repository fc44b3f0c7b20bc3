"""Checks one battle: plays its record again, compares it with its result."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from turnwright.app.tournament.recorded.timing import recorded_suspicions, recorded_timing, timing_problems
from turnwright.app.tournament.worker import entry_seats
from turnwright.app.verify import Verified, verify_file
from turnwright.kernel.record import Record
from turnwright.tournament.played_battle import EntryScore, PlayedBattle

__all__ = ["CheckJob", "check_battle"]


@dataclass(frozen=True, slots=True)
class CheckJob:
    """One battle to check.

    game: the folder of a game that is not of turnwright, or None. labels: of entries, by id.
    """

    played: PlayedBattle
    path: str
    game: str | None
    sources: Mapping[str, str]
    labels: Mapping[str, str]


def check_battle(job: CheckJob) -> tuple[tuple[str, ...], PlayedBattle | None]:
    """Play a record again; return what differs, and the battle as it comes out.

    That is None where it comes to no end.
    """
    played, path = job.played, Path(job.path)
    if not path.is_file():
        return (f"its record {played.record} is missing",), None
    verified = verify_file(path, game=job.game)
    record, found = verified.record, verified.found
    if record is None or found is None:
        return (f"its record cannot be read: {verified.error}",), None
    if found.mismatch is not None:
        return (_mismatch(verified),), None
    if verified.truncated or record.footer is None or record.footer.ending != "over":
        return ("its record has no end",), None
    problems = [*_header_problems(job, record)]
    if found.digest != played.digest:
        problems.append(f"the digest of its last turn is {played.digest}, its record gives {found.digest}")
    if found.turns != played.turns:
        problems.append(f"it has {played.turns} turns, its record {found.turns}")
    if played.state == "void":
        problems.append("it is marked void, but its record is complete")
    rows, said = _again(job, found.round_scores, record.footer.results)
    told = recorded_timing(record)
    problems += [*said, *timing_problems(played, record, told, job.labels)]
    return tuple(problems), replace(
        played, scores=rows, state=_state(played), suspect=recorded_suspicions(played, told)
    )


def _state(played: PlayedBattle) -> Any:
    return "ok" if played.state == "void" else played.state


def _mismatch(verified: Verified) -> str:
    assert verified.found is not None
    assert verified.found.mismatch is not None
    found = verified.found.mismatch
    where = "its end" if found.turn is None else f"turn {found.turn}"
    return f"the replay of its record differs in {where}: {found.what}"


def _header_problems(job: CheckJob, record: Record) -> Iterator[str]:
    spec, header = job.played.spec, record.header
    said = {"game": spec.game, "behaviour_version": spec.behaviour, "seed": spec.seed}
    for name, value in said.items():
        if getattr(header, name) != value:
            yield f"its record has {name} {getattr(header, name)}, not {value}"
    if len(header.seats) != len(spec.seats):
        yield f"its record has {len(header.seats)} seats, not {len(spec.seats)}"
        return
    for seat, info in enumerate(header.seats):
        wanted = job.sources.get(spec.seats[seat])
        if wanted is not None and info.source_hash not in (None, wanted):
            yield f"seat {seat} of its record was played with other sources ({info.name})"


def _again(
    job: CheckJob, rounds: Sequence[Sequence[float]], results: Any
) -> tuple[tuple[EntryScore, ...], list[str]]:
    """Return the scores as the record gives them, and what differs."""
    played = job.played
    by_entry = {row.entry: row for row in played.scores}
    rows, problems = [], []
    for entry, seats in entry_seats(played.spec):
        row, name = by_entry.get(entry), job.labels.get(entry, entry[:6])
        mine = tuple(sum(one[seat] for seat in seats) for one in rounds)
        total = math.fsum(mine)
        if row is None:
            problems.append(f"the score of {name} is missing")
            row = EntryScore(seats[0], entry, total, mine)
        elif row.score != total or row.rounds != mine or row.seat != seats[0]:
            problems.append(f"the score of {name} is {row.score:g}, its record gives {total:g}")
        elif not _has_columns(row, results):
            problems.append(f"the columns of {name} are not those of its record")
        rows.append(replace(row, score=total, rounds=mine, seat=seats[0]))
    if len(by_entry) > len(rows):
        problems.append("it has scores of entries that did not play")
    return tuple(rows), problems


def _has_columns(row: EntryScore, results: Any) -> bool:
    """Return whether a row of a record's results has the columns of a score."""
    if not isinstance(results, list):
        return True
    if row.survival is not None and row.columns.get("survival") != row.survival:
        return False
    return any(
        isinstance(one, dict)
        and all(one[name] == row.columns[name] for name in one.keys() & row.columns.keys())
        for one in results
    )
