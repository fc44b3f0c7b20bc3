"""`turnwright tournament import FOLDER FILE …`: reads records of the Rumble."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from turnwright.app.option_fields import argument
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.errors import EXIT_OK
from turnwright_league.cli.choice import FolderChoice, StoreChoice

_DESCRIPTION = """\
Each FILE contains one result record of the Tank Royale Rumble (schema version 1), a list of such records,
or an object that contains such a list. The command creates FOLDER, or adds to a folder that it created
earlier. The folder then has standings with intervals, a page and exports like any other tournament. A
battle that is imported twice counts once. The files contain only results, not what happened in the
battles. So `turnwright tournament verify` cannot check these results."""


@dataclass(frozen=True)
class ImportOptions:
    """The files to read."""

    files: tuple[Path, ...] = argument(
        "FILE", "JSON files with result records of the Rumble", many=True, read=Path
    )


def run(given: GivenOptions) -> int:
    """Add the battles in the files to the tournament."""
    from turnwright_league.app.export import import_rumble

    files = given.make(ImportOptions).files
    folder = given.make(FolderChoice).folder
    read, known = import_rumble(folder, files, given.make(StoreChoice).store)
    print(f"{read} battles read, {known} of them already known")
    return EXIT_OK


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (FolderChoice, ImportOptions, StoreChoice),
    examples={"cup rumble/*.json": "read result records"},
)
