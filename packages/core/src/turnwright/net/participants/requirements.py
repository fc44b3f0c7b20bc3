"""Installs the requirements of bot directories."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from turnwright import catalog
from turnwright.errors import SetupError
from turnwright.net.files.new_file import write_file
from turnwright.net.participants.command import ENVIRONMENT, own_python, uses_our_library
from turnwright.net.participants.directory import BotEntry

REQUIREMENTS = "requirements.txt"
"""The name of the file in a bot directory that lists the bot's requirements, in the format of `pip install
-r`.
"""
_LIBRARY = "turnwright-of-this-installation.pth"
"""The name of the file by which a virtual environment finds the turnwright installation that made it."""
_LENT = ("turnwright", "msgspec")
"""The packages that a bot needs from this installation in addition to the packages of games: our library, and
the package that it imports.
"""


def install_requirements(
    entries: Iterable[BotEntry], say: Callable[[str], None], output: IO[str]
) -> list[BotEntry]:
    """Install the requirements of each directory's requirements.txt into its `.venv`.

    Return the entries that have a requirements.txt. `battle` then starts such a bot with the Python of its
    `.venv`. A bot that imports turnwright uses this installation. The packages of this installation are not
    changed. pip may run code of the packages that it installs.

    Args:
        say: called with a line for each entry.
        output: a file for the output of pip.

    Raises:
        SetupError: an environment could not be made or filled. The other environments were still filled.
    """
    done, failed = [], []
    for entry in entries:
        if (entry.directory / REQUIREMENTS).is_file():
            say(f"installing what {entry.config.name} requires into {entry.directory / ENVIRONMENT}")
            try:
                _install(entry.directory, output)
            except SetupError as error:
                failed.append(str(error))
            else:
                done.append(entry)
    if failed:
        raise SetupError("; ".join(failed))
    return done


def _install(directory: Path, output: IO[str]) -> None:
    """Fill the environment of a directory. If the call creates the environment and cannot fill it, the
    environment is deleted again.
    """
    made, before = directory / ENVIRONMENT, own_python(directory)
    if before is None:
        _run([sys.executable, "-I", "-m", "venv", str(made)], directory, output, f"{made} cannot be made")
    try:
        python = before or own_python(directory)
        if python is None:
            raise SetupError(f"{made} has no Python; remove it, and install again")
        pip = [python, "-I", "-m", "pip", "--disable-pip-version-check", "install", "-r", REQUIREMENTS]
        _run(pip, directory, output, f"{directory / REQUIREMENTS} cannot be installed")
        if before is None and any(map(uses_our_library, directory.glob("*.py"))):
            _lend_library(made)
    except SetupError:
        if before is None:
            shutil.rmtree(made, ignore_errors=True)
        raise


def _lend_library(environment: Path) -> None:
    """Let an environment with the same Python version find our library. The environment's own packages take
    precedence.
    """
    games = {game.module.partition(".")[0] for game in catalog.installed().values()}
    found = (find_spec(name) for name in sorted({*_LENT, *games}))
    folders = dict.fromkeys(str(Path(one.origin).parents[1]) for one in found if one and one.origin)
    for place in (*environment.glob("lib/python*/site-packages"), *environment.glob("Lib/site-packages")):
        write_file(place / _LIBRARY, "\n".join(folders) + "\n")


def _run(argv: list[str], directory: Path, output: IO[str], failed: str) -> None:
    """Run a Python program in isolated mode (-I), in which it does not import modules from the directory."""
    try:
        done = subprocess.run(argv, cwd=directory, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    except OSError as error:
        raise SetupError(f"{failed}: {error.strerror}") from error
    if done.returncode != 0:
        raise SetupError(f"{failed}; the lines above say why")
