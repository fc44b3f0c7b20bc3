"""Snake: every rule as a claim, on small grids."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Any

import pytest

from turnwright.errors import SetupError
from turnwright.games.snake.bots import BOTS, greedy, wanderer
from turnwright.games.snake.game import FOOD_POINTS, Grid, Move, Snake, SnakeGame, SnakeState
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.play import play
from turnwright.kernel.rng import Streams
from turnwright.testing.check_game import check_game

GAME, STREAMS = SnakeGame(), Streams(1)
UP, DOWN, LEFT, RIGHT = Move.__args__  # type: ignore[attr-defined]  # a Literal has them
LINES_MAX = {"game.py": 120, "view.js": 80}


def grid(
    *bodies: list[tuple[int, int]], pieces: Any = (), heading: Move = "up", **settings: int
) -> SnakeState:
    """Return a grid of 10 by 10 that has only the given food."""
    snakes = [Snake(body, heading) for body in bodies]
    settings = {"width": 10, "height": 10, "food": 0, **settings}
    return SnakeState(Grid(**settings), snakes, [False] * len(bodies), list(pieces))


def after(state: SnakeState, *moves: Move | None) -> list[Any]:
    return list(GAME.resolve(state, {s: m for s, m in enumerate(moves) if m is not None}, STREAMS))


def alive(state: SnakeState) -> list[bool]:
    return [snake.alive for snake in state.snakes]


def test_snake_keeps_the_contract_of_a_game() -> None:
    check_game(GAME)
    eight = [SeatInfo(f"{k}") for k in range(8)]
    check_game(GAME, setup={"width": 60, "height": 60, "food": 30}, seats=eight, seeds=(1,), turns=60)


@pytest.mark.parametrize("name", LINES_MAX)
def test_its_rules_and_its_view_are_short_files(name: str) -> None:
    source = resources.files("turnwright.games.snake") / name
    assert 0 < len(source.read_text().splitlines()) <= LINES_MAX[name]


@pytest.mark.parametrize(
    ("move", "head"), [(UP, (5, 4)), (DOWN, (5, 6)), (LEFT, (4, 5)), (RIGHT, (6, 5)), (None, (5, 4))]
)
def test_a_snake_moves_one_cell_as_it_wants_or_straight_on(move: Move | None, head: tuple[int, int]) -> None:
    state = grid([(5, 5)] * 3)
    after(state, move)
    assert state.snakes[0].body == [head, (5, 5), (5, 5)]


def test_a_snake_never_turns_into_its_neck() -> None:
    state = grid([(5, 5), (5, 6), (5, 7)])
    after(state, DOWN)
    assert state.snakes[0].body == [(5, 4), (5, 5), (5, 6)]


@pytest.mark.parametrize(("cell", "move"), [((0, 5), LEFT), ((9, 5), RIGHT), ((5, 0), UP), ((5, 9), DOWN)])
def test_a_snake_that_leaves_the_grid_dies(cell: tuple[int, int], move: Move) -> None:
    state = grid([cell] * 3, [(2, 2)] * 3)
    assert {"type": "died", "seat": 0} in after(state, move)
    assert alive(state) == [False, True]
    assert GAME.asked(state) == [1]


def test_food_lets_a_snake_grow_and_comes_again_on_a_free_cell() -> None:
    state = grid([(5, 5), (5, 6), (5, 7)], pieces=[(5, 4)])
    assert after(state, UP) == [{"type": "ate", "seat": 0}]
    assert (state.snakes[0].body, state.snakes[0].eaten) == ([(5, 4), (5, 5), (5, 6), (5, 7)], 1)
    assert state.food == []


def test_two_heads_in_one_cell_kill_both_snakes() -> None:
    state = grid([(4, 5), (3, 5), (2, 5)], [(6, 5), (7, 5), (8, 5)])
    after(state, RIGHT, LEFT)
    assert alive(state) == [False, False]


def test_only_a_longer_snake_survives_heads_in_one_cell() -> None:
    state = grid([(4, 5), (3, 5), (2, 5), (1, 5)], [(6, 5), (7, 5), (8, 5)], [(5, 6), (5, 7), (5, 8)])
    after(state, RIGHT, LEFT, UP)
    assert alive(state) == [True, False, False]


def test_snakes_that_change_places_head_on_both_die() -> None:
    state = grid([(4, 5), (3, 5), (2, 5)], [(5, 5), (6, 5), (7, 5)])
    after(state, RIGHT, LEFT)
    assert alive(state) == [False, False]


def test_a_tail_that_moves_makes_room_and_a_growing_one_does_not() -> None:
    ring = [(5, 5), (6, 5), (6, 6), (5, 6)]
    state = grid(list(ring))
    after(state, DOWN)
    assert alive(state) == [True]
    other = grid([(4, 6), (3, 6), (2, 6)], list(ring), pieces=[(4, 5)])
    after(other, RIGHT, LEFT)  # the ring eats: its tail stays at (5, 6)
    assert alive(other) == [False, True]


def test_a_dead_snake_is_out_of_the_way() -> None:
    state = grid([(0, 5), (1, 5), (2, 5)], [(1, 6), (1, 7), (1, 8)])
    after(state, LEFT, LEFT)
    assert alive(state) == [False, True]
    after(state, None, UP)
    after(state, None, RIGHT)
    assert state.snakes[1].body[0] == (1, 5)
    assert alive(state) == [False, True]


def test_a_retired_seat_dies_and_keeps_its_score() -> None:
    state = grid([(2, 5)] * 3, [(7, 5)] * 3, turns=2)
    after(state, UP, UP)
    GAME.retire(state, 0)
    after(state, UP, UP)
    outcome = GAME.outcome(state)
    assert (alive(state), outcome and outcome.scores) == ([False, True], (2.0, 2.0))


def test_food_comes_from_the_stream_of_its_turn_and_never_on_a_snake() -> None:
    states = [grid([(5, 5), (5, 6), (5, 7)], width=5, height=8, food=30) for _ in range(2)]
    for state in states:
        state.snakes[0].body = [(2, 3), (2, 4), (2, 5)]
        after(state, UP)
    assert states[0].food == states[1].food
    assert len({*states[0].food, *states[0].snakes[0].body}) == 33
    elsewhere = grid([(2, 3), (2, 4), (2, 5)], width=5, height=8, food=30)
    GAME.resolve(elsewhere, {0: UP}, Streams(2))
    assert elsewhere.food != states[0].food


def test_a_full_grid_gets_no_further_food() -> None:
    state = grid([(2, 3), (2, 4), (2, 5)], width=5, height=5, food=99)
    after(state, UP)
    assert len(state.food) == 25 - 3


def test_the_score_is_the_turns_lived_and_the_food() -> None:
    state = grid([(5, 5)] * 3, [(0, 0)] * 3, pieces=[(5, 4)])
    after(state, UP, UP)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores == (1.0 + FOOD_POINTS, 1.0)


def test_the_score_so_far_is_known_in_every_turn() -> None:
    state = grid([(5, 5)] * 3, [(7, 0)] * 3, [(2, 5)] * 3, pieces=[(5, 4), (5, 2)])
    assert GAME.scores(state) == (0.0, 0.0, 0.0)
    after(state, UP, UP, UP)
    assert (GAME.outcome(state), GAME.scores(state)) == (None, (1.0 + FOOD_POINTS, 1.0, 1.0))
    after(state, UP, None, UP)
    assert GAME.scores(state) == (2.0 + FOOD_POINTS, 1.0, 2.0), "a dead snake keeps its score"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"width": 4}, "width"),
        ({"turns": 0}, "turns"),
        ({"food": 1.5}, "food"),
        ({"width": 5}, "have no room"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: Mapping[str, Any], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        Battle(GAME, settings, [SeatInfo(str(k)) for k in range(3)], seed=1)


@pytest.mark.parametrize("data", ["forward", "", None, 3, ["up"], {"up": 1}])
def test_a_value_that_is_not_a_move_is_refused(data: Any) -> None:
    with pytest.raises(ValueError):
        GAME.read_intent(data)


def test_equal_seeds_give_equal_battles() -> None:
    def digests(seed: int) -> list[str]:
        it = Battle(GAME, {"turns": 80}, [SeatInfo(name) for name in BOTS], seed)
        seen: list[str] = []
        play(it, dict(enumerate(BOTS.values())), record=lambda closed: seen.append(closed.entry.digest))
        return seen

    assert digests(5) == digests(5) != digests(6)


def test_the_built_in_bots_eat_and_live() -> None:
    it = Battle(GAME, {"turns": 200}, [SeatInfo("Greedy")], 3)
    play(it, {0: greedy})
    assert it.state.snakes[0].eaten > 10
    it = Battle(GAME, {"turns": 50}, [SeatInfo("Wanderer")], 3)
    play(it, {0: wanderer})
    assert it.state.snakes[0].lived == 50
