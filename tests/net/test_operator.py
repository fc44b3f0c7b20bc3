from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tests.net.small_server import BOT_SECRET, OPERATOR_SECRET, quick_setup, small_server, until
from turnwright.net.contestants import places_of
from turnwright.net.live import LiveServer
from turnwright.net.local_bots import LocalBot
from turnwright.net.operator import Operator

pytestmark = pytest.mark.process


def scene(act: Callable[[LiveServer, Operator], Awaitable[None]], secret: str = OPERATOR_SECRET) -> None:
    async def whole() -> None:
        async with small_server() as server:
            await act(server, Operator(server, secret))

    asyncio.run(whole())


def join(server: LiveServer, *names: str) -> list[LocalBot]:
    return [LocalBot(server, place, BOT_SECRET, 5) for place in places_of(names)]


def test_it_sees_who_comes_and_goes() -> None:
    async def act(server: LiveServer, operator: Operator) -> None:
        bots = join(server, "Spinner", "Duck")
        await until(lambda: [bot.name for bot in operator.bots] == ["Spinner", "Duck"])
        bots[0].leave()
        await until(lambda: [bot.name for bot in operator.bots] == ["Duck"])

    scene(act)


def test_it_starts_a_game_and_is_told_how_many_play() -> None:
    async def act(server: LiveServer, operator: Operator) -> None:
        join(server, "Spinner", "Duck")
        await until(lambda: len(operator.bots) == 2)
        operator.start_game(quick_setup(2), operator.bots)
        await until(lambda: operator.started == 2)
        assert operator.ended is None

    scene(act)


def test_a_refused_game_is_told_with_its_reason() -> None:
    async def act(server: LiveServer, operator: Operator) -> None:
        join(server, "Spinner", "Duck")
        await until(lambda: len(operator.bots) == 2)
        setup = quick_setup(2)
        setup.number_of_rounds = 0
        operator.start_game(setup, operator.bots)
        await until(lambda: operator.ended)
        assert "numberOfRounds was 0" in (operator.ended or "")

    scene(act)


def test_a_wrong_secret_ends_it() -> None:
    async def act(server: LiveServer, operator: Operator) -> None:
        await until(lambda: operator.ended)
        assert "Invalid secret" in (operator.ended or "")

    scene(act, secret="wrong")


def test_it_leaves_and_the_game_goes_on() -> None:
    async def act(server: LiveServer, operator: Operator) -> None:
        join(server, "Spinner", "Duck")
        await until(lambda: len(operator.bots) == 2)
        operator.start_game(quick_setup(2), operator.bots)
        await until(lambda: operator.started)
        operator.leave()
        watcher = Operator(server, OPERATOR_SECRET)
        await until(lambda: watcher.bots)

    scene(act)
