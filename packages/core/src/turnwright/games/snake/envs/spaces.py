"""Spaces of snake for learners: the grid as layers, and four moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from turnwright.games.snake.game import MOVES, Move, SnakeGame
from turnwright.kernel.game import SeatInfo

LAYERS = ("own head", "own body", "other heads", "other bodies", "food")
"""The layers of an observation, one for each kind of cell. In a layer, a cell of this kind has the value
1.
"""
ENVS: Mapping[str, Mapping[str, Any]] = {
    "Snake-v0": {"seats": 2, "settings": {}, "opponents": ["Greedy"]},
}
"""The environments with their seats, settings and default opponents."""
_CELL = 20
_COLORS = ((230, 159, 0), (86, 180, 233), (0, 158, 115), (240, 228, 66), (213, 94, 0), (204, 121, 167))
_FOOD, _GROUND = (220, 60, 60), (18, 24, 38)

Array = np.ndarray[Any, np.dtype[Any]]


class SnakeSpaces:
    """The spaces of snake and their encoding. Rewards are the points of each turn."""

    def observation_space(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo]) -> spaces.Box:
        """Return the space of encoded observations: layer × row × column."""
        grid = {**SnakeGame.defaults, **settings}
        return spaces.Box(0, 1, (len(LAYERS), grid["height"], grid["width"]), np.float32)

    def action_space(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo]) -> spaces.Discrete[Any]:
        """Return the space of actions: up, down, left, right."""
        return spaces.Discrete(len(MOVES))

    def encode(self, observation: Mapping[str, Any], memory: Mapping[str, Any]) -> Array:
        """Return an observation as layers. Dead snakes, and cells outside of the grid, are left out."""
        grid = observation["grid"]
        height, width = grid["height"], grid["width"]
        found = np.zeros((len(LAYERS), height, width), np.float32)

        def mark(layer: int, cell: Sequence[int]) -> None:
            if 0 <= cell[0] < width and 0 <= cell[1] < height:
                found[layer, cell[1], cell[0]] = 1

        for seat, snake in enumerate(observation["snakes"]):
            if snake["alive"]:
                first = 0 if seat == observation["you"] else 2
                mark(first, snake["body"][0])
                for cell in snake["body"][1:]:
                    mark(first + 1, cell)
        for cell in observation["food"]:
            mark(4, cell)
        return found

    def decode(self, action: Any, observation: Mapping[str, Any]) -> Move:
        """Return the move of an action, a number from 0 to 3."""
        return list(MOVES)[int(action)]

    def draw(self, frame: Mapping[str, Any], settings: Mapping[str, Any]) -> Array:
        """Return a picture of a frame: height × width × 3 bytes, with 20 × 20 pixels for each cell."""
        grid = frame["grid"]
        pixels = np.empty((grid["height"], grid["width"], 3), np.uint8)
        pixels[:] = _GROUND
        for cell in frame["food"]:
            pixels[cell[1], cell[0]] = _FOOD
        for seat, snake in enumerate(frame["snakes"]):
            color = _COLORS[seat % len(_COLORS)]
            for x, y in reversed(snake["body"] if snake["alive"] else ()):
                if 0 <= x < grid["width"] and 0 <= y < grid["height"]:
                    pixels[y, x] = color
        return pixels.repeat(_CELL, 0).repeat(_CELL, 1)
