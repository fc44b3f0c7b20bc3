"""The commands `turnwright tournament`, `compare` and `ladder`, each in its own module."""

from __future__ import annotations

from turnwright.cli.commands import RARE

COMMANDS = {
    "ladder": (
        "turnwright_league.cli.ladder",
        "run a ladder server to which people upload bots with a browser",
        "battles",
    ),
    "compare": (
        "turnwright_league.cli.compare",
        "test whether a new version of a bot is better",
        "battles",
        70,
    ),
    "tournament": ("", "let many bots play each other and verify the results", "battles", 80),
    "tournament run": (".run", "play or resume a tournament in a folder", "battles", 81),
    "tournament show": (".show", "print the standings", "battles", 82),
    "tournament verify": (".verify", "replay records and compare the results", "battles", 83),
    "tournament export": (".export", "write the results as files", "battles", 84),
    "tournament import": (".import_rumble", "read result records of the Rumble", RARE),
    "tournament add": (".add", "add bots", RARE),
    "tournament remove": (".remove", "remove bots", RARE),
}
"""The commands by name, in the form of `GamePackage.commands`. An entry point of `turnwright.commands` names
it."""
