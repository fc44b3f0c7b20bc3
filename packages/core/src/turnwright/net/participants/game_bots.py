"""The interface to a game's bots: built-in bots, and bots in this process.

A game without `GameBots` can be played only by bot directories, and by programs that connect by themselves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from turnwright.net.participants.command import Team


class MessageSession(Protocol):
    """A bot's side of a connection, without a socket. It takes messages and returns messages."""

    def receive(self, data: bytes) -> list[bytes]:
        """Return the bot's answers to a message of the server."""

    def answer(self) -> list[bytes]:
        """Return the messages that answer the newest observation.

        The list is empty if the observation is already answered, or if the bot has no answer.
        """


@dataclass(frozen=True, slots=True)
class BuiltInProgram:
    """A built-in bot as a program.

    Attributes:
        authors: the authors that the bot's handshake names.
        directory: the directory in which the program is started.
    """

    name: str
    version: str
    authors: tuple[str, ...]
    argv: tuple[str, ...]
    directory: Path


class GameBots(ABC):
    """The bots of one game: built-in bots, and bots that are objects in this process."""

    built_in: Mapping[str, Any]
    """The built-in bots by name, in the form that `session` takes."""

    @property
    def first_opponent(self) -> str | None:
        """The name of the built-in bot that is the first opponent of a new bot. None means that the game has
        no such bot.
        """
        return next(iter(self.built_in), None)

    @abstractmethod
    def name_of(self, bot: object) -> str:
        """Return the name of a bot of this process.

        Raises:
            SetupError: the object cannot be a bot.
        """

    @abstractmethod
    def bot_in(self, module: ModuleType) -> object:
        """Return the bot that a Python file defines, in the form that `session` takes.

        Raises:
            SetupError: the file defines no bot, or more than one.
        """

    @abstractmethod
    def session(
        self, bot: object, name: str, secret: str, seed: int, team: Team | None = None
    ) -> MessageSession:
        """Return a new session of a bot of this process, or of a built-in bot.

        Args:
            name, secret: the name and the secret that the bot sends in its handshake.
            seed: the seed for the bot's own random numbers.
            team: the team for which the bot plays, or None.
        """

    @abstractmethod
    def converse(self, session: MessageSession, server_url: str, on_port: Callable[[int], None]) -> None:
        """Play a session over a socket until the connection ends.

        Args:
            on_port: called once with the local port of the connection.
        """

    @abstractmethod
    def built_in_program(self, name: str) -> BuiltInProgram:
        """Return the program of a built-in bot that runs in a separate process."""
