"""`turnwright tournament add FOLDER BOT …`: adds bots to a tournament."""

from __future__ import annotations

from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.errors import EXIT_OK
from turnwright_league.cli.choice import BotsChoice, FolderChoice, StoreChoice

_DESCRIPTION = """\
A BOT is a built-in bot, a removed bot's directory in FOLDER, or the path of a bot directory elsewhere. The
next `turnwright tournament run FOLDER` plays with these bots. Without this command, you can add a new bot by
putting its directory into FOLDER."""


def run(given: GivenOptions) -> int:
    """Add the bots to the tournament."""
    from turnwright_league.app.entering import add_bots

    bots = given.make(BotsChoice).bots
    for text in add_bots(given.make(FolderChoice).folder, bots, given.make(StoreChoice).store):
        print(text)
    return EXIT_OK


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (FolderChoice, BotsChoice, StoreChoice),
    examples={"cup ./MyBot": "let a bot from elsewhere play"},
)
