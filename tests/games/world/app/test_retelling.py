"""A record of a world, told again."""

from __future__ import annotations

from tests.simulation.virtual_world import VirtualWorld
from turnwright.games.world.app.records import retell
from turnwright.games.world.game import WorldGame
from turnwright.games.world.host.text import Look
from turnwright.kernel.record import Record


def test_the_story_has_what_was_typed_and_what_was_told_in_order() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.enter(2, "Bert")
    world.type(1, "hit bert", "go in")
    world.run_ms(600)
    world.type(2, "dodge")
    world.run_ms(300)
    turns = [turn.entry for turn in world.turns if turn.entry is not None]
    lines = list(retell(Record(world.host.turns.battle.header, turns), WorldGame(), Look()))
    wanted = [
        "-- turn 1, 0.25 s",
        "Anna is in: Yard",
        "Anna> hit bert",
        "Bert: Anna: blow in 3.0 s [1]",
        "Anna is in: Shed",
        "Bert: You have dodged the blow of Anna.",
    ]
    at = [lines.index(line) for line in wanted]
    assert at == sorted(at)
