"""The records that a server offers to browsers, by name.

The server looks a name up in a list, or asks the list's owner. It never uses the name as a path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

RECORDS_MAX = 1_000
"""The largest number of records in a list. Only the newest are listed."""
RECORD_BYTES_MAX = 64 << 20
"""The largest file, in bytes, that the server sends. For a larger file, a user can drop the file on the
page.
"""
SUFFIXES = (".twr", ".battle.gz", ".battle")
"""The endings of names of records and recordings."""


@dataclass(frozen=True, slots=True)
class ListedRecord:
    """A record that a browser can load.

    Attributes:
        name: the name that the page shows.
        size: the size in bytes.
        changed_ns: when the file was last written, ns since 1970.
    """

    name: str
    path: Path
    size: int
    changed_ns: int


class RecordList:
    """The list of the existing files that `paths` yields, without files above RECORD_BYTES_MAX.

    If several files have the same name, only the first one is listed.

    Args:
        paths: called for each listing.
        find: returns the file for a name, or None. It may also return files that are not in the list, for
            example because there are too many.
    """

    def __init__(
        self, paths: Callable[[], Iterable[Path]], find: Callable[[str], Path | None] = lambda _: None
    ) -> None:
        self._paths = paths
        self._find = find

    @classmethod
    def of_files(cls, *paths: Path) -> RecordList:
        """Return a list of these files. A file is listed as soon as it exists."""
        return cls(lambda: paths)

    @classmethod
    def of_folder(cls, folder: Path, is_open: Callable[[Path], bool] = lambda _: False) -> RecordList:
        """Return a list of the records directly in a folder.

        The record of a running battle is left out, because it contains everything that the game hides from
        spectators.

        Args:
            is_open: returns whether the battle of a file is still running.
        """
        return cls(
            lambda: (path for path in _listed(folder) if is_record_name(path.name) and not is_open(path))
        )

    def listed(self) -> list[ListedRecord]:
        """Return the files that exist now, newest first, at most RECORDS_MAX."""
        found: dict[str, ListedRecord] = {}
        for path in self._paths():
            record = _listed_record(path)
            if record is not None:
                found.setdefault(record.name, record)
        return sorted(found.values(), key=lambda one: (-one.changed_ns, one.name))[:RECORDS_MAX]

    def read(self, name: str) -> bytes | None:
        """Return the bytes of the record with that name. None means that `path_of` finds no file for it, or
        the file cannot be read.
        """
        path = self.path_of(name)
        try:
            return None if path is None else path.read_bytes()
        except OSError:
            return None

    def path_of(self, name: str) -> Path | None:
        """Return the file of the record with that name, or None if it does not exist or is too large."""
        found = self._find(name)
        if found is not None:
            return found if _listed_record(found) is not None else None
        return next((record.path for record in self.listed() if record.name == name), None)


NO_RECORDS = RecordList(tuple)
"""An empty list."""


def name_of(path: Path) -> str:
    """Return a file's name for a page and an address.

    Bytes that are not UTF-8 are replaced.
    """
    return path.name.encode("utf-8", "replace").decode()


def is_record_name(name: str) -> bool:
    """Return whether a file's name has the ending of a record or recording, and is not hidden."""
    return name.endswith(SUFFIXES) and not name.startswith(".")


def url_of(name: str) -> str:
    """Return the path of the URL under which a server offers a record."""
    return f"/records/{quote(name, safe='')}"


def _listed(folder: Path) -> Iterable[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return ()


def _listed_record(path: Path) -> ListedRecord | None:
    try:
        status = path.stat()
    except OSError:
        return None
    if not path.is_file() or status.st_size > RECORD_BYTES_MAX:
        return None
    return ListedRecord(name_of(path), path, status.st_size, status.st_mtime_ns)
