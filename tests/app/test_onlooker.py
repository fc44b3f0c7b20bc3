from __future__ import annotations

import asyncio

import pytest

from tests.net.small_server import BOT_SECRET, OPERATOR_SECRET, Overs, quick_setup, small_server, until
from turnwright.app.battle_server import Onlooker
from turnwright.games.tank.app.bot_kit import TANK_BOTS
from turnwright.games.tank.wire.recording.cut import type_of
from turnwright.net.participants.gather import Operator
from turnwright.net.participants.in_process import LocalBot
from turnwright.net.participants.seating import entrants_of

pytestmark = pytest.mark.process


def test_it_hears_what_observers_hear_to_the_end_of_the_game() -> None:
    heard: list[bytes] = []

    async def whole() -> None:
        overs: Overs = []
        async with small_server(overs) as server:
            Onlooker(server, server.host, OPERATOR_SECRET, heard.append)
            operator = Operator(server, server.host)
            bots = [
                LocalBot(server.connect_local, place, BOT_SECRET, 5)
                for place in entrants_of(["Duck", "Spinner"], TANK_BOTS)
            ]
            await until(lambda: len(operator.bots) == 2)
            operator.start_battle(quick_setup(2), operator.bots)
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
            onlooker = Onlooker(server, server.host, OPERATOR_SECRET, heard.append)
            operator = Operator(server, server.host)
            await until(lambda: len(heard) == 2)
            onlooker.leave()
            LocalBot(server.connect_local, entrants_of(["Duck"], TANK_BOTS)[0], BOT_SECRET, 5)
            await until(lambda: operator.bots)

    asyncio.run(whole())
    assert [type_of(data) for data in heard] == ["ServerHandshake", "BotListUpdate"]
