"""Rules, results and pages of the tank's records, and of Tank Royale's recordings."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from turnwright.app.record_parts import RecordParts
from turnwright.errors import RecordError
from turnwright.games.tank.app.recordings import chunks_of
from turnwright.games.tank.backends import compile as compiled
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.wire.recording.read import Notes, read_lines, read_messages
from turnwright.games.tank.wire.royale.results import results_for_observers
from turnwright.host.summary import result_data
from turnwright.kernel.game import Outcome
from turnwright.kernel.record import Header, Record
from turnwright.kernel.replay import rebuild
from turnwright.net.files.reader import EXPECTED, OnProgress

__all__ = ["PATIENCE_US", "RECORDS", "TankRecords"]

PATIENCE_US = 3_000_000
"""The time that interpreted rules may take; for more it pays to load the compiled ones."""
_PATIENCE_UNCOMPILED_US = 40_000_000
"""The same where they would have to be compiled first."""

_log = logging.getLogger("turnwright")


class TankRecords(RecordParts):
    """The rules of tank records, and the results of records.

    The rules are compiled where that saves time in all.
    """

    seat_word = ("tank", 1)

    def rules(self, record: Record, contents: Path | None = None) -> TankGame:
        """Return the rules that a record was made with."""
        header = record.header
        if header.tolerant:
            return TankGame(on_error="continue")
        if not compiled.available():
            return TankGame("python")
        if not compiled.is_loaded():
            patience_us = PATIENCE_US if compiled.is_cached() else _PATIENCE_UNCOMPILED_US
            if _effort_us(header, len(record.turns)) < patience_us:
                return TankGame("python")
        compiled.load(_log.info)
        return TankGame("numba")

    def page(self, record: Record) -> None:
        """Leave it to the page to play the record again.

        Raises: RecordError when it cannot be.
        """
        rebuild(record, TankGame("python"))

    def is_cut_off(self, path: Path, on_progress: OnProgress) -> bool:
        """Return whether a recording was cut off.

        Raises: RecordError when nothing in it can be shown.
        """
        if next(read_messages(chunks_of(path), Notes()), None) is None:
            raise RecordError(f"{path} holds no turn of a battle: {EXPECTED}")
        notes = Notes()
        for _ in read_lines(chunks_of(path, on_progress), notes):
            pass
        return notes.truncated

    def results(self, record: Record, outcome: Outcome) -> list[dict[str, Any]]:
        """Return the results as observers get them."""
        return [result_data(row) for row in results_for_observers(outcome.results)]


def _effort_us(header: Header, turns: int) -> int:
    """Return about how long interpreted rules take; see bench/physics.py."""
    seats = len(header.seats)
    return turns * seats * (850 + 9 * seats) // 100


RECORDS = TankRecords()
