from __future__ import annotations

from games.tank.worlds import tank, world_of
from turnwright.games.tank import events


def test_events_are_written_in_order() -> None:
    world = world_of(tank(1, 1))
    events.add_event(world, events.DEATH, 4, 0)
    events.add_event(world, events.FIRED, 9, 2).x = 7.0
    rows = world.events[: world.arena.events]
    assert [(row.kind, row.first, row.second) for row in rows] == [(events.DEATH, 4, 0), (events.FIRED, 9, 2)]
    assert rows[1].x == 7.0


def test_every_kind_has_a_number_of_its_own() -> None:
    kinds = [events.FIRED, events.HIT_WALL, events.HIT_TANK, events.SCANNED]
    kinds += [events.BULLET_WALL, events.BULLET_BULLET, events.BULLET_TANK, events.DEATH]
    assert len(set(kinds)) == 8
