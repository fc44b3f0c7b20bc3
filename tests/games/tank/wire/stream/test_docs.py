"""The reference page of the stream: complete and fresh."""

from __future__ import annotations

from pathlib import Path

import msgspec

from turnwright.games.tank import observation as view
from turnwright.games.tank.wire.stream.delta_tables import SEAT_COLUMNS, TANK_COLUMNS, TableDelta, TableKey
from turnwright.games.tank.wire.stream.docs import EVENTS, render
from turnwright.games.tank.wire.stream.messages import (
    BotPolicies,
    BulletTrack,
    Delta,
    EventCode,
    Keyframe,
    TankColors,
    Texts,
)

PAGE = Path(__file__).parents[5] / "docs" / "reference" / "spectator-stream.md"


def test_the_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), (
        "run: python -m turnwright.games.tank.wire.stream.docs > docs/reference/spectator-stream.md"
    )


def test_every_field_and_column_is_on_the_page_with_a_meaning() -> None:
    page = render()
    for structure in (
        Keyframe,
        Delta,
        BotPolicies,
        TableKey,
        TableDelta,
        BulletTrack,
        TankColors,
        Texts,
    ):
        section = page.split(f"\n### {structure.__name__}\n")[1].split("\n### ")[0]
        for field in msgspec.structs.fields(structure):
            (row,) = [line for line in section.splitlines() if line.startswith(f"| `{field.encode_name}` ")]
            assert not row.endswith("|  |"), row
    assert all(f"`{column.name}`" in page for column in (*TANK_COLUMNS, *SEAT_COLUMNS))


def test_every_code_stands_for_an_official_event_of_spectators() -> None:
    assert set(EVENTS) == set(EventCode)
    public = {kind.__name__ for kind in view.Event.__args__} - {"TeamMessageEvent", "WonRoundEvent"}
    assert {name for name, _ in EVENTS.values()} == public
