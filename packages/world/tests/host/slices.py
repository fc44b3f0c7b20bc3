"""Worlds in which turns are played in slices."""

from __future__ import annotations

from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright_world.example import yard
from turnwright_world.host.turns import SLICE_NS
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import CreatureKind, Rules


def with_wolf() -> Rules:
    rules = yard()
    build = rules.build
    rules.kinds["wolf"] = CreatureKind("wolf", "wolf", mind="wolf")

    def built(world: World, known: Rules) -> None:
        build(world, known)
        wolf = known.new_creature(world, "wolf", "yard", name="Grey")
        wolf.driver, wolf.mind, wolf.owner = "mind", "wolf", "content"

    rules.build = built
    return rules


def slicing(world: VirtualWorld, typed: tuple[str, ...] = ()) -> VirtualWorld:
    """Let a turn end in the smallest slices, up to the first one."""
    for conn, line in enumerate(typed, 1):
        world.type(conn, line)
    world.piece_ns = SLICE_NS
    assert world.alarm_ns is not None
    world.now_ns = world.alarm_ns
    world.ring()
    assert world.host.turns.resolving
    return world


def in_company() -> VirtualWorld:
    world = VirtualWorld.of(with_wolf(), minds={"wolf": lambda view: "say uuuh"})
    for conn, name in enumerate(("Anna", "Bert", "Cleo"), 1):
        world.enter(conn, name)
    return world
