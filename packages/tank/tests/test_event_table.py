"""The table of events agrees with the rules and with the messages."""

from __future__ import annotations

import msgspec
import pytest

from turnwright_tank import structs
from turnwright_tank.event_table import EVENTS, DeclaredEvent
from turnwright_tank.rules import events as kinds

TYPES = {"bot": int, "bullet": structs.BulletState, "muzzle": structs.BulletState, "": float}


def test_each_kind_of_row_has_an_event() -> None:
    numbers = {
        value for name, value in vars(kinds).items() if name.isupper() and not name.startswith("ROOM_")
    }
    assert [event.kind for event in EVENTS] == sorted(numbers) == list(range(1, len(EVENTS) + 1))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
def test_a_message_has_the_fields_of_its_event(event: DeclaredEvent) -> None:
    fields = msgspec.structs.fields(getattr(structs, event.name))[1:]
    assert [field.name for field in fields] == list(event.fields)
    for field, source in zip(fields, event.fields.values(), strict=True):
        assert field.type is (bool if source == "flag" else TYPES[source.rpartition(" ")[0]])


def test_a_kind_of_the_log_is_of_one_event() -> None:
    logged = [event.log.kind for event in EVENTS if event.log is not None]
    assert len(logged) == len(set(logged)) > 5
