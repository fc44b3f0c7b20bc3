"""The commands that only the tank arena has; see `cli.commands`."""

_HERE = "turnwright.games.tank.cli"

COMMANDS = {
    "bots": (f"{_HERE}.bots", "list bots and teams in bot directories, and the house bots", "create"),
    "demo": (f"{_HERE}.demo", "watch the house bots fight", "battles"),
    "convert": (f"{_HERE}.convert", "write a recording from a record, or repair one", "records"),
    "observe": (f"{_HERE}.observe", "watch another server and write a recording of it", "records"),
    "train": (f"{_HERE}.train", "train a bot by reinforcement learning", "create"),
    "trace": (f"{_HERE}.trace", "report what happened in a battle, and why each tank died", "records"),
}
"""By name: module, summary, heading."""

RENAMED = {"record": "observe"}
"""Names that commands had before: name now."""
RULES_SPEED = "turnwright.games.tank.backends.extension:why_missing"
"""Says why the rules are not compiled here; see `cli.parser`."""
TEXT_DISPLAY = f"{_HERE}.text_display:TextDisplay"
"""Shows a battle in characters; see `cli.choice.text_display_of`."""
