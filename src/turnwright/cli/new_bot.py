"""`turnwright new bot NAME`: a directory with a bot that runs as it is."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from keyword import iskeyword
from pathlib import Path
from pprint import pformat
from string import Template
from typing import Any

from turnwright import catalog
from turnwright.app.option_fields import argument, option
from turnwright.cli.game import GameChoice, first_opponent_of
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.errors import EXIT_OK, GameError, SetupError
from turnwright.kernel.game import Game, SeatInfo
from turnwright.kernel.rng import Streams
from turnwright.net.files.new_file import whole_folder, write_file

__all__ = ["COMMAND", "create_bot", "run"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,29}")
_IMPORTED = frozenset({"msgspec", "turnwright", "websockets"})
_DRAWN, _INTENTS_MAX, _INTENTS_COLUMNS = 100, 8, 100
"""Intents that are drawn for a bot of any game, how many of them it gets, and the width of their lines."""


@dataclass(frozen=True)
class NewBotOptions:
    """The name and place of a new bot."""

    name: str = argument("NAME", "letters, digits and _, at most 30; it is the class's name too")
    dir: Path = option(Path(), "where the new directory goes (default: here)", metavar="DIR")


def run(given: GivenOptions) -> int:
    """Write the bot and print how to play it."""
    options, game = given.make(NewBotOptions), given.make(GameChoice).game
    directory = create_bot(options.name, options.dir, game)
    shown = str(directory) if directory.is_absolute() or "/" in str(directory) else f"./{directory}"
    print(f"{directory / directory.name}.py is your bot. Let it play:")
    chosen = "" if game == catalog.DEFAULT_GAME else f"--game {shlex.quote(game)} "
    print(f"  turnwright battle {chosen}{shlex.quote(shown)} {first_opponent_of(game) or shlex.quote(shown)}")
    return EXIT_OK


def create_bot(name: str, parent: Path, game: str = catalog.DEFAULT_GAME) -> Path:
    """Write a new bot directory below `parent` and return it.

    game: its name, or the path of its folder.

    Raises: SetupError for an unknown game, a name that is no Python class's name, and when something is there
    already.
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
    templates = _templates_of(game)
    words = {"name": name} if templates.own else {"name": name, **_words_of(game)}
    try:
        with whole_folder(directory) as filled:
            for suffix in ("py", "json"):
                text = Template((templates.folder / f"{templates.stem}.{suffix}.txt").read_text("utf-8"))
                write_file(filled / f"{name}.{suffix}", text.substitute(words))
    except OSError as error:
        raise SetupError(
            f"{directory} cannot be written: {error.strerror}; give another place with --dir"
        ) from error
    return directory


@dataclass(frozen=True)
class _Templates:
    """Templates of a bot. own: they are the game's."""

    folder: Traversable
    stem: str
    own: bool


def _templates_of(game: str) -> _Templates:
    """Return the templates of a game: its own, in `templates` beside its commands, or those of any game."""
    package = catalog.find(game).part("cli")
    if package is not None:
        own = files(package) / "templates"
        if (own / "bot.py.txt").is_file():
            return _Templates(own, "bot", True)
    return _Templates(files("turnwright.cli") / "templates", "generic_bot", False)


def _words_of(game: str) -> dict[str, str]:
    """Return the name of the game and examples of intents, for a bot's template."""
    rules = catalog.load(game)
    return {"game": rules.name, "intents": pformat(_intents_of(rules), width=_INTENTS_COLUMNS)}


def _intents_of(game: Game) -> list[Any]:
    """Return some intents of a game as JSON values; None, which is no answer, where its types name none."""
    streams = Streams(0)
    found: list[Any] = []
    try:
        state = game.setup(game.defaults, [SeatInfo("A"), SeatInfo("B")], streams)
        for number in range(_DRAWN):
            intent = game.write_intent(game.random_intent(state, 0, streams.stream("intents", number)))
            if intent not in found and len(found) < _INTENTS_MAX:
                found.append(intent)
    except (GameError, SetupError, ValueError):
        return found or [None]
    return sorted(found) if all(isinstance(one, str) for one in found) else found


COMMAND = CommandSpec(run, "The bot runs as it is; change it from there.", (NewBotOptions, GameChoice))
