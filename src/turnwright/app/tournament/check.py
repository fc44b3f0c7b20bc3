"""Verifies a tournament: plays its records again and compares the results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from turnwright.app.tournament.folder import TournamentFolder
from turnwright.app.tournament.options import options_in_file
from turnwright.app.tournament.pool import WorkerLost, WorkerPool
from turnwright.app.tournament.store import KeptBattle, open_store
from turnwright.app.tournament.tournament import in_standings, rules_from
from turnwright.app.tournament.worker import entry_seats
from turnwright.app.verify import Verified, verify_file
from turnwright.catalog import own_names
from turnwright.errors import SetupError
from turnwright.kernel.record import Record
from turnwright.net.processes.processors import processors
from turnwright.tournament.played_battle import EntryScore, PlayedBattle
from turnwright.tournament.standings import entry_labels, standings_of

__all__ = ["CheckedBattle", "TournamentCheck", "check_battle", "verify_tournament"]

_PROBLEMS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class CheckedBattle:
    """A battle that was checked.

    names: of its entries. problems: one line each; empty: all is as it was.
    """

    id: str
    names: str
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TournamentCheck:
    """The result of a check.

    battles: in the store. checked: played again. without_record: cannot be. wrong: those that differ.
    standings_differ: whether the standings of what was checked come out otherwise.
    """

    battles: int
    checked: int
    without_record: int
    wrong: tuple[CheckedBattle, ...]
    standings_differ: bool

    @property
    def ok(self) -> bool:
        """Whether nothing differs."""
        return not self.wrong

    def to_data(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "ok": self.ok,
            "battles": self.battles,
            "checked": self.checked,
            "without_record": self.without_record,
            "standings_differ": self.standings_differ,
            "wrong": [{"id": w.id, "names": w.names, "problems": list(w.problems)} for w in self.wrong],
        }


@dataclass(frozen=True, slots=True)
class _CheckJob:
    """One battle to check.

    game: the folder of a game that is not of turnwright, or None. labels: of entries, by id.
    """

    played: PlayedBattle
    path: str
    game: str | None
    sources: Mapping[str, str]
    labels: Mapping[str, str]


def verify_tournament(
    folder: str | Path,
    sample: int | None = None,
    store: str | None = None,
    jobs: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> TournamentCheck:
    """Play records again and compare scores, digests and standings with the store.

    sample: how many battles, spread evenly over their ids; None: all. on_progress: battles checked, of how
    many. Raises: SetupError.
    """
    place = TournamentFolder(folder)
    opened = open_store(store or options_in_file(place.path)[0].store or place.store, writing=False)
    try:
        rules, game = rules_from(opened)
        rows, kept = list(opened.rows()), opened.entries()
    finally:
        opened.close()
    played = [row.battle for row in rows if row.battle is not None and row.battle.id == row.id]
    entries = in_standings(kept, played)
    labels = entry_labels([one.entry for one in kept])
    wrong = {row.id: CheckedBattle(row.id, _names(row, labels), (said,)) for row, said in _bad_rows(rows)}
    chosen = _spread([one for one in played if one.record is not None and one.id not in wrong], sample)
    sources = {one.entry.id: one.entry.source for one in kept if one.entry.kind == "bot"}
    where = None if game in own_names() else game
    tasks = [_CheckJob(one, str(place.path / str(one.record)), where, sources, labels) for one in chosen]
    again: dict[str, PlayedBattle] = {}
    for number, (job, problems, found) in enumerate(_checked(tasks, jobs), 1):
        if problems:
            names = _names(KeptBattle(job.played.id, job.played), labels)
            wrong[job.played.id] = CheckedBattle(job.played.id, names, problems)
        if found is not None:
            again[job.played.id] = found
        if on_progress is not None:
            on_progress(number, len(tasks))
    compared = [one for one in played if one.id in again]
    stored, replayed = (standings_of(entries, some, rules=rules).rows for some in (compared, again.values()))
    differ = stored != replayed
    return TournamentCheck(
        len(rows),
        len(tasks),
        sum(one.record is None for one in played),
        tuple(wrong[one] for one in sorted(wrong)),
        differ,
    )


def _bad_rows(rows: Sequence[KeptBattle]) -> Iterator[tuple[KeptBattle, str]]:
    """Yield the rows that are no battle, or not the one of their id."""
    for row in rows:
        if row.battle is None:
            yield row, f"its row cannot be read: {row.error}"
        elif row.battle.id != row.id:
            yield row, f"its specification was changed: it is that of {row.battle.id[:12]}"


def _names(row: KeptBattle, labels: Mapping[str, str]) -> str:
    if row.battle is None:
        return "?"
    return " v ".join(labels.get(one, one[:6]) for one in dict.fromkeys(row.battle.spec.seats))


def _spread(battles: Sequence[PlayedBattle], sample: int | None) -> list[PlayedBattle]:
    if sample is None or sample >= len(battles):
        return list(battles)
    return [battles[k * len(battles) // sample] for k in range(sample)]


def _checked(
    tasks: Sequence[_CheckJob], jobs: int | None
) -> Iterator[tuple[_CheckJob, tuple[str, ...], PlayedBattle | None]]:
    workers = jobs or max(1, round(processors()))
    waiting = list(reversed(tasks))
    if len(tasks) < 2:
        yield from ((task, *check_battle(task)) for task in tasks)
        return
    with WorkerPool(min(workers, len(tasks))) as pool:
        running: dict[Future[Any], _CheckJob] = {}
        while waiting or running:
            while waiting and len(running) < 2 * workers:
                task = waiting.pop()
                running[pool.submit(check_battle, task)] = task
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                task = running.pop(future)
                try:
                    yield (task, *future.result())
                except WorkerLost as error:
                    raise SetupError(f"{task.path} cannot be checked: a worker was lost ({error})") from None


# ---- one battle --------------------------------------------------------------------------------------------


def check_battle(job: _CheckJob) -> tuple[tuple[str, ...], PlayedBattle | None]:
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
        problems.append("it is called void, but its record is whole")
    rows, said = _again(job, found.round_scores, record.footer.results)
    return (*problems, *said), replace(played, scores=rows, state=_state(played))


def _state(played: PlayedBattle) -> Any:
    return "ok" if played.state == "void" else played.state


def _mismatch(verified: Verified) -> str:
    assert verified.found is not None
    assert verified.found.mismatch is not None
    found = verified.found.mismatch
    where = "its end" if found.turn is None else f"turn {found.turn}"
    return f"its record plays differently in {where}: {found.what}"


def _header_problems(job: _CheckJob, record: Record) -> Iterator[str]:
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
            yield f"seat {seat} of its record was played by other sources ({info.name})"


def _again(
    job: _CheckJob, rounds: Sequence[Sequence[float]], results: Any
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
