"""The records of a ladder server's battles. The oldest are deleted to make room.

These are the records of the ladder and of first checks. The teacher's tournaments are separate. Results are
never deleted. Before a record is deleted, its result is marked, so that the record does not seem lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from turnwright.kernel.units import NS_PER_US
from turnwright_league.app.ladder.folder import LadderFolder
from turnwright_league.app.ladder.store import Upload
from turnwright_league.app.store import ResultStore
from turnwright_league.tournament.battle_spec import BATTLE_ID_DIGITS
from turnwright_league.tournament.played_battle import PlayedBattle

_FILE = re.compile(rf"[0-9a-f]{{{BATTLE_ID_DIGITS}}}\.twr")


@dataclass(frozen=True, slots=True)
class _MeasuredRecord:
    """The record of a battle.

    Attributes:
        size: the size in bytes.
        at_us: the time when it was played, UTC, µs since 1970.
        seats: the entries that played, or none if no result names the file.
        upload: the upload of a first check, or None for a battle of the ladder.
    """

    path: Path
    size: int
    at_us: int
    seats: frozenset[str] = frozenset()
    upload: int | None = None


class LadderRecords:
    """Counts the bytes of a ladder server's records, and deletes the oldest. Only one thread may use it.

    Records of versions that no longer play are deleted first.

    Args:
        bytes_max: the most bytes of all records together.
        tell: gets a line at the first deletion.
    """

    def __init__(
        self, ladder_folder: LadderFolder, store: ResultStore, bytes_max: int, tell: Callable[[str], None]
    ) -> None:
        self._ladder_folder, self._store, self._bytes_max, self._tell = ladder_folder, store, bytes_max, tell
        self._entries: Set[str] = frozenset()
        self._of_players: dict[str, _MeasuredRecord] = {}
        self._of_others: dict[str, _MeasuredRecord] = {}
        self._told = False
        self.bytes = 0
        """The bytes of all records."""

    def scan(self, results: Mapping[str, PlayedBattle]) -> None:
        """Find the existing records.

        It also deletes the records whose deletion was interrupted because the ladder server was killed.

        Args:
            results: the results of the ladder, by the battle's id.
        """
        found = [*self._ladder_files(results), *self._first_check_files()]
        for record in sorted(found, key=lambda one: one.at_us):
            self._add(record)

    def add_battle(self, battle: PlayedBattle) -> None:
        """Count the record of a battle of the ladder, if it has one."""
        if battle.record is not None:
            for file in _measured(self._ladder_folder.folder.record(battle.id)):
                self._add(_of_battle(file, battle))

    def add_first_check(self, upload: Upload) -> None:
        """Count the record of an upload's first check, if it has one."""
        if upload.trial is not None and upload.trial.record is not None:
            for file in _measured(self._ladder_folder.places.first_check(upload.trial.record)):
                self._add(_of_first_check(file, upload))

    def forget(self, battle: str) -> None:
        """Stop counting the record of a battle, because its file is gone."""
        record = self._of_others.pop(battle, None) or self._of_players.pop(battle, None)
        self.bytes -= 0 if record is None else record.size

    def set_players(self, entries: Set[str]) -> None:
        """Set the entries that play now."""
        self._entries = frozenset(entries)
        records = [*self._of_others.values(), *self._of_players.values()]
        records.sort(key=lambda one: one.at_us)
        self._of_others = {one.path.stem: one for one in records if not self._plays(one)}
        self._of_players = {one.path.stem: one for one in records if self._plays(one)}

    def make_room(self, results: Mapping[str, PlayedBattle]) -> list[PlayedBattle]:
        """Delete records until their total size is within the bound, unless no file may be deleted now.

        Args:
            results: the results of the ladder, by the battle's id.

        Returns:
            The results of the battles whose records were deleted.

        Raises:
            SetupError: the deletion cannot be noted in the store.
        """
        if self.bytes <= self._bytes_max or not self._ladder_folder.deletions.acquire(blocking=False):
            return []
        try:
            return self._make_room(results)
        finally:
            self._ladder_folder.deletions.release()

    def _make_room(self, results: Mapping[str, PlayedBattle]) -> list[PlayedBattle]:
        self.set_players(self._entries)  # uploads were tried, replaced and removed since
        chosen = dict(self._too_many())
        if chosen and not self._told:
            self._told = True
            self._tell(
                f"the records of battles have more than {self._bytes_max >> 20:,} MiB (--max-records)."
                " From now on the oldest are deleted. Results stay"
            )
        losing = [results[one] for one in chosen if one in results and results[one].record is not None]
        changed = [replace(one, record=None, record_deleted=True) for one in losing]
        if changed:
            self._store.put_deleted_records(changed)
        for battle, record in chosen.items():
            self.forget(battle)
            if record.upload is not None:
                self._ladder_folder.delete_first_check_record(record.upload)
            else:
                _delete(record.path)
        return changed

    def _too_many(self) -> Iterator[tuple[str, _MeasuredRecord]]:
        """Yield the records to delete, first the records of versions that no longer play."""
        excess = self.bytes - self._bytes_max
        for battle, record in (*self._of_others.items(), *self._of_players.items()):
            if excess <= 0:
                return
            excess -= record.size
            yield battle, record

    def _add(self, record: _MeasuredRecord) -> None:
        self.forget(record.path.stem)
        self.bytes += record.size
        (self._of_players if self._plays(record) else self._of_others)[record.path.stem] = record

    def _plays(self, record: _MeasuredRecord) -> bool:
        """Return whether all versions in a record still play.

        For a first check, return whether its upload was neither replaced nor removed.
        """
        if record.upload is not None:
            return self._ladder_folder.state_of(record.upload) not in ("replaced", "removed")
        return bool(record.seats) and record.seats <= self._entries

    def _ladder_files(self, results: Mapping[str, PlayedBattle]) -> Iterator[_MeasuredRecord]:
        for file in _files(self._ladder_folder.folder.path, "records/*/*.twr"):
            battle = results.get(file.path.stem)
            if battle is None:
                yield file
            elif battle.record_deleted:
                _delete(file.path)
            else:
                yield _of_battle(file, battle)

    def _first_check_files(self) -> Iterator[_MeasuredRecord]:
        uploads = {
            one.trial.record: one
            for one in self._ladder_folder.uploads()
            if one.trial is not None and one.trial.record is not None
        }
        for file in _files(self._ladder_folder.places.first_checks, "*.twr"):
            upload = uploads.get(file.path.stem)
            if upload is None:
                yield file
            elif upload.trial is not None and upload.trial.record_deleted:
                _delete(file.path)
            else:
                yield _of_first_check(file, upload)


def _of_battle(file: _MeasuredRecord, battle: PlayedBattle) -> _MeasuredRecord:
    return replace(file, at_us=battle.played_us, seats=frozenset(battle.spec.seats))


def _of_first_check(file: _MeasuredRecord, upload: Upload) -> _MeasuredRecord:
    seats = frozenset() if upload.entry is None else frozenset({upload.entry.id})
    return replace(file, seats=seats, upload=upload.id)


def _files(folder: Path, pattern: str) -> Iterator[_MeasuredRecord]:
    """Yield the records in a folder."""
    for path in folder.glob(pattern):
        if _FILE.fullmatch(path.name):
            yield from _measured(path)


def _measured(path: Path) -> Iterator[_MeasuredRecord]:
    """Yield a record with its size and the time of its file, or nothing if it is gone."""
    with suppress(OSError):
        found = path.stat()
        yield _MeasuredRecord(path, found.st_size, found.st_mtime_ns // NS_PER_US)


def _delete(path: Path) -> None:
    """Delete a file. If this fails, the next start deletes it."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
