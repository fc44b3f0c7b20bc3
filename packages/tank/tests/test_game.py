from __future__ import annotations

from typing import Any

import pytest

from packages.tank.tests.battles import play
from packages.tank.tests.small_battles import duel
from turnwright.errors import SetupError
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright.kernel.state_checks import fields
from turnwright_tank.game import TankGame
from turnwright_tank.structs import TankIntent, TeamMessage


def test_no_seat_is_asked_before_the_first_turn_and_after_the_last() -> None:
    game, state, streams = duel((100, 100, 0), (500, 100, 0))
    assert list(game.asked(state)) == []
    game.resolve(state, {}, streams)
    assert list(game.asked(state)) == list(game.awaited(state)) == [0, 1]
    assert game.opening(state)
    game.resolve(state, {}, streams)
    assert not game.opening(state)
    game.retire(state, 0)
    game.resolve(state, {}, streams)
    assert list(game.asked(state)) == []
    assert game.outcome(state) is not None


def test_survivors_are_asked_after_a_rounds_last_turn_except_the_last_round() -> None:
    game, state, streams = duel((100, 100, 0), (500, 100, 0), number_of_rounds=2)
    for _ in range(2):
        assert list(game.asked(state)) == ([1] if state.round_over else [])
        game.resolve(state, {}, streams)
        game.retire(state, 0)
        while not state.round_over:
            game.resolve(state, {}, streams)
    assert list(game.asked(state)) == list(game.awaited(state)) == []


def test_rounds_follow_each_other_and_reset_the_tanks() -> None:
    game, state, streams = duel((100, 100, 0), (500, 100, 0), number_of_rounds=2)
    game.resolve(state, {}, streams)
    game.resolve(state, {0: TankIntent(target_speed=8.0, body_color="#fff")}, streams)
    game.retire(state, 1)
    game.resolve(state, {}, streams)
    assert (state.round_number, state.turn_number, state.round_over) == (1, 3, True)
    assert game.outcome(state) is None
    game.resolve(state, {0: TankIntent(target_speed=8.0)}, streams)
    assert (state.round_number, state.turn_number, state.opened_round) == (2, 1, True)
    tank = game.observe(state, 0).bot_state
    assert (tank.x, tank.speed, tank.gun_heat, tank.body_color) == (100.0, 0.0, 2.9, None)


def test_a_retired_seat_keeps_its_score_and_loses_every_later_round() -> None:
    game, state, streams = duel((100, 100, 0), (500, 100, 0), number_of_rounds=3)
    game.resolve(state, {}, streams)
    game.retire(state, 1)
    while game.outcome(state) is None:
        game.resolve(state, {}, streams)
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.scores == (180.0, 0.0)
    assert state.turn_number == 1
    assert [row.rank for row in state.results.rows] == [1, 2]


def test_a_seat_retired_before_the_first_turn_dies_in_it() -> None:
    game, state, streams = duel((100, 100, 0), (500, 100, 0), (300, 300, 0))
    game.retire(state, 2)
    game.resolve(state, {}, streams)
    assert state.alive == (0, 1)


def test_a_battle_of_one_ends_immediately() -> None:
    game, state, streams = duel((100, 100, 0), number_of_rounds=2)
    game.resolve(state, {}, streams)
    assert (state.round_over, state.game_over) == (True, False)
    game.resolve(state, {}, streams)
    assert state.game_over
    assert state.results.rows[0].rank == 0


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    def end(seed: int) -> bytes:
        game, streams = TankGame("interpreted"), Streams(seed)
        state = game.setup({}, [SeatInfo("a"), SeatInfo("b")], streams)
        for _ in range(5):
            game.resolve(state, {s: TankIntent(turn_rate=3.0) for s in game.asked(state)}, streams)
        return game.snapshot(state)

    assert end(1) == end(1)
    assert end(1) != end(2)


def test_the_snapshot_is_its_named_parts() -> None:
    game = TankGame("interpreted")
    for state, _ in play(game, 11, turns=50):
        parts = dict(fields(game, state))
        assert b"".join(parts.values()) == game.snapshot(state)
        assert {"arena[0].turn", "tanks[0].energy", "scores[1].survival"} <= parts.keys()


def test_looking_changes_nothing() -> None:
    game = TankGame("interpreted")
    for state, _ in play(game, 12, turns=30):
        before = game.snapshot(state)
        game.frame(state)
        for seat in state.started:
            assert game.observe(state, seat) == game.observe(state, seat)
        assert game.snapshot(state) == before


@pytest.mark.parametrize("number", range(20, 26))
def test_energy_only_grows_by_hits_and_scores_never_shrink(number: int) -> None:
    game = TankGame("interpreted")
    totals: list[float] = []
    for state, _ in play(game, number, turns=100):
        for tank in game.frame(state).bot_states:
            assert tank.energy < 1000.0
            assert 18.0 <= tank.x <= state.lineup.settings.arena_width - 18.0
            assert 18.0 <= tank.y <= state.lineup.settings.arena_height - 18.0
        after = [row.total for row in state.scores]
        assert all(new >= old for new, old in zip(after, totals, strict=False))
        totals = after


def test_intents_survive_a_round_trip_without_unset_fields() -> None:
    game = TankGame("interpreted")
    intent = TankIntent(turn_rate=1.5, rescan=True, team_messages=(TeamMessage("hi", "s", 2),))
    data = game.write_intent(intent)
    assert data == {
        "type": "BotIntent",
        "turnRate": 1.5,
        "rescan": True,
        "teamMessages": [{"message": "hi", "messageType": "s", "receiverId": 2}],
    }
    assert game.read_intent(data) == intent


@pytest.mark.parametrize("data", [None, 7, {"turnRate": "fast", "type": "BotIntent"}, {"type": "Other"}])
def test_a_value_that_is_not_an_intent_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="not a tank intent"):
        TankGame("interpreted").read_intent(data)


def test_set_fields_of_a_later_intent_of_the_turn_count() -> None:
    merged = TankGame("interpreted").merge(
        TankIntent(turn_rate=1.0, firepower=2.0), TankIntent(turn_rate=3.0)
    )
    assert (merged.turn_rate, merged.firepower) == (3.0, 2.0)


@pytest.mark.parametrize("speed", ["quantum", ""])
def test_an_unknown_speed_is_refused(speed: Any) -> None:
    with pytest.raises(SetupError, match="auto, interpreted or compiled"):
        TankGame(speed)


def test_going_on_after_errors_is_interpreted() -> None:
    assert TankGame("auto", on_error="continue").speed == "interpreted"
    with pytest.raises(SetupError, match="cannot continue"):
        TankGame("compiled", on_error="continue")
