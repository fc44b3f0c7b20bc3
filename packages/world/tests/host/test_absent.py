"""Bodies that wait for their players: limits for an address and a place. The oldest go first."""

from __future__ import annotations

import msgspec

from packages.world.tests.host.logins import plays
from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright_world.host.joining import ADDRESS_ABSENT_MAX, PLACE_ABSENT_MAX, AbsentBodies
from turnwright_world.rules.entities import Creature


def creatures(numbers: range, place: str = "yard") -> dict[int, Creature]:
    return {number: Creature(number, "person", f"P{number}", place) for number in numbers}


def test_the_oldest_surplus_bodies_of_an_address_go() -> None:
    absent, there = AbsentBodies(), creatures(range(100))
    for body in range(ADDRESS_ABSENT_MAX):
        absent.note(body, "a", keep=False)
    assert absent.surplus(there) == []
    absent.note(90, "b", keep=False)
    absent.note(91, "a", keep=True)
    absent.note(92, "a", keep=False)
    assert [one.body for one in absent.surplus(there)] == [0, 1]
    assert absent.surplus(there) == []
    assert len(absent) == ADDRESS_ABSENT_MAX + 1


def test_in_a_crowded_place_bodies_of_the_commonest_address_go() -> None:
    absent, there = AbsentBodies(), creatures(range(200))
    absent.note(150, "alone", keep=False)
    for body in range(PLACE_ABSENT_MAX + 4):
        absent.note(body, f"address {body % 5}", keep=False)
    gone = [one.body for one in absent.surplus(there)]
    assert len(gone) == 5
    assert 150 not in gone


def test_bodies_that_are_back_or_outside_or_without_address_do_not_count() -> None:
    absent, there = AbsentBodies(), creatures(range(100))
    there[3].place = ""
    for body in range(ADDRESS_ABSENT_MAX + 2):
        absent.note(body, "a", keep=False)
    absent.back(5)
    assert absent.surplus(there) == []
    for body in range(20, 90):
        absent.note(body, "", keep=False)
    assert absent.surplus(there) == []


def test_absent_guests_of_one_machine_fill_no_place_and_no_observation() -> None:
    world = VirtualWorld.of()
    bystander = world.enter(1, "Anna", client_kind="program")
    for conn in range(2, 502):
        world.connect(conn)
        world.type(conn, "guest")
        if conn % 2:
            world.run_ms(260)  # half of them are in before they go, half are not
        world.drop(conn)
    world.run_ms(2_000)
    bodies = world.host.turns.state.world.creatures
    assert len([body for body in bodies.values() if body.linkdead_since is not None]) <= 12
    assert bystander in bodies
    assert len(msgspec.json.encode(world.got(1, "Turn")[-1])) < 20_000
    world.run_ms(20_000)
    assert all(body.linkdead_since is None for body in world.host.turns.state.world.creatures.values())


def test_a_body_that_went_before_its_time_leaves_its_name_free() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Zoe")
    world.drop(1)
    for number in range(ADDRESS_ABSENT_MAX):
        world.enter(10 + number, "guest")
        world.drop(10 + number)
    world.run_ms(500)
    world.connect(2, address="198.51.100.7")
    world.type(2, "Zoe")
    world.run_ms(300)
    assert plays(world, 2, "zoe")


def test_an_owner_who_returns_among_many_absent_bodies_keeps_the_body() -> None:
    world = VirtualWorld.of()
    body = world.enter(1, "Zoe", address="198.51.100.7")
    world.drop(1)
    for number in range(30):
        world.enter(10 + number, "guest", address="198.51.100.8")
        world.drop(10 + number)
    assert world.enter(2, "Zoe", address="198.51.100.7") == body
