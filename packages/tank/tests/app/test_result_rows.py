"""A row of a battle of tanks has the official columns, in their order."""

from __future__ import annotations

import json

from packages.tank.tests.rows import tank_row
from turnwright.app.results import BattleResult


def test_the_json_has_exactly_the_documented_keys_in_their_order() -> None:
    row = tank_row(1, "A", "1.0", 100, 50, 10, 30, 4, 5, 1, 1, 0, 0)
    data = json.loads(BattleResult(7, "classic", 10, 1234, (row,)).to_json())
    assert list(data["results"][0]) == [
        "rank", "name", "version", "total_score", "survival", "last_survivor_bonus", "bullet_damage",
        "bullet_kill_bonus", "ram_damage", "ram_kill_bonus", "first_places", "second_places",
        "third_places", "disqualified", "disqualified_rounds", "never_answered", "reason", "seats", "rounds",
    ]  # fmt: skip
