"""Bots that are functions of an observation. Games without a bot library have only this kind of bots."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from turnwright.catalog import FoundGame, PrintsToStderr
from turnwright.client import BOT_VERSION, BotFunction, FunctionSession, converse
from turnwright.errors import GameError, SetupError
from turnwright.net.participants.command import Team
from turnwright.net.participants.game_bots import BuiltInProgram, GameBots


def _quiet(bot: BotFunction) -> BotFunction:
    @wraps(bot, updated=())
    def answer(*given: Any) -> Any:
        with PrintsToStderr():
            return bot(*given)

    return answer


class FunctionBots(GameBots):
    """Plays bots that are functions, among them the game's built-in bots.

    For games with `GamePackage.checked`, the output of the built-in bots goes to stderr.

    Args:
        given: the game's part `bots`.

    Raises:
        GameError: `given` is not a dictionary of functions by name.
    """

    def __init__(self, game: FoundGame, given: Any) -> None:
        if not isinstance(given, Mapping) or not all(
            isinstance(name, str) and callable(bot) for name, bot in given.items()
        ):
            where = game.package.bots if isinstance(game.package.bots, str) else "bots"
            raise GameError(
                f"{where} of the game {game.name} is {given!r:.60}; expected a dictionary of functions"
                " by name"
            )
        self._place = game.place
        self.built_in = {name: _quiet(bot) for name, bot in given.items()} if game.checked else given

    def name_of(self, bot: object) -> str:
        """Return the name of a function.

        Raises:
            SetupError: the bot is not a function.
        """
        if not callable(bot):
            raise SetupError(
                f"{bot!r:.60} is not a bot; expected the name of a built-in bot, a bot directory,"
                " or a function of one observation"
            )
        return str(getattr(bot, "__name__", type(bot).__name__))

    def bot_in(self, module: ModuleType) -> BotFunction:
        """Return the function that the bot's file, `module`, passes to `play`. Its name is the file's name.

        Raises:
            SetupError: the file does not pass exactly one function to `play`, by its name.
        """
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
        """Return a new session of a function. `team` is not used."""
        return FunctionSession(cast(BotFunction, bot), name, secret, seed=seed)

    def converse(self, session: Any, server_url: str, on_port: Callable[[int], None]) -> None:
        """Play a session over a socket until the connection ends.

        If several observations are waiting, only the newest is answered.

        Raises:
            ParticipantStartError: the server does not answer, or it refuses the bot.
        """
        converse(session, server_url, on_port)

    def built_in_program(self, name: str) -> BuiltInProgram:
        """Return the program that plays a built-in bot in a separate process."""
        argv = (sys.executable, "-P", "-m", "turnwright.app.game.built_in_bot", self._place, name)
        return BuiltInProgram(name, BOT_VERSION, (), argv, Path.cwd())
