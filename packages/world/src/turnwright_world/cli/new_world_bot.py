"""`turnwright new world-bot FILE.py`: writes a short program that plays in a world."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
from importlib.resources import files
from keyword import iskeyword
from pathlib import Path
from string import Template

from turnwright.app.option_fields import argument
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.errors import EXIT_OK, SetupError
from turnwright.net.files.new_file import write_file

_DESCRIPTION = """\
The new program can play without any change: `python wolf.py` plays as Wolf in the world at
ws://localhost:7654. Set the environment variable SERVER_URL for another world."""

_NAME = re.compile(r"[a-z][a-z0-9_]{1,19}", re.IGNORECASE)
_TEMPLATE = "worldbot.py.txt"


@dataclass(frozen=True)
class NewWorldBotOptions:
    """The file of a new program."""

    file: Path = argument("FILE.py", "the new program, e.g. wolf.py. Its character is then called Wolf")


def run(given: GivenOptions) -> int:
    """Write the program, and print how to run it."""
    path = create_world_bot(given.make(NewWorldBotOptions).file)
    print(f"{path} is your program. While `turnwright world serve` runs, run it:")
    print(f"  python {shlex.quote(str(path))}")
    return EXIT_OK


def create_world_bot(path: Path) -> Path:
    """Write a new program and return its path.

    Raises:
        SetupError: the name is not allowed, the file exists already, or it cannot be written.
    """
    name = "".join(part.capitalize() for part in path.stem.split("_"))
    if path.suffix != ".py" or not _NAME.fullmatch(path.stem) or not name.isalpha() or iskeyword(name):
        raise SetupError(
            f"{str(path)!r} is not a name for a program: use 2 to 20 letters and .py, e.g. wolf.py"
        )
    if path.stem in sys.stdlib_module_names or path.stem in ("msgspec", "turnwright"):
        raise SetupError(f"{path.stem!r} is a Python module that the program needs: choose another name")
    if path.exists() or path.is_symlink():
        raise SetupError(f"{path} already exists: choose another name, or remove it first")
    if not path.parent.is_dir():
        raise SetupError(f"no directory at {path.parent}: create it first, or choose another place")
    template = (files("turnwright_world.cli") / "templates" / _TEMPLATE).read_text(encoding="utf-8")
    try:
        write_file(path, Template(template).substitute(name=name), replace=False)
    except OSError as error:
        raise SetupError(f"{path} cannot be written: {error.strerror}; choose another place") from error
    return path


COMMAND = CommandSpec(
    run, _DESCRIPTION, (NewWorldBotOptions,), examples={"wolf.py": "create a program that plays"}
)
