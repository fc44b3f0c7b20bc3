"""Plans of minds, read as a player's lines are."""

from __future__ import annotations

from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright_world.host.intents import intent_of_plan
from turnwright_world.intent import IDLE, WorldIntent


def test_commands_shortcuts_reactions_and_nothing() -> None:
    world = VirtualWorld.of()
    body = world.enter(1, "Anna")
    of = lambda line, memory=None: intent_of_plan(world.host.turns, body, line, memory, world.now_ns)  # noqa: E731
    assert of("") is IDLE
    assert of("", {"n": 1}) == WorldIntent(memory={"n": 1})
    assert of("go in") == WorldIntent("go", "in")
    assert of("'hello") == WorldIntent("say", "hello")
    assert of("stop") == WorldIntent(stop=True)
    (press,) = of("parry #3", {"n": 2}).presses
    assert (press.reaction, press.threat) == ("parry", 3)
