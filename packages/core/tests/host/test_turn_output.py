"""A turn in bytes: an observation for each seat that listens, one frame for all spectators."""

from __future__ import annotations

from typing import Any

import msgspec

from packages.core.tests.host.support import config_of, hellos, quick_setup, rules
from turnwright.host import effects as fx
from turnwright.host.battle_start import start_battle
from turnwright.host.latency import TurnTiming
from turnwright.host.lobby import Lobby
from turnwright.host.protocol import HelloMessage
from turnwright.host.turn_output import TurnEncoder, TurnOutput
from turnwright.kernel.battle import Battle


def turn(battle: Battle) -> None:
    for seat in battle.open_turn().asked:
        battle.collecting.submit(seat, 1, 0)
    battle.end_collecting(0)
    battle.close_turn()


def stage(observers: int = 0) -> tuple[Battle, TurnEncoder, list[Any]]:
    effects: list[fx.Effect] = []
    lobby = Lobby(frozenset(), frozenset())
    for conn in range(7, 7 + observers):
        lobby.admit(lobby.open(conn, "h", conn, 0, bytes(16)), HelloMessage("spectator", "w", "1"))
    setup, players = quick_setup(), hellos(3)
    settings = config_of(new_game=rules, random_bytes=bytes, seed=3)
    battle = start_battle(settings, setup, players, 1)
    messages = settings.protocol.battle(battle, setup, players)
    output = TurnOutput(effects, lobby)
    return battle, TurnEncoder(settings, output, messages, TurnTiming()), effects


def test_each_listening_seat_gets_its_own_observation() -> None:
    battle, encoder, _ = stage()
    turn(battle)
    order, datas = encoder.observations((0, 1, 2), {0, 2})
    assert order == [0, 2]
    assert [msgspec.json.decode(data)["observation"] for data in datas] == [
        battle.observe(0),
        battle.observe(2),
    ]


def test_a_frame_is_encoded_once_a_turn_for_all_spectators() -> None:
    battle, encoder, effects = stage(observers=2)
    turn(battle)
    encoder.show("spectator")
    encoder.show("spectator")
    first, second = effects
    assert (type(first), first.conns, first.droppable) == (fx.Publish, (7, 8), True)
    assert msgspec.json.decode(first.data)["frame"] == battle.game.frame(battle.state)
    assert first.data is second.data


def test_without_spectators_no_frame_is_encoded() -> None:
    battle, encoder, effects = stage()
    turn(battle)
    encoder.show("spectator")
    assert effects == []
