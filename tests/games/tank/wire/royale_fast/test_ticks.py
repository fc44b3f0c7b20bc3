from __future__ import annotations

from typing import Any

import pytest

from turnwright.games.tank.backends import compile as compiled
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.wire.royale.codec import encode
from turnwright.games.tank.wire.royale_fast import ticks
from turnwright.games.tank.wire.royale_fast.ticks import NO_EVENTS, encode_ticks, tick_encoder
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo


def battle_of(backend: Any) -> Battle:
    """Return a battle after its first turn: nobody has seen anybody, so nothing has happened."""
    seats = [SeatInfo("one", "1", None, {}), SeatInfo("two", "1", None, {})]
    battle = Battle(TankGame(backend), {"arena_width": 5000, "arena_height": 5000}, seats, 5)
    turn(battle)
    return battle


def turn(battle: Battle) -> None:
    battle.open_turn()
    battle.cut(1)
    battle.close_turn()


def test_interpreted_battles_are_encoded_seat_by_seat() -> None:
    battle = battle_of("python")
    datas = tick_encoder(battle)([1, 0])
    assert datas == [encode(battle.observe(1)), encode(battle.observe(0))] == encode_ticks(battle, [1, 0])


def test_an_observation_of_nothing_ends_as_it_is_said() -> None:
    battle = battle_of("python")
    for seat in (0, 1):
        data = encode(battle.observe(seat))
        assert data.endswith(NO_EVENTS) == (not battle.observe(seat).events)
    assert any(data.endswith(NO_EVENTS) for data in encode_ticks(battle, [0, 1]))


@pytest.mark.skipif(not compiled.available(), reason="numba is not installed")
def test_compiled_battles_are_written_by_compiled_code_once_it_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    battle = battle_of("numba")
    monkeypatch.setattr(ticks, "is_loaded", lambda: False)
    assert tick_encoder(battle).encode.func is encode_ticks  # type: ignore[attr-defined]
    monkeypatch.undo()
    ticks.load()
    write = tick_encoder(battle)
    assert isinstance(write.encode.func.__self__, ticks.TickWriter)  # type: ignore[attr-defined]
    for _ in range(5):
        turn(battle)
        assert write([0, 1]) == encode_ticks(battle, [0, 1])


@pytest.mark.skipif(not compiled.available(), reason="numba is not installed")
def test_a_battle_that_goes_over_to_the_compiled_rules_is_written_by_compiled_code_from_then_on() -> None:
    seats = [SeatInfo("one", "1", None, {}), SeatInfo("two", "1", None, {})]
    ticks.load()
    game = TankGame("python", faster=lambda: battle.state.round_number > 0)
    battle = Battle(game, {"number_of_rounds": 2, "max_inactivity_turns": 5}, seats, 5)
    write = tick_encoder(battle)
    writers = set()
    while not battle.state.game_over:
        turn(battle)
        assert write([0, 1]) == encode_ticks(battle, [0, 1])
        compiled_writer = isinstance(getattr(write.encode.func, "__self__", None), ticks.TickWriter)  # type: ignore[attr-defined]
        writers.add((battle.state.round_number, compiled_writer))
    assert writers == {(1, False), (2, True)}
