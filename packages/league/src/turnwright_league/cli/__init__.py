"""The commands of `turnwright tournament`, `compare` and `arena`, one module each."""

from __future__ import annotations

COMMANDS = {
    "arena": (
        "turnwright_league.cli.arena",
        "serve a bot arena: people upload bots, which play on a ladder",
        "battles",
    ),
    "compare": ("turnwright_league.cli.compare", "test whether a new version of a bot is better", "battles"),
    "tournament": ("", "play many bots against each other and verify the results", "battles"),
    "tournament run": (".run", "play a tournament in a folder, or continue it", "battles"),
    "tournament show": (".show", "print the standings", "battles"),
    "tournament verify": (".verify", "replay records and compare the results", "battles"),
    "tournament export": (".export", "write the results for other programs", "battles"),
    "tournament import": (".import_rumble", "read result records of the Rumble", "battles"),
    "tournament add": (".add", "add bots", "battles"),
    "tournament remove": (".remove", "remove bots", "battles"),
}
"""By name, in the form of `GamePackage.commands`; an entry point of `turnwright.commands` names it."""
