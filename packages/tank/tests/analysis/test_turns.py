from __future__ import annotations

from turnwright_tank.analysis.turns import Fighter, Setting

TEAMS = Setting(
    "twinduel", 800.0, 800.0, 1, (Fighter(1, "A", team="x"), Fighter(2, "B", team="x"), Fighter(3, "C"))
)


def test_teammates_are_not_enemies_and_no_tank_is_its_own_enemy() -> None:
    assert not TEAMS.are_enemies(1, 2)
    assert not TEAMS.are_enemies(3, 3)
    assert TEAMS.are_enemies(1, 3)
    assert TEAMS.are_enemies(3, 2)


def test_an_unlisted_bot_is_named_by_its_number() -> None:
    assert TEAMS.fighter(2).name == "B"
    assert TEAMS.fighter(9).name == "bot 9"


def test_droids_begin_with_more_energy() -> None:
    assert (Fighter(1, "A").energy_at_start, Fighter(1, "A", droid=True).energy_at_start) == (100.0, 120.0)
