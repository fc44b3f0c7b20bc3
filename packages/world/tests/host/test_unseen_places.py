"""No message to a player names a place that its character has not seen."""

from __future__ import annotations

import re

import pytest

from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright_world.host.sessions import ClientKind

SHED = re.compile(r"""\bShed\b|['"]shed['"]""")
"""The name or the id of the place. The text of the yard mentions "a shed"."""
ASKED = ("look", "exits", "map", "reactions", "look in", "score", "who", "help", "queue")


def told(world: VirtualWorld, conn: int) -> str:
    """Return the text and the messages to a connection since the last call."""
    return f"{world.shown.pop(conn, [])} {world.packages.pop(conn, [])}"


@pytest.mark.parametrize("kind", ["telnet", "gmcp", "packed", "program"])
def test_no_message_names_a_place_that_was_not_seen(kind: ClientKind) -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna", client_kind=kind)
    if kind == "telnet":
        world.host.terminal(1, packages=True)
        world.work()
    for line in ASKED:
        world.type(1, line)
    world.run_ms(1_000)
    before = told(world, 1)
    assert "Yard" in before
    assert not SHED.search(before)
    world.type(1, "in")
    world.run_ms(1_000)
    world.type(1, "map", "exits")
    assert SHED.search(told(world, 1))
