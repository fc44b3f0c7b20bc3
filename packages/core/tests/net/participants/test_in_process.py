from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import sleep
from typing import Any

import pytest

from packages.core.tests.net.small_server import BOT_SECRET, SNAKES, Overs, quick_setup, small_server, until
from turnwright.games.snake.bots import BOTS
from turnwright.net import loop as loops
from turnwright.net.participants.in_process import LocalBot
from turnwright.net.participants.seating import entrants_of
from turnwright.net.participants.start_bots import Operator

pytestmark = pytest.mark.process


def fails(observation: Any) -> str:
    if observation["turn"] == 3:
        raise RuntimeError("on purpose")
    return "up"


def now_and_then(observation: Any) -> str | None:
    return "up" if observation["turn"] % 2 else None


def play(
    *bots: Any, beside: Callable[[], object] = lambda: None, run: Callable[..., None] = asyncio.run
) -> tuple[list[LocalBot], Overs]:
    """Play a quick battle between bots of this process at a server; return the bots and the summaries.

    Args:
        beside: called in each round of the event loop.
        run: runs that loop.
    """
    overs: Overs = []
    locals_: list[LocalBot] = []

    async def whole() -> None:
        async with small_server(overs) as server:
            operator = Operator(server, server.host)
            for place in entrants_of(bots, SNAKES):
                locals_.append(LocalBot(server.connect_local, place, BOT_SECRET, 5))
            await until(lambda: len(operator.bots) == len(bots))
            by_port = {bot.port: bot for bot in operator.bots}
            operator.start_battle(quick_setup(len(bots)), [by_port[bot.peer.port] for bot in locals_])
            async with asyncio.timeout(120):
                while not overs:
                    beside()
                    await asyncio.sleep(0)

    run(whole())
    return locals_, overs


def test_bots_in_this_process_play_without_a_socket() -> None:
    _, overs = play("Greedy", BOTS["Wanderer"], "Greedy")
    assert overs[0].ending == "over"
    assert [seat.name for seat in overs[0].seats] == ["Greedy", "wanderer", "Greedy (2)"]
    assert [seat.skipped for seat in overs[0].seats] == [0, 0, 0]


@pytest.mark.parametrize("run", [asyncio.run, loops.run], ids=["asyncio", "fastest"])
def test_a_slow_process_makes_no_local_bot_miss_a_turn(run: Callable[..., None]) -> None:
    """Each round of the loop takes longer than the timeout, while observations and answers wait in it."""
    _, overs = play("Greedy", "Wanderer", beside=lambda: sleep(0.005), run=run)
    assert [seat.skipped + seat.late for seat in overs[0].seats] == [0, 0]
    assert overs[0].server_late_turns > 0


def test_a_function_may_leave_turns_unanswered() -> None:
    _, overs = play(now_and_then, "Wanderer")
    assert overs[0].ending == "over"
    assert overs[0].seats[0].skipped > 0


def test_a_bot_that_raises_is_disconnected_and_the_battle_continues(caplog: pytest.LogCaptureFixture) -> None:
    bots, overs = play(fails, "Greedy")
    assert bots[0].closed
    assert overs[0].ending == "over"
    assert "RuntimeError: on purpose" in caplog.text


def test_a_wrong_secret_is_refused() -> None:
    async def whole() -> None:
        async with small_server() as server:
            bot = LocalBot(server.connect_local, entrants_of(["Greedy"], SNAKES)[0], "wrong", 5)
            await until(lambda: bot.closed)

    asyncio.run(whole())


def test_leaving_is_seen_by_the_server() -> None:
    async def whole() -> None:
        async with small_server() as server:
            operator = Operator(server, server.host)
            bot = LocalBot(server.connect_local, entrants_of(["Greedy"], SNAKES)[0], BOT_SECRET, 5)
            await until(lambda: operator.bots)
            bot.leave()
            await until(lambda: not operator.bots)

    asyncio.run(whole())
