"""Verifies a tournament: its rules, entries, battles, results and records.

    entries     each id belongs to its entry, and each archive holds the sources that played
    battles     all battles that follow from the rules and the seed exist, and no others
    results     each record is played again and compared with specification and result
    seal        nothing has changed since the tournament was finished

The result names everything that cannot be checked, and never counts it as correct.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from turnwright.catalog import names
from turnwright.errors import SetupError
from turnwright.net.processes.processors import processors
from turnwright_league.app.battle_queue import TaskQueue, why_failed
from turnwright_league.app.folder import TournamentFolder
from turnwright_league.app.pool import WorkerPool
from turnwright_league.app.recorded.battle import BattleCheck, CheckJob, check_battle
from turnwright_league.app.recorded.completeness import (
    StoredTournament,
    changed_records,
    compare_battles,
    compare_seal,
    stored_tournament,
    without_record,
)
from turnwright_league.app.recorded.entries import KnownEntries, entries_named, known_entries
from turnwright_league.app.recorded.findings import CheckedBattle, CheckFindings
from turnwright_league.app.store import open_store, store_place
from turnwright_league.app.tournament import in_standings
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.seal import is_seal
from turnwright_league.tournament.standings import standings_of

__all__ = ["CheckedBattle", "TournamentCheck", "verify_tournament"]


@dataclass(frozen=True, slots=True)
class TournamentCheck:
    """The result of a check.

    Attributes:
        battles: the number of battles in the store.
        checked: the number of replayed battles.
        without_record: the number of battles that cannot be replayed.
        records_deleted: how many of these battles had a record that a ladder server deleted to make room.
        wrong: the differences.
        standings_differ: whether the checked battles give other standings.
        unproved: the parts that could not be checked.
        seal: the seal of the finished tournament, or "" if it is not finished or has changed since.
    """

    battles: int
    checked: int
    without_record: int
    wrong: tuple[CheckedBattle, ...]
    standings_differ: bool
    records_deleted: int = 0
    unproved: tuple[CheckedBattle, ...] = ()
    seal: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing differs and everything requested was checked."""
        return not self.wrong and not self.unproved

    def to_data(self) -> dict[str, Any]:
        """Return the check as JSON values."""
        return {
            "ok": self.ok,
            "battles": self.battles,
            "checked": self.checked,
            "without_record": self.without_record,
            "records_deleted": self.records_deleted,
            "standings_differ": self.standings_differ,
            "seal": self.seal,
            **{
                name: [{"id": one.id, "names": one.names, "problems": list(one.problems)} for one in found]
                for name, found in (("wrong", self.wrong), ("unproved", self.unproved))
            },
        }


@dataclass(slots=True)
class _Replays:
    """The replayed battles, and the battles whose records were missing."""

    again: dict[str, PlayedBattle] = field(default_factory=dict)
    problems: dict[str, tuple[str, ...]] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    """The battles whose records a ladder server deleted during the check."""


def verify_tournament(
    folder: str | Path,
    sample: int | None = None,
    store: str | None = None,
    jobs: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    *,
    seal: str | None = None,
    entry: str | None = None,
) -> TournamentCheck:
    """Compare a tournament with its rules, its records and its seal.

    With `entry`, only the battles of that entry are replayed.

    Args:
        sample: the number of battles to replay, spread evenly over their ids, or None for all.
        jobs: the number of processes, or None for the number of processors.
        on_progress: called with the number of checked battles and the number of all battles.
        seal: the published seal, or None.
        entry: the name of an entry, or a bot directory.

    Raises:
        SetupError: the store cannot be read, `seal` is not a seal, or there is no such entry.
    """
    if seal is not None and not is_seal(seal):
        raise SetupError(f"--seal is {seal[:80]!r}: give the line that `turnwright tournament run` printed")
    place, found = TournamentFolder(folder), CheckFindings()
    opened = open_store(store_place(place, store), writing=False)
    try:
        kept = stored_tournament(opened)
    finally:
        opened.close()
    known = known_entries(place, kept.entries)
    for number, said in known.problems.items():
        found.add_wrong("", f"entry {kept.labels[number]}", said)
    compare_battles(kept, found)
    compare_seal(kept, seal, found)
    unkept = without_record(kept, place, found)
    tasks = _tasks(place, kept, known, unkept, sample, entry)
    if seal is not None and entry is None:
        rest = kept.played.keys() - unkept - {one.played.id for one in tasks}
        changed_records(kept, place, sorted(rest), found)
    replays = _replay(place, store, tasks, jobs, kept, found, on_progress)
    played = list(kept.played.values())
    entries = in_standings([row.kept for row in kept.entries], played)
    compared = [kept.played[one] for one in replays.again]
    stored, replayed = (
        standings_of(entries, some, kept.rules).rows for some in (compared, replays.again.values())
    )
    return TournamentCheck(
        len(kept.rows),
        len(tasks) - len(replays.deleted),
        len(unkept | replays.deleted),
        found.wrong,
        stored != replayed,
        sum(one.record_deleted for one in played) + len(replays.deleted),
        found.unproved,
        kept.seal,
    )


