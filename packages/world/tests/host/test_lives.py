"""A world that lives without players: turns continue, and far creatures plan at a slower beat."""

from __future__ import annotations

from itertools import pairwise

from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright.kernel.battle import Battle
from turnwright.kernel.record import Record
from turnwright.kernel.verify import verify
from turnwright_world.example import yard
from turnwright_world.game import WorldGame
from turnwright_world.host.host import WorldConfig
from turnwright_world.rules.creature_index import FAR_TURNS
from turnwright_world.rules.entities import Place
from turnwright_world.rules.verbs import CreatureKind


def moor(lives: bool) -> tuple[VirtualWorld, list[tuple[int, int]]]:
    """Return a world with a wolf on a far moor, and the turns in which wolves were asked: (turn, body)."""
    rules = yard()
    rules.kinds["wolf"] = CreatureKind("wolf", "wolf", mind="wolf")
    build = rules.build

    def with_a_moor(world, rules):
        build(world, rules)
        world.add(Place("moor", "Moor", "A moor.", area="moor", exits={}))
        for place in ("moor", rules.start):
            rules.new_creature(world, "wolf", place)

    rules.build = with_a_moor
    asked: list[tuple[int, int]] = []

    def plan(view):
        asked.append((view["turn"], view["me"]["id"]))
        return "say uuuh"

    battle = Battle(WorldGame(rules), {"open": True, "far": lives}, (), 5, keep_checks=True)
    return VirtualWorld(battle, WorldConfig(lives=lives), {"wolf": plan}), asked


def test_an_empty_world_rests() -> None:
    world, asked = moor(lives=False)
    world.run_ms(10_000)
    assert (world.turns, asked) == ([], [])


def test_a_world_that_lives_plays_every_turn_and_its_far_creatures_plan_in_each_eighth() -> None:
    world, asked = moor(lives=True)
    world.run_ms(20_100)
    assert [save.turn for save in world.turns] == list(range(1, 81))
    for body in (1, 2):
        turns = [turn for turn, number in asked if number == body]
        assert len(turns) in (10, 11)
        assert {later - turn for turn, later in pairwise(turns)} == {FAR_TURNS}


def test_near_creatures_plan_every_turn_and_far_ones_every_eighth() -> None:
    world, asked = moor(lives=True)
    world.enter(1, "Anna")
    asked.clear()
    world.run_ms(10_000)
    assert sum(body == 2 for _, body in asked) in (39, 40, 41)
    assert sum(body == 1 for _, body in asked) == 5
    world.type(1, "quit")
    world.run_ms(5_000)
    before = len(world.turns)
    world.run_ms(5_000)
    assert len(world.turns) - before == 20, "it lives on when the last has gone"


def test_intents_of_far_creatures_are_replayed_from_the_record() -> None:
    world, _ = moor(lives=True)
    world.run_ms(5_000)
    battle = world.host.turns.battle
    entries = [save.entry for save in world.turns if save.entry is not None]
    assert any(entry.intents for entry in entries)
    found = verify(Record(battle.header, entries), battle.game)
    assert (found.mismatch, len(entries)) == (None, 20)
