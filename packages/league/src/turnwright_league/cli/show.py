"""`turnwright tournament show FOLDER`: prints the standings of a tournament."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from turnwright.app.option_fields import option
from turnwright.cli.choice import JsonChoice, OpenChoice, PortChoice
from turnwright.cli.parser import CommandSpec, GivenOptions, parse
from turnwright.cli.watch import open_or_print
from turnwright.errors import EXIT_OK, SetupError
from turnwright_league.cli.choice import FolderChoice, StoreChoice, VersionsChoice
from turnwright_league.tournament.columns import STANDING_FIELDS

if TYPE_CHECKING:
    from turnwright_league.app.tournament import Tournament
    from turnwright_league.tournament.played_battle import PlayedBattle

_DESCRIPTION = """\
You can also run this command while the tournament is played. APS is the average percentage of score, with its
95 % interval. In duels, an average bot has 50. For each bot, the column Alike lists the ranks of the bots
that may be equally strong. The table shows the current version of each bot. --versions lists earlier
versions, too.

--battle ID shows one battle: its scores, missed turns and record, and the reason if it does not count. With
--trace, the command reports what happened in the battle. For tanks, it prints the output of `turnwright
trace`. With --json it prints the output of `turnwright trace --format json --no-events`. For other games, it
prints a JSON line for each turn with events or new scores."""
_JSON = f"""\
| Key | Value |
|---|---|
| `game`, `behaviour`, `format`, `seed`, `settings` | the rules of the tournament |
| `standings` | a list, best first, with {", ".join(f"`{name}`" for name in STANDING_FIELDS)}. `entry` is \
the entry's id. `why_not` says why no battle of the entry counts, or is "" |
| `pairings` | a list with `entry`, `opponent`, `share`, `low`, `high`, `win_share`, `battles` |
| `counted`, `forfeits`, `void`, `suspect` | numbers of battles |
| `played_again` | how often battles were played again |
| `entries` | a list with `id`, `label`, `name`, `version`, `kind`, `source` |
| `versions` | a list with `bot` (the id of its current version), `id`, `entry`, `is_current`, `first_us`, \
`last_us`, `aps`, `opponents`, `battles`. `aps`, `opponents` and `battles` are about battles against the \
current versions of the other bots |
| `battles` | a list with `id`, `seed`, `state`, `counts`, `suspect` (the reasons), `scores`, `turns`, \
`server_late_turns`, `digest`, `record`, `turnwright`, `sandbox`, `attempts`, `played_us` |
| `scores` of a battle | a list with `name`, `seat`, `entry`, `score`, `rounds`, `survival`, `columns`, \
`skipped`, `late`, `p50_us`, `p99_us`, `max_us`, `reason`, `failure` |
| `reason`, `failure` | why the bot failed: `reason`, `round`, `turn`, `error`, `text`, `advice`. Null if \
the bot did not fail |"""


@dataclass(frozen=True)
class ShowOptions:
    """The form of the standings, or the battle to show.

    Raises:
        SetupError: a trace is requested without a battle.
    """

    battles: bool = option(False, "list the battles, newest last", often=True)
    versions: bool = option(
        False,
        "list all versions of each bot, each with its APS against the current versions of the other bots",
        often=True,
    )
    battle: str | None = option(
        None, "show this battle, by its id or the first digits of its id", metavar="ID", often=True
    )
    trace: bool = option(
        False, "with --battle: report what happened in the battle, as `turnwright trace` does", often=True
    )
    serve: bool = option(False, "show the page with all replays in the browser, until Ctrl-C", often=True)

    def __post_init__(self) -> None:
        if self.trace and self.battle is None:
            raise SetupError("--trace needs a battle: give --battle ID. --battles lists the ids")


def run(given: GivenOptions) -> int:
    """Print the standings, the battles, or one battle."""
    from turnwright.cli.terminal import Style, print_json
    from turnwright_league.app.tournament import Tournament
    from turnwright_league.cli.display import battle_table, remarks, standings_lines, version_table

    tournament = Tournament(
        given.make(FolderChoice).folder,
        given.make(StoreChoice).store,
        all_versions=given.make(VersionsChoice).all_versions,
    )
    options, as_json = given.make(ShowOptions), given.make(JsonChoice).json
    if options.battle is not None:
        return _one_battle(tournament, options.battle, trace=options.trace, as_json=as_json)
    if options.serve:
        _serve(tournament, given.make(PortChoice).port, opened=given.make(OpenChoice).open)
    elif as_json:
        print_json(tournament.to_data())
    elif options.battles:
        print("\n".join(battle_table(tournament, Style(sys.stdout))))
    elif options.versions:
        print("\n".join(version_table(tournament, Style(sys.stdout))))
    else:
        print("\n".join(standings_lines(tournament.table, Style(sys.stdout))), flush=True)
        print(", ".join(remarks(tournament.table)), file=sys.stderr)
    return EXIT_OK


def _one_battle(tournament: Tournament, wanted: str, *, trace: bool, as_json: bool) -> int:
    """Print a battle, or the trace of its record."""
    from turnwright.cli.terminal import Style, print_json
    from turnwright_league.app.tournament import battle_data
    from turnwright_league.cli.display import battle_lines

    battle = tournament.battle(wanted)
    if trace:
        return _trace(tournament, battle, as_json=as_json)
    if as_json:
        print_json(battle_data(battle, tournament.labels))
    else:
        print("\n".join(battle_lines(tournament, battle, Style(sys.stdout))))
    return EXIT_OK


def _trace(tournament: Tournament, battle: PlayedBattle, *, as_json: bool) -> int:
    """Print the trace of a battle, or its events as JSON lines."""
    from turnwright.app.game.playable import find_game
    from turnwright.catalog import names
    from turnwright_league.app.recorded.event_lines import event_lines

    path = tournament.record(battle)
    if battle.record_deleted:
        raise SetupError(f"the record of battle {battle.id[:12]} was deleted to make room: there is no trace")
    if path is None or not path.is_file():
        raise SetupError(f"no record is kept of battle {battle.id[:12]}: play with --keep records=all")
    if command := find_game(tournament.game).package.analysis:
        form = ["--format", "json", "--no-events"] if as_json else []
        parsed = parse([*command.split(), str(path), *form])
        assert not isinstance(parsed, int)
        return parsed.run(parsed.given)
    for line in event_lines(path, None if tournament.game in names() else tournament.game):
        print(line)
    return EXIT_OK


def _serve(tournament: Tournament, port: int, *, opened: bool | None) -> None:
    from turnwright.net.http.ports import check_port
    from turnwright_league.app.page.server import serve_page
    from turnwright_league.app.page.source import pages_of, source_of

    check_port(port)
    pages = pages_of(tournament)
    pages.show(replace(source_of(tournament), replays=pages.replays))

    def listening(url: str) -> None:
        shown = open_or_print(url, wanted=opened)
        where = "in your browser" if shown else "at this address"
        print(f"the tournament is shown {where} until Ctrl-C", file=sys.stderr, flush=True)

    serve_page(pages, port, listening)


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (FolderChoice, ShowOptions, VersionsChoice, JsonChoice, OpenChoice, PortChoice, StoreChoice),
    examples={"bots": "print the standings", "bots --serve": "show the page with all replays"},
    json=_JSON,
)
