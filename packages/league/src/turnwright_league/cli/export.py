"""`turnwright tournament export FOLDER`: writes the results as files."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.app.option_fields import option
from turnwright.cli.choice import ForceChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.terminal import clean
from turnwright.errors import EXIT_OK, SetupError
from turnwright_league.cli.choice import FolderChoice, StoreChoice, VersionsChoice

if TYPE_CHECKING:
    from turnwright_league.app.tournament import Tournament

_DESCRIPTION = """\
If --csv or --jsonl names a directory, the file in it is battles.csv or battles.jsonl. The CSV file has one
line for each entry of each battle. The JSON lines are objects, one for each battle, with the same keys as in
`turnwright tournament show --json`.

--rumble writes result records for the Rumble, in files with up to 60 battles that count. The Rumble takes
battles of tanks with the game types 1v1, twinduel and melee. `turnwright tournament import` reads such
files.

--html writes a page that needs no server, to a file or to index.html in a directory. It has standings,
pairings and all battles of the current version of each bot. --replays adds a page for each of the newest 500
battles, in the folder replays next to the page."""


@dataclass(frozen=True)
class ExportOptions:
    """The files to write."""

    csv: Path | None = option(None, "write the battles as a CSV file", metavar="FILE")
    jsonl: Path | None = option(None, "write the battles as JSON lines", metavar="FILE")
    html: Path | None = option(None, "write the standings as a page", metavar="FILE")
    rumble: Path | None = option(None, "write result records of the Tank Royale Rumble", metavar="DIR")
    client: str = option(
        "turnwright", "with --rumble: the id of your client at the Rumble (default: {default})", metavar="ID"
    )
    replays: bool = option(False, "with --html: write a page for each battle, too")


def run(given: GivenOptions) -> int:
    """Write the tournament to the requested files, and print their paths.

    Raises:
        SetupError: no file is requested, or the tournament cannot be read or written.
    """
    from turnwright_league.app.export import export_csv, export_jsonl, export_rumble
    from turnwright_league.app.tournament import Tournament

    options = given.make(ExportOptions)
    if all(one is None for one in (options.csv, options.jsonl, options.html, options.rumble)):
        raise SetupError("nothing to export: give --csv FILE, --jsonl FILE, --html FILE or --rumble DIR")
    tournament = Tournament(
        given.make(FolderChoice).folder,
        given.make(StoreChoice).store,
        all_versions=given.make(VersionsChoice).all_versions,
    )
    if options.csv is not None:
        print(export_csv(tournament, options.csv))
    if options.jsonl is not None:
        print(export_jsonl(tournament, options.jsonl))
    if options.html is not None:
        print(_page(tournament, options.html, replays=options.replays, force=given.make(ForceChoice).force))
    if options.rumble is not None:
        for path in export_rumble(tournament, options.rumble, options.client):
            print(path)
    return EXIT_OK


def _page(tournament: Tournament, place: Path, *, replays: bool, force: bool) -> Path:
    from turnwright_league.app.page.files import export_page
    from turnwright_league.app.page.source import source_of

    return export_page(
        source_of(tournament),
        place,
        replays=replays,
        record=tournament.folder.record,
        game=tournament.game,
        force=force,
        on_notice=lambda line: print(clean(line), file=sys.stderr),
    )


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (FolderChoice, ExportOptions, ForceChoice, VersionsChoice, StoreChoice),
    examples={
        "bots --csv battles.csv": "write one line for each bot in each battle",
        "bots --html site --replays": "write a page that needs no server",
    },
)
