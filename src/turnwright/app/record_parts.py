"""The parts of a game that read its records, found by the game's name.

    record_parts_of("world") ──▶ games/world/app/records.py: RECORDS ──▶ rules, results, story, page

The root imports no game: it asks here, by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turnwright import catalog
from turnwright.app.frames import frame_lines
from turnwright.errors import RecordError, SetupError
from turnwright.host.generic_protocol import result_rows
from turnwright.host.summary import result_data
from turnwright.kernel.game import Game, Outcome
from turnwright.kernel.record import Record
from turnwright.net.files.reader import OnProgress

RECORDINGS_OF = "tank"
"""The game whose parts read Tank Royale recordings."""


class RecordParts:
    """The rules, results and story of records; those of a game that adds nothing."""

    seat_word: tuple[str, int] = ("seat", 0)
    """The word for a seat in messages, and the number of the first one."""

    def rules(self, record: Record, contents: Path | None = None) -> Game:
        """Return the rules that a record was made with.

        contents: a folder in which a server has kept contents of a world. Raises: SetupError or RecordError
        when they are not there.
        """
        return catalog.load(record.header.game, installed_only=True)

    def results(self, record: Record, outcome: Outcome) -> list[dict[str, Any]] | None:
        """Return results as a record's footer has them; None: they are not compared."""
        names = [info.name for info in record.header.seats]
        return [result_data(row) for row in result_rows(names, outcome)]

    def story(
        self, path: Path, columns: int, *, colours: bool, contents: Path | None, on_progress: OnProgress
    ) -> Iterator[str] | None:
        """Return a record as lines of text, at most `columns` wide.

        None: this game draws it.

        Raises: RecordError, also while it is told.
        """
        return None

    def page(self, record: Record) -> bytes | None:
        """Return the file that a page gets in place of a record.

        None: the page plays the record itself.

        Raises: RecordError, SetupError when no page can show it.
        """
        return frame_lines(record, self.rules(record))

    def is_cut_off(self, path: Path, on_progress: OnProgress) -> bool:
        """Return whether a Tank Royale recording ends before its battle.

        Raises: RecordError when nothing in it can be shown.
        """
        raise RecordError(f"{path} is a Tank Royale recording: no game that is installed here reads it")


def record_parts_of(game: str) -> RecordParts:
    """Return the parts of a game that read its records.

    game: its name; one that is unknown adds nothing.
    """
    try:
        kind = catalog.find(game, installed_only=True).part("records") or RecordParts
    except SetupError:
        kind = RecordParts
    parts: RecordParts = kind()
    return parts
