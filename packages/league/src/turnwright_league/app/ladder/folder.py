"""The folder of a ladder server: people, uploads, tournaments.

DIR/                     a tournament folder: results.sqlite, records/, entries/
DIR/_arena/arena.sqlite  people, logins, uploads
DIR/_arena/uploads/N     each upload as it came
DIR/_arena/bots/N/NAME/  the bot directory that was made of it
DIR/_arena/trials/       the records of first battles
DIR/_arena/cups/         tournaments that the teacher started: folders like DIR

An upload is accepted once it has a row in the database. Before that, its file was synced and got its name.
The row is never deleted. `free_unneeded` deletes the files of uploads that no longer play, if their owner or
all people together have too many files.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from turnwright.kernel.units import NS_PER_US
from turnwright.net.portability import sync_folder
from turnwright_league.app.folder import TournamentFolder
from turnwright_league.app.ladder.files import LadderPlaces, UploadFiles
from turnwright_league.app.ladder.options import LadderOptions
from turnwright_league.app.ladder.people import People, Refusal
from turnwright_league.app.ladder.started_tournaments import StartedTournaments
from turnwright_league.app.ladder.store import LadderStore, Upload, UploadState

UPLOADS_KEPT_MAX = 20_000
"""The most uploads of all people together whose files are kept."""
HISTORY_MAX = 20
"""The most uploads of one person that do not play but whose files are kept. The newest are kept."""
BOTS_OF_ONE_MAX = 5
"""The most bots of one person that play at the same time."""
_HOUR_US = 3_600_000_000
_NEEDED: tuple[UploadState, ...] = ("received", "checked", "plays")
"""The states of uploads whose bot plays now or soon. The bot directory of any other upload is deleted."""


class LadderFolder:
    """The content of a ladder server, in memory and on the disk. All threads may use it.

    Args:
        on_change: is called when there is new work.

    Raises:
        SetupError: a folder cannot be created, or the database cannot be used.
    """

    def __init__(self, options: LadderOptions, on_change: Callable[[], None] = lambda: None) -> None:
        self.options = options
        self.places = LadderPlaces(options.folder)
        self.folder = TournamentFolder(options.folder)
        self.store = LadderStore(self.places.database)
        self.people = People(self.store, options.join_word)
        self.title = options.title or options.folder.resolve().name
        self.on_change = on_change
        self.deletions = threading.Lock()
        """The lock that is held while files are deleted, or while no file may be deleted."""
        self._lock = threading.RLock()
        self._uploads = {one.id: one for one in self.store.uploads()}
        self._deleted_first_checks = set(map(_deleted_record, self._uploads.values()))
        """The ids of first checks whose records were deleted to make room."""
        self.tournaments = StartedTournaments(self.store, self._lock, self.playing, self._tournament_put)
        self._files = UploadFiles(self.places, self.folder.archive)
        for one in self._uploads.values():
            self._files.measure(one)
        self.may_free = True
        """Whether there may be unneeded files."""
        self.frozen = self.store.settings().get("frozen") == "yes"
        """Whether uploads are refused."""

    def close(self) -> None:
        """Close the database."""
        self.store.close()

    # ---- uploads -----------------------------------------------------------------------------------------

    def freeze(self, *, frozen: bool) -> None:
        """Stop accepting uploads, or accept them again."""
        with self._lock:
            self.store.put_setting("frozen", "yes" if frozen else "no")
            self.frozen = frozen

    def uploads(self) -> list[Upload]:
        """Return all uploads, oldest first."""
        with self._lock:
            return list(self._uploads.values())

    def uploads_of(self, folded: str) -> list[Upload]:
        """Return a person's uploads, oldest first."""
        return [one for one in self.uploads() if one.folded == folded]

    def playing(self) -> list[Upload]:
        """Return the uploads that are on the ladder, oldest first."""
        return [one for one in self.uploads() if one.state == "plays" and one.entry is not None]

    def waiting(self, state: UploadState) -> list[Upload]:
        """Return the uploads in a state, oldest first."""
        return [one for one in self.uploads() if one.state == state]

    def check_upload(self, folded: str) -> None:
        """Raise Refusal if this person may not upload now."""
        with self._lock:
            if self.frozen:
                raise Refusal("uploads are frozen: ask the teacher", 403)
            recent = [one for one in self.uploads_of(folded) if one.at_us > _now_us() - _HOUR_US]
            if len(recent) >= self.options.uploads_per_hour:
                minutes = max(1, round((recent[0].at_us + _HOUR_US - _now_us()) / 60e6))
                raise Refusal(
                    f"{len(recent)} uploads within an hour, the most allowed: wait {minutes} min", 429
                )
            self._check_room(folded)

    def _check_room(self, folded: str, more_bytes: int = 0) -> None:
        """Raise Refusal if a person, or the ladder server, has no more room for uploads.

        Uploads that no longer play do not count towards these bytes.

        Args:
            more_bytes: the bytes of the new upload.
        """
        if problem := self._quota_problem(folded, more_bytes):
            raise Refusal(problem, 507)
        most = self.options.uploads_mib_max << 20
        kept = [one for one in self._uploads.values() if not one.freed]
        needed = self._files.bytes_of(one for one in kept if one.state in _NEEDED)
        if len(kept) < UPLOADS_KEPT_MAX and needed + more_bytes <= most and needed < most:
            return
        raise _no_room(len(kept), needed, most)

    def _quota_problem(self, folded: str, more_bytes: int = 0, replaced: str = "") -> str:
        """Return why a person's bots have no room, or "".

        Args:
            replaced: the bot that a new version replaces.
        """
        most = self.options.person_mib_max << 20
        needed = self._files.bytes_of(
            one
            for one in self.uploads_of(folded)
            if one.state in _NEEDED and not (one.state == "plays" and one.bot == replaced)
        )
        if needed + more_bytes <= most and (more_bytes or needed < most):
            return ""
        return _too_large(needed, more_bytes, most)

    def measure(self, upload: int) -> None:
        """Measure and store the size of an upload's files."""
        with self._lock:
            self._files.measure(self._uploads[upload])

    def quota_problem(self, upload: int, bot: str) -> str:
        """Return why an unpacked upload is too large for its owner, or "".

        Args:
            bot: the bot's name. Its version that plays does not count, because this upload replaces it.
        """
        with self._lock:
            self.measure(upload)
            return self._quota_problem(self._uploads[upload].folded, replaced=bot)

    def state_of(self, upload: int) -> UploadState:
        """Return the state of an upload."""
        return self._uploads[upload].state

    def bytes_by_person(self) -> Counter[str]:
        """Return the bytes of all files of each person's uploads, by the folded name."""
        with self._lock:
            sizes = Counter[str]()
            for one in self._uploads.values():
                sizes[one.folded] += self._files.bytes_of([one])
            return sizes

    def delete_first_check_record(self, upload: int) -> None:
        """Delete the record of a first check, to make room. The owner's page shows that."""
        with self._lock:
            one = self._uploads[upload]
            if one.trial is not None and one.trial.record is not None:
                self._put(replace(one, trial=replace(one.trial, record_deleted=True)))
                with suppress(OSError):
                    self.places.first_check(one.trial.record).unlink(missing_ok=True)
                self._files.measure(one)

    def is_first_check_record_deleted(self, battle: str) -> bool:
        """Return whether the record of a first check, by its battle's id, was deleted to make room."""
        return bool(battle) and battle in self._deleted_first_checks

    def free_unneeded(self, in_use: Container[int]) -> list[Upload]:
        """Delete files of uploads that no longer play, and return the uploads that lost all files.

        For each upload that no longer plays, delete the bot directory. Delete all files of the oldest of
        these uploads while one of three limits is exceeded: the owner has more than HISTORY_MAX such uploads,
        the owner has more bytes than one person may have, or all people together have too many bytes.
        If no file may be deleted now, nothing happens.

        Args:
            in_use: the uploads that are checked or play now.
        """
        freed = list[Upload]()
        if not self.deletions.acquire(blocking=False):
            return freed
        try:
            self._free_unneeded(in_use, freed)
        finally:
            self.deletions.release()
        return freed

    def _free_unneeded(self, in_use: Container[int], freed: list[Upload]) -> None:
        with self._lock:
            self.may_free = False
            in_tournaments = self.tournaments.bots_in_use()
            is_held = False
            for one in self._history():
                if one.id in in_use or one.directory in in_tournaments:
                    is_held = True
                else:
                    self._files.delete_directory(one)
            for one in self._too_old():
                if one.id not in in_use and one.directory not in in_tournaments:
                    self._put(self._files.delete_all(one))
                    freed.append(one)
            self.may_free = is_held

    def _history(self) -> list[Upload]:
        """Return the uploads that no longer play and have files, oldest first."""
        return [one for one in self._uploads.values() if one.state not in _NEEDED and not one.freed]

    def _too_old(self) -> Iterator[Upload]:
        """Yield the uploads whose files must be deleted, oldest first."""
        history = self._history()
        number, sizes = Counter(one.folded for one in history), self.bytes_by_person()
        person_bytes, all_bytes = self.options.person_mib_max << 20, self.options.uploads_mib_max << 20
        for one in history:
            is_too_much = sizes[one.folded] > person_bytes or sizes.total() > all_bytes
            if number[one.folded] > HISTORY_MAX or is_too_much:
                number[one.folded] -= 1
                sizes[one.folded] -= self._files.bytes_of([one])
                yield one

    def take_upload(self, folded: str, file: str, part: Path, digest: str) -> Upload:
        """Accept an upload. After that, a crash does not lose it.

        Args:
            part: its complete and synced file. It is moved, or deleted if the upload is refused or not new.
            digest: the hash of its bytes. If this person's last upload has the same, it is the same upload.

        Raises:
            Refusal: this person may not upload now, or there is no room for the upload.
            SetupError or OSError: the disk is full.
        """
        with self._lock:
            mine = self.uploads_of(folded)
            if mine and mine[-1].digest == digest and mine[-1].state != "removed" and not mine[-1].freed:
                part.unlink(missing_ok=True)
                return mine[-1]
            try:
                self.check_upload(folded)
                self._check_room(folded, part.stat().st_size)
            except Refusal:
                part.unlink(missing_ok=True)
                raise
            number = 1 + max(self._uploads, default=0)
            place = self.places.upload(number)
            size = part.stat().st_size
            os.replace(part, place)
            sync_folder(place.parent)
            kept = Upload(number, folded, file, size, digest, _now_us())
            self._put(kept)
        self.on_change()
        return kept

    def change_upload(self, upload: int, **changes: object) -> Upload:
        """Store an upload's new state, unless it was removed in the meantime, and return the upload."""
        with self._lock:
            one = self._uploads[upload]
            if one.state != "removed":
                one = replace(one, **changes)  # type: ignore[arg-type]  # by name
                self._put(one)
            return one

    def let_play(self, upload: int, **changes: object) -> Upload:
        """Put an upload on the ladder, unless it was removed in the meantime, and return the upload.

        It replaces an older version of the same bot. If its owner then has more than BOTS_OF_ONE_MAX bots, it
        also replaces the oldest one.
        """
        with self._lock:
            one = self.change_upload(upload, state="plays", **changes)
            if one.state != "plays":
                return one
            others = [other for other in self.playing() if other.folded == one.folded and other.id != one.id]
            older = [other for other in others if other.bot == one.bot]
            rest = [other for other in others if other.bot != one.bot]
            for other in (*older, *rest[: max(0, len(rest) + 1 - BOTS_OF_ONE_MAX)]):
                self._put(replace(other, state="replaced"))
            return one

    def next_number(self, folded: str, bot: str, upload: int) -> int:
        """Return the version number, from 1, of an upload of a person's bot."""
        earlier = [one for one in self.uploads_of(folded) if one.bot == bot and one.id < upload]
        return 1 + max((one.number for one in earlier), default=0)

    def remove(self, number: int) -> Upload:
        """Remove an upload from the ladder permanently, and return it.

        Raises:
            Refusal: there is no such upload.
        """
        with self._lock:
            if number not in self._uploads:
                raise Refusal("there is no such upload", 404)
            one = replace(self._uploads[number], state="removed")
            self._put(one)
        self.on_change()
        return one

    def _put(self, one: Upload) -> None:
        self.store.put_upload(one)
        if one.id in self._uploads:
            self._deleted_first_checks.discard(_deleted_record(self._uploads[one.id]))
        self._deleted_first_checks.add(_deleted_record(one))
        self._uploads[one.id] = one
        self._files.measure(one)
        self.may_free = True

    def _tournament_put(self) -> None:
        self.may_free = True
        self.on_change()

    def record(self, battle: str) -> Path | None:
        """Return the path of the record of any battle of this server, or None."""
        return next((place for place in self._records(battle) if place.is_file()), None)

    def _records(self, battle: str) -> Iterator[Path]:
        yield self.folder.record(battle)
        yield self.places.first_check(battle)
        for started in reversed(self.tournaments.all()):
            yield self.folder.path / started.folder / self.folder.record_name(battle)


def _no_room(kept: int, needed: int, most: int) -> Refusal:
    return Refusal(
        f"the ladder server has no room for another upload. It keeps {kept} of at most"
        f" {UPLOADS_KEPT_MAX:,} uploads, and bots that play or wait take {_mib(needed)} of at most"
        f" {_mib(most)}. Ask the teacher to remove bots, or to raise --max-uploads",
        507,
    )


def _too_large(needed: int, more_bytes: int, most: int) -> str:
    return (
        f"your bots that play or wait take {_mib(needed)} of the ladder server's disk"
        f"{f', and this one {_mib(more_bytes)}' if more_bytes else ''}. One person may have {_mib(most)}."
        " Upload a smaller bot, or ask the teacher to remove one of your bots or to raise"
        " --max-person-uploads"
    )


def _now_us() -> int:
    return time.time_ns() // NS_PER_US


def _mib(size: int) -> str:
    return f"{round(size / (1 << 20), 1):g} MiB"


def _deleted_record(one: Upload) -> str:
    """Return the id of an upload's first check if its record was deleted, and "" otherwise."""
    return one.trial.record or "" if one.trial is not None and one.trial.record_deleted else ""
