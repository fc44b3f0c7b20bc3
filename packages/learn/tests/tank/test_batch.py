from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from packages.core.tests.messages import missing
from packages.learn.tests.tank.single import Single, actions_at, common_of, fighting, give_seeds
from tests.parts import few
from turnwright.errors import SetupError
from turnwright_learn.tank.batch import (
    DISABLED,
    IN_BATCHES,
    NEXT_STEP,
    SAME_STEP,
    Batch,
    BatchSettings,
    built_in_bots_for,
    new_batch,
)
from turnwright_tank.backends import extension
from turnwright_tank.envs.spaces import ENVS

compiled = pytest.mark.skipif(not extension.available(), reason="the rules are not compiled here")


def begun(common: BatchSettings, speed: str = "compiled") -> Batch:
    batch = new_batch(common, speed)
    for battle in range(common.battles):
        batch.seed(battle, 100 + battle)
    batch.reset(None)
    return batch


@compiled
@pytest.mark.parametrize(("name", "battles", "turns"), [(name, 3, 120) for name in ENVS])
def test_a_battle_of_a_batch_is_the_single_battle_to_the_bit(name: str, battles: int, turns: int) -> None:
    compare_with_single_battles(name, battles, turns)


@compiled
@pytest.mark.long
@pytest.mark.parametrize(("name", "battles", "turns"), [("TankDuel-v0", 12, 900), ("TankMelee-v0", 2, 700)])
def test_fights_to_the_end_are_the_single_battles_to_the_bit(name: str, battles: int, turns: int) -> None:
    assert compare_with_single_battles(name, battles, turns, fight=True) > 0


def compare_with_single_battles(name: str, battles: int, turns: int, *, fight: bool = False) -> int:
    """Compare all results of a batch with single battles; return the number of finished battles."""
    batch = begun(common_of(name, battles))
    singles = [Single(name) for _ in range(battles)]
    observations = np.array([single.reset(100 + k) for k, single in enumerate(singles)])
    seats = len(singles[0].seats)
    ended: set[int] = set()
    for turn in range(turns):
        assert np.array_equal(batch.results.observations, observations)
        if fight:
            actions = fighting(observations)
        else:
            actions = np.array([actions_at(k, turn, seats) for k in range(battles)])
        batch.step(actions, DISABLED)
        for k, single in enumerate(singles):
            if k in ended:
                continue
            observations[k], terms, over = single.step(actions[k])
            assert np.array_equal(batch.results.terms[k], terms)
            assert np.array_equal(batch.results.rewards[k], terms[:, 0] + terms[:, 1] + terms[:, 2])
            assert batch.snapshot(k) == single.state.tables.snapshot()
            assert bool(batch.results.terminated[k]) is over
            ended |= {k} if over else set()
    return len(ended)


@compiled
@pytest.mark.long
def test_a_thousand_battles_have_the_digests_of_single_ones_in_each_of_500_turns() -> None:
    battles, turns = 1000, 500
    batch = begun(common_of("TankDuel-v0", battles, threads=2))
    kept = np.zeros((turns, battles, 2, 5), np.float32)
    digests: list[list[int]] = []
    for turn in range(turns):
        kept[turn] = np.random.default_rng(turn // 8).uniform(-1.1, 1.1, (battles, 2, 5))
        batch.step(kept[turn], DISABLED)
        digests.append([hash(batch.snapshot(k)) for k in range(battles)])
    for k in range(battles):
        single = Single("TankDuel-v0")
        single.reset(100 + k)
        for turn in range(turns):
            if single.state.round_over:
                break
            single.play(kept[turn, k])
            assert digests[turn][k] == hash(single.state.tables.snapshot())


@compiled
@pytest.mark.parametrize("autoreset", [NEXT_STEP, SAME_STEP, DISABLED])
def test_interpreted_and_compiled_batches_are_equal_through_ends_and_beginnings(autoreset: int) -> None:
    common = common_of("TankDuel-v0", 3, max_turns=31, frame_skip=4, weights=(1.0, 0.5, -2.0))
    one, two = begun(common, "interpreted"), begun(common)
    beginnings = 0
    for step in range(40):
        actions = np.array([actions_at(k, step, 2) for k in range(3)])
        for batch in (one, two):
            batch.step(actions, autoreset)
        for name in (
            "observations",
            "finals",
            "rewards",
            "terms",
            "terminated",
            "truncated",
            "alive",
            "used",
        ):
            assert np.array_equal(getattr(one.results, name), getattr(two.results, name)), name
        beginnings += int(one.results.used.sum())
        for batch in (one, two):
            give_seeds(batch, step)
            if autoreset == DISABLED and step % 10 == 9:
                which = np.array([True, False, True])
                batch.seed(0, step)
                batch.seed(2, step)
                batch.reset(which)
    assert beginnings == {NEXT_STEP: 12, SAME_STEP: 15, DISABLED: 0}[autoreset]


@compiled
@pytest.mark.parametrize(("name", "battles", "turns"), [("TankDuel-v0", 4, 150), ("TankMelee-v0", 1, 120)])
def test_built_in_bots_of_a_batch_play_like_the_bots(name: str, battles: int, turns: int) -> None:
    compare_built_in_bots(name, battles, turns)


@compiled
@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "battles", "turns"),
    [("TankDuel-v0", 30, 1500), ("TankMelee-v0", 4, 1500), ("TankTeams-v0", 8, 1500)],
)
def test_built_in_bots_of_a_batch_play_like_the_bots_to_the_end(name: str, battles: int, turns: int) -> None:
    assert compare_built_in_bots(name, battles, turns) > battles * 3 // 4


