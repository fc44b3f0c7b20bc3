"""Every game of the catalogue keeps the contract."""

from __future__ import annotations

import inspect
import random
from typing import Any

import pytest

from packages.core.tests.kernel.support import battle, every_game, some_intent
from turnwright import catalog
from turnwright.errors import SetupError
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import Game
from turnwright.kernel.state_checks import fields

CONTRACT = [
    name for name, value in vars(Game).items() if inspect.isfunction(value) and not name.startswith("_")
]


def play_turns(it: Battle, turns: int, seed: str = "contract") -> list[Any]:
    """Play some turns with random intents and return the digests."""
    rng, digests = random.Random(seed), []
    for _ in range(turns):
        if it.outcome is not None:
            break
        for seat in it.open_turn().asked:
            it.collecting.submit(seat, some_intent(it.game.name, rng), 0)
        it.end_collecting(0)
        digests.append(it.close_turn().entry.digest)
    return digests


@every_game
def test_a_game_answers_everything_that_the_kernel_asks(game: str) -> None:
    rules = catalog.load(game)
    assert [name for name in CONTRACT if not callable(getattr(rules, name, None))] == []
    assert rules.name == game
    assert rules.behaviour_version >= 1


@every_game
def test_looking_changes_nothing(game: str) -> None:
    it = battle(game)
    for _ in range(40):
        play_turns(it, 1)
        before = it.game.snapshot(it.state)
        for seat in range(it.seats):
            it.observe(seat)
            it.game.default_intent(it.state, seat, "repeat")
            it.game.default_intent(it.state, seat, "idle")
        it.game.frame(it.state)
        it.game.asked(it.state)
        it.game.outcome(it.state)
        assert it.game.snapshot(it.state) == before


@every_game
def test_two_battles_in_step_stay_bit_equal(game: str) -> None:
    one, two = battle(game), battle(game)
    for _ in range(50):
        play_turns(one, 1)
        play_turns(two, 1)
        assert one.game.snapshot(one.state) == two.game.snapshot(two.state)


@every_game
def test_other_intents_lead_to_another_state(game: str) -> None:
    plain = play_turns(battle(game), 60)
    assert play_turns(battle(game), 60) == plain
    assert play_turns(battle(game), 60, seed="others") != plain


@every_game
def test_named_parts_have_unlike_names_and_show_every_change(game: str) -> None:
    it = battle(game)
    seen = None
    for _ in range(30):
        play_turns(it, 1)
        named = list(fields(it.game, it.state))
        assert len({name for name, _ in named}) == len(named)
        now = it.game.snapshot(it.state), named
        if seen is not None:
            assert (seen[0] == now[0]) == (seen[1] == now[1])
        seen = now


@every_game
def test_intents_come_back_from_their_data(game: str) -> None:
    rules, rng = catalog.load(game), random.Random(5)
    for _ in range(50):
        intent = some_intent(game, rng)
        assert rules.read_intent(rules.write_intent(intent)) == intent
    with pytest.raises((ValueError, TypeError)):
        rules.read_intent("no intent at all")


@every_game
def test_a_battle_without_seats_is_refused(game: str) -> None:
    with pytest.raises(SetupError):
        battle(game, seats=0)


@every_game
def test_awaited_seats_are_asked_and_both_lists_are_in_order(game: str) -> None:
    it = battle(game, seats=4)
    for _ in range(60):
        play_turns(it, 1)
        asked, awaited = list(it.game.asked(it.state)), list(it.game.awaited(it.state))
        assert asked == sorted(set(asked))
        assert awaited == sorted(set(awaited))
        assert set(awaited) <= set(asked) <= set(range(4))


@every_game
def test_a_retired_seat_is_not_asked_after_the_next_turn(game: str) -> None:
    it = battle(game, seats=4)
    play_turns(it, 3)
    it.game.retire(it.state, 2)
    play_turns(it, 1)
    assert 2 not in it.game.asked(it.state)
