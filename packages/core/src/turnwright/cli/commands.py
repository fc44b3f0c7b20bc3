"""The table of commands, including the commands of all installed games.

A game lists its commands in its `GamePackage`. A package without a game, such as `turnwright_league`, lists
its commands in a mapping of the same form. An entry point of the group `turnwright.commands` names this
mapping. Every call of `turnwright` imports the modules that contain these objects, so the modules must import
little.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from typing import NamedTuple

from turnwright.catalog import points, with_parts
from turnwright.game_package import ListedCommand

_LAST = 1_000
"""The place that sorts commands without a place after all others."""
HEADINGS = ("battles", "records", "create", "worlds", "this machine")
"""The headings of the list of commands, in order. Other headings come after them."""
RARE = "seldom needed"
"""The last heading. The commands below this heading are only in the full list."""
ENTRY_POINTS = "turnwright.commands"
"""The group of entry points of packages that have commands and no game."""


class CommandRow(NamedTuple):
    """One command.

    Attributes:
        module: The module that contains the command's `COMMAND`. It is imported when the user names the
            command. "" means that this is a group, and only the commands below it can run.
        place: The place of the command in the short list of commands. The list is in the usual order of use.
            None means that the command is not in the short list.
    """

    module: str
    summary: str
    heading: str
    place: int | None = None


_COMMANDS = {
    "battle": CommandRow("turnwright.cli.battle", "play a battle and print its results", "battles", 30),
    "rerun": CommandRow("turnwright.cli.rerun", "let other bots play the seats of a record", "records"),
    "completion": CommandRow(
        "turnwright.cli.completion", "print a script that completes commands in a shell", "this machine"
    ),
    "docs": CommandRow(
        "turnwright.cli.docs", "show the documentation of this version in the browser", "this machine"
    ),
    "doctor": CommandRow(
        "turnwright.cli.doctor", "list what this machine can run, and what is missing", "this machine"
    ),
    "help": CommandRow("turnwright.cli.help", "print the help of a command", "this machine"),
    "new": CommandRow("", "create your own bot or game", "create", 20),
    "new bot": CommandRow(
        "turnwright.cli.new_bot", "create a bot directory NAME with NAME.py and NAME.json", "create"
    ),
    "new game": CommandRow(
        "turnwright.cli.new_game", "create a folder NAME with the rules of your own game", "create"
    ),
    "replay": CommandRow("turnwright.cli.replay", "show a recorded battle in the browser", "records", 40),
    "serve": CommandRow(
        "turnwright.cli.serve", "serve battles to bots, viewers and controllers that connect", "battles", 100
    ),
    "verify": CommandRow(
        "turnwright.cli.verify", "replay records and compare them turn by turn", "records", 50
    ),
}
"""The commands by name. The name of a command below another one contains a space."""


def commands() -> dict[str, CommandRow]:
    """Return all commands by name: the general commands, the commands of packages, and the commands of games.

    Commands with a place come first, in the order of use. The others follow in alphabetical order. A package
    or a game cannot replace a general command.
    """
    found = dict(_COMMANDS)
    for name, row in (*_of_packages(), *_of_games()):
        found.setdefault(name, row)
    return dict(sorted(found.items(), key=lambda item: (item[1].place or _LAST, item[0])))


def _row(listed: ListedCommand, module: str) -> CommandRow:
    """Return the row of a command in a package's list."""
    return CommandRow(module, *listed[1:])


def _of_packages() -> Iterator[tuple[str, CommandRow]]:
    """Yield the commands of packages without a game.

    A package that cannot be loaded is left out.
    """
    for point in points(ENTRY_POINTS):
        with suppress(Exception):
            listed: Mapping[str, ListedCommand] = point.load()
            package = import_module(point.module).__package__
            for name, row in listed.items():
                yield name, _row(row, f"{package}{row[0]}" if row[0].startswith(".") else row[0])


def _of_games() -> Iterator[tuple[str, CommandRow]]:
    for game in with_parts():
        for name, row in game.package.commands.items():
            yield name, _row(row, row[0] and game.absolute(row[0]))
