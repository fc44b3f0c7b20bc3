"""A live server of tanks for tests whose clients run in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from packages.core.tests.net import small_server as of_any_game
from packages.core.tests.net.small_server import BOT_SECRET, OPERATOR_SECRET, Overs, SmallServer, until
from turnwright.host.protocol import BattleSetup
from turnwright_tank.game import new_game
from turnwright_tank.host.royale import RoyaleProtocol, battle_setup
from turnwright_tank.wire.royale.setup import custom

__all__ = ["BOT_SECRET", "OPERATOR_SECRET", "Overs", "SmallServer", "quick_setup", "small_server", "until"]


@asynccontextmanager
async def small_server(overs: Overs | None = None) -> AsyncIterator[SmallServer]:
    """Run a server on a free port. `overs` gets the summary of each battle."""
    async with of_any_game.small_server(
        overs, RoyaleProtocol(), lambda tolerant: new_game(tolerant=tolerant)
    ) as server:
        yield server


def quick_setup(bots: int, ready_timeout_us: int = 5_000_000) -> BattleSetup:
    """Return the setup of a game that ends soon."""
    setup = custom()
    setup.number_of_rounds = 1
    setup.max_inactivity_turns = 1
    setup.turn_timeout = 2_000
    setup.min_number_of_participants = bots
    setup.ready_timeout = ready_timeout_us
    return battle_setup(setup)
