"""The reaction queue's numbers."""

from __future__ import annotations

from turnwright.games.world.entities import Threat
from turnwright.games.world.threats import remaining_us


def test_what_remains_is_never_less_than_nothing():
    threat = Threat(1, 2, "blow", 5, 1_000, 500)
    assert [remaining_us(threat, now) for now in (1_000, 1_400, 1_500, 9_000)] == [500, 100, 0, 0]
