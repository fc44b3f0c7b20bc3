"""`turnwright bots install`: installs the packages that bots need."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from turnwright.app.option_fields import argument
from turnwright.cli.choice import JsonChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.terminal import clean, print_json
from turnwright.errors import EXIT_OK

_DESCRIPTION = """\
The command creates a virtual environment .venv in each bot directory that has a file requirements.txt.
Into the environment it installs the packages that this file names. `turnwright battle` then starts the bot
with this environment."""
_JSON = """\
`installed` is a list of the paths of the bot directories."""


@dataclass(frozen=True)
class BotsInstallOptions:
    """The bot directories."""

    roots: tuple[str, ...] = argument(
        "DIR", "bot directories, or directories that contain bot directories", many=True
    )


def run(given: GivenOptions) -> int:
    """Install the packages that bots need into `.venv` of their directories, and return the exit code.

    Raises:
        SetupError: a directory does not exist, or a package cannot be installed.
    """
    from turnwright.net.participants.directory import scan
    from turnwright.net.participants.requirements import REQUIREMENTS, install_requirements

    def say(line: str) -> None:
        print(clean(line), file=sys.stderr, flush=True)

    done = install_requirements(scan(given.make(BotsInstallOptions).roots), say, sys.stderr)
    if not done:
        say(f"nothing to install: no bot directory given has a {REQUIREMENTS}")
    if given.make(JsonChoice).json:
        print_json({"installed": [str(entry.directory) for entry in done]})
    return EXIT_OK


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (BotsInstallOptions, JsonChoice),
    examples={"./MyBot": "install what one bot needs"},
    json=_JSON,
)
