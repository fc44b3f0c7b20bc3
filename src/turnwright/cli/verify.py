"""`turnwright verify FILE …`: play records again and compare them turn by turn."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.cli.output import Style, count
from turnwright.cli.parser import Subparsers, add_command
from turnwright.errors import EXIT_MISMATCH, EXIT_OK

if TYPE_CHECKING:
    from turnwright.kernel.game import Game
    from turnwright.kernel.record import Record
    from turnwright.kernel.replay import Verification

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Nobody needs to be there: a record holds what every bot did. Exit code 0 when every turn of every record comes
out as it was recorded, 4 when one does not: the first turn and the first field that differ are named.

--json prints {"ok": ..., "files": [...]}. A file has file, ok, game, seed, turns (that came out as recorded),
ending ("over", "aborted", "void", or null when it is cut off), truncated, and mismatch: null, or turn, field,
recorded and replayed of the first difference."""


def add_parser(subparsers: Subparsers[Any]) -> None:
    """Add the command's options."""
    parser = add_command(subparsers, "verify", _DESCRIPTION)
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="records, e.g. battle.twr")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Verify the records, one after the other. Raises: RecordError for a file that cannot be read."""
    from turnwright.kernel.replay import verify
    from turnwright.net.records import read_record

    style = Style(sys.stdout)
    done = []
    for path in arguments.files:
        record = read_record(path)
        found = verify(record, _game(record))
        done.append(_described(path, record, found))
        if not arguments.json:
            print(_line(done[-1], style), flush=True)
    if arguments.json:
        print(json.dumps({"ok": all(one["ok"] for one in done), "files": done}, ensure_ascii=False))
    return EXIT_OK if all(one["ok"] for one in done) else EXIT_MISMATCH


def _game(record: Record) -> Game:
    """Return the rules that a record was made with."""
    from turnwright.catalog import load
    from turnwright.net.warmup import new_game

    header = record.header
    return new_game(header.tolerant) if header.game == "tank" else load(header.game)


def _described(path: Path, record: Record, found: Verification) -> dict[str, Any]:
    """Return what was found as JSON values."""
    return {
        "file": str(path),
        "ok": found.ok,
        "game": record.header.game,
        "seed": record.header.seed,
        "turns": found.turns,
        "ending": record.footer.ending if record.footer is not None else None,
        "truncated": found.truncated,
        "mismatch": None if found.mismatch is None else asdict(found.mismatch),
    }


def _line(one: dict[str, Any], style: Style) -> str:
    differs = one["mismatch"]
    if differs is not None:
        said = f"recorded {differs['recorded']}, replayed {differs['replayed']}"
        mark = style.paint("differs", "red")
        return f"{one['file']}: {mark} in turn {differs['turn']}, first in {differs['field']}: {said}"
    mark = style.paint("ok", "green")
    note = ", cut off" if one["truncated"] else "" if one["ending"] == "over" else f", {one['ending']}"
    return f"{one['file']}: {mark}, {count(one['turns'])} turns as recorded{note}"
