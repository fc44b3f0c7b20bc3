"""Options that several commands share, and parts of a game for the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TextIO

from turnwright import catalog
from turnwright.app.option_fields import argument, option
from turnwright.app.options import BattleOptions, GenericBattleOptions, ServeOptions
from turnwright.cli.help_text import CommandText
from turnwright.errors import SetupError

_PAGE = "page in the browser"


@dataclass(frozen=True)
class GameChoice:
    """The game that is played."""

    game: str = option(
        catalog.default_game(),
        "the name of a game, e.g. snake, or its folder. `--game GAME --help` lists the options of that game"
        " (default: {default})",
        metavar="GAME",
        group="game",
        often=True,
    )


@dataclass(frozen=True)
class BattleFileChoice:
    """The file of a finished battle."""

    file: Path = argument(
        "FILE", "a record of turnwright, e.g. battle.twr, or a recording of Tank Royale, e.g. game.battle.gz"
    )


@dataclass(frozen=True)
class ForceChoice:
    """Whether --html may replace an existing file."""

    force: bool = option(False, "let --html replace an existing file")


@dataclass(frozen=True)
class RecordGameChoice:
    """The game of a record, if the name in the record does not lead to the game."""

    game: str | None = option(
        None,
        "the folder with the game.py of the record's game, if that game is not installed",
        metavar="GAME",
        often=True,
    )


@dataclass(frozen=True)
class JsonChoice:
    """The form in which the result is printed."""

    json: bool = option(False, "print one JSON object", often=True)


@dataclass(frozen=True)
class OpenChoice:
    """Whether to open a browser. None means only if there is a display."""

    open: bool | None = option(
        None, "open the page in a browser (default: open it if there is a display)", group=_PAGE
    )


@dataclass(frozen=True)
class PortChoice:
    """The port of the page. 0 means a free port."""

    port: int = option(
        0, "port of the page, 0 = a free port (default: {default})", "-p", "--port", metavar="N", group=_PAGE
    )


def game_in(words: Sequence[str]) -> str:
    """Return the game that a command line names, or the default game."""
    given = [word.partition("=")[2] for word in words if word.startswith("--game=")]
    given += [after for word, after in pairwise(words) if word == "--game"]
    return given[-1] if given else catalog.default_game()


def text_display_of(game: str) -> Callable[[TextIO], Any] | None:
    """Return the display of a game's battles as text, or None if the game has none.

    The display is a class like `LiveDisplay` with an additional method `take`.

    Raises:
        SetupError: the game is unknown or cannot be loaded.
    """
    display: Callable[[TextIO], Any] | None = catalog.find(game).part("display")
    return display


def battle_options_of(game: str) -> type[BattleOptions]:
    """Return the class of a battle's options. It is the game's own class, or the class for any game.

    For an unknown game, return the class for any game. The error follows when the command runs.

    Raises:
        GameError: the game cannot be loaded.
    """
    return _part(game, "options") or GenericBattleOptions


def serve_options_of(game: str) -> type[ServeOptions]:
    """Return the class of a server's options. Unknown games and errors are as for `battle_options_of`."""
    return _part(game, "serve_options") or ServeOptions


def help_of(command: str) -> Callable[[Sequence[str]], CommandText | None]:
    """Return a function for `CommandSpec.more`. It takes the words of a command line, and returns the help
    for `command` that the chosen game adds, or None.
    """

    def text(words: Sequence[str]) -> CommandText | None:
        found: CommandText | None = (_part(game_in(words), "help") or {}).get(command)
        return found

    return text


def _part(game: str, name: str) -> Any:
    try:
        found = catalog.find(game)
    except SetupError:
        return None
    return found.part(name)
