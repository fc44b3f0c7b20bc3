from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tests.net.small_server import BOT_SECRET, SmallServer, quick_setup, small_server, until
from turnwright.errors import SetupError
from turnwright.games.tank.app.bot_kit import TANK_BOTS
from turnwright.net.participants.gather import Operator
from turnwright.net.participants.in_process import LocalBot
from turnwright.net.participants.seating import entrants_of

pytestmark = pytest.mark.process


def scene(act: Callable[[SmallServer, Operator], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with small_server() as server:
            await act(server, Operator(server, server.host))

    asyncio.run(whole())


def join(server: SmallServer, *names: str) -> list[LocalBot]:
    return [LocalBot(server.connect_local, place, BOT_SECRET, 5) for place in entrants_of(names, TANK_BOTS)]


def test_it_sees_who_comes_and_goes() -> None:
    async def act(server: SmallServer, operator: Operator) -> None:
        bots = join(server, "Spinner", "Duck")
        await until(lambda: [bot.name for bot in operator.bots] == ["Spinner", "Duck"])
        bots[0].leave()
        await until(lambda: [bot.name for bot in operator.bots] == ["Duck"])

    scene(act)


def test_it_starts_a_game_and_is_told_how_many_play() -> None:
    async def act(server: SmallServer, operator: Operator) -> None:
        join(server, "Spinner", "Duck")
        await until(lambda: len(operator.bots) == 2)
        operator.start_battle(quick_setup(2), operator.bots)
        await until(lambda: operator.started == 2)
        assert operator.ended is None

    scene(act)


def test_a_battle_without_bots_or_beside_another_is_refused_with_its_reason() -> None:
    async def act(server: SmallServer, operator: Operator) -> None:
        with pytest.raises(SetupError, match="no connected bot has one of these addresses"):
            operator.start_battle(quick_setup(2), [])
        join(server, "Spinner", "Duck")
        await until(lambda: len(operator.bots) == 2)
        operator.start_battle(quick_setup(2), operator.bots)
        with pytest.raises(SetupError, match="a game is running; stop it first"):
            operator.start_battle(quick_setup(2), operator.bots)

    scene(act)


def test_it_is_told_why_a_battle_cannot_begin() -> None:
    async def act(server: SmallServer, operator: Operator) -> None:
        join(server, "Spinner", "Duck")
        await until(lambda: len(operator.bots) == 2)
        setup = quick_setup(2)
        setup.settings = {**setup.settings, "arena_width": 30}
        operator.start_battle(setup, operator.bots)
        await until(lambda: operator.ended)
        assert "has room for 0 tanks" in (operator.ended or "")
        assert operator.started is None

    scene(act)


def test_it_is_no_client_for_whom_frames_are_encoded() -> None:
    async def act(server: SmallServer, operator: Operator) -> None:
        join(server, "Spinner", "Duck")
        await until(lambda: len(operator.bots) == 2)
        operator.start_battle(quick_setup(2), operator.bots)
        await until(lambda: operator.started)
        assert server.host.lobby.spectators() == ()

    scene(act)
