"""Microseconds that one turn of the arena takes, interpreted and compiled: no observations, no I/O.

    python bench/physics.py [--turns N] [--repeat N] [--speed interpreted|compiled|both]

2 and 10 tanks in 800×600, 100 in 5000×5000; all move, turn, scan and fire power 1 whenever the gun is cool,
so as many bullets fly as in play. `step` is the stages over the stored intents; `resolve` is the whole call
with a new intent object for every seat (what the server does before anybody looks). Tanks are kept alive by
setting their energy back to 100 between turns, outside the measured time. Each figure is the median
(min … max) over repeats of the mean of that many turns, after the air has filled with bullets.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from typing import Any

from turnwright.games.tank.backends import extension
from turnwright.games.tank.backends.python import InterpretedRows
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.intent import TankIntent
from turnwright.games.tank.rules.rows import ARENA, TANK
from turnwright.games.tank.state import TankBattleState
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams

FIELDS = ((2, 800, 600), (10, 800, 600), (100, 5000, 5000))
TARGETS_US = {"interpreted": {2: 20.0, 10: 200.0, 100: 3000.0}, "compiled": {2: 2.5, 10: 8.0, 100: 120.0}}
WARM_UP_TURNS = 300


def new_intent(chance: random.Random, seat: int, turn: int) -> TankIntent:
    """Return an intent that drives, turns everything, scans and fires; it changes every turn."""
    wave = ((turn + 7 * seat) % 40) / 40.0
    return TankIntent(
        target_speed=8.0 if (turn // 60 + seat) % 2 else -6.0,
        turn_rate=10.0 * wave - 4.0,
        gun_turn_rate=7.3 - 5.0 * wave,
        radar_turn_rate=45.0,
        firepower=1.0,
    )


def top_up(state: TankBattleState) -> None:
    """Give every tank full energy again."""
    tables: Any = state.tables
    if isinstance(tables, InterpretedRows):
        for tank in tables.rows.tanks:
            tank.energy = 100.0
        tables.rows.arena.inactive_turns = 0
        return
    arena, tanks = (memoryview(table) for table in tables._tables[:2])
    arena.cast("q")[ARENA.names.index("inactive_turns")] = 0
    energies = tanks.cast("d")
    for place in range(TANK.names.index("energy"), len(energies), len(TANK.names)):
        energies[place] = 100.0


def measure(speed: Any, tanks: int, width: int, height: int, turns: int, repeat: int) -> dict[str, Any]:
    """Return µs a turn of `step` and of `resolve`, and what the air and the events looked like."""
    game = TankGame(speed)
    setup = {"arena_width": width, "arena_height": height, "max_inactivity_turns": 10**9}
    streams = Streams(1)
    state = game.setup(setup, [SeatInfo(f"b{k}") for k in range(tanks)], streams)
    chance = random.Random(1)
    figures: dict[str, Any] = {"step": [], "resolve": [], "bullets": [], "events": []}
    turn = 0
    for lap in range(-1, repeat):
        spent_step = spent_resolve = 0
        for _ in range(WARM_UP_TURNS if lap < 0 else turns):
            turn += 1
            intents = {seat: new_intent(chance, seat, turn) for seat in game.asked(state)}
            top_up(state)
            begun = time.perf_counter_ns()
            game.resolve(state, intents, streams)
            spent_resolve += time.perf_counter_ns() - begun
            top_up(state)
            begun = time.perf_counter_ns()
            state.tables.step()
            spent_step += time.perf_counter_ns() - begun
            state.view = None
            figures["bullets"].append(state.tables.bullets()[1])
            figures["events"].append(len(state.tables.events()))
        if lap >= 0:
            figures["step"].append(spent_step / turns / 1000)
            figures["resolve"].append(spent_resolve / turns / 1000)
    return figures


def text_of(values: list[float]) -> str:
    """Return "median (min … max)"."""
    return f"{statistics.median(values):8.2f} ({min(values):.2f} … {max(values):.2f})"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--speed", choices=["interpreted", "compiled", "both"], default="both")
    given = parser.parse_args()
    speeds = ["interpreted", "compiled"] if given.speed == "both" else [given.speed]
    for speed in speeds:
        if speed == "compiled" and (why := extension.why_missing()):
            print(f"the rules are not compiled: {why}")
            continue
        for tanks, width, height in FIELDS:
            f = measure(speed, tanks, width, height, given.turns, given.repeat)
            target = TARGETS_US[speed][tanks]
            print(
                f"{speed:11} {tanks:3} tanks  step {text_of(f['step'])} µs (≤ {target:g})"
                f"  resolve {text_of(f['resolve'])} µs"
                f"  bullets {statistics.mean(f['bullets']):.0f}  events {statistics.mean(f['events']):.1f}"
            )


if __name__ == "__main__":
    main()
