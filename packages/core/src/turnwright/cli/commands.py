"""The table of commands, with those of all installed games.

A game lists its own in its `GamePackage`. A package without a game, such as that of tournaments, lists
its own in a mapping of the same form, and an entry point of the group `turnwright.commands` names it. Every
call of `turnwright` imports the modules with these objects, so they must import nothing heavy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from typing import NamedTuple

from turnwright.catalog import points, with_parts

HEADINGS = ("battles", "records", "create", "worlds", "this machine")
"""The headings of the list of commands, in order; others follow them."""
ENTRY_POINTS = "turnwright.commands"
"""The group of entry points of packages that bring commands and no game."""


class CommandRow(NamedTuple):
    """One command. module: where its `COMMAND` is, imported when the command is named."""

    module: str
    summary: str
    heading: str


_COMMANDS = {
    "battle": CommandRow("turnwright.cli.battle", "play a battle and print its results", "battles"),
    "branch": CommandRow(
        "turnwright.cli.branch", "continue a record from a turn, with other bots", "records"
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
    "verify": CommandRow("turnwright.cli.verify", "replay records and compare them turn by turn", "records"),
}
"""By name; a space is in the name of a command below another one. No module: only commands below it."""


def commands() -> dict[str, CommandRow]:
    """Return all commands by name, in alphabetical order: the general ones, those of packages and of games.

    None replaces a command that is there already.
    """
    found = dict(_COMMANDS)
    for name, row in (*_of_packages(), *_of_games()):
        found.setdefault(name, row)
    return dict(sorted(found.items()))


def _of_packages() -> Iterator[tuple[str, CommandRow]]:
    """Yield the commands of packages without a game.

    A package that cannot be loaded is left out, as a game is.
    """
    for point in points(ENTRY_POINTS):
        with suppress(Exception):
            listed: Mapping[str, tuple[str, str, str]] = point.load()
            package = import_module(point.module).__package__
            for name, (module, summary, heading) in listed.items():
                whole = f"{package}{module}" if module.startswith(".") else module
                yield name, CommandRow(whole, summary, heading)


def _of_games() -> Iterator[tuple[str, CommandRow]]:
    for game in with_parts():
        for name, (module, summary, heading) in game.package.commands.items():
            yield name, CommandRow(module and game.absolute(module), summary, heading)


def renamed() -> dict[str, str]:
    """Return the earlier names of commands: name now."""
    return {old: new for game in with_parts() for old, new in game.package.renamed.items()}