def compare_built_in_bots(name: str, battles: int, turns: int) -> int:
    """Compare battles of built-in bots, and of those with random actions, with those of the bots themselves.

    Return the number of finished battles.
    """
    common = common_of(name, battles)
    one, two = new_batch(common, "interpreted"), new_batch(common)
    seats = len(common.seats)
    for battle in range(battles):
        there = len(built_in_bots_for(seats))
        players = [(battle * 7 + seat * 3 + battle // 5) % (there + 1) for seat in range(seats)]
        for batch in (one, two):
            batch.seed(battle, 500 + battle, players)
    for batch in (one, two):
        batch.reset(None)
    ended = np.zeros(battles, np.bool_)
    for turn in range(turns):
        actions = np.array([actions_at(k, turn, seats) for k in range(battles)])
        for batch in (one, two):
            batch.step(actions, DISABLED)
        assert np.array_equal(one.results.terms, two.results.terms), turn
        for battle in np.flatnonzero(~ended):
            assert one.snapshot(battle) == two.snapshot(battle), (turn, battle)
        ended |= two.results.terminated
        assert np.array_equal(one.results.terminated, two.results.terminated)
        if ended.all():
            break
    return int(ended.sum())


@compiled
def test_threads_change_nothing() -> None:
    one, many = begun(common_of("TankDuel-v0", 100)), begun(common_of("TankDuel-v0", 100, threads=5))
    for step in range(50):
        actions = np.array([actions_at(k, step, 2) for k in range(100)])
        for batch in (one, many):
            batch.step(actions, SAME_STEP)
        assert np.array_equal(one.results.observations, many.results.observations)
    assert [one.snapshot(k) for k in range(100)] == [many.snapshot(k) for k in range(100)]


@compiled
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_the_copy_of_a_forked_process_steps_without_threads() -> None:
    batch = begun(common_of("TankDuel-v0", 64, threads=3))
    actions = np.zeros((64, 2, 5), np.float32)
    batch.step(actions, SAME_STEP)
    child = os.fork()
    if child == 0:
        batch.step(actions, SAME_STEP)
        del batch
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


@compiled
def test_a_battle_with_many_bullets_gets_room_for_them() -> None:
    settings: Mapping[str, Any] = {**ENVS["TankDuel-v0"]["settings"], "gun_cooling_rate": 3.0}
    common = common_of("TankDuel-v0", 2, settings=settings)
    one, two = begun(common, "interpreted"), begun(common)
    before = two.memory()
    actions = np.zeros((2, 2, 5), np.float32)
    actions[..., 4] = 0.04
    for _ in range(60):
        one.step(actions, DISABLED)
        two.step(actions, DISABLED)
        assert [one.snapshot(k) for k in range(2)] == [two.snapshot(k) for k in range(2)]
    assert two.memory() > before


@compiled
def test_a_duel_takes_at_most_four_kibibytes() -> None:
    batch = begun(common_of("TankDuel-v0", 64))
    observations = batch.results.observations
    for step in range(300):
        batch.step(fighting(observations), SAME_STEP)
        give_seeds(batch, step)
    assert batch.memory() / 64 <= 4096


@pytest.mark.parametrize("speed", ["interpreted", pytest.param("compiled", marks=compiled)])
def test_an_action_that_is_not_finite_is_named(speed: str) -> None:
    batch = begun(common_of("TankDuel-v0", 2), speed)
    before = batch.snapshot(0)
    for bad in (np.nan, np.inf, -np.inf):
        actions = np.zeros((2, 2, 5), np.float32)
        actions[1, 0, 3] = bad
        with pytest.raises(ValueError) as error:
            batch.step(actions, SAME_STEP)
        assert not missing(str(error.value), "actions[1, 0, 3]", "finite")
    assert batch.snapshot(0) == before, "nothing has moved"


@compiled
def test_a_buffer_of_another_size_is_refused() -> None:
    batch = begun(common_of("TankDuel-v0", 2))
    for wrong in (np.zeros((2, 2, 4), np.float32), np.zeros((2, 2, 5))):
        with pytest.raises(ValueError):
            batch.step(wrong, SAME_STEP)
    with pytest.raises(ValueError):
        batch.reset(np.zeros(3, np.bool_))
    with pytest.raises(IndexError):
        batch.snapshot(2)


def test_batches_that_are_interpreted_say_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    why = "there is no compiler on the moon"
    monkeypatch.setattr(extension, "why_missing", lambda: why)
    assert [new_batch(common_of("TankDuel-v0", 1)).speed for _ in range(2)] == ["interpreted"] * 2
    (told,) = caplog.messages
    assert not missing(told, "interpreted", "slower", why)
    caplog.clear()
    new_batch(common_of("TankDuel-v0", 1), "interpreted")
    assert caplog.messages == []


def test_impossible_settings_are_refused_in_words() -> None:
    with pytest.raises(SetupError) as error:
        new_batch(common_of("TankDuel-v0", 1, settings={"arena_width": 50, "arena_height": 50}))
    assert not missing(str(error.value), "50x50", "2")


@pytest.mark.parametrize("speed", ["interpreted", "auto"])
def test_a_bot_of_duels_is_refused_among_many(speed: str) -> None:
    batch = new_batch(common_of("TankMelee-v0", 1), speed)
    with pytest.raises(SetupError) as error:
        batch.seed(0, 1, [0] * 9 + [1 + IN_BATCHES.index("Ace")])
    assert not missing(str(error.value), "Ace", "10", "Dodger")


@compiled
def test_the_memory_of_an_ace_counts_as_memory_of_its_battle() -> None:
    with_ace, without = (begun(common_of("TankDuel-v0", 2)) for _ in range(2))
    with_ace.seed(0, 1, [0, 1 + IN_BATCHES.index("Ace")])
    with_ace.reset(np.array([True, False]))
    assert 100_000 < with_ace.memory() - without.memory() < 300_000


def play_games(batches: Sequence[Batch], player: str, rounds: int, battles: int, mode: int) -> None:
    """Play games against a built-in bot in all batches, and compare each turn.

    Args:
        rounds: the rounds of a game.
    """
    ended = 0
    for batch in batches:
        batch.seed(0, 1, [0, 1 + IN_BATCHES.index(player)])
        batch.results.rounds[0] = 1
        batch.reset(None)
    while ended < battles:
        actions = fighting(batches[0].results.observations)
        for batch in batches:
            batch.seed(0, 2 + ended)
            batch.results.rounds[0] = 1 + (ended + 1) % rounds
            batch.step(actions, mode)
        one, *others = batches
        for other in others:
            assert other.snapshot(0) == one.snapshot(0)
            assert np.array_equal(other.results.observations, one.results.observations)
        ended += int(one.results.terminated[0] | one.results.truncated[0])


@compiled
@pytest.mark.parametrize("player", IN_BATCHES)
@pytest.mark.parametrize("mode", few([NEXT_STEP, SAME_STEP], 1))
def test_built_in_bots_and_learners_remember_a_game_of_several_rounds(player: str, mode: int) -> None:
    """The second game is compared too: all have forgotten the first one there."""
    common = common_of("TankDuel-v0", 1, max_turns=250)
    play_games([begun(common, speed) for speed in ("interpreted", "compiled")], player, 2, 5, mode)


@compiled
def test_an_ace_that_has_learned_plays_otherwise() -> None:
    batches = [begun(common_of("TankDuel-v0", 1)) for _ in range(2)]
    play_games(batches, "Ace", 1, 1, NEXT_STEP)
    same = []
    for _ in range(100):
        for game_round, batch in enumerate(batches, 1):
            batch.results.rounds[0] = game_round
            batch.step(fighting(batch.results.observations), NEXT_STEP)
        same.append(batches[0].snapshot(0) == batches[1].snapshot(0))
    assert same[0]
    assert not same[-1]
