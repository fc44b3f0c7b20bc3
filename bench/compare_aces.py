"""Comparisons of the house bot Ace with Aces that have a worse gun, and with itself: verdict and rounds.

    python bench/compare_aces.py worse|self|opponents [--seeds 3] [--points 2]

    worse       Ace against an Ace that aims at where its enemy is, and one that knows two of its five guns
    opponents   the same, each against Tracker and Dodger
    self        Ace against itself

All bots are of this process or a worker's, without deadlines, so that a busy machine changes nothing.
"""

from __future__ import annotations

import argparse
import math
import time
from typing import Any

from turnwright import compare
from turnwright.games.tank.bots.house.ace import Ace
from turnwright.games.tank.bots.house.parts.foe import Foe
from turnwright.games.tank.bots.house.parts.guns import Guns

OPPONENTS = ("Tracker", "Dodger")


class HeadOnGuns(Guns):
    """Guns that aim at where the enemy is."""

    def plan(self, x: float, y: float, turn: int, speed: float, foe: Foe, now: int) -> float:
        super().plan(x, y, turn, speed, foe, now)
        return math.atan2(foe.y - y, foe.x - x)


class TwoGuns(Guns):
    """The straight and the curved gun; those that learn are never chosen."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__(width, height)
        self.ratings[2:] = [-1e9] * 3


class HeadOnAce(Ace):
    """Ace with a gun that aims at where the enemy is."""

    name = "HeadOnAce"
    guns: type[Guns] = HeadOnGuns

    def _guns_for(self, foe: Foe) -> Guns:
        if foe.id not in self._guns:
            self._guns[foe.id] = self.guns(self.info.arena_width, self.info.arena_height)
        return self._guns[foe.id]


class TwoGunAce(HeadOnAce):
    """Ace with two of its five guns."""

    name = "TwoGunAce"
    guns = TwoGuns


def measured(old: Any, new: Any, against: tuple[str, ...], seed: int, points: float) -> str:
    """Return a line about one comparison."""
    began = time.process_time()
    found = compare(old, new, against=against, seed=seed, points=points)
    return f"seed {seed}, X = {points:g}: {found.to_line()}; {time.process_time() - began:.0f} s here"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("worse", "self", "opponents"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--points", type=float, default=2.0)
    asked = parser.parse_args()
    against = OPPONENTS if asked.what == "opponents" else ()
    others: tuple[Any, ...] = ("Ace",) if asked.what == "self" else (HeadOnAce, TwoGunAce)
    for new in others:
        for seed in range(asked.first, asked.first + asked.seeds):
            print(measured("Ace", new, against, seed, asked.points), flush=True)


if __name__ == "__main__":
    main()
