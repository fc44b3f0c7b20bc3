"""Verifies a tournament: plays its records again and compares the results."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turnwright.app.tournament.folder import TournamentFolder
from turnwright.app.tournament.pool import WorkerLost, WorkerPool
from turnwright.app.tournament.recorded.battle import CheckJob, check_battle
from turnwright.app.tournament.store import KeptBattle, open_store, store_place
from turnwright.app.tournament.tournament import in_standings, rules_from
from turnwright.catalog import own_names
from turnwright.errors import SetupError
from turnwright.net.processes.processors import processors
from turnwright.tournament.played_battle import PlayedBattle
from turnwright.tournament.standings import entry_labels, standings_of

__all__ = ["CheckedBattle", "TournamentCheck", "verify_tournament"]


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

    battles: in the store. checked: played again. without_record: cannot be; records_deleted: so many of them
    had a record, which an arena deleted to make room. wrong: those that differ.
    standings_differ: whether the standings of what was checked come out otherwise.
    """

    battles: int
    checked: int
    without_record: int
    wrong: tuple[CheckedBattle, ...]
    standings_differ: bool
    records_deleted: int = 0

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
            "records_deleted": self.records_deleted,
            "standings_differ": self.standings_differ,
            "wrong": [{"id": w.id, "names": w.names, "problems": list(w.problems)} for w in self.wrong],
        }


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
    opened = open_store(store_place(place, store), writing=False)
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
    tasks = [CheckJob(one, str(place.path / str(one.record)), where, sources, labels) for one in chosen]
    again: dict[str, PlayedBattle] = {}
    missing: set[str] = set()
    for number, (job, problems, found) in enumerate(_checked(tasks, jobs), 1):
        if problems:
            names = _names(KeptBattle(job.played.id, job.played), labels)
            wrong[job.played.id] = CheckedBattle(job.played.id, names, problems)
            if not Path(job.path).is_file():
                missing.add(job.played.id)
        if found is not None:
            again[job.played.id] = found
        if on_progress is not None:
            on_progress(number, len(tasks))
    deleted = {one.id for one in played if one.record_deleted}
    if missing:
        since = _deleted_since(place, store, missing)
        deleted |= since
        wrong = {one: what for one, what in wrong.items() if one not in since}
    compared = [one for one in played if one.id in again]
    stored, replayed = (standings_of(entries, some, rules).rows for some in (compared, again.values()))
    differ = stored != replayed
    return TournamentCheck(
        len(rows),
        sum(task.played.id not in deleted for task in tasks),
        sum(one.record is None or one.id in deleted for one in played),
        tuple(wrong[one] for one in sorted(wrong)),
        differ,
        len(deleted),
    )


def _deleted_since(place: TournamentFolder, store: str | None, battles: Container[str]) -> set[str]:
    """Return those battles whose records an arena has deleted meanwhile, to make room."""
    opened = open_store(store_place(place, store), writing=False)
    try:
        return {one.id for one in opened.battles() if one.id in battles and one.record_deleted}
    finally:
        opened.close()


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
    tasks: Sequence[CheckJob], jobs: int | None
) -> Iterator[tuple[CheckJob, tuple[str, ...], PlayedBattle | None]]:
    workers = jobs or max(1, round(processors()))
    waiting = list(reversed(tasks))
    if len(tasks) < 2:
        yield from ((task, *check_battle(task)) for task in tasks)
        return
    with WorkerPool(min(workers, len(tasks))) as pool:
        running: dict[Future[Any], CheckJob] = {}
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
