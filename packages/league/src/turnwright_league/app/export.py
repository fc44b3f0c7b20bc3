"""Writes results as CSV, JSON lines or Rumble records, and reads Rumble records."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from turnwright._version import __version__
from turnwright.errors import RecordError, SetupError
from turnwright.kernel.failure import Failure
from turnwright.net.files.new_file import write_file
from turnwright_league.app.folder import TournamentFolder
from turnwright_league.app.store import KeptEntry, open_store, remember_store, store_place
from turnwright_league.app.tournament import RULES, Tournament, battle_data, rules_text
from turnwright_league.tournament.battle_spec import settings_text
from turnwright_league.tournament.pairings import PairingRules
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.rumble import (
    RUMBLE_GAME,
    RumbleClient,
    RumbleResults,
    read_rumble,
    rumble_envelopes,
)

RUMBLE_BYTES_MAX = 64 << 20
"""The most bytes of a file of Rumble records."""
_RUMBLE = "rumble"

CSV_COLUMNS = (
    "battle", "seed", "state", "counts", "entry", "name", "version", "seat", "score", "survival", "rounds",
    "skipped", "late", "p99_us", "reason", "failure", "turns", "digest", "record",
)  # fmt: skip
"""The columns of the CSV file. Each entry of each battle has one line."""


def export_csv(tournament: Tournament, path: Path) -> Path:
    """Write a CSV file with a line for each entry of each battle, and return its path.

    Args:
        path: the file, or a folder for battles.csv.

    Raises:
        SetupError: the file cannot be written.
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
                    *(row.skipped, row.late, row.p99_us),
                    *_failure_cells(row.failure),
                    *(battle.turns, battle.digest, battle.record or ""),
                ]
            )
    return _written(place, text.getvalue())


def _failure_cells(failure: Failure | None) -> tuple[str, str]:
    return ("", "") if failure is None else (str(failure.reason), _safe(failure.full_text))


def export_jsonl(tournament: Tournament, path: Path) -> Path:
    """Write a file with a JSON object for each battle, and return its path.

    Args:
        path: the file, or a folder for battles.jsonl.

    Raises:
        SetupError: the file cannot be written.
    """
    place = path / "battles.jsonl" if path.is_dir() else path
    return _written(place, "".join(_lines(tournament)))


def export_rumble(tournament: Tournament, folder: Path, client: str) -> list[Path]:
    """Write the battles that count as files for the Rumble, and return their paths.

    A file has up to 60 battles.

    Args:
        client: the id of this client at the Rumble.

    Raises:
        SetupError: the folder cannot be created, or no record of the Rumble can hold a battle.
    """
    played = list(tournament.battles())
    envelopes = rumble_envelopes(played, tournament.entries, RumbleClient(client, __version__))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SetupError(f"{folder} cannot be created: {error.strerror}") from None
    return [
        _written(folder / f"rumble-{number:04}.json", json.dumps(one, ensure_ascii=False, indent=1) + "\n")
        for number, one in enumerate(envelopes, 1)
    ]


def import_rumble(folder: str | Path, files: Sequence[Path], store: str | None = None) -> tuple[int, int]:
    """Read records of the Rumble into a folder, which is created if it does not exist.

    Return the number of battles in them, and how many of these were in the folder before.

    Raises:
        SetupError: a file has no Rumble records, or battles were played in the folder. Then nothing is read.
    """
    found = _rumble_results(files)
    place = TournamentFolder(folder, make=True)
    with place.locked():
        opened = open_store(store_place(place, store), writing=True)
        try:
            before = {one.id: one for one in opened.battles()}
            if any(one.worker != _RUMBLE for one in before.values()) or (
                not before and RULES in opened.meta()
            ):
                raise SetupError(f"{place.path} has played battles: import the Rumble into another folder")
            if RULES not in opened.meta():
                opened.put_meta(RULES, rules_text(_rumble_rules(found.played), RUMBLE_GAME))
            known = {one.entry.id for one in opened.entries()}
            for entry in found.entries:
                if entry.id not in known:
                    joined = 1 + len(known)
                    known.add(entry.id)
                    opened.put_entry(KeptEntry(entry, f"{_RUMBLE}/{entry.name}", 1, "gone", joined))
            for battle in found.played:
                opened.add(battle)
            remember_store(place, store, lambda _: None)
        finally:
            opened.close()
    return len(found.played), sum(battle.id in before for battle in found.played)


def _rumble_rules(played: Sequence[PlayedBattle]) -> PairingRules:
    kinds = {json.loads(battle.spec.settings)["game_type"] for battle in played}
    settings = {"game_type": kinds.pop()} if len(kinds) == 1 else {}
    behaviour = max((battle.spec.behaviour for battle in played), default=1)
    return PairingRules(RUMBLE_GAME, behaviour, settings_text(settings), 1)


def _rumble_results(files: Sequence[Path]) -> RumbleResults:
    values: list[Any] = []
    for path in files:
        try:
            if path.stat().st_size > RUMBLE_BYTES_MAX:
                raise SetupError(f"{path} is larger than {RUMBLE_BYTES_MAX >> 20} MiB: give it in parts")
            value = json.loads(path.read_text(encoding="utf-8"))
            some = value if isinstance(value, list) else [value]
            read_rumble(some)  # so that an error names the file
        except OSError as error:
            raise SetupError(
                f"{path} cannot be read ({error.strerror}): give a file of result records"
            ) from None
        except (ValueError, RecursionError, RecordError) as error:
            raise SetupError(f"{path}: not records of the Rumble: {str(error)[:200]}") from None
        values += some
    if not values:
        raise SetupError("nothing to read: name files with records or envelopes of the Rumble")
    return read_rumble(values)


def _lines(tournament: Tournament) -> Iterator[str]:
    for battle in tournament.battles():
        yield json.dumps(battle_data(battle, tournament.labels), ensure_ascii=False) + "\n"


def _safe(text: str) -> str:
    """Return a text with ' before it if a spreadsheet would take it for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _written(place: Path, text: str) -> Path:
    try:
        write_file(place, text)
    except OSError as error:
        raise SetupError(f"{place} cannot be written: {error.strerror}") from None
    return place
