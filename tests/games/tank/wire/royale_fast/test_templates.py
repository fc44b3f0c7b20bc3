from __future__ import annotations

import random
import struct
from typing import Any

import msgspec
import pytest

from turnwright.games.tank import observation as view
from turnwright.games.tank.rules import events
from turnwright.games.tank.wire.royale_fast.templates import (
    BETWEEN,
    BULLET,
    CLOSE,
    EVENT,
    FORM_BYTES_MAX,
    LINE,
    OPEN,
    place,
    write_form,
)

encode = msgspec.json.Encoder().encode
UNSET = (1 << 64) - 1
SMALL = (
    view.BulletState(7, 3, 1.5, 10.25, 20.0, 359.5, "#00FF0A"),
    view.BulletState(8, 4, 0.1, -1.5, 0.0, 0.0),
)


def word(value: Any) -> int:
    """Return what stands in a line for a value."""
    if isinstance(value, float):
        return int.from_bytes(struct.pack("<d", value), "little")
    if isinstance(value, str):
        return int(value[1:], 16)
    return UNSET if value is None else int(value)


def fill(line: list[int], prefix: str, data: msgspec.Struct) -> None:
    for name in data.__struct_fields__:
        value = getattr(data, name)
        if not isinstance(value, msgspec.Struct) and f"{prefix}{name}" in LINE:
            line[place(f"{prefix}{name}")] = word(value)


def written(form: int, line: list[int]) -> bytes:
    out = bytearray(FORM_BYTES_MAX)
    return bytes(out[: write_form(out, 0, form, line)])


EVENTS: list[tuple[int, Any, dict[str, Any]]] = [
    (events.FIRED, view.BulletFiredEvent(9, SMALL[0]), {}),
    (events.HIT_WALL, view.BotHitWallEvent(9, 2), {"first": 2}),
    (
        events.HIT_TANK,
        view.BotHitBotEvent(9, 2, 5, 99.4, 18.0, 36.5, True),
        {"first": 2, "second": 5, "energy": 99.4, "x": 18.0, "y": 36.5, "flag": True},
    ),
    (
        events.SCANNED,
        view.ScannedBotEvent(9, 2, 5, 99.4, 18.0, 36.5, 271.25, -8.0),
        {"first": 2, "second": 5, "energy": 99.4, "x": 18.0, "y": 36.5, "direction": 271.25, "value": -8.0},
    ),
    (events.BULLET_WALL, view.BulletHitWallEvent(9, SMALL[1]), {}),
    (events.BULLET_BULLET, view.BulletHitBulletEvent(9, *SMALL), {}),
    (
        events.BULLET_TANK,
        view.BulletHitBotEvent(9, 5, SMALL[0], 16.0, -0.5),
        {"second": 5, "value": 16.0, "energy": -0.5},
    ),
    (events.DEATH, view.BotDeathEvent(9, 12), {"first": 12}),
]


@pytest.mark.parametrize(
    ("kind", "event", "row"), EVENTS, ids=[type(event).__name__ for _, event, _ in EVENTS]
)
def test_each_event_is_written_as_its_structure_is_encoded(
    kind: int, event: view.Event, row: dict[str, Any]
) -> None:
    line = [0] * len(LINE)
    line[place("turn_number")] = event.turn_number
    for name, value in row.items():
        line[place(f"event.{name}")] = word(value)
    for name in ("bullet", "hit_bullet"):
        if hasattr(event, name):
            fill(line, f"{name}.", getattr(event, name))
    assert written(EVENT + kind, line) == encode(event) + b","


def test_every_kind_of_event_but_texts_and_wins_has_a_form() -> None:
    told = {type(event) for _, event, _ in EVENTS}
    assert told == set(view.Event.__args__) - {view.TeamMessageEvent, view.WonRoundEvent}


@pytest.mark.parametrize("bullet", SMALL)
def test_a_bullet_is_written_with_a_colour_only_if_it_has_one(bullet: view.BulletState) -> None:
    line = [0] * len(LINE)
    fill(line, "bullet.", bullet)
    assert written(BULLET, line) == encode(bullet) + b","


@pytest.mark.parametrize("number", range(20))
def test_an_observation_is_written_as_it_is_encoded_whichever_colours_are_set(number: int) -> None:
    chance = random.Random(number)
    colors = [chance.choice([None, f"#{chance.randrange(1 << 24):06X}"]) for _ in range(7)]
    floats = [chance.uniform(-400, 400) for _ in range(12)]
    tank = view.TankState(number % 2 == 0, *floats, 99, number % 3 == 0, *colors)
    observation = view.Observation(2, 1234567, tank, [], [])
    line = [0] * len(LINE)
    fill(line, "", observation)
    fill(line, "", tank)
    assert b"".join(written(form, line) for form in (OPEN, BETWEEN, CLOSE)) == encode(observation)


def test_the_longest_form_fits_into_its_bound() -> None:
    longest = word(-2.2250738585072014e-308)
    line = [longest] * len(LINE)
    for k, name in enumerate(LINE):
        if name.endswith(("number", "_id", "count", "first", "second", "flag", "droid", "enabled")):
            line[k] = 10**18 - 1
        if "color" in name:
            line[k] = 0xFFFFFF
    assert max(len(written(form, line)) for form in range(EVENT + events.DEATH + 1)) <= FORM_BYTES_MAX - 16
