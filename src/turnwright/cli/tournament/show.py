"""`turnwright tournament show FOLDER`: print the standings of a tournament."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from turnwright.app.option_fields import option
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.tournament.choice import FolderChoice, StoreChoice
from turnwright.cli.watch import OpenOptions, open_or_print
from turnwright.errors import EXIT_OK

if TYPE_CHECKING:
    from turnwright.app.tournament.tournament import Tournament

__all__ = ["COMMAND", "run"]

_DESCRIPTION = """\
It may be called while the tournament is played. APS is the average percentage of score, 50 for an average bot
of two, with its 95 % interval.

--json prints one object: game, behaviour, format, seed, settings; standings: a list, best first, of rank,
entry (its id), name, version, aps, aps_low, aps_high, win_share, survival, battles, failures, ratings,
cannot_be_told_apart_from; pairings: a list of entry, opponent, share, low, high, win_share, battles; counted,
forfeits, void, suspect (battles); entries: id, label, name, version, kind, source; battles: id, seed, state,
counts, suspect (why), scores (name, seat, entry, score, rounds, survival, columns, skipped, late, p50_us,
p99_us, max_us, failure), turns, server_late_turns, digest, record, turnwright, sandbox, attempts,
played_us."""


@dataclass(frozen=True)
class ShowOptions:
    """The form of the standings."""

    json: bool = option(False, "print one JSON object")
    serve: bool = option(False, "show the page with all replays in the browser, until Ctrl-C")
    port: int = option(0, "of --serve; default: 0 = a free one", "-p", "--port", metavar="N")


def run(given: GivenOptions) -> int:
    """Print the standings."""
    from turnwright.app.tournament.tournament import Tournament
    from turnwright.cli.terminal import Style, print_json
    from turnwright.cli.tournament.display import standings_lines

    tournament = Tournament(given.make(FolderChoice).folder, given.make(StoreChoice).store)
    options = given.make(ShowOptions)
    if options.serve:
        _serve(tournament, options.port, opened=given.make(OpenOptions).open)
    elif options.json:
        print_json(tournament.to_data())
    else:
        print("\n".join(standings_lines(tournament.table, Style(sys.stdout))))
    return EXIT_OK


def _serve(tournament: Tournament, port: int, *, opened: bool | None) -> None:
    from turnwright.app.tournament.page_server import serve_page
    from turnwright.app.tournament.page_source import pages_of, source_of
    from turnwright.net.http.ports import check_port

    check_port(port)
    pages = pages_of(tournament)
    pages.show(replace(source_of(tournament), replays=pages.replays))

    def listening(url: str) -> None:
        shown = open_or_print(url, wanted=opened)
        where = "in your browser" if shown else "at this address"
        print(f"the tournament is shown {where} until Ctrl-C", file=sys.stderr, flush=True)

    serve_page(pages, port, listening)


COMMAND = CommandSpec(run, _DESCRIPTION, (FolderChoice, ShowOptions, OpenOptions, StoreChoice))
