from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.net.small_server import BOT_SECRET, Overs, quick_setup, small_server, until
from turnwright.bots import Bot
from turnwright.games.tank.app.game_bots import TANK_BOTS
from turnwright.games.tank.bots.house import HOUSE
from turnwright.games.tank.bots.player import identity_of
from turnwright.net.participants.gather import Operator
from turnwright.net.participants.in_process import LocalBot
from turnwright.net.participants.seating import entrants_of

pytestmark = pytest.mark.process


class Fails(Bot):
    def on_tick(self, observation: Any) -> None:
        if observation.turn_number == 3:
            raise RuntimeError("on purpose")


def spin(observation: Any) -> dict[str, float] | None:
    return {"turn_rate": 5.0} if observation.turn_number % 2 else None


def play(*bots: Any) -> tuple[list[LocalBot], Overs]:
    """Play a quick battle between bots of this process at a server; return them and how it ended."""
    overs: Overs = []
    locals_: list[LocalBot] = []

    async def whole() -> None:
        async with small_server(overs) as server:
            operator = Operator(server, server.host)
            for place in entrants_of(bots, TANK_BOTS):
                locals_.append(LocalBot(server.connect_local, place, BOT_SECRET, 5))
            await until(lambda: len(operator.bots) == len(bots))
            by_port = {bot.port: bot for bot in operator.bots}
            operator.start_battle(quick_setup(len(bots)), [by_port[bot.peer.port] for bot in locals_])
            await until(lambda: overs)

    asyncio.run(whole())
    return locals_, overs


def test_they_play_a_battle_without_a_socket() -> None:
    _, overs = play("Spinner", HOUSE["Duck"], "Rammer")
    assert overs[0].ending == "over"
    assert [seat.name for seat in overs[0].seats] == ["Spinner", "Duck", "Rammer"]
    assert [seat.skipped for seat in overs[0].seats] == [0, 0, 0]


def test_a_function_may_leave_turns_unanswered() -> None:
    _, overs = play(spin, "Duck")
    assert overs[0].ending == "over"
    assert overs[0].seats[0].skipped > 0


def test_one_that_raises_is_disconnected_and_the_battle_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    bots, overs = play(Fails, "Spinner")
    assert bots[0].closed
    assert overs[0].ending == "over"
    assert "RuntimeError: on purpose" in caplog.text


def test_a_wrong_secret_is_refused() -> None:
    async def whole() -> None:
        async with small_server() as server:
            bot = LocalBot(server.connect_local, entrants_of(["Duck"], TANK_BOTS)[0], "wrong", 5)
            await until(lambda: bot.closed)

    asyncio.run(whole())


def test_leaving_is_seen_by_the_server() -> None:
    async def whole() -> None:
        async with small_server() as server:
            operator = Operator(server, server.host)
            bot = LocalBot(server.connect_local, entrants_of(["Duck"], TANK_BOTS)[0], BOT_SECRET, 5)
            await until(lambda: operator.bots)
            bot.leave()
            await until(lambda: not operator.bots)

    asyncio.run(whole())


def test_the_environment_of_the_server_says_nothing_about_its_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_NAME", "Wrong")
    monkeypatch.setenv("TEAM_ID", "3")
    (place,) = entrants_of(["Spinner"], TANK_BOTS)
    identity = identity_of(place.given, place.name)
    assert (identity.name, identity.team_id) == ("Spinner", None)


def test_a_long_name_is_cut_to_what_the_wire_takes() -> None:
    def a_function_with_a_name_that_is_much_too_long(observation: Any) -> None: ...

    (place,) = entrants_of([a_function_with_a_name_that_is_much_too_long], TANK_BOTS)
    identity = identity_of(place.given, place.name)
    assert identity.name == "a_function_with_a_name_that_is"
