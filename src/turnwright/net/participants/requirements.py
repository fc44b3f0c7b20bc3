"""Installs what bot directories require."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

from turnwright.errors import SetupError
from turnwright.net.participants.command import ENVIRONMENT, own_python
from turnwright.net.participants.directory import BotEntry

__all__ = ["REQUIREMENTS", "install_requirements"]

REQUIREMENTS = "requirements.txt"
"""The file of a bot directory that names what it needs, as `pip install -r` reads it."""


def install_requirements(
    entries: Iterable[BotEntry], say: Callable[[str], None], output: IO[str]
) -> list[BotEntry]:
    """Install what each directory's requirements.txt names into its `.venv`.

    Return the entries that have one. `battle` then starts the bot with the Python there. What is installed
    already stays.

    say: gets a line for each; output: a file for what pip prints.
    Raises: SetupError where an environment cannot be made or filled.
    """
    done = []
    for entry in entries:
        if (entry.directory / REQUIREMENTS).is_file():
            say(f"installing what {entry.config.name} requires into {entry.directory / ENVIRONMENT}")
            _install(entry.directory, output)
            done.append(entry)
    return done


def _install(directory: Path, output: IO[str]) -> None:
    made = directory / ENVIRONMENT
    _run([sys.executable, "-m", "venv", str(made)], directory, output, f"{made} cannot be made")
    python = own_python(directory)
    if python is None:
        raise SetupError(f"{made} has no Python: remove it, and install again")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--requirement", REQUIREMENTS]
    _run(pip, directory, output, f"{directory / REQUIREMENTS} cannot be installed")


def _run(argv: list[str], directory: Path, output: IO[str], failed: str) -> None:
    try:
        done = subprocess.run(argv, cwd=directory, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    except OSError as error:
        raise SetupError(f"{failed}: {error.strerror}") from error
    if done.returncode != 0:
        raise SetupError(f"{failed}: the lines above say why")
