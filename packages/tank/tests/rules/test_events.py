from __future__ import annotations

from packages.tank.tests.small_battles import rows_of, tank
from turnwright_tank.rules import events


def test_events_are_written_in_order() -> None:
    rows = rows_of(tank(1, 1))
    events.add_event(rows, events.DEATH, 4, 0)
    events.add_event(rows, events.FIRED, 9, 2).x = 7.0
    happened = rows.events[: rows.arena.events]
    assert [(event.kind, event.first, event.second) for event in happened] == [
        (events.DEATH, 4, 0),
        (events.FIRED, 9, 2),
    ]
    assert happened[1].x == 7.0


def test_every_kind_has_its_own_number() -> None:
    kinds = [events.FIRED, events.HIT_WALL, events.HIT_TANK, events.SCANNED]
    kinds += [events.BULLET_WALL, events.BULLET_BULLET, events.BULLET_TANK, events.DEATH]
    assert len(set(kinds)) == 8
