from __future__ import annotations

import pytest

from packages.tank.tests.small_battles import duel
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright_tank.game import TankGame
from turnwright_tank.structs import BotDeathEvent, BulletFiredEvent, TankIntent, WonRoundEvent


def test_a_seat_sees_its_own_bullets_and_a_spectator_all() -> None:
    game, state, streams = duel((100, 300, 90), (500, 300, 90), gun_cooling_rate=3.0)
    game.resolve(state, {}, streams)
    fire = TankIntent(firepower=1.0)
    game.resolve(state, {0: fire, 1: fire}, streams)
    assert [b.owner_id for b in game.observe(state, 0).bullet_states] == [1]
    assert [b.owner_id for b in game.frame(state).bullet_states] == [1, 2]
    (event,) = game.observe(state, 1).events
    assert isinstance(event, BulletFiredEvent)
    assert (event.bullet.owner_id, event.bullet.x, event.bullet.y) == (2, 500.0, 300.0)


def test_every_seat_sees_a_death_and_the_victim_is_shown_once_more() -> None:
    game, state, streams = duel((100, 100, 0), (500, 100, 0), (500, 500, 0))
    game.resolve(state, {}, streams)
    game.retire(state, 1)
    game.resolve(state, {}, streams)
    for seat in range(3):
        assert BotDeathEvent(2, 2) in game.observe(state, seat).events
    assert [t.id for t in game.frame(state).bot_states] == [1, 2, 3]
    assert game.observe(state, 1).bot_state.energy < 0.0
    assert [t.enemy_count for t in game.frame(state).bot_states] == [1, 2, 1]
    game.resolve(state, {}, streams)
    assert [t.id for t in game.frame(state).bot_states] == [1, 3]


def test_only_the_winner_gets_the_event_of_its_win() -> None:
    game, state, streams = duel((100, 100, 0), (500, 100, 0))
    game.resolve(state, {}, streams)
    game.retire(state, 1)
    game.resolve(state, {}, streams)
    assert state.round_over
    assert WonRoundEvent(2) in game.observe(state, 0).events
    assert WonRoundEvent(2) not in game.observe(state, 1).events
    assert WonRoundEvent(2) not in game.frame(state).events


def test_a_wished_direction_is_shown_within_one_turn() -> None:
    game, state, streams = duel((100, 100, 400), (500, 100, -90))
    game.resolve(state, {}, streams)
    assert [t.direction for t in game.frame(state).bot_states] == [40.0, 270.0]
    assert game.observe(state, 1).bot_state.gun_direction == 270.0


@pytest.mark.parametrize(("teams", "enemies"), [((1, 1, 2), [1, 1, 2]), ((None, None, None), [2, 2, 2])])
def test_enemies_are_living_tanks_of_other_teams(teams: tuple[int | None, ...], enemies: list[int]) -> None:
    game, streams = TankGame("interpreted"), Streams(1)
    state = game.setup({}, [SeatInfo("b", team=team) for team in teams], streams)
    game.resolve(state, {}, streams)
    assert [game.observe(state, seat).bot_state.enemy_count for seat in range(3)] == enemies


def test_events_of_a_past_turn_are_unavailable() -> None:
    game, state, streams = duel((100, 100, 0), (500, 100, 0))
    events = game.resolve(state, {}, streams)
    assert list(events) == [] == list(events[:5])
    game.resolve(state, {}, streams)
    with pytest.raises(AssertionError):
        len(events)
