"""`turnwright tournament remove FOLDER BOT …`: removes bots from a tournament."""

from __future__ import annotations

from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.errors import EXIT_OK
from turnwright_league.cli.choice import BotsChoice, FolderChoice, StoreChoice

_DESCRIPTION = """\
The bots get no more battles and leave the standings. No result is deleted. `turnwright tournament add` brings
the bots back."""


def run(given: GivenOptions) -> int:
    """Remove the bots from the tournament."""
    from turnwright_league.app.entering import remove_bots

    bots = given.make(BotsChoice).bots
    for text in remove_bots(given.make(FolderChoice).folder, bots, given.make(StoreChoice).store):
        print(text)
    return EXIT_OK


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (FolderChoice, BotsChoice, StoreChoice),
    examples={"cup MyBot": "play no more battles with MyBot"},
)
