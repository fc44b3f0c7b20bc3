"""The virtual clock of worlds: time passes only on request."""

from __future__ import annotations

from packages.world.tests.simulation.virtual_world import START_NS, VirtualWorld


def test_time_passes_only_on_request() -> None:
    world = VirtualWorld.of()
    world.connect(1)
    world.type(1, "Anna")
    assert world.now_ns == START_NS
    assert world.turns == []
    world.run_ms(249)
    assert world.turns == []
    world.run_ms(2)
    assert len(world.turns) == 1


def test_equal_seeds_and_equal_deeds_give_equal_worlds() -> None:
    def played() -> list[str]:
        world = VirtualWorld.of(seed=7)
        world.enter(1, "Anna")
        world.enter(2, "Bert")
        world.type(1, "hit bert")
        world.run_ms(5_000)
        return [turn.entry.digest for turn in world.turns if turn.entry is not None]

    assert played() == played() != []


def test_shown_text_is_returned_once() -> None:
    world = VirtualWorld.of()
    world.connect(1)
    assert "Your name" in world.text(1)
    assert world.text(1) == ""
