"""`turnwright new bot NAME`: creates a directory with a bot that runs without changes."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path

from turnwright import catalog
from turnwright.app.game.playable import find_game
from turnwright.app.lan.bot_templates import BotTemplates
from turnwright.app.option_fields import argument, option
from turnwright.cli.choice import GameChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.errors import EXIT_OK, SetupError
from turnwright.net.files.new_file import whole_folder, write_file

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,29}")
_IMPORTED = frozenset({"msgspec", "turnwright"})


@dataclass(frozen=True)
class NewBotOptions:
    """The name and place of a new bot."""

    name: str = argument("NAME", "the name of the bot and its class: at most 30 letters, digits and _")
    out: Path = option(
        Path(),
        "the directory in which the command creates the new directory (default: here)",
        "-o",
        "--out",
        metavar="DIR",
    )


def run(given: GivenOptions) -> int:
    """Write the bot and print how to play it."""
    options, game = given.make(NewBotOptions), given.make(GameChoice).game
    directory = create_bot(options.name, options.out, game)
    shown = str(directory) if directory.is_absolute() or "/" in str(directory) else f"./{directory}"
    print(f"{directory / directory.name}.py is your bot. Run it:")
    first = find_game(game).bots.first_opponent
    chosen = "" if game == catalog.default_game() else f"--game {shlex.quote(game)} "
    print(f"  turnwright battle {chosen}{shlex.quote(shown)} {first or shlex.quote(shown)}")
    return EXIT_OK


def create_bot(name: str, parent: Path, game: str | None = None) -> Path:
    """Write a new bot directory below `parent` and return it.

    Args:
        game: the name of the game, or the path of its folder. None means the default game.

    Raises:
        SetupError: the game is unknown, the name cannot be a Python class, or the directory already exists
            or cannot be written.
    """
    if not _NAME.fullmatch(name):
        raise SetupError(
            f"{name!r} is not a name for a bot: use letters, digits and _, not a digit first, at most 30"
        )
    if iskeyword(name):
        raise SetupError(f"{name!r} is a keyword of Python: choose another name")
    if name in sys.stdlib_module_names or name in _IMPORTED:
        raise SetupError(f"{name!r} is the name of a Python module that the bot needs: choose another name")
    templates = BotTemplates.of(find_game(game or catalog.default_game()))
    texts = {f"{name}.{suffix}": templates.text(suffix, name) for suffix in ("py", "json")}
    return create_folder(parent / name, texts)


def create_folder(folder: Path, texts: Mapping[str, str]) -> Path:
    """Write files into a new folder and return the folder.

    Args:
        texts: the contents of the files, by name.

    Raises:
        SetupError: the folder already exists or cannot be written.
    """
    if folder.exists() or folder.is_symlink():
        raise SetupError(f"{folder} already exists: choose another name, or remove it first")
    if not folder.parent.is_dir():
        raise SetupError(f"no directory at {folder.parent}: create it first, or give another --out")
    try:
        with whole_folder(folder) as filled:
            for name, text in texts.items():
                write_file(filled / name, text)
    except OSError as error:
        raise SetupError(
            f"{folder} cannot be written: {error.strerror}; give another place with --out"
        ) from error
    return folder


COMMAND = CommandSpec(
    run,
    "The new bot can play without any change. Edit its files to change what it does.",
    (NewBotOptions, GameChoice),
    examples={"MyBot": "create the directory MyBot", "--game snake MySnake": "create a bot for another game"},
)
