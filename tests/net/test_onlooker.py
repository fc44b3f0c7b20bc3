from __future__ import annotations

import asyncio

import pytest

from tests.net.small_server import BOT_SECRET, OPERATOR_SECRET, Overs, quick_setup, small_server, until
from turnwright.net.contestants import places_of
from turnwright.net.local_bots import LocalBot
from turnwright.net.onlooker import Onlooker
from turnwright.net.operator import Operator
from turnwright.wire.record.royale import type_of

pytestmark = pytest.mark.process


def test_it_hears_what_observers_hear_to_the_end_of_the_game() -> None:
    heard: list[bytes] = []

    async def whole() -> None:
        overs: Overs = []
        async with small_server(overs) as server:
            Onlooker(server, OPERATOR_SECRET, heard.append)
            operator = Operator(server, OPERATOR_SECRET)
            bots = [LocalBot(server, place, BOT_SECRET, 5) for place in places_of(["Duck", "Spinner"])]
            await until(lambda: len(operator.bots) == 2)
            operator.start_game(quick_setup(2), operator.bots)
            await until(lambda: overs)
            assert not any(bot.closed for bot in bots)

    asyncio.run(whole())
    types = [type_of(data) for data in heard]
    assert types[:2] == ["ServerHandshake", "BotListUpdate"]
    start = types.index("GameStartedEventForObserver")
    assert types[start + 1 : start + 3] == ["RoundStartedEvent", "TickEventForObserver"]
    assert "GameEndedEventForObserver" in types


def test_one_that_left_hears_nothing_more() -> None:
    heard: list[bytes] = []

    async def whole() -> None:
        async with small_server() as server:
            onlooker = Onlooker(server, OPERATOR_SECRET, heard.append)
            operator = Operator(server, OPERATOR_SECRET)
            await until(lambda: len(heard) == 2)
            onlooker.leave()
            LocalBot(server, places_of(["Duck"])[0], BOT_SECRET, 5)
            await until(lambda: operator.bots)

    asyncio.run(whole())
    assert [type_of(data) for data in heard] == ["ServerHandshake", "BotListUpdate"]
