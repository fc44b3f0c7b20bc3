"""Setups, handshakes and settings of servers, for battles of tanks that a test starts itself."""

from __future__ import annotations

import random
from typing import Any

from packages.tank.tests.host.royale_rooms import config_of
from turnwright.host.config import HostConfig
from turnwright.host.protocol import BattleSetup, HelloMessage
from turnwright_tank.game import TankGame
from turnwright_tank.host.handshakes import bot_hello
from turnwright_tank.host.royale import battle_setup
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.setup import preset


def config(**settings: Any) -> HostConfig:
    """Return the settings of a server of interpreted rules."""
    defaults = {"new_game": lambda _: TankGame("interpreted"), "random_bytes": random.Random(3).randbytes}
    return config_of(**{**defaults, **settings})


def setup_of(name: str, **changes: int) -> BattleSetup:
    """Return a preset, with other values in some fields."""
    setup = preset(name)
    for field, value in changes.items():
        setattr(setup, field, value)
    return battle_setup(setup)


def bots(count: int) -> list[HelloMessage]:
    """Return the handshakes of this many bots."""
    hellos = [
        m.BotHandshake(session_id=f"session {k}", name=f"bot {k}", version="1", debugger_attached=False)
        for k in range(count)
    ]
    return [bot_hello(hello) for hello in hellos]
