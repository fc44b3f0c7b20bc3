"""The records that a server offers to browsers, by name. A name is looked up in a list, never in the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

__all__ = [
    "NO_RECORDS",
    "RECORDS_MAX",
    "RECORD_BYTES_MAX",
    "SUFFIXES",
    "Offer",
    "Shelf",
    "is_record_name",
    "name_of",
    "url_of",
]

RECORDS_MAX = 1_000
"""More are not listed; the newest are."""
RECORD_BYTES_MAX = 64 << 20
"""A larger file is not sent: whoever has it on disk can drop it on the page."""
SUFFIXES = (".twr", ".battle.gz", ".battle")


@dataclass(frozen=True, slots=True)
class Offer:
    """A record that can be had. name: as the page shows it; size: in bytes."""

    name: str
    path: Path
    size: int
    changed_ns: int


class Shelf:
    """What `paths` yields when it is asked, as far as these are files now, newest first.

    Of files of one name the first is offered.
    """

    def __init__(self, paths: Callable[[], Iterable[Path]]) -> None:
        self._paths = paths

    @classmethod
    def of_files(cls, *paths: Path) -> Shelf:
        """Return a shelf of these files; one that is not there yet is offered once it is."""
        return cls(lambda: paths)

    @classmethod
    def of_folder(cls, folder: Path) -> Shelf:
        """Return a shelf of the records directly in a folder."""
        return cls(lambda: (path for path in _listed(folder) if is_record_name(path.name)))

    def offers(self) -> list[Offer]:
        """Return what is offered now."""
        found: dict[str, Offer] = {}
        for path in self._paths():
            offer = _offer(path)
            if offer is not None:
                found.setdefault(offer.name, offer)
        return sorted(found.values(), key=lambda one: (-one.changed_ns, one.name))[:RECORDS_MAX]

    def read(self, name: str) -> bytes | None:
        """Return the bytes of the record of that name, or None."""
        for offer in self.offers():
            if offer.name == name:
                try:
                    return offer.path.read_bytes()
                except OSError:
                    return None
        return None


NO_RECORDS = Shelf(tuple)
"""Nothing is offered."""


def name_of(path: Path) -> str:
    """Return a file's name as it can stand in a page and an address: what is no text in it is replaced."""
    return path.name.encode("utf-8", "replace").decode()


def is_record_name(name: str) -> bool:
    """Return whether a file is called as records are."""
    return name.endswith(SUFFIXES) and not name.startswith(".")


def url_of(name: str) -> str:
    """Return where a server has the record of that name, below its own address."""
    return f"/records/{quote(name, safe='')}"


def _listed(folder: Path) -> Iterable[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return ()


def _offer(path: Path) -> Offer | None:
    try:
        status = path.stat()
    except OSError:
        return None
    if not path.is_file() or status.st_size > RECORD_BYTES_MAX:
        return None
    return Offer(name_of(path), path, status.st_size, status.st_mtime_ns)
