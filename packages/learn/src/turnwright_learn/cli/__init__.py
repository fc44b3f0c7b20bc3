"""The command `turnwright train`."""

from __future__ import annotations

COMMANDS = {"train": ("turnwright_learn.cli.train", "train a bot by reinforcement learning", "create", 90)}
"""The commands by name, in the form of `GamePackage.commands`. An entry point of `turnwright.commands` names
it."""
