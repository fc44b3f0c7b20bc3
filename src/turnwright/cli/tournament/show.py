"""`turnwright tournament show FOLDER`: print the standings of a tournament."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from turnwright.app.option_fields import option
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.tournament.choice import FolderChoice, StoreChoice
from turnwright.errors import EXIT_OK

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


def run(given: GivenOptions) -> int:
    """Print the standings."""
    from turnwright.app.tournament.tournament import Tournament
    from turnwright.cli.terminal import Style, print_json
    from turnwright.cli.tournament.display import standings_lines

    tournament = Tournament(given.make(FolderChoice).folder, given.make(StoreChoice).store)
    if given.make(ShowOptions).json:
        print_json(tournament.to_data())
    else:
        print("\n".join(standings_lines(tournament.table, Style(sys.stdout))))
    return EXIT_OK


COMMAND = CommandSpec(run, _DESCRIPTION, (FolderChoice, ShowOptions, StoreChoice))
