"""Bots of the tank game for commands and servers: built-in bots, and bots of this process."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import msgspec

from turnwright.errors import SetupError
from turnwright.net.participants.command import Team
from turnwright.net.participants.game_bots import BuiltInProgram, GameBots, MessageSession
from turnwright_tank.bots.bot import Bot
from turnwright_tank.bots.connection import BotSession, converse
from turnwright_tank.bots.house import HOUSE
from turnwright_tank.bots.identity import read_identity
from turnwright_tank.bots.messages import Message
from turnwright_tank.bots.player import Player, as_player, identity_of, name_of
from turnwright_tank.structs import Observation, TankIntent, struct_of
from turnwright_tank.wire.royale.codec import encode

_ticks = msgspec.json.Decoder(Observation)
_BUILT_IN_DIRECTORY = Path(__file__).parents[1] / "bots" / "house"


class _NoAnswer(Exception):
    """A function returned no intent for an observation, so the turn is missed."""


class LocalSession(BotSession):
    """The session of a bot in this process. It may leave a turn unanswered."""

    def __init__(self, bot: object, name: str, secret: str, seed: int, team: Team | None = None) -> None:
        played = as_player(bot, seed=seed)
        if isinstance(played, Bot):
            played._intent_class = TankIntent
        player = cast(Bot, _SessionBot(played))
        identity = identity_of(bot, name)
        if team is not None:
            identity = replace(identity, team_id=team.id, team_name=team.name, team_version=team.version)
        super().__init__(player, identity, secret)

    def read(self, text: bytes | str) -> Message:
        """Return the type and the content of a message. The server's own decoder reads observations, because
        it is faster.
        """
        try:
            return "TickEventForBot", _ticks.decode(text)
        except msgspec.DecodeError:
            return super().read(text)

    def write(self, intent: TankIntent, turn_number: int) -> bytes:
        """Return the message of an intent, made by the server's own encoder."""
        return encode(replace(struct_of(intent), turn_number=turn_number))

    def answer(self, waited: bool = False) -> list[bytes]:
        """Return the message with the intent for the newest observation.

        The list is empty if the observation is answered, or if the bot returns no intent.
        """
        with contextlib.suppress(_NoAnswer):
            return super().answer(waited)
        return []


class _SessionBot:
    """A player with the methods that a session needs.

    It has `note` even if the player does not, and raises _NoAnswer for an empty answer.
    """

    def __init__(self, player: Player) -> None:
        self._player = player

    def __getattr__(self, name: str) -> Any:
        return getattr(self._player, name)

    def note(self, observation: Observation) -> None:
        """Pass on an observation without an answer, if the player has `note`."""
        note = getattr(self._player, "note", None)
        if note is not None:
            note(observation)

    def on_disconnected(self, code: int, reason: str) -> None:
        """Call the player's handler, if it has one."""
        tell = getattr(self._player, "on_disconnected", None)
        if tell is not None:
            tell(code, reason)

    def step(self, observation: Observation) -> TankIntent:
        """Return the player's intent. Raise `_NoAnswer` if there is none."""
        intent = self._player.step(observation)
        if intent is None:
            raise _NoAnswer
        return intent


class TankBots(GameBots):
    """The bots of the tank game: Bot classes, Bots, and functions of an observation."""

    built_in = HOUSE
    first_opponent = "Spinner"
    """The first opponent of a new bot. It is weak, but it moves and fires."""

    def name_of(self, bot: object) -> str:
        """Return the name of a bot of this process.

        Raises:
            SetupError: the object cannot be a bot.
        """
        as_player(bot)
        return name_of(bot)

    def bot_in(self, module: ModuleType) -> type[Bot]:
        """Return the one Bot class that a file defines. Base classes of its other Bot classes do not count.

        Raises:
            SetupError: the file defines no such class, or several.
        """
        found = [
            one
            for one in vars(module).values()
            if isinstance(one, type) and issubclass(one, Bot) and one.__module__ == module.__name__
        ]
        last = [
            one for one in found if not any(other is not one and issubclass(other, one) for other in found)
        ]
        if len(last) != 1:
            names = ", ".join(one.__name__ for one in last) or "none"
            raise SetupError(f"{module.__file__} has {names}; expected one class derived from Bot")
        return last[0]

    def session(
        self, bot: object, name: str, secret: str, seed: int, team: Team | None = None
    ) -> LocalSession:
        """Return a new session of a bot.

        Args:
            team: the team that the bot plays for, or None.

        Raises:
            SetupError: the object cannot be a bot.
        """
        return LocalSession(bot, name, secret, seed, team)

    def converse(self, session: MessageSession, server_url: str, on_port: Callable[[int], None]) -> None:
        """Play a session over a socket until the connection ends."""
        converse(cast(LocalSession, session), server_url, on_port)

    def built_in_program(self, name: str) -> BuiltInProgram:
        """Return the identity of a built-in bot, and the command that starts it in a separate process."""
        identity = read_identity(HOUSE[name], environment={})
        argv = (sys.executable, "-P", "-m", "turnwright_tank.bots.house", name)
        return BuiltInProgram(identity.name, identity.version, identity.authors, argv, _BUILT_IN_DIRECTORY)


TANK_BOTS = TankBots()
