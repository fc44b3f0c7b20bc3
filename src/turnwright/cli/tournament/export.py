"""`turnwright tournament export FOLDER`: write the results as files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from turnwright.app.option_fields import option
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.tournament.choice import FolderChoice, StoreChoice
from turnwright.errors import EXIT_OK, SetupError

__all__ = ["COMMAND", "run"]

_DESCRIPTION = """\
Where a directory is named, the file in it is called battles.csv or battles.jsonl. The CSV file has one line
for each entry of each battle, the other one JSON object for each battle, as `turnwright tournament show
--json` has it."""


@dataclass(frozen=True)
class ExportOptions:
    """The files to write."""

    csv: Path | None = option(None, "write a CSV file", metavar="FILE")
    jsonl: Path | None = option(None, "write a file of JSON lines", metavar="FILE")


def run(given: GivenOptions) -> int:
    """Write the files."""
    from turnwright.app.tournament.export import export_csv, export_jsonl
    from turnwright.app.tournament.tournament import Tournament

    options = given.make(ExportOptions)
    if options.csv is None and options.jsonl is None:
        raise SetupError("nothing to export: give --csv FILE or --jsonl FILE")
    tournament = Tournament(given.make(FolderChoice).folder, given.make(StoreChoice).store)
    if options.csv is not None:
        print(export_csv(tournament, options.csv))
    if options.jsonl is not None:
        print(export_jsonl(tournament, options.jsonl))
    return EXIT_OK


COMMAND = CommandSpec(run, _DESCRIPTION, (FolderChoice, ExportOptions, StoreChoice))
