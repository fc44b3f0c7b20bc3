"""Minds are asked once a turn, while onlookers get the turn, and no plan is lost."""

from __future__ import annotations

from packages.world.tests.host.slices import in_company, slicing
from packages.world.tests.simulation.virtual_world import VirtualWorld


def howling(plan_ns: int = 0) -> tuple[VirtualWorld, list[tuple[bool, set[int]]]]:
    """Return a company in which each plan records whether its turn was open, and which clients had got it."""
    begun: list[tuple[bool, set[int]]] = []

    def howl(view: dict[str, object]) -> str:
        begun.append((world.host.turns.battle.is_open, {*world.shown}))
        return "say uuuh"

    world = in_company()
    world.minds["wolf"], world.plan_ns = howl, plan_ns
    world.run_ms(500)
    for conn in (1, 2, 3):
        world.text(conn)
    begun.clear()
    return world, begun


def test_minds_begin_to_plan_after_the_reports_to_acting_players() -> None:
    world, begun = howling()
    slicing(world, ("look", "dig"))
    world.text(1)
    while not begun:
        world.ring()
    assert begun == [(False, {2})]
    assert world.host.turns.next_ns() == world.now_ns, "others are still to be told"
    while not world.host.turns.running:
        world.ring()
    turn = world.host.turns.battle.turn + 1
    wolf = next(c.id for c in world.host.turns.state.world.creatures.values() if c.mind)
    assert wolf in world.host.turns.battle.collecting.inbox.answers, (
        "a plan that came before its turn was open counts"
    )
    world.run_ms(300)
    entries = {save.entry.turn: save.entry for save in world.turns if save.entry}
    assert entries[turn].skipped == ()
    assert len(begun) == 2, "nobody is asked twice for a turn"


def test_no_mind_plans_ahead_of_a_turn_whose_schedule_is_not_known() -> None:
    world, begun = howling()
    world.stall_ms(700)
    world.run_ms(100)
    assert begun == [(True, {1, 2, 3})]


def test_plans_for_a_turn_that_did_not_come_are_made_again() -> None:
    world, begun = howling(plan_ns=10_000_000)
    slicing(world)
    while not begun:
        world.ring()
    assert [opened for opened, _ in begun] == [False]
    for conn in (1, 2, 3):
        world.type(conn, "quit")
    world.run_ms(5_000)
    begun.clear()
    world.enter(4, "Dora")
    world.run_ms(300)
    assert begun
    assert all(save.entry.skipped == () for save in world.turns[-1:] if save.entry)
