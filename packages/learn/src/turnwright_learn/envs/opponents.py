"""Opponents of an environment. The type of each given opponent decides how it plays:

    "Tracker", a Bot class        a bot of this process
    "./MyBot"                     a bot of this process if it is Python with our library, or a program
    a function                    a policy
    ConnectingBot("MyBot")        a program that is started elsewhere

With `processes=True` built-in bots and directories are programs, too. With `sandbox="full"` every directory
is a program.
"""

from __future__ import annotations

from difflib import get_close_matches
from os import PathLike, fspath, sep
from os.path import exists
from typing import Any

from turnwright.errors import SetupError
from turnwright.net.participants.config import BotConfig
from turnwright.net.participants.directory import BotEntry, load
from turnwright.net.participants.game_bots import BuiltInProgram, GameBots
from turnwright.net.participants.seating import Entrant, entrants_of
from turnwright_learn.envs.bot_files import bot_of_directory, is_loadable
from turnwright_learn.envs.server_options import ConnectingBot, ServerOptions

_OPPONENTS = "names of built-in bots, bot directories, Bot classes, policies or ConnectingBots"


def wishes_of(opponents: Any) -> Any:
    """Return one opponent for all seats, or a list of them.

    Raises:
        SetupError: `opponents` has another type.
    """
    if isinstance(opponents, str | PathLike | ConnectingBot) or callable(opponents):
        return opponents
    try:
        return list(opponents)
    except TypeError:
        raise SetupError(f"opponents is {opponents!r:.60}: give {_OPPONENTS}") from None


def takers_of(
    bots: GameBots, wishes: Any, count: int, serving: ServerOptions, *, exact: bool
) -> list[tuple[Any, bool]]:
    """Return the player of each of `count` seats, and whether the player is a policy.

    A program is returned as an Entrant. A bot of a directory that plays in this process is loaded, which runs
    its code.

    Args:
        wishes: one opponent for all seats, or a list with one for each seat.
        exact: whether more opponents than seats are an error.

    Raises:
        SetupError: there are too few or too many opponents, or one of them is unknown or cannot be loaded.
    """
    if not isinstance(wishes, list):
        return [_taker(bots, wishes, serving)] * count
    if len(wishes) < count or (exact and len(wishes) != count):
        raise SetupError(f"opponents has {len(wishes)}: give {count}, one for each seat without a learner")
    return [_taker(bots, wish, serving) for wish in wishes[:count]]


def _taker(bots: GameBots, wish: Any, serving: ServerOptions) -> tuple[Any, bool]:
    if isinstance(wish, str | PathLike):
        return _named(bots, wish, serving), False
    if isinstance(wish, ConnectingBot):
        return Entrant(wish.name or "a bot that connects", connects=wish.name), False
    if isinstance(wish, type):
        return wish, False
    if callable(wish):
        return wish, True
    raise SetupError(f"opponents has {wish!r:.60}: give {_OPPONENTS}")


def _named(bots: GameBots, wish: str | PathLike[str], serving: ServerOptions) -> Any:
    """Return a built-in bot, or the bot of a directory. If it is a program, return its Entrant."""
    text = fspath(wish)
    if isinstance(wish, str) and wish in bots.built_in:
        return _built_in_entrant(bots.built_in_program(wish)) if serving.processes else bots.built_in[wish]
    if sep in text or (text and exists(text)):
        entry = load(text)
        if entry.kind == "team":
            raise SetupError(f"{text} is a team: give the directories of its bots, one for each seat")
        if serving.sandbox_level == "full" or serving.processes or not is_loadable(entry):
            return entrants_of([text], bots, serving.python)[0]
        return bot_of_directory(entry, bots)
    close = get_close_matches(text, bots.built_in, n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(bots.built_in) or 'none'}"
    raise SetupError(
        f"opponents has {text!r}: {hint}. For the bot of a directory, give its path, e.g. ./MyBot"
    )


def _built_in_entrant(program: BuiltInProgram) -> Entrant:
    entry = BotEntry(program.directory, BotConfig(program.name, program.version, program.authors))
    return Entrant(program.name, program.version, entry, program.argv, is_ours=True)
