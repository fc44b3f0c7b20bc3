"""A tank that died gets one message, if its program hears of deaths."""

from __future__ import annotations

from packages.tank.tests.host.starts import bots, config, setup_of
from turnwright.host.battle_start import start_battle
from turnwright.host.latency import TurnTiming
from turnwright.host.lobby import Lobby
from turnwright.host.turn_output import TurnEncoder, TurnOutput
from turnwright.kernel.battle import Battle
from turnwright_tank.host.royale import RoyaleProtocol
from turnwright_tank.structs import TankIntent


def turn(battle: Battle, intent: TankIntent) -> None:
    for seat in battle.open_turn().asked:
        battle.collecting.submit(seat, intent, 0)
    battle.end_collecting(0)
    battle.close_turn()


def stage() -> tuple[Battle, TurnEncoder]:
    setup, players = setup_of("custom"), bots(3)
    battle = start_battle(config(seed=3), setup, players, 1)
    messages = RoyaleProtocol().battle(battle, setup, players)
    output = TurnOutput([], Lobby(frozenset(), frozenset()))
    return battle, TurnEncoder(config(), output, messages, TurnTiming())


def test_a_seat_that_died_gets_one_further_observation_if_anything_happened() -> None:
    battle, encoder = stage()
    turn(battle, TankIntent())
    battle.game.retire(battle.state, 1)
    turn(battle, TankIntent())
    assert battle.state.alive == (0, 2)
    order, datas = encoder.observations((0, 1, 2), {0, 1, 2})
    assert order == [0, 1, 2]
    assert b"BotDeathEvent" in datas[1]


def test_a_seat_that_died_without_hearing_of_deaths_gets_nothing() -> None:
    battle, encoder = stage()
    for info in battle.header.seats:
        info.options["hears_deaths"] = False  # type: ignore[index]
    turn(battle, TankIntent())
    battle.game.retire(battle.state, 1)
    turn(battle, TankIntent())
    assert encoder.observations((0, 1, 2), {0, 1, 2})[0] == [0, 2]
    assert encoder.observations((0, 1, 2), {1, 2})[0] == [2], "also when another seat has left"
