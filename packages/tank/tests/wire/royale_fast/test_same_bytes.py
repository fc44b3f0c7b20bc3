"""The compiled writer of observations writes the same bytes as the codec."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from packages.tank.tests.wire.royale.tick_battles import play
from tests.parts import few
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright_tank import observe
from turnwright_tank.backends import extension
from turnwright_tank.backends.compiled import CompiledRows
from turnwright_tank.game import TankGame
from turnwright_tank.state import TankBattleState
from turnwright_tank.wire.royale.codec import encode
from turnwright_tank.wire.royale_fast.ticks import TickWriter

if not extension.available():
    pytest.skip(extension.why_missing(), allow_module_level=True)


@pytest.fixture(scope="module")
def game() -> TankGame:
    return TankGame("compiled")


def ordinary(state: TankBattleState, seats: list[int]) -> list[bytes]:
    return [encode(observe.observe(state, seat)) for seat in seats]


def setup(game: TankGame, options: list[dict[str, Any]]) -> TankBattleState:
    seats = [SeatInfo(f"bot{k}", "1", None, said) for k, said in enumerate(options)]
    state = game.setup({**game.defaults}, seats, Streams(1))
    game.resolve(state, {}, Streams(1))
    return state


@pytest.mark.parametrize("number", few(range(60), 12))
def test_whole_battles_are_written_as_they_are_encoded(game: TankGame, number: int) -> None:
    tanks = random.Random(number).randint(2, 30)
    seats = list(range(tanks))
    writer = None
    for state in play(game, number, tanks, 150):
        writer = writer or TickWriter(state)
        assert writer.write(state, seats) == ordinary(state, seats)


def test_those_battles_contain_every_kind_of_event(game: TankGame) -> None:
    """A kind of event that never came would have been compared with nothing."""
    kinds: Counter[str] = Counter()
    for number in range(20):
        for state in play(game, number, random.Random(number).randint(2, 30), 150):
            if not (state.output.messages or state.winners):
                kinds.update(type(event).__name__ for event in observe.turn_view(state).public)
    assert min(kinds.values()) > 20
    assert len(kinds) == 8


def test_some_seats_in_any_order_are_written_too(game: TankGame) -> None:
    writer = None
    for state in play(game, 100, 9, 60):
        writer = writer or TickWriter(state)
        for seats in ([8, 2, 5], [0], [], [5, 2, 8], list(state.alive)):
            assert writer.write(state, seats) == ordinary(state, seats)


def test_output_and_tables_that_grow_change_nothing(game: TankGame) -> None:
    writer = None
    turns = set()
    for state in play(game, 101, 25, 60):
        assert isinstance(state.tables, CompiledRows)
        if writer is None:
            writer = TickWriter(state)
        turns.add(id(state.tables.turn))
        assert writer.write(state, list(range(25))) == ordinary(state, list(range(25)))
    assert len(turns) > 1


def test_returned_bytes_stay_unchanged_when_the_next_turn_is_written(game: TankGame) -> None:
    turns = play(game, 102, 4, 3)
    writer, before = None, []
    for state in turns:
        writer = writer or TickWriter(state)
        before.append((writer.write(state, [0, 1, 2, 3]), ordinary(state, [0, 1, 2, 3])))
    assert all(datas == expected for datas, expected in before)
    assert all(type(data) is bytes for datas, _ in before for data in datas)


def test_debug_graphics_team_messages_and_wins_are_written_the_ordinary_way(game: TankGame) -> None:
    seen: Counter[str] = Counter()
    for number in range(103, 115):
        writer = None
        for state in play(game, number, 6, 150):
            writer = writer or TickWriter(state)
            state.debugging = {1, 2} if state.turn_number % 5 == 0 else set()
            datas = writer.write(state, [0, 1, 2])
            assert datas == ordinary(state, [0, 1, 2])
            for name in (b"TeamMessageEvent", b"WonRoundEvent", b'"isDebuggingEnabled":true'):
                seen[name.decode()] += any(name in data for data in datas)
    assert len(seen) == 3
    assert min(seen.values()) > 0


def test_a_start_direction_beyond_a_full_turn_is_written_as_encoded(game: TankGame) -> None:
    state = setup(game, [{"initial_position": {"direction": 800.0}}, {}])
    assert TickWriter(state).write(state, [0, 1]) == ordinary(state, [0, 1])


def test_a_seat_that_does_not_hear_of_deaths_gets_none(game: TankGame) -> None:
    state = setup(game, [{}, {"hears_deaths": False}, {}])
    writer = TickWriter(state)
    game.retire(state, 2)
    game.resolve(state, {}, Streams(1))
    told = [b"BotDeathEvent" in data for data in writer.write(state, [0, 1, 2])]
    assert told == [True, False, True]
    assert writer.write(state, [0, 1, 2]) == ordinary(state, [0, 1, 2])
