"""The table of commands; those of one game stand in its folder.

A game's own commands are `COMMANDS` of its package `cli`, in the same form; that package must import nothing
heavy, since every call of `turnwright` reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

_GAMES = Path(__file__).parents[1] / "games"
HEADINGS = ("battles", "records", "create", "worlds", "this machine")
"""The headings of the list of commands, in order; others follow them."""


class CommandRow(NamedTuple):
    """One command. module: where its `COMMAND` is, imported when the command is named."""

    module: str
    summary: str
    heading: str


_COMMANDS = {
    "arena": CommandRow(
        "turnwright.cli.arena", "serve a bot arena: people upload bots, which play on a ladder", "battles"
    ),
    "battle": CommandRow("turnwright.cli.battle", "play a battle and print its results", "battles"),
    "branch": CommandRow(
        "turnwright.cli.branch", "continue a record from a turn, with other bots", "records"
    ),
    "compare": CommandRow(
        "turnwright.cli.compare", "test whether a new version of a bot is better", "battles"
    ),
    "docs": CommandRow(
        "turnwright.cli.docs", "show the documentation of this version in the browser", "this machine"
    ),
    "doctor": CommandRow(
        "turnwright.cli.doctor", "list what this machine can run, and what is missing", "this machine"
    ),
    "new": CommandRow("", "create your own bot or game", "create"),
    "new bot": CommandRow(
        "turnwright.cli.new_bot", "create a bot directory NAME with NAME.py and NAME.json", "create"
    ),
    "new game": CommandRow(
        "turnwright.cli.new_game", "create a folder NAME with the rules of your own game", "create"
    ),
    "replay": CommandRow("turnwright.cli.replay", "show a recorded battle in the browser", "records"),
    "serve": CommandRow(
        "turnwright.cli.serve", "serve battles to bots, viewers and controllers that connect", "battles"
    ),
    "tournament": CommandRow("", "play many bots against each other and verify the results", "battles"),
    "tournament run": CommandRow(
        "turnwright.cli.tournament.run", "play a tournament in a folder, or continue it", "battles"
    ),
    "tournament show": CommandRow("turnwright.cli.tournament.show", "print the standings", "battles"),
    "tournament verify": CommandRow(
        "turnwright.cli.tournament.verify", "replay records and compare the results", "battles"
    ),
    "tournament export": CommandRow(
        "turnwright.cli.tournament.export", "write the results for other programs", "battles"
    ),
    "tournament import": CommandRow(
        "turnwright.cli.tournament.import_rumble", "read result records of the Rumble", "battles"
    ),
    "tournament add": CommandRow("turnwright.cli.tournament.add", "add bots", "battles"),
    "tournament remove": CommandRow("turnwright.cli.tournament.remove", "remove bots", "battles"),
    "verify": CommandRow("turnwright.cli.verify", "replay records and compare them turn by turn", "records"),
}
"""By name; a space is in the name of a command below another one. No module: only commands below it."""


@cache
def commands() -> dict[str, CommandRow]:
    """Return all commands by name, in alphabetical order.

    The general ones and those of every game.
    """
    found = dict(_COMMANDS)
    for rows in of_games("COMMANDS"):
        found |= {name: CommandRow(*row) for name, row in rows.items()}
    return dict(sorted(found.items()))


@cache
def renamed() -> dict[str, str]:
    """Return the earlier names of commands: name now.

    A game's own are `RENAMED` of its package `cli`.
    """
    found: dict[str, str] = {}
    for names in of_games("RENAMED"):
        found |= names
    return found


def of_games(name: str) -> Iterator[Any]:
    """Yield a value of that name from each game's package `cli`, in order."""
    for file in sorted(_GAMES.glob("*/cli/__init__.py")):
        package = import_module(f"turnwright.games.{file.parts[-3]}.cli")
        if hasattr(package, name):
            yield getattr(package, name)
