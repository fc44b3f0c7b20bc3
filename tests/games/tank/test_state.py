from __future__ import annotations

from tests.games.tank.small_battles import duel


def test_before_the_first_turn_nobody_lives_and_nothing_is_over() -> None:
    _, state, _ = duel((100, 100, 0), (500, 100, 0))
    assert (state.round_number, state.turn_number, state.alive) == (0, 0, ())
    assert (state.opened_round, state.round_over, state.game_over) == (False, False, False)
    assert [row.total for row in state.scores] == [0.0, 0.0]
    assert state.faults == []


def test_scores_are_by_seat_and_results_best_first() -> None:
    game, state, streams = duel((100, 100, 0), (500, 100, 0))
    game.retire(state, 0)
    while not state.game_over:
        game.resolve(state, {}, streams)
    assert [row.total for row in state.scores] == [0.0, 60.0]
    assert [(row.id, row.rank) for row in state.results.rows] == [(2, 1), (1, 2)]
    assert [row.rank for row in state.results.seats] == [2, 1]
