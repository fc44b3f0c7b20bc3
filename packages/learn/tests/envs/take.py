"""A small third-party game with the methods for learners."""

from __future__ import annotations

from pathlib import Path

from packages.core.tests import take_game

TAKE = f"""import numpy as np
from gymnasium import spaces
{take_game.TAKE.rstrip()}

    def observation_space(self, settings, seats):
        return spaces.Box(0, 1, (1,), np.float32)

    def action_space(self, settings, seats):
        return spaces.Discrete(3)

    def encode(self, observation, memory):
        return np.array([observation["left"] / 100], np.float32)

    def decode(self, action, observation):
        return int(action) + 1
"""


def take_folder(folder: Path, text: str = TAKE) -> Path:
    """Write the game into a new folder `take` and return the folder."""
    return take_game.take_folder(folder, text)
