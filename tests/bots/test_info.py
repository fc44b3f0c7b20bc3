"""What a bot is told about the game."""

from __future__ import annotations

from turnwright.bots.info import GameInfo


def test_missing_and_empty_values_take_the_classic_ones() -> None:
    assert GameInfo.of({"arena_width": None}) == GameInfo()


def test_teammates_become_a_tuple() -> None:
    assert GameInfo.of({"teammate_ids": [3, 4]}).teammate_ids == (3, 4)
