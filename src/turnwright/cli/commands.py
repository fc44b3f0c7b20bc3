"""The table of commands, with those of all installed games.

A game lists its own in its `GamePackage`, in the same form. Every call of `turnwright` imports the module
with that object, so it must import nothing heavy.
"""

from __future__ import annotations

from typing import NamedTuple

from turnwright.catalog import with_parts

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


def commands() -> dict[str, CommandRow]:
    """Return all commands by name, in alphabetical order: the general ones and those of every game.

    A game replaces no command that is there already.
    """
    found = dict(_COMMANDS)
    for game in with_parts():
        for name, (module, summary, heading) in game.package.commands.items():
            found.setdefault(name, CommandRow(module and game.absolute(module), summary, heading))
    return dict(sorted(found.items()))


def renamed() -> dict[str, str]:
    """Return the earlier names of commands: name now."""
    return {old: new for game in with_parts() for old, new in game.package.renamed.items()}
