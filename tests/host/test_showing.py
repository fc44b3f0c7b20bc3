"""A turn in bytes: an observation for each seat that listens, one frame for all who watch."""

from __future__ import annotations

from typing import Any

from tests.host.test_founding import clients, config
from turnwright.games.tank.intent import TankIntent
from turnwright.host import effects as fx
from turnwright.host.founding import found
from turnwright.host.latency import TurnTiming
from turnwright.host.showing import Showing
from turnwright.host.voice import Voice
from turnwright.kernel.battle import Battle
from turnwright.wire.royale.codec import encode
from turnwright.wire.royale.setup import preset


def turn(battle: Battle, intent: TankIntent) -> None:
    for seat in battle.open_turn().asked:
        battle.submit(seat, intent, 0)
    battle.cut(0)
    battle.close_turn()


def stage(watching: tuple[int, ...] = ()) -> tuple[Battle, Showing, list[Any]]:
    effects: list[fx.Effect] = []
    battle = found(config(seed=3), preset("custom"), clients(3), 1)
    voice = Voice(effects, lambda role=None: watching)
    return battle, Showing(config(), voice, battle, TurnTiming()), effects


def test_each_listening_seat_gets_its_own_observation() -> None:
    battle, showing, _ = stage()
    turn(battle, TankIntent())
    order, datas = showing.observations((0, 1, 2), {0, 2})
    assert order == [0, 2]
    assert datas == [encode(battle.observe(0)), encode(battle.observe(2))]


def test_a_seat_that_died_is_told_once_more_if_anything_happened() -> None:
    battle, showing, _ = stage()
    turn(battle, TankIntent())
    battle.game.retire(battle.state, 1)
    turn(battle, TankIntent())
    assert battle.state.alive == (0, 2)
    order, datas = showing.observations((0, 1, 2), {0, 1, 2})
    assert order == [0, 1, 2]
    assert b"BotDeathEvent" in datas[1]


def test_a_seat_that_died_and_hears_of_no_death_is_told_nothing() -> None:
    battle, showing, _ = stage()
    for info in battle.header.seats:
        info.options["hears_deaths"] = False  # type: ignore[index]
    turn(battle, TankIntent())
    battle.game.retire(battle.state, 1)
    turn(battle, TankIntent())
    assert showing.observations((0, 1, 2), {0, 1, 2})[0] == [0, 2]
    assert showing.observations((0, 1, 2), {1, 2})[0] == [2], "also when another seat has left"


def test_a_frame_is_encoded_once_a_turn_and_only_for_those_who_watch() -> None:
    battle, showing, effects = stage(watching=(7, 8))
    turn(battle, TankIntent())
    showing.show("observer")
    first = showing.frame()
    assert effects == [fx.Publish((7, 8), first, droppable=True)]
    assert showing.frame() is first
    turn(battle, TankIntent())
    showing.new_turn()
    assert showing.frame() != first


def test_nobody_watching_costs_no_frame() -> None:
    battle, showing, effects = stage()
    turn(battle, TankIntent())
    showing.show("observer")
    assert effects == []
