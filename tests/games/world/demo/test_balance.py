"""Whether reading the queue pays: fights of a new player, simulated."""

from __future__ import annotations

import pytest

from games.world.demo.fighting import fight
from games.world.demo.playing import Demo

FIGHTS = 20
CHANCE = 2 / FIGHTS
"""What so few fights may differ by when both ways are as good."""


def survived(missing: float, *, reacts: bool) -> float:
    """Return the share of fights against a lone wolf that a new player survives."""
    alive = 0
    for seed in range(FIGHTS):
        demo = Demo(seed)
        demo.walk("south", "south", "south", "south")
        wolf = next(other for other in demo.view()["here"] if other["kind"] == "wolf")
        alive += fight(demo, wolf["id"], reacts=reacts, seed=seed, missing=missing) == "won"
        assert demo.troubles == []
    return alive / FIGHTS


@pytest.mark.long
def test_a_new_player_who_reacts_survives_a_wolf_and_one_who_does_not_does_not() -> None:
    sensible, careless, idle = (
        survived(0.4, reacts=True),
        survived(0.8, reacts=True),
        survived(0.0, reacts=False),
    )
    assert sensible >= 0.8
    assert idle <= 0.4
    assert idle < careless <= sensible + CHANCE, "against one wolf a blow in five met is enough, but not none"
