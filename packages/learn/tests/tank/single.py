"""Single battles for tests of batches, stepped by hand, with the numbers that learners get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from turnwright.kernel.rng import Streams
from turnwright_learn.tank.batch import Batch, BatchSettings
from turnwright_tank.backends import Speed
from turnwright_tank.envs.actions import intent_of
from turnwright_tank.envs.features import OTHER, OWN
from turnwright_tank.envs.spaces import ENVS, REWARDS, TankSpaces, seats_of
from turnwright_tank.game import TankGame

Numbers = np.ndarray[Any, np.dtype[Any]]


class Single:
    """A battle of one round. Observations of seats that died before are zeros."""

    def __init__(self, name: str, *, speed: Speed = "auto", actions: str = "continuous") -> None:
        self.env = ENVS[name]
        self.seats = seats_of(name)
        self.game = TankGame(speed)
        self.spaces = TankSpaces(actions)
        self.features = self.spaces.features(self.env["settings"], self.seats)

    def reset(self, seed: int) -> Numbers:
        self.streams = Streams(seed)
        self.state = self.game.setup(self.env["settings"], self.seats, self.streams)
        self.memories: list[dict[str, Any]] = [
            {"seat": seat, "seats": self.seats, "settings": self.env["settings"]}
            for seat in range(len(self.seats))
        ]
        self._resolve({})
        return self._observed()

    def step(self, actions: Sequence[Any]) -> tuple[Numbers, Numbers, bool]:
        """Return observations, terms of the rewards (seat, term), and whether the round is over."""
        decode, observe = self.spaces.decode, self.game.observe
        terms = self._resolve(
            {seat: decode(actions[seat], observe(self.state, seat)) for seat in self.game.asked(self.state)}
        )
        return self._observed(), terms, self.state.round_over

    def play(self, actions: Sequence[Any]) -> None:
        """Play a turn, and compute no observations or rewards."""
        asked = self.game.asked(self.state)
        intents = {seat: intent_of(actions[seat]) for seat in asked}
        self.game.resolve(self.state, intents, self.streams)

    def _resolve(self, intents: Mapping[int, Any]) -> Numbers:
        self.game.resolve(self.state, intents, self.streams)
        terms = self.spaces.rewards(self.state)
        return np.array([terms[name] for name in REWARDS]).T

    def _observed(self) -> Numbers:
        found = np.zeros((len(self.seats), len(self.features)), np.float32)
        for seat in self.state.started:
            found[seat] = self.spaces.encode(self.game.observe(self.state, seat), self.memories[seat])
        return found


def actions_at(seed: int, turn: int, seats: int) -> Numbers:
    """Return random actions, some of them beyond their bounds. The three numbers determine them."""
    chance = np.random.default_rng((seed, turn // 8))
    actions = chance.uniform(-1.2, 1.2, (seats, 5)).astype(np.float32)
    actions[chance.random((seats, 5)) < 0.1] = chance.choice([0.0, -0.0, 1.0, -1.0])
    return actions


def fighting(observations: Numbers) -> Numbers:
    """Return the actions of tanks that drive at the next seat's tank and fire when their guns point at it.

    Args:
        observations: (battle, seat, feature).
    """
    other = observations[..., OWN : OWN + OTHER]
    actions = np.zeros((*observations.shape[:-1], 5), np.float32)
    seen = other[..., 0] > 0
    actions[..., 0] = 1.0
    actions[..., 1] = np.clip(4 * other[..., 7], -1, 1)
    actions[..., 2] = np.clip(3 * other[..., 9], -1, 1)
    actions[..., 3] = np.where(seen, np.clip(2 * other[..., 11], -1, 1), 1.0)
    actions[..., 4] = np.where(seen & (np.abs(other[..., 9]) < 0.1) & (other[..., 10] > 0), 1.0, 0.0)
    return actions


def common_of(name: str, battles: int, **more: Any) -> BatchSettings:
    env = ENVS[name]
    seats = seats_of(name)
    return replace(BatchSettings(env["settings"], seats, battles, len(seats), len(seats)), **more)


def give_seeds(batch: Batch, step: int) -> None:
    """Give the battles that used their seed another one."""
    for battle in np.flatnonzero(batch.results.used):
        batch.seed(int(battle), 1000 * (step + 2) + int(battle))
