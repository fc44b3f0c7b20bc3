"""Whether reading the queue pays: fights of a new player, simulated."""

from __future__ import annotations

import pytest

from packages.world.tests.demo.fighting import fight, readied
from packages.world.tests.demo.playing import Demo

FIGHTS = 20
FIGHTS_TOUGH = 10
CHANCE = 2 / FIGHTS
"""The difference that chance makes in so few fights."""


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
def test_only_a_new_player_who_reacts_survives_a_wolf() -> None:
    sensible, careless, idle = (
        survived(0.4, reacts=True),
        survived(0.8, reacts=True),
        survived(0.0, reacts=False),
    )
    assert sensible >= 0.8
    assert idle <= 0.4
    assert idle < careless <= sensible + CHANCE, "against one wolf a blow in five met is enough, but not none"


def won(place: str, kind: str, tier: str, *, reacts: bool, only: str = "") -> float:
    """Return the share of fights against a tough creature that a prepared player wins."""
    wins = 0
    for seed in range(FIGHTS_TOUGH):
        demo = readied(seed, place, tier)
        foe = next(body for body in demo.world.creatures.values() if (body.kind, body.place) == (kind, place))
        wins += fight(demo, foe.id, reacts=reacts, seed=seed, missing=0.2, only=only) == "won"
    return wins / FIGHTS_TOUGH


@pytest.mark.long
@pytest.mark.parametrize(
    ("place", "kind", "tier"),
    [
        ("nest", "spider", "fourth level"),
        ("chapel", "ghost", "fourth level"),
        ("seam", "salamander", "fourth level"),
        ("hall", "troll", "eighth level"),
    ],
)
def test_deep_creatures_lose_to_players_who_react_and_beat_those_who_do_not(
    place: str, kind: str, tier: str
) -> None:
    reads = won(place, kind, tier, reacts=True)
    attacks = won(place, kind, tier, reacts=False)
    dodges = won(place, kind, tier, reacts=True, only="dodge")
    assert reads >= 0.8
    assert attacks <= 0.2
    assert dodges <= 0.4


@pytest.mark.long
def test_a_fight_below_lasts_long_enough_to_be_read_and_not_for_ever() -> None:
    for place, kind, tier in (("nest", "spider", "fourth level"), ("hall", "troll", "eighth level")):
        demo = readied(1, place, tier)
        begun = demo.world.turn
        assert fight(demo, demo.creature(kind).id, reacts=True, seed=1, missing=0.2) == "won"
        assert 20 <= (demo.world.turn - begun) / 4 <= 90, kind
