"""A policy learns by PPO, and is the same in NumPy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from turnwright_learn.tank.opponents import OpponentPool
from turnwright_learn.tank.training.ppo import Learner, PpoSettings, choose
from turnwright_learn.tank.training.run import try_policy
from turnwright_tank.envs.actions import DISCRETE

SMALL = PpoSettings(battles=16, steps=16, widths=(32, 32), threads=1)


def learner(settings: PpoSettings = SMALL) -> Learner:
    return Learner(settings, OpponentPool({"Spinner": "Spinner", "Rammer": "Rammer"}, seed=1))


def test_choices_are_drawn_by_their_chances() -> None:
    wanted = torch.full((1, sum(map(len, DISCRETE))), -30.0)
    wanted[0, 0], wanted[0, 2] = np.log(0.25), np.log(0.75)
    drawn = choose(wanted.expand(20_000, -1), torch.Generator())
    assert drawn.shape == (20_000, len(DISCRETE))
    assert abs(float((drawn[:, 0] == 2).float().mean()) - 0.75) < 0.02


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_the_policy_of_a_learner_has_its_scores(activation: str) -> None:
    one = learner(PpoSettings(battles=4, steps=4, widths=(16,), activation=activation, threads=1))
    one.update(0.0)
    seen = np.random.default_rng(1).uniform(-1, 1, (50, len(one.features))).astype(np.float32)
    with torch.no_grad():
        wanted = one.average(torch.from_numpy(seen)).numpy()
    assert np.allclose(one.policy().scores(seen), wanted, atol=1e-5)


def test_one_seed_gives_one_training_on_one_thread_and_another_one_another() -> None:
    first, again = learner(), learner()
    other = learner(PpoSettings(battles=16, steps=16, widths=(32, 32), threads=1, seed=2))
    figures = [[one.update(0.0).returns for _ in range(3)] for one in (first, again, other)]
    weights = [one.policy().layers[0][0] for one in (first, again, other)]
    assert figures[0] == figures[1]
    assert np.array_equal(weights[0], weights[1])
    assert not np.array_equal(weights[0], weights[2])


def test_a_minute_of_training_beats_an_untrained_policy() -> None:
    one = learner(PpoSettings(battles=128, steps=32, widths=(64, 64), threads=2))
    before = {trial.opponent: trial.won for trial in try_policy(one.policy(), battles=100)}
    updates = 0
    while one.seconds < 600.0 and one.turns < 1_800_000:
        one.update(0.0)
        updates += 1
    after = {trial.opponent: trial.won for trial in try_policy(one.policy(), battles=100)}
    assert updates > 100
    assert before["Rammer"] < 0.2
    assert after["Rammer"] > before["Rammer"] + 0.1
    assert one.pool.shown["Rammer"].battles > 10


def test_ten_tanks_learn_too() -> None:
    one = learner(PpoSettings(env="TankMelee-v0", battles=2, steps=8, widths=(16,), threads=1))
    update = one.update(0.5)
    assert update.turns == (10 + 1) * 8 * 2
    assert np.isfinite(update.entropy)


def test_an_error_of_the_other_thread_ends_the_training() -> None:
    def broken(observations: object) -> object:
        raise RuntimeError("it cannot act")

    one = Learner(SMALL, OpponentPool({"broken": broken}, seed=1))  # type: ignore[dict-item]
    with pytest.raises(RuntimeError, match="cannot act"):
        one.update(0.0)
    one.close()


@pytest.mark.parametrize("what", ["price", "blind"])
def test_a_tank_pays_for_its_time_and_for_its_blind_turns(what: str) -> None:
    means = []
    for price in (0.0, 10.0):
        one = learner(replace(SMALL, **{what: price}))
        one.update(0.0)
        kinds = one.network.critic[0].in_features - len(one.features)
        means.append(one.network.value(torch.zeros(1, len(one.features)), torch.zeros(1, kinds)).item())
    assert means[1] < means[0]
