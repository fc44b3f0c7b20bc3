"""Rules, results and pages of the tank's records, and of Tank Royale's recordings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from turnwright.app.record_parts import RecordParts
from turnwright.errors import RecordError
from turnwright.games.tank.app.recordings import chunks_of
from turnwright.games.tank.game import TankGame, new_game
from turnwright.games.tank.wire.recording.read import Notes, read_lines, read_messages
from turnwright.games.tank.wire.royale.results import results_for_observers
from turnwright.host.summary import result_data
from turnwright.kernel.game import Outcome
from turnwright.kernel.record import Record
from turnwright.kernel.replay import rebuild
from turnwright.net.files.reader import EXPECTED, OnProgress


class TankRecords(RecordParts):
    """The rules of tank records, and the results of records."""

    seat_word = ("tank", 1)

    def rules(self, record: Record, contents: Path | None = None) -> TankGame:
        """Return the rules that a record was made with."""
        return new_game(tolerant=record.header.tolerant)

    def page(self, record: Record) -> None:
        """Leave it to the page to play the record again.

        Raises: RecordError when it cannot be.
        """
        rebuild(record, TankGame("interpreted"))

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
