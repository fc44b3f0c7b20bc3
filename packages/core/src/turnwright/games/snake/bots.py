"""The built-in bots of snake: functions from an observation to a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from turnwright.games.snake.game import MOVES, Cell, Move


def greedy(observation: Mapping[str, Any]) -> Move:
    """Move to a cell from which at least two moves are free, if there is one. Among these cells, choose the
    cell that is nearest to food.
    """
    x, y = _head(observation)
    food = [tuple(cell) for cell in observation["food"]]

    def cost(move: Move) -> tuple[int, int]:
        column, row = x + MOVES[move][0], y + MOVES[move][1]
        way = min((abs(column - a) + abs(row - b) for a, b in food), default=0)
        return -min(2, len(_free(observation, (column, row)))), way

    moves = _free(observation, (x, y)) or list(MOVES)
    return min(moves, key=cost)


def wanderer(observation: Mapping[str, Any]) -> Move:
    """Move straight ahead. Turn if the way is blocked, and every few turns."""
    me = observation["snakes"][observation["you"]]
    heading: Move = me["heading"]
    free = _free(observation, _head(observation))
    if not free or (heading in free and observation["turn"] % (5 + observation["you"])):
        return heading
    return free[int(observation["turn"]) // 5 % len(free)]


BOTS: dict[str, Callable[[Mapping[str, Any]], Move]] = {"Greedy": greedy, "Wanderer": wanderer}
"""The built-in bots, by name."""


def _head(observation: Mapping[str, Any]) -> Cell:
    x, y = observation["snakes"][observation["you"]]["body"][0]
    return x, y


def _free(observation: Mapping[str, Any], cell: Cell) -> list[Move]:
    """Return the moves from a cell that do not lead out of the grid or into a body. The last cell of a body
    counts as free.
    """
    taken = {tuple(part) for snake in observation["snakes"] if snake["alive"] for part in snake["body"][:-1]}
    width, height = observation["grid"]["width"], observation["grid"]["height"]
    return [
        move
        for move, (dx, dy) in MOVES.items()
        if 0 <= cell[0] + dx < width
        and 0 <= cell[1] + dy < height
        and (cell[0] + dx, cell[1] + dy) not in taken
    ]
