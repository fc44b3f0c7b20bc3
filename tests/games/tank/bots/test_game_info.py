"""The game as a bot knows it."""

from __future__ import annotations

from turnwright.games.tank.bots.identity import GameInfo
from turnwright.games.tank.wire.royale.setup import preset


def test_missing_and_empty_values_take_the_classic_ones() -> None:
    assert GameInfo.of({"arena_width": None}) == GameInfo()


def test_teammates_become_a_tuple() -> None:
    assert GameInfo.of({"teammate_ids": [3, 4]}).teammate_ids == (3, 4)


def test_a_setup_tells_the_arena_and_the_times() -> None:
    setup = preset("melee")
    setup.turn_timeout = 5
    info = GameInfo.of_setup(setup, 3, (4,), {3: "Ann 1"})
    assert (info.my_id, info.game_type, info.teammate_ids, info.bot_names) == (3, "melee", (4,), {3: "Ann 1"})
    assert (info.arena_width, info.arena_height, info.turn_timeout_us) == (1000, 1000, 5)
