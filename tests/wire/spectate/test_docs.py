"""The reference page of the stream: complete and fresh."""

from __future__ import annotations

from pathlib import Path

import msgspec

from turnwright.games.tank import view
from turnwright.wire.spectate.columns import SEAT_COLUMNS, TANK_COLUMNS
from turnwright.wire.spectate.docs import EVENTS, render
from turnwright.wire.spectate.messages import (
    BotPolicies,
    Bullet,
    Delta,
    EventCode,
    Keyframe,
    Looks,
    RulesStatus,
    Texts,
)
from turnwright.wire.spectate.tables import TableDelta, TableKey

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "spectator-stream.md"


def test_the_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), (
        "run: python -m turnwright.wire.spectate.docs > docs/reference/spectator-stream.md"
    )


def test_every_field_and_column_is_on_the_page_with_a_meaning() -> None:
    page = render()
    for structure in (Keyframe, Delta, BotPolicies, RulesStatus, TableKey, TableDelta, Bullet, Looks, Texts):
        section = page.split(f"\n### {structure.__name__}\n")[1].split("\n### ")[0]
        for field in msgspec.structs.fields(structure):
            (row,) = [line for line in section.splitlines() if line.startswith(f"| `{field.encode_name}` ")]
            assert not row.endswith("|  |"), row
    assert all(f"`{column.name}`" in page for column in (*TANK_COLUMNS, *SEAT_COLUMNS))


def test_every_code_stands_for_an_official_event_of_spectators() -> None:
    assert set(EVENTS) == set(EventCode)
    public = {kind.__name__ for kind in view.Event.__args__} - {"TeamMessageEvent", "WonRoundEvent"}
    assert {name for name, _ in EVENTS.values()} == public
