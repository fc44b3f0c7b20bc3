"""Loads the bots of directories into this process, if they are in Python and use our library.

    ./MyBot ──▶ MyBot/MyBot.py, loaded as a module ──▶ its class or function ──▶ a seat of an environment

Such a bot has all rights of this process. Load only bots that you would run.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from turnwright.errors import SetupError
from turnwright.net.participants.command import uses_our_library
from turnwright.net.participants.directory import BotEntry, find_script
from turnwright.net.participants.game_bots import GameBots

_MODULE = "turnwright_bot_directory_"
_STARTS = ("main", "play")
"""The names of the functions that a bot's file calls to connect."""


def is_loadable(entry: BotEntry) -> bool:
    """Return whether the bot of a directory is written in Python with our library."""
    file = _file_of(entry)
    return file.suffix == ".py" and uses_our_library(file)


def bot_of_directory(entry: BotEntry, bots: GameBots) -> object:
    """Execute the file of a directory that `is_loadable`, and return its bot, which plays in this process.

    Raises:
        SetupError: the file cannot be loaded, or it does not define exactly one bot.
    """
    return bots.bot_in(_loaded(_file_of(entry)))


def _file_of(entry: BotEntry) -> Path:
    script = find_script(entry.directory)
    return script if script is not None else entry.directory / f"{entry.base}.py"


def _loaded(file: Path) -> ModuleType:
    """Execute a bot's file, and return it as a module.

    Raises:
        SetupError: the file cannot be read or fails, or it would connect its bot immediately.
    """
    try:
        tree = ast.parse(file.read_bytes(), str(file))
    except (OSError, SyntaxError, ValueError) as error:
        raise SetupError(f"{file} cannot be loaded: {error}") from error
    if (line := _starts_at(tree)) is not None:
        raise SetupError(
            f"{file}, line {line} starts the bot as soon as the file is loaded: put it below `if __name__ =="
            ' "__main__":`'
        )
    spec = spec_from_file_location(f"{_MODULE}{len(sys.modules)}_{file.stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        with _imports_from(file.parent):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        raise SetupError(f"{file} cannot be loaded: {type(error).__name__}: {error}") from error
    return module


def _starts_at(tree: ast.Module) -> int | None:
    """Return the number of the first line outside of blocks that calls a function of _STARTS, or None."""
    for statement in tree.body:
        if isinstance(statement, ast.Expr) and isinstance(call := statement.value, ast.Call):
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            if name in _STARTS:
                return statement.lineno
    return None


@contextmanager
def _imports_from(folder: Path) -> Iterator[None]:
    """Let a bot import the files next to it, and forget these modules afterwards.

    Another bot's files may have the same names.
    """
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            origin = getattr(sys.modules[name], "__file__", None)
            if not name.startswith(_MODULE) and origin and Path(origin).is_relative_to(folder):
                del sys.modules[name]
