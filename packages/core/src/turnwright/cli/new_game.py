"""`turnwright new game NAME`: creates a folder with a game that can be played immediately."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from importlib.resources import files
from keyword import iskeyword
from pathlib import Path
from string import Template

from turnwright import catalog
from turnwright.app.option_fields import argument, option
from turnwright.cli.new_bot import create_folder
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.errors import EXIT_OK, SetupError

_NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")
_FILES = {"game.py": "game.py.txt", "bots.py": "game_bots.py.txt", "test_game.py": "game_test.py.txt"}


@dataclass(frozen=True)
class NewGameOptions:
    """The name and place of a new game."""

    name: str = argument("NAME", "the name of the game: at most 30 lower-case letters, digits and _")
    out: Path = option(
        Path(),
        "the directory in which the command creates the new folder (default: here)",
        "-o",
        "--out",
        metavar="DIR",
    )


def run(given: GivenOptions) -> int:
    """Write the game and print how to play it."""
    options = given.make(NewGameOptions)
    folder = create_game(options.name, options.out)
    shown = shlex.quote(str(folder) if folder.is_absolute() or "/" in str(folder) else f"./{folder}")
    print(f"{folder / 'game.py'} has the rules. Play it, and check that it keeps the contract of a game:")
    print(f"  turnwright battle --game {shown} Middle Echo --record {options.name}.twr")
    print(f"  turnwright verify --game {shown} {options.name}.twr")
    print(f"  python -m pytest {shown}    # needs pytest: pip install pytest")
    return EXIT_OK


def create_game(name: str, parent: Path) -> Path:
    """Write a new game's folder below `parent` and return it.

    Raises:
        SetupError: the name is not allowed or taken, or the folder already exists or cannot be
            written.
    """
    if not _NAME.fullmatch(name) or iskeyword(name):
        raise SetupError(
            f"{name!r} is not a name for a game: use lower-case letters, digits and _, at most 30"
        )
    if name in catalog.names():
        raise SetupError(f"there is already a game {name}: choose another name")
    title = "".join(word.capitalize() for word in name.split("_") if word)
    templates = files("turnwright.cli") / "templates"
    texts = {
        file: Template((templates / template).read_text("utf-8")).substitute(name=name, title=title)
        for file, template in _FILES.items()
    }
    return create_folder(parent / name, texts)


COMMAND = CommandSpec(
    run,
    "The new game can be played without any change. Edit its files to change the rules.",
    (NewGameOptions,),
    examples={"guess": "create the folder guess"},
)
