"""`compare` tells versions of the best house bot apart, and one version not from itself."""

from __future__ import annotations

import math

import pytest

from turnwright_league import compare
from turnwright_tank.bots.house.ace import Ace
from turnwright_tank.bots.house.parts.foe import Foe
from turnwright_tank.bots.house.parts.guns import Guns


class HeadOnGuns(Guns):
    """Guns that aim at where the enemy is."""

    def plan(self, x: float, y: float, turn: int, speed: float, foe: Foe, now: int) -> float:
        super().plan(x, y, turn, speed, foe, now)
        return math.atan2(foe.y - y, foe.x - x)


class HeadOnAce(Ace):
    """Ace with a worse gun."""

    name = "HeadOnAce"

    def _guns_for(self, foe: Foe) -> Guns:
        if foe.id not in self._guns:
            self._guns[foe.id] = HeadOnGuns(self.info.arena_width, self.info.arena_height)
        return self._guns[foe.id]


@pytest.mark.long
def test_ace_is_told_from_an_ace_with_a_worse_gun() -> None:
    found = compare("Ace", HeadOnAce, seed=2)
    assert found.verdict == "worse"


@pytest.mark.long
def test_ace_is_not_told_from_itself() -> None:
    found = compare("Ace", "Ace", against=["Duck"], jobs=1)
    assert (found.verdict, found.difference, found.rounds) == ("no difference", 0.0, 320)
