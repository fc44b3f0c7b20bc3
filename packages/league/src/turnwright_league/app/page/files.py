"""The page of a tournament as files that need no server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from turnwright.app.frames import view_files
from turnwright.app.game.playable import find_game
from turnwright.app.html import embedded_json, one_page, page_in_one, write_page
from turnwright.app.replay import look_at
from turnwright.errors import SetupError, TurnwrightError
from turnwright.net.files.new_file import write_file
from turnwright.net.http.viewer_files import StaticFile, load_viewer
from turnwright_league.app.page.content import PageSource, page_data

EMBEDDED_ID = "embedded-tournament"
"""The element with the content as JSON."""
PAGES = Path(__file__).parents[2] / "viewer"
"""The folder with the pages of tournaments and ladder servers."""
PAGE = "viewer/tournament/index.html"
"""The path of the page among the viewer's files."""
INDEX_NAME = "index.html"
REPLAYS_NAME = "replays"
"""The folder next to the page, with a page for each battle."""
REPLAYS_MAX = 500
"""The most battles with their own page. Such a page has about a megabyte more than the record."""


def page_json(data: Mapping[str, Any]) -> bytes:
    """Return the content of a page (`page_data`) as JSON."""
    return msgspec.json.encode(data)


def tournament_page(data: Mapping[str, Any]) -> bytes:
    """Return the page with this content (`page_data`) as one file."""
    return page_in_one(load_viewer(beside=PAGES), PAGE, embedded_json(EMBEDDED_ID, page_json(data)))


def export_page(
    source: PageSource,
    place: Path,
    *,
    replays: bool = False,
    record: Callable[[str], Path | None] = lambda _: None,
    game: str | None = None,
    force: bool = False,
    on_notice: Callable[[str], None] = lambda _: None,
) -> Path:
    """Write the page of a tournament, and return its path.

    Args:
        place: a file *.html, or a folder, in which the page is index.html. The folder is made if it does not
            exist.
        replays: whether a page for each of the newest battles (REPLAYS_MAX) is written next to it.
        record: returns the file of a battle's record, by its id.
        game: the game of the records, if their headers do not identify it.
        force: whether an existing page may be replaced.
        on_notice: gets a line about battles without a page.

    Raises:
        SetupError: the page exists already, or it cannot be written.
    """
    is_file = place.suffix.lower() in (".html", ".htm") and not place.is_dir()
    path = place if is_file else place / INDEX_NAME
    if path.exists() and not force:
        raise SetupError(f"--html {path}: the file already exists: give another name, or add --force")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if replays:
            (path.parent / REPLAYS_NAME).mkdir(exist_ok=True)
    except OSError as error:
        raise SetupError(f"--html {place} cannot be written: {error.strerror}") from None
    if replays:
        newest = sorted(source.played, key=lambda one: (-one.played_us, one.spec.seed))
        wanted = (one.id for one in newest[:REPLAYS_MAX])
        written = frozenset(_replays(wanted, path.parent / REPLAYS_NAME, record, game, on_notice))
        source = replace(source, files=written, replays="files")
    write_page(path, tournament_page(page_data(source)), force=force)
    return path


def _replays(
    battles: Iterable[str],
    folder: Path,
    record: Callable[[str], Path | None],
    game: str | None,
    on_notice: Callable[[str], None],
) -> Iterable[str]:
    """Write a page for each battle with a record, and yield their ids."""
    played = None if game is None else find_game(game)
    files: dict[str, Mapping[str, StaticFile]] = {}
    for battle in battles:
        path = record(battle)
        if path is None or not path.is_file():
            continue
        try:
            found = look_at(path, game=played)
            if (place := found.game.place) not in files:
                files[place] = view_files(found.game)
            analysis = found.game.explained(path) if found.frames is None else None
            page = one_page(files[place], found.name, found.content(), analysis)
            write_file(folder / f"{battle}.html", page)
        except (TurnwrightError, OSError) as error:
            on_notice(f"{path.name} has no page: {str(error).splitlines()[0]}")
            continue
        yield battle
