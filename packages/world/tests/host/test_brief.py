"""Places without descriptions, for players who have read them."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import missing
from packages.world.tests.host.logins import PHRASE
from packages.world.tests.simulation.virtual_world import VirtualWorld


def description(world: VirtualWorld, place: str) -> str:
    return world.host.turns.state.world.places[place].text


def arrival(world: VirtualWorld, conn: int, way: str) -> str:
    """Return the text that a connection gets after walking one way."""
    world.text(conn)
    world.type(conn, way)
    world.run_ms(1_000)
    return str(world.text(conn))


def test_brief_shows_descriptions_only_on_look() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    shed, yard = description(world, "shed"), description(world, "yard")
    world.type(1, "brief on")
    inside = arrival(world, 1, "in")
    assert world.host.turns.state.world.places["shed"].name in inside
    assert shed not in inside
    world.type(1, "look")
    assert shed in world.text(1)
    world.type(1, "brief off")
    assert yard in arrival(world, 1, "out")


@pytest.mark.parametrize(("typed", "brief"), [(("brief",), True), (("brief", "brief"), False)])
def test_brief_alone_changes_it(typed: tuple[str, ...], brief: bool) -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.type(1, *typed)
    assert (description(world, "shed") not in arrival(world, 1, "in")) is brief


def test_brief_with_another_word_is_answered_with_help() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.text(1)
    world.type(1, "brief perhaps")
    assert not missing(world.text(1), "brief on", "brief off")


def test_an_account_remembers_brief_and_a_guest_learns_how() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.text(1)
    world.type(1, "brief on")
    assert not missing(world.text(1), "keep", "look")
    world.type(1, "keep", PHRASE, PHRASE)
    world.run_ms(1)
    assert world.accounts["Anna"].brief
    world.type(1, "quit")
    world.drop(1)
    world.run_ms(1_000)
    world.connect(2, address="198.51.100.8")
    world.type(2, "anna", PHRASE)
    world.run_ms(1_000)
    shed = description(world, "shed")
    assert shed not in arrival(world, 2, "in")
    world.type(2, "brief off")
    assert not world.accounts["Anna"].brief
