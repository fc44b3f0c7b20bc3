from __future__ import annotations

from typing import Any

import pytest

from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright_tank.backends import extension
from turnwright_tank.game import TankGame
from turnwright_tank.structs import BotHitBotEvent, TankIntent

if not extension.available():
    pytest.skip(extension.why_missing(), allow_module_level=True)


def begin(tanks: int, apart: float = 0.0, **setup: Any) -> tuple[TankGame, Any, Streams]:
    game = TankGame("compiled")
    streams = Streams(1)
    spots = [{"x": 50.0, "y": 300.0 + apart * k, "direction": 0.0} for k in range(tanks)]
    seats = [SeatInfo(f"b{k}", options={"initial_position": spot}) for k, spot in enumerate(spots)]
    return game, game.setup({"arena_width": 1000, "arena_height": 1000, **setup}, seats, streams), streams


def test_tables_grow_when_all_tanks_are_in_one_place() -> None:
    game, state, streams = begin(30)
    game.resolve(state, {}, streams)
    events = [e for e in game.frame(state).events if isinstance(e, BotHitBotEvent)]
    assert len(events) >= 30 * 29


def test_bullets_grow_with_a_gun_that_never_heats() -> None:
    game, state, streams = begin(3, 100.0, gun_cooling_rate=9.0, max_inactivity_turns=10**6)
    for _ in range(60):
        fire = TankIntent(firepower=0.1)
        game.resolve(state, dict.fromkeys(game.asked(state), fire), streams)
    assert len(game.frame(state).bullet_states) > 8


@pytest.mark.parametrize("huge", [10**400, float("nan"), float("inf"), "fast"])
def test_a_number_that_is_not_finite_is_ignored(huge: Any) -> None:
    game, state, streams = begin(1)
    game.resolve(state, {}, streams)
    state.round_over = False
    game.resolve(state, {0: TankIntent(target_speed=huge, turn_rate=5.0)}, streams)
    tank = game.observe(state, 0).bot_state
    assert (tank.speed, tank.turn_rate) == (0.0, 5.0)


def test_retiring_twice_counts_once() -> None:
    game, state, streams = begin(3)
    game.resolve(state, {}, streams)
    game.retire(state, 1)
    game.retire(state, 1)
    game.resolve(state, {}, streams)
    assert 1 not in state.alive
    assert state.started == (0, 1, 2)
