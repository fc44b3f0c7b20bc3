"""Snake: several snakes on one grid, which all move at the same time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec

from turnwright.kernel.game import Game, Outcome, PerSeat, Seat, SeatInfo
from turnwright.kernel.rng import Streams

Move = Literal["up", "down", "left", "right"]
Cell = tuple[int, int]
MOVES: dict[Move, Cell] = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
"""The step of each move in columns and rows. (0, 0) is at the top left."""
FOOD_POINTS = 5
"""The points for a piece of food. Each turn in which a snake is alive gives one point."""


class Grid(msgspec.Struct, frozen=True):
    """The settings: the size in cells, the number of pieces of food on the grid, and the number of turns."""

    width: Annotated[int, msgspec.Meta(ge=5, le=200)] = 24
    height: Annotated[int, msgspec.Meta(ge=5, le=200)] = 16
    food: Annotated[int, msgspec.Meta(ge=0, le=99)] = 3
    turns: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 500


class Snake(msgspec.Struct):
    """A snake: its cells with the head first, the pieces of food that it ate, and the turns it was alive."""

    body: list[Cell]
    heading: Move
    alive: bool = True
    eaten: int = 0
    lived: int = 0


class SnakeState(msgspec.Struct):
    """The grid between two turns. `turn` is the number of turns played."""

    grid: Final[Grid]
    snakes: PerSeat[Snake]
    retired: PerSeat[bool]
    food: list[Cell]
    turn: int = 0


class SnakeGame(Game[SnakeState, Move]):
    """The rules of snake. A snake dies if its head leaves the grid, enters a body, or meets the head of a
    snake that is not shorter.
    """

    name, defaults = "snake", msgspec.to_builtins(Grid())

    def setup(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo], streams: Streams) -> SnakeState:
        """Put the snakes on the middle row. Every second faces down. Raise ValueError if they do not fit."""
        grid, count = msgspec.convert(settings, Grid), len(seats)
        if count > grid.width // 2:
            raise ValueError(f"{count} snakes have no room: give a width of {2 * count} or more")
        cells = [((2 * k + 1) * grid.width // (2 * count), grid.height // 2) for k in range(count)]
        snakes = [Snake([cell] * 3, "down" if k % 2 else "up") for k, cell in enumerate(cells)]
        return self._fed(SnakeState(grid, snakes, [False] * count, []), streams)

    def asked(self, state: SnakeState) -> Sequence[Seat]:
        return [seat for seat, snake in enumerate(state.snakes) if snake.alive]

    def observe(self, state: SnakeState, seat: Seat) -> Any:
        return {"you": seat, **self.frame(state)}

    def resolve(self, state: SnakeState, intents: Mapping[Seat, Move], streams: Streams) -> Sequence[Any]:
        """Move all snakes. Then determine which snakes eat and which die. Return the events."""
        state.turn, alive = state.turn + 1, self.asked(state)
        for seat in alive:
            self._move(state.snakes[seat], intents.get(seat), state.food)
        heads = [state.snakes[seat].body[0] for seat in alive]
        ate = [seat for seat, head in zip(alive, heads, strict=True) if head in state.food]
        died = [seat for seat in alive if state.retired[seat] or self._dies(state, seat, alive)]
        for seat in alive:
            snake = state.snakes[seat]
            snake.alive, snake.lived, snake.eaten = seat not in died, state.turn, snake.eaten + (seat in ate)
        state.food = [cell for cell in state.food if cell not in heads]
        self._fed(state, streams)
        return [{"type": "ate", "seat": s} for s in ate] + [{"type": "died", "seat": s} for s in died]

    def _move(self, snake: Snake, move: Move | None, food: Sequence[Cell]) -> None:
        """Move a snake: straight ahead without an intent, or if it leads into its neck. Eating grows it."""
        (x, y), neck = snake.body[0], snake.body[1]
        if move is not None and (x + MOVES[move][0], y + MOVES[move][1]) != neck:
            snake.heading = move
        head = (x + MOVES[snake.heading][0], y + MOVES[snake.heading][1])
        snake.body = [head, *snake.body] if head in food else [head, *snake.body[:-1]]

    def _dies(self, state: SnakeState, seat: Seat, alive: Sequence[Seat]) -> bool:
        """Return whether a snake dies by the rule in the docstring of the class."""
        body, bodies = state.snakes[seat].body, [state.snakes[other].body for other in alive]
        (x, y), rivals = body[0], [len(one) for one in bodies if one is not body and one[0] == body[0]]
        inside = 0 <= x < state.grid.width and 0 <= y < state.grid.height
        return not inside or any(body[0] in one[1:] for one in bodies) or max(rivals, default=0) >= len(body)

    def _fed(self, state: SnakeState, streams: Streams) -> SnakeState:
        """Add food on free cells until there is enough. The random stream of this turn selects the cells."""
        taken = {*state.food, *(cell for snake in state.snakes if snake.alive for cell in snake.body)}
        rows = range(state.grid.height if len(state.food) < state.grid.food else 0)
        free = [(x, y) for y in rows for x in range(state.grid.width) if (x, y) not in taken]
        stream = streams.stream("food", state.turn)
        while free and len(state.food) < state.grid.food:
            state.food.append(free.pop(stream.below(len(free))))
        return state

    def scores(self, state: SnakeState) -> tuple[float, ...]:
        return tuple([float(snake.lived + FOOD_POINTS * snake.eaten) for snake in state.snakes])

    def outcome(self, state: SnakeState) -> Outcome | None:
        over = state.turn >= state.grid.turns or len(self.asked(state)) <= (len(state.snakes) > 1)
        return Outcome(self.scores(state), [{"eaten": one.eaten} for one in state.snakes]) if over else None

    def read_intent(self, data: Any) -> Move:
        return msgspec.convert(data, Move)  # type: ignore[no-any-return]  # it is one
