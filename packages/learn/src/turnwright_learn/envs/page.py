"""Pages of episodes: files that the render mode "human" opens in a browser."""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

from turnwright.app.frames import view_files
from turnwright.app.game.playable import PlayableGame
from turnwright.app.html import one_page
from turnwright.app.replay import look_at
from turnwright.app.watch import has_display, open_page
from turnwright.errors import RecordError
from turnwright.net.files.new_file import write_file

_log = logging.getLogger("turnwright")


def new_folder() -> Path:
    """Create a temporary folder for watched episodes without `record`, and return it."""
    return Path(mkdtemp(prefix="turnwright-episodes-"))


def show_episode(record: Path, game: PlayableGame) -> Path:
    """Write the page of a recorded episode next to its record, open it, and return its path.

    The page remains after this process has ended. If there is no browser, the log names its path.

    Raises:
        RecordError: the record cannot be shown.
        OSError: the page cannot be written.
    """
    found = look_at(record, game=game)
    analysis: bytes | None = None
    if found.frames is None:
        with suppress(RecordError):  # without an analysis the page says that it has none
            analysis = found.game.explained(record)
    page = record.with_suffix(".html")
    write_file(page, one_page(view_files(found.game), found.name, found.content(), analysis))
    if not (has_display() and open_page(page.resolve().as_uri())):
        _log.warning("the episode can be watched in a browser: %s", page)
    return page
