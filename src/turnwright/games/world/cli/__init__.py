"""The commands that only the text world has; see `cli.commands`."""

_HERE = "turnwright.games.world.cli"

COMMANDS = {
    "new world-bot": (f"{_HERE}.new_world_bot", "create a program FILE.py that plays in a world", "create"),
    "world": ("", "run and inspect a persistent text world", "worlds"),
    "world demo": (f"{_HERE}.demo", "run a world for people and programs", "worlds"),
    "world doctor": (f"{_HERE}.doctor", "report the state of a running world", "worlds"),
}
"""By name: module, summary, heading."""

RENAMED = {"world bot": "new world-bot"}
"""Names that commands had before: name now."""
