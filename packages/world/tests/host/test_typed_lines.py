"""Typed lines are done immediately, queued, or refused with a reason."""

from __future__ import annotations

from packages.core.tests.messages import missing
from packages.world.tests.simulation.virtual_world import VirtualWorld


def test_a_line_is_done_immediately_queued_or_refused() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.text(1)
    world.type(1, "", "  ", "who", "dig", "dance")
    text = world.text(1)
    assert "1 player online: Anna." in text
    assert "'dance' is not" in text
    session = world.host.sessions.of(1)
    assert session is not None
    assert session.queue.lines() == ["dig"]


def test_a_player_learns_that_a_line_waits() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.type(1, "dig")
    world.run_ms(300)
    world.text(1)
    world.type(1, "go in")
    assert not missing(world.text(1), "digging", "waits")
