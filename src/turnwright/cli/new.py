"""`turnwright new bot NAME`: a directory with a bot that runs as it is."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from importlib.resources import files
from keyword import iskeyword
from pathlib import Path
from string import Template
from typing import Any

from turnwright.cli.parser import Parser, Subparsers, add_command
from turnwright.errors import EXIT_OK, SetupError
from turnwright.net.newfile import whole_folder, write_file

__all__ = ["add_parser", "create_bot", "run"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,29}")
_IMPORTED = frozenset({"msgspec", "turnwright", "websockets"})


def add_parser(subparsers: Subparsers[Any]) -> None:
    """Add the command's options."""
    parser = add_command(subparsers, "new", "")
    kinds = parser.add_subparsers(
        metavar="WHAT", title="what", required=True, dest="what", parser_class=Parser
    )
    bot = kinds.add_parser(
        "bot",
        help="a bot directory NAME with NAME.py and NAME.json",
        description="A directory NAME with NAME.py and NAME.json: a bot that runs as it is.",
    )
    bot.add_argument(
        "name", metavar="NAME", help="letters, digits and _, at most 30; it is the class's name too"
    )
    bot.add_argument("--dir", metavar="DIR", default=".", help="where the new directory goes (default: here)")
    bot.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the bot and say how to play it."""
    directory = create_bot(arguments.name, Path(arguments.dir))
    shown = str(directory) if directory.is_absolute() or "/" in str(directory) else f"./{directory}"
    print(f"{directory / directory.name}.py is your bot. Let it play:")
    print(f"  turnwright battle {shlex.quote(shown)} Spinner")
    return EXIT_OK


def create_bot(name: str, parent: Path) -> Path:
    """Write a new bot directory below `parent` and return it.

    Raises: SetupError for a name that is no Python class's name, and when something is there already.
    """
    if not _NAME.fullmatch(name) or iskeyword(name):
        raise SetupError(
            f"{name!r} is no name for a bot: use letters, digits and _, not a digit first, at most 30"
        )
    if name in sys.stdlib_module_names or name in _IMPORTED:
        raise SetupError(f"{name!r} is the name of a Python module that the bot needs: choose another name")
    directory = parent / name
    if directory.exists() or directory.is_symlink():
        raise SetupError(f"{directory} exists already: choose another name, or remove it first")
    if not parent.is_dir():
        raise SetupError(f"no directory at {parent}: create it first, or give another --dir")
    templates = files("turnwright.cli") / "templates"
    try:
        with whole_folder(directory) as filled:
            for suffix in ("py", "json"):
                text = Template((templates / f"bot.{suffix}.txt").read_text(encoding="utf-8"))
                write_file(filled / f"{name}.{suffix}", text.substitute(name=name))
    except OSError as error:
        raise SetupError(
            f"{directory} cannot be written: {error.strerror}; give another place with --dir"
        ) from error
    return directory
