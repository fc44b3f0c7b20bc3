"""`compare` distinguishes versions of the best built-in bot, and no version from itself."""

from __future__ import annotations

import math

import pytest

from turnwright_league import compare
from turnwright_tank.bots.geometry import normalize
from turnwright_tank.bots.house.ace import Ace
from turnwright_tank.bots.house.parts.foe import Foe
from turnwright_tank.bots.house.parts.guns import Guns


class HeadOnAce(Ace):
    """Ace with a worse gun: it aims at where the enemy is."""

    name = "HeadOnAce"

    def _plan_shot(self, foe: Foe, guns: Guns, now: int) -> None:
        super()._plan_shot(foe, guns, now)
        if self._aim is not None:
            self._aim = math.degrees(math.atan2(foe.y - self.me.y, foe.x - self.me.x))
            self.gun_turn_rate = normalize(self._aim - self.me.gun_direction)


@pytest.mark.long
def test_compare_distinguishes_ace_from_an_ace_with_a_worse_gun() -> None:
    found = compare("Ace", HeadOnAce, seed=2)
    assert found.verdict == "worse"


class Twin(Ace):
    """Ace under another name."""


@pytest.mark.long
def test_compare_does_not_distinguish_ace_from_itself() -> None:
    found = compare("Ace", Twin, against=["Duck"], jobs=1)
    assert (found.verdict, found.difference, found.rounds) == ("no difference", 0.0, 320)
