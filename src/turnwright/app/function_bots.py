"""Bots that are functions of an observation, for any game without its own bots.

Run as a program (`python -m turnwright.app.function_bots GAME BOT`) this is a house bot of a game, for a
server at SERVER_URL.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from turnwright import catalog
from turnwright.client import BOT_VERSION, SERVER_URL, BotFunction, FunctionSession, converse, end_with
from turnwright.errors import GameError, SetupError
from turnwright.net.participants.command import Team
from turnwright.net.participants.game_bots import GameBots, HouseProgram


def house_bots(game: str) -> Mapping[str, BotFunction]:
    """Return the house bots of a game by name.

    What bots of a checked game print goes to stderr.

    Raises: SetupError when there is no such game; GameError when they cannot be loaded.
    """
    entry = catalog.find(game)
    found = entry.part("bots")
    if not isinstance(found, Mapping) or not all(
        isinstance(name, str) and callable(bot) for name, bot in found.items()
    ):
        place = entry.package.bots if isinstance(entry.package.bots, str) else "bots"
        raise GameError(
            f"{place} of the game {game} is {found!r:.60}; expected a dictionary of functions by name"
        )
    return {name: _quiet(bot) for name, bot in found.items()} if entry.checked else found


def _quiet(bot: BotFunction) -> BotFunction:
    @wraps(bot, updated=())
    def answer(*given: Any) -> Any:
        with catalog.PrintsToStderr():
            return bot(*given)

    return answer


class FunctionBots(GameBots):
    """Bots that are functions, and those of the game's bots.py.

    game: its name, or its folder's path.
    """

    def __init__(self, game: str) -> None:
        self._game = game
        self.house = house_bots(game)

    def name_of(self, bot: object) -> str:
        """Return the name of a function. Raises: SetupError for anything else."""
        if not callable(bot):
            raise SetupError(
                f"{bot!r:.60} is not a bot: expected the name of a house bot, a bot directory,"
                " or a function of"
                " one observation"
            )
        return str(getattr(bot, "__name__", type(bot).__name__))

    def bot_in(self, module: ModuleType) -> BotFunction:
        """Return the function that a file gives to `play`."""
        file = Path(str(module.__file__))
        calls = [one for one in ast.walk(ast.parse(file.read_bytes())) if isinstance(one, ast.Call)]
        given = [
            call.args[0].id
            for call in calls
            if getattr(call.func, "attr", getattr(call.func, "id", "")) == "play"
            and call.args
            and isinstance(call.args[0], ast.Name)
        ]
        found = [getattr(module, name, None) for name in dict.fromkeys(given)]
        if len(found) != 1 or not callable(found[0]):
            names = ", ".join(given) or "none"
            raise SetupError(f"{file} calls play() with {names}; expected the name of one function")
        answer = cast(BotFunction, found[0])

        @wraps(answer)
        def named(*given: Any) -> Any:
            return answer(*given)

        named.__name__ = file.stem
        return named

    def session(
        self, bot: object, name: str, secret: str, seed: int, team: Team | None = None
    ) -> FunctionSession:
        """Return a new session of a function; team is not used."""
        return FunctionSession(cast(BotFunction, bot), name, secret, seed=seed)

    def converse(self, session: Any, server_url: str, on_port: Callable[[int], None]) -> None:
        """Play a session over a socket until the connection ends.

        Of several observations the newest counts.

        Raises: ParticipantStartError when there is no server, or it refuses the bot.
        """
        converse(session, server_url, on_port)

    def house_program(self, name: str) -> HouseProgram:
        """Return the program of a house bot for a process of its own."""
        argv = (sys.executable, "-P", "-m", "turnwright.app.function_bots", self._game, name)
        return HouseProgram(name, BOT_VERSION, (), argv, Path.cwd())


def main(game: str, name: str) -> None:
    """Play a house bot at SERVER_URL; ends the process with an exit code."""

    def play() -> None:
        bots = FunctionBots(game)
        if name not in bots.house:
            raise SetupError(f"{game} has no house bot {name!r}: there are {', '.join(bots.house) or 'none'}")
        secret, seed = os.environ.get("SERVER_SECRET", ""), os.environ.get("BOT_SEED")
        session = FunctionSession(bots.house[name], name, secret, seed=seed)
        bots.converse(session, os.environ.get("SERVER_URL") or SERVER_URL, lambda port: None)

    end_with(name, play)


if __name__ == "__main__":
    main(*sys.argv[1:3])
