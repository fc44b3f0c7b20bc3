"""Small battles for tests: rows before, a stage, rows after."""

from __future__ import annotations

from typing import Any

from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright_tank.backends.python import InterpretedRows, grow
from turnwright_tank.game import TankGame
from turnwright_tank.rules.rows import Arena, Bullet, EventRow, Rows, Tank
from turnwright_tank.rules.stages import Stage
from turnwright_tank.state import TankBattleState


def tank(x: float, y: float, **fields: Any) -> Tank:
    """Return a living tank that began the turn at its place, with its gun and radar ahead."""
    direction = fields.pop("direction", 0.0)
    values: dict[str, Any] = {
        "alive": 1,
        "energy": 100.0,
        "gun_direction": direction,
        "radar_direction": direction,
        "before_x": x,
        "before_y": y,
        "before_direction": direction,
        "before_gun_direction": direction,
        "before_radar_direction": direction,
        **fields,
    }
    return Tank(x=x, y=y, direction=direction, **values)


def rows_of(*tanks: Tank, turn: int = 5, **arena: Any) -> Rows:
    """Return rows in the middle of a round, without a grid unless `grid_from` asks for it."""
    settings = {"width": 800.0, "height": 600.0, "cooling_rate": 0.1, "max_inactivity_turns": 450}
    row = Arena(**{**settings, "grid_from": 10**9, **arena}, tanks=len(tanks))
    tables = InterpretedRows(row)
    for seat, each in enumerate(tanks):
        each.seat = each.team = seat
    tables.begin_round(1, tanks)
    row.turn = turn
    return tables.rows


def bullet(rows: Rows, x: float, y: float, next_x: float, next_y: float, **fields: Any) -> Bullet:
    """Add a bullet to the rows, whose next step goes from (x, y) to (next_x, next_y), and return it."""
    arena = rows.arena
    arena.bullets_fired += 1
    values: dict[str, Any] = {"id": arena.bullets_fired, "power": 1.0, "owner": 0, **fields}
    made = Bullet(x=x, y=y, next_x=next_x, next_y=next_y, **values)
    while arena.bullets + 1 >= len(rows.bullets):
        grow(rows, 1)
    rows.bullets[arena.bullets] = made
    arena.bullets += 1
    return made


def run(rows: Rows, *stages: Stage) -> list[EventRow]:
    """Run stages and return the events of the turn so far."""
    for stage in stages:
        while need := stage(rows):
            grow(rows, need)
    return list(rows.events[: rows.arena.events])


def duel(
    *spots: tuple[float, float, float], options: dict[str, Any] | None = None, **setup: Any
) -> tuple[TankGame, TankBattleState, Streams]:
    """Return an interpreted battle of tanks at (x, y, direction), before its first turn."""
    game = TankGame("interpreted")
    seats = [
        SeatInfo(f"bot{k}", options={"initial_position": {"x": x, "y": y, "direction": d}, **(options or {})})
        for k, (x, y, d) in enumerate(spots)
    ]
    streams = Streams(7)
    return game, game.setup({"number_of_rounds": 1, **setup}, seats, streams), streams
