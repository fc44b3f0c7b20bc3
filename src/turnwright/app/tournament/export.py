"""Writes the results of a tournament as CSV or JSON lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

from turnwright.app.tournament.tournament import Tournament, battle_data
from turnwright.errors import SetupError
from turnwright.net.files.new_file import write_file
from turnwright.tournament.standings import entry_labels

__all__ = ["CSV_COLUMNS", "export_csv", "export_jsonl"]

CSV_COLUMNS = (
    "battle", "seed", "state", "counts", "entry", "name", "version", "seat", "score", "survival", "rounds",
    "skipped", "late", "p99_us", "failure", "turns", "digest", "record",
)  # fmt: skip
"""One line for each entry of each battle."""


def export_csv(tournament: Tournament, path: Path) -> Path:
    """Write a CSV file with a line for each entry of each battle.

    Return its path. Raises: SetupError.
    """
    place = path / "battles.csv" if path.is_dir() else path
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(CSV_COLUMNS)
    names = {one.id: (_safe(one.name), _safe(one.version)) for one in tournament.entries}
    for battle in tournament.battles():
        for row in battle.scores:
            lines.writerow(
                [
                    *(battle.id, battle.spec.seed, battle.state, int(battle.counts), row.entry),
                    *names.get(row.entry, ("", "")),
                    *(row.seat, row.score, "" if row.survival is None else row.survival),
                    " ".join(map(repr, row.rounds)),
                    *(row.skipped, row.late, row.p99_us, row.failure or ""),
                    *(battle.turns, battle.digest, battle.record or ""),
                ]
            )
    return _written(place, text.getvalue())


def export_jsonl(tournament: Tournament, path: Path) -> Path:
    """Write a file with a JSON object for each battle; return its path.

    Raises: SetupError.
    """
    place = path / "battles.jsonl" if path.is_dir() else path
    return _written(place, "".join(_lines(tournament)))


def _lines(tournament: Tournament) -> Iterator[str]:
    labels = entry_labels(tournament.entries)
    for battle in tournament.battles():
        yield json.dumps(battle_data(battle, labels), ensure_ascii=False) + "\n"


def _safe(text: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _written(place: Path, text: str) -> Path:
    try:
        write_file(place, text)
    except OSError as error:
        raise SetupError(f"{place} cannot be written: {error.strerror}") from None
    return place
