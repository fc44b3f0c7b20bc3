"""`turnwright help COMMAND`: prints the help of a command."""

from __future__ import annotations

from dataclasses import dataclass

from turnwright.app.option_fields import argument
from turnwright.cli.parser import CommandSpec, GivenOptions, parse


@dataclass(frozen=True)
class HelpOptions:
    """The command whose help is printed."""

    words: tuple[str, ...] = argument(
        "COMMAND", "the command, e.g. tournament run (default: list all commands)", many=True, default=()
    )


def run(given: GivenOptions) -> int:
    """Print the full help of a command."""
    found = parse([*given.make(HelpOptions).words, "--help"])
    assert isinstance(found, int), "--help runs nothing"
    return found


COMMAND = CommandSpec(
    run, "", (HelpOptions,), examples={"battle": "print all options of `turnwright battle`"}
)
