"""`turnwright tournament import FOLDER FILE …`: reads records of the Rumble."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from turnwright.app.option_fields import argument
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.errors import EXIT_OK
from turnwright_league.cli.choice import FolderChoice, StoreChoice

_DESCRIPTION = """\
A FILE holds a record of the Tank Royale Rumble (schema version 1), a list of them, or an envelope. FOLDER is
made, or was made by this command: standings with intervals, page and exports are then those of any other
tournament. A battle that was read before counts once. There are no records to play again, so nothing of it
can be verified."""


@dataclass(frozen=True)
class ImportOptions:
    """The files to read."""

    files: tuple[Path, ...] = argument("FILE", "JSON files of the Rumble", many=True, read=Path)


def run(given: GivenOptions) -> int:
    """Read the files."""
    from turnwright_league.app.export import import_rumble

    files = given.make(ImportOptions).files
    folder = given.make(FolderChoice).folder
    read, known = import_rumble(folder, files, given.make(StoreChoice).store)
    print(f"{read} battles read, {known} of them known already")
    return EXIT_OK


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (FolderChoice, ImportOptions, StoreChoice),
    examples={"cup rumble/*.json": "read result records"},
)