def _tasks(
    place: TournamentFolder,
    kept: StoredTournament,
    known: KnownEntries,
    unkept: Container[str],
    sample: int | None,
    entry: str | None,
) -> list[CheckJob]:
    """Return the battles to replay."""
    chosen = [battle for number, battle in kept.played.items() if number not in unkept]
    if entry is not None:
        mine = entries_named(entry, kept.entries, kept.labels)
        chosen = [one for one in chosen if mine & set(one.spec.seats)]
    where = None if kept.game in names() else kept.game
    return [
        CheckJob(one, str(place.record(one.id)), where, known.seats, kept.labels)
        for one in _spread(chosen, sample)
    ]


def _replay(
    place: TournamentFolder,
    store: str | None,
    tasks: Sequence[CheckJob],
    jobs: int | None,
    kept: StoredTournament,
    found: CheckFindings,
    on_progress: Callable[[int, int], None] | None,
) -> _Replays:
    """Replay battles, add the findings to `found`, and return the replayed battles."""
    replays = _Replays()
    for number, (job, checked) in enumerate(_checked(tasks, jobs), 1):
        played = job.played
        found.add_gap(played.id, kept.names(played.spec), *checked.gaps)
        if checked.problems:
            replays.problems[played.id] = checked.problems
            if not Path(job.path).is_file():
                replays.missing.add(played.id)
        if checked.again is not None:
            replays.again[played.id] = checked.again
        if on_progress is not None:
            on_progress(number, len(tasks))
    if replays.missing and not kept.plans:
        replays.deleted = _deleted_since(place, store, replays.missing)
    for one, problems in replays.problems.items():
        names = kept.names(kept.played[one].spec)
        if one in replays.deleted:
            found.add_gap(one, names, "its record was deleted to make room")
        else:
            found.add_wrong(one, names, *problems)
    return replays


def _deleted_since(place: TournamentFolder, store: str | None, battles: Container[str]) -> set[str]:
    """Return the battles whose records a ladder server deleted during the check to make room."""
    opened = open_store(store_place(place, store), writing=False)
    try:
        return {one.id for one in opened.battles() if one.id in battles and one.record_deleted}
    finally:
        opened.close()


def _spread(battles: Sequence[PlayedBattle], sample: int | None) -> list[PlayedBattle]:
    if sample is None or sample >= len(battles):
        return list(battles)
    return [battles[k * len(battles) // sample] for k in range(sample)]


def _checked(tasks: Sequence[CheckJob], jobs: int | None) -> Iterator[tuple[CheckJob, BattleCheck]]:
    if len(tasks) < 2:
        for task in tasks:
            try:
                checked = check_battle(task)
            except Exception as error:
                checked = _unchecked(error)
            yield task, checked
        return
    workers = min(jobs or max(1, round(processors())), len(tasks))
    queue: TaskQueue[CheckJob, BattleCheck] = TaskQueue(_unchecked)
    waiting = iter(tasks)
    with WorkerPool(workers) as pool:
        while True:
            for task in islice(waiting, 2 * workers - len(queue.running)):
                queue.begin(task, pool.submit(check_battle, task))
            if not queue.running:
                return
            queue.wait()
            yield from queue.results()


def _unchecked(error: Exception) -> BattleCheck:
    why = str(error) if isinstance(error, OSError) else why_failed(error)
    return BattleCheck(gaps=(f"it could not be checked: {why}",))
