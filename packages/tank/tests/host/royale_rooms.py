"""Helpers of the tank's host tests: a room of tanks, clients of its protocol."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import msgspec

from packages.core.tests.host import support
from packages.core.tests.host.support import MS, TIMEOUT, TIMEOUT_US, US, Message, S, addresses
from turnwright.host.config import HostConfig
from turnwright_tank.game import TankGame
from turnwright_tank.host.royale import RoyaleProtocol
from turnwright_tank.wire.royale.setup import preset

__all__ = [
    "HANDSHAKES",
    "MS",
    "TIMEOUT",
    "US",
    "Client",
    "Room",
    "S",
    "config_of",
    "duel",
    "game_setup",
    "rules",
    "start_game",
]

HANDSHAKES = {"bot": "BotHandshake", "spectator": "ObserverHandshake", "operator": "ControllerHandshake"}


class Client(support.Client):
    """One connection of Tank Royale's protocol. answer(tick): the fields of a playing bot's intent."""

    greeting = "ServerHandshake"
    ready = "BotReady"
    intent = "BotIntent"
    observation = "TickEventForBot"
    session_field = "sessionId"

    def encoded(self, kind: str, fields: Message) -> bytes:
        return msgspec.json.encode({"type": kind, **fields})

    def hello(self, role: str, **fields: Any) -> Self:
        given = {"sessionId": self.session, "name": role, "version": "1"}
        self.say(HANDSHAKES[role], **{**given, **fields})
        return self

    def is_asked(self, message: Message) -> bool:
        return message["type"] == "GameStartedEventForBot"

    @property
    def ticks(self) -> list[tuple[int, int]]:
        frames = self.of("TickEventForBot", "TickEventForObserver")
        return [(m["roundNumber"], m["turnNumber"]) for m in frames]


class Room(support.Room):
    """A server of tanks. The usual operator is one of our programs."""

    client = Client
    start_word = "StartGame"
    usual_operator: ClassVar[Message] = {"turnwright": 1}

    @staticmethod
    def config_of(**settings: Any) -> HostConfig:
        return config_of(**{"new_game": rules, **settings})

    @staticmethod
    def start_game(bots: list[support.Client], debug: bool = False, **setup: Any) -> Message:
        return start_game(bots, debug, **setup)


def config_of(**settings: Any) -> HostConfig:
    """Return the settings of a server of tanks. game_types and initial_positions go to its protocol."""
    names = {"game_types", "initial_positions"} & settings.keys()
    protocol = RoyaleProtocol(**{name: settings.pop(name) for name in names})
    return HostConfig(protocol=protocol, **support.with_rules(settings))


def rules(tolerant: bool) -> TankGame:
    return TankGame(speed="interpreted", on_error="continue" if tolerant else "raise")


def game_setup(**changes: Any) -> Message:
    """Return a GameSetup as JSON values: one round of 2000 turns at most, a timeout of TIMEOUT_US."""
    setup = msgspec.to_builtins(preset("custom"))
    base = {"numberOfRounds": 1, "minNumberOfParticipants": 1, "turnTimeout": TIMEOUT_US}
    return {**setup, **base, "readyTimeout": 1_000_000, **changes}


def start_game(bots: list[support.Client], debug: bool = False, **setup: Any) -> Message:
    message: Message = {"gameSetup": game_setup(**setup), "botAddresses": addresses(bots)}
    return {**message, "debugMode": True} if debug else message


duel = Room.duel
