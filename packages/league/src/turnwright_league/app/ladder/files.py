"""The files of a ladder server: their paths, their sizes, and their deletion."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from turnwright.errors import SetupError
from turnwright_league.app.ladder.store import Upload

OWN = "_arena"
"""The folder for all files that do not belong to the tournament. No bot directory begins with _."""


class LadderPlaces:
    """The paths of a ladder server's folder.

    It creates the folders, and deletes uploads that were not received to their end.

    Raises:
        SetupError: a folder cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        own = path / OWN
        self.database = own / "arena.sqlite"
        self.incoming = own / "incoming"
        self.uploads = own / "uploads"
        self.bots = own / "bots"
        self.first_checks = own / "trials"
        self.tournaments = own / "cups"
        try:
            for place in (self.incoming, self.uploads, self.bots, self.first_checks, self.tournaments):
                place.mkdir(parents=True, exist_ok=True)
            for place, mode in (
                (own, 0o711),
                (self.bots, 0o755),
                (self.incoming, 0o700),
                (self.uploads, 0o700),
            ):
                place.chmod(mode)
            for part in self.incoming.iterdir():
                part.unlink()
        except OSError as error:
            raise SetupError(
                f"--data {path} cannot be created: {error.strerror}: give another folder"
            ) from None

    def upload(self, number: int) -> Path:
        """Return the path of an upload's file."""
        return self.uploads / str(number)

    def bot(self, number: int) -> Path:
        """Return the folder that holds the bot directory of an upload."""
        return self.bots / str(number)

    def first_check(self, battle: str) -> Path:
        """Return the path of the record of a first check.

        Args:
            battle: the battle's id.
        """
        return self.first_checks / f"{battle}.twr"

    def part(self) -> Path:
        """Return a path for an upload that is being received."""
        return self.incoming / os.urandom(12).hex()


class UploadFiles:
    """The files of uploads.

    An upload has the uploaded file, the bot directory made of it, the record of its first check, and the
    archive of its sources.

    Args:
        archive: returns the path of the archive, by the entry's id.
    """

    def __init__(self, places: LadderPlaces, archive: Callable[[str], Path]) -> None:
        self._places, self._archive = places, archive
        self._bytes: dict[int, int] = {}

    def measure(self, one: Upload) -> None:
        """Measure and store the size of an upload's files."""
        self._bytes[one.id] = 0 if one.freed else sum(map(_size, self._paths(one)))

    def bytes_of(self, uploads: Iterable[Upload]) -> int:
        """Return the bytes of all files of uploads."""
        return sum(self._bytes.get(one.id, 0) for one in uploads)

    def delete_directory(self, one: Upload) -> None:
        """Delete the bot directory of an upload, if there is one."""
        place = self._places.bot(one.id)
        if place.is_dir():
            shutil.rmtree(place, ignore_errors=True)
            self.measure(one)

    def delete_all(self, one: Upload) -> Upload:
        """Delete all files of an upload, and return it, marked as freed and without prints and problems."""
        self.delete_directory(one)
        for path in self._paths(one):
            with suppress(OSError):
                path.unlink(missing_ok=True)
        self._bytes[one.id] = 0
        check = None
        if one.trial is not None:
            check = replace(one.trial, printed=(), record=None, record_deleted=False)
        return replace(one, freed=True, problems=(), trial=check)

    def _paths(self, one: Upload) -> Iterator[Path]:
        yield self._places.upload(one.id)
        yield self._places.bot(one.id)
        if one.trial is not None and one.trial.record is not None:
            yield self._places.first_check(one.trial.record)
        if one.entry is not None:
            yield self._archive(one.entry.id)


def _size(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder, or 0 if there is nothing."""
    found = 0
    for root, _, names in os.walk(path):
        for name in names:
            with suppress(OSError):
                found += Path(root, name).lstat().st_size
    if not path.is_dir():
        with suppress(OSError):
            found = path.lstat().st_size
    return found
