"""The small game's own rules; packages/core/tests/kernel tests everything else with this game."""

from __future__ import annotations

import pytest

from turnwright.errors import SetupError
from turnwright.games.countdown.game import Countdown, CountState
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams

GAME, STREAMS = Countdown(), Streams(1)


def begun(seats: int = 2, pile: int = 50, turns: int = 30) -> CountState:
    """A state after the first turn, in which no seat is asked yet."""
    state = GAME.setup({"pile": pile, "turns": turns}, [SeatInfo(str(s)) for s in range(seats)], STREAMS)
    GAME.resolve(state, {}, STREAMS)
    return state


def test_a_game_without_seats_is_refused() -> None:
    with pytest.raises(SetupError, match="at least 1"):
        Battle(GAME, {}, [], seed=1)


@pytest.mark.parametrize(("said", "taken"), [(1, 1), (2, 2), (3, 3), (0, 1), (4, 1), (-1, 1), ("much", 1)])
def test_an_intent_takes_one_to_three_and_an_invalid_one_takes_one(said: object, taken: int) -> None:
    state = begun()
    GAME.resolve(state, {0: said, 1: 1}, STREAMS)  # type: ignore[dict-item]  # on purpose
    assert (state.taken[0], state.pile) == (taken, 50 - taken - 1)


def test_the_seat_that_took_most_of_those_that_empty_the_pile_is_out() -> None:
    state = begun(seats=3, pile=6)
    assert GAME.resolve(state, {0: 1, 1: 3, 2: 2}, STREAMS) == [1]
    assert state.out == [False, True, False]
    assert GAME.asked(state) == [0, 2]


def test_the_last_seat_is_never_put_out() -> None:
    state = begun(pile=4)
    GAME.resolve(state, {0: 3, 1: 3}, STREAMS)
    assert state.out == [True, False]


def test_the_pile_refills_from_the_stream_of_its_turn() -> None:
    piles = []
    for _ in range(2):
        state = begun(pile=2)
        GAME.resolve(state, {0: 1, 1: 1}, STREAMS)
        piles.append(state.pile)
    assert piles[0] == piles[1] == 10 + STREAMS.stream("refill", 2).below(40)


def test_a_missed_turn_repeats_or_takes_one() -> None:
    state = begun()
    GAME.resolve(state, {0: 3, 1: 2}, STREAMS)
    assert GAME.default_intent(state, 0, "repeat") == 3
    assert GAME.default_intent(state, 0, "idle") is None
    GAME.resolve(state, {0: None, 1: 2}, STREAMS)  # type: ignore[dict-item]  # as the kernel does
    assert state.taken == [4, 4]


def test_a_retired_seat_is_out_in_the_next_turn_and_keeps_its_take() -> None:
    state = begun(seats=3)
    GAME.resolve(state, {0: 3, 1: 1, 2: 1}, STREAMS)
    GAME.retire(state, 0)
    GAME.resolve(state, {0: 3, 1: 1, 2: 1}, STREAMS)
    assert (state.out[0], state.taken[0]) == (True, 3)


def test_countdown_ends_after_its_turns_or_with_one_seat_left() -> None:
    state = begun(turns=2)
    assert GAME.outcome(state) is None
    GAME.resolve(state, {0: 2, 1: 1}, STREAMS)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores == (2.0, 1.0)
    alone = begun(pile=2)
    GAME.resolve(alone, {0: 1, 1: 1}, STREAMS)
    assert GAME.outcome(alone) is not None
