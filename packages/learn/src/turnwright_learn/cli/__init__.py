"""The command `turnwright train`."""

from __future__ import annotations

COMMANDS = {"train": ("turnwright_learn.cli.train", "train a bot by reinforcement learning", "create", 90)}
"""By name, in the form of `GamePackage.commands`; an entry point of `turnwright.commands` names it."""
