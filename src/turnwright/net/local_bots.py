"""Bots of this process at a live server: they speak the same messages as all others, without a socket."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Protocol, cast

from turnwright.bots.client import Bot
from turnwright.bots.connection import Session
from turnwright.bots.identity import BotIdentity, read_identity
from turnwright.bots.player import Player, as_player
from turnwright.games.tank.intent import TankIntent
from turnwright.games.tank.view import Observation
from turnwright.net.contestants import Place
from turnwright.net.local_link import LocalConnection
from turnwright.net.transport import Peer
from turnwright.wire.royale.bounds import NAME_CHARS_MAX

__all__ = ["LocalBot", "LocalServer", "LocalSession", "identity_of"]


class LocalServer(Protocol):
    """The part of `live.LiveServer` that connects clients of this process."""

    def connect_local(
        self, on_message: Callable[[bytes], None], on_close: Callable[[int, str], None] | None = None
    ) -> LocalConnection: ...


class _NoAnswer(Exception):
    """A function gave no intent for an observation: that turn is missed."""


class LocalSession(Session):
    """The session of a bot that this program was given: it may leave a turn unanswered."""

    def __init__(self, place: Place, secret: str, seed: int) -> None:
        super().__init__(
            cast(Bot, _SessionBot(as_player(place.given, seed=seed))), identity_of(place), secret
        )

    def answer(self, waited: bool = False) -> list[bytes]:
        """Return the intent for the newest observation, if one is unanswered and the bot gives one."""
        with contextlib.suppress(_NoAnswer):
            return super().answer(waited)
        return []


class LocalBot:
    """A bot of this process, connected. What it raises ends its connection, as if it had crashed."""

    def __init__(self, server: LocalServer, place: Place, secret: str, seed: int) -> None:
        self._session = LocalSession(place, secret, seed)
        self._link = server.connect_local(self._receive)

    @property
    def peer(self) -> Peer:
        """Its address in the list of bots."""
        return self._link.peer

    @property
    def closed(self) -> bool:
        """Whether its connection has ended."""
        return self._link.closed

    def leave(self) -> None:
        """Disconnect."""
        self._link.close()

    def _receive(self, data: bytes) -> None:
        for reply in self._session.receive(data) + self._session.answer():
            self._link.send(reply)


class _SessionBot:
    """A player as a session expects it: with `note` even if it has none, and without empty answers."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def __getattr__(self, name: str) -> Any:
        return getattr(self._player, name)

    def note(self, observation: Observation) -> None:
        """Take note of an observation that is not answered, if the player does."""
        note = getattr(self._player, "note", None)
        if note is not None:
            note(observation)

    def on_disconnected(self, code: int, reason: str) -> None:
        """Tell the player, if it wants to know."""
        tell = getattr(self._player, "on_disconnected", None)
        if tell is not None:
            tell(code, reason)

    def step(self, observation: Observation) -> TankIntent:
        """Return the player's answer."""
        intent = self._player.step(observation)
        if intent is None:
            raise _NoAnswer
        return intent


def identity_of(place: Place) -> BotIdentity:
    """Return who a bot of this process says it is; the environment is the server's, not the bot's."""
    kind = place.given if isinstance(place.given, type) else type(place.given)
    name = place.name[:NAME_CHARS_MAX]
    return read_identity(kind, environment={}) if issubclass(kind, Bot) else BotIdentity(name=name)
