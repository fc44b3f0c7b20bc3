"""Packs a ladder server's folder into one zip, without passphrases."""

from __future__ import annotations

import os
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from turnwright.errors import SetupError
from turnwright.net.files.new_file import whole_file
from turnwright_league.app.ladder.files import OWN
from turnwright_league.app.ladder.folder import LadderFolder
from turnwright_league.app.page.content import page_data
from turnwright_league.app.page.files import INDEX_NAME, tournament_page
from turnwright_league.app.page.source import source_of
from turnwright_league.app.tournament import Tournament

_DATABASES = (".sqlite",)
_LEFT_OUT = (f"{OWN}/arena.sqlite", f"{OWN}/incoming", f"{OWN}/home.zip")


def pack_home(ladder_folder: LadderFolder, place: Path) -> None:
    """Write the zip to `place`. It contains people's names, but not their passphrases.

    Each database is copied as of one moment. No file is deleted until everything is packed. So all files that
    the databases name exist.

    Raises:
        OSError: a file cannot be read, or the zip cannot be written.
        SetupError: the results of a tournament cannot be read.
    """
    top = ladder_folder.folder.path.resolve().name
    with (
        ladder_folder.deletions,
        whole_file(place) as stream,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed,
    ):
        for name, path in _files(ladder_folder.folder.path):
            if path.suffix in _DATABASES:
                packed.writestr(f"{top}/{name}", _copied(path))
            elif path.suffix == ".twr":
                packed.write(path, f"{top}/{name}", zipfile.ZIP_STORED)  # it is packed already
            else:
                packed.write(path, f"{top}/{name}")
        for name, page in _pages(ladder_folder):
            packed.writestr(f"{top}/{name}", page())


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of a folder that belong in the zip, with their relative names."""
    for root, folders, files in os.walk(folder):
        below = Path(root).relative_to(folder)
        folders[:] = sorted(one for one in folders if str(below / one) not in _LEFT_OUT)
        for file in sorted(files):
            name = str(below / file)
            path = Path(root) / file
            unfinished = file.startswith(".") or file.endswith((".part.twr", "-wal", "-shm"))
            if (
                not unfinished
                and file != INDEX_NAME
                and not name.startswith(_LEFT_OUT)
                and not path.is_symlink()
            ):
                yield name, path


def _copied(path: Path) -> bytes:
    """Return a copy of a database as of one moment, in one file."""
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(":memory:")) as copy:
        source.backup(copy)
        return copy.serialize()


def _pages(ladder_folder: LadderFolder) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield the names of pages of standings, and the functions that make them."""
    folders = [("", ladder_folder.folder.path, ladder_folder.title)]
    folders += [
        (f"{started.folder}/", ladder_folder.folder.path / started.folder, started.name)
        for started in ladder_folder.tournaments.all()
    ]
    for prefix, folder, _ in folders:
        try:
            tournament = Tournament(folder)
        except SetupError:
            continue
        yield f"{prefix}{INDEX_NAME}", lambda shown=tournament: _page(shown)  # type: ignore[misc]


def _page(tournament: Tournament) -> bytes:
    """Return the page of a tournament without the errors of bots, because people show this page."""
    return tournament_page(page_data(replace(source_of(tournament), errors_public=False)))
