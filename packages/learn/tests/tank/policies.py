"""A policy for tests, with random weights from a seed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from turnwright_learn.tank.policy import Policy
from turnwright_tank.envs.actions import DISCRETE
from turnwright_tank.envs.features import features_of


def drawn_policy(seed: int = 1, frame_skip: int = 2, seats: int = 2) -> Policy:
    features = tuple(feature.name for feature in features_of(800, 600, seats))
    chance = np.random.default_rng(seed)
    widths = [len(features), 16, sum(map(len, DISCRETE))]
    layers = [
        (chance.normal(size=(a, b)).astype(np.float32), chance.normal(size=b).astype(np.float32))
        for a, b in pairwise(widths)
    ]
    return Policy(layers, features, frame_skip)
