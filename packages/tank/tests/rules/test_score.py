from __future__ import annotations

from packages.tank.tests.small_battles import rows_of, tank
from turnwright_tank.rules.score import clear_duels, score_bullet_hit, score_ram_hit


def test_damage_is_counted_for_each_victim_in_order_of_the_first_contact() -> None:
    one, two, three = tank(1, 1), tank(2, 2), tank(3, 3)
    rows = rows_of(one, two, three)
    rows.duels.extend(rows.duels[:0])
    score_bullet_hit(rows, one, three, 4.0, False)
    score_ram_hit(rows, one, two, False)
    score_bullet_hit(rows, one, three, 3.0, True)
    scored = [(d.victim, d.bullet_damage, d.ram_hits, d.bullet_kill) for d in rows.duels[: rows.arena.duels]]
    assert scored == [(2, 7.0, 0, 1), (1, 0.0, 1, 0)]


def test_kills_are_numbered_and_a_victim_counts_once() -> None:
    one, two, three = tank(1, 1), tank(2, 2), tank(3, 3)
    rows = rows_of(one, two, three)
    score_ram_hit(rows, one, three, True)
    score_ram_hit(rows, one, two, True)
    score_ram_hit(rows, one, three, True)
    assert [d.ram_kill for d in rows.duels[:2]] == [1, 2]
    assert one.ram_kills == 2


def test_a_new_round_forgets_all() -> None:
    one, two = tank(1, 1), tank(2, 2)
    rows = rows_of(one, two)
    score_ram_hit(rows, two, one, True)
    clear_duels(rows)
    assert rows.arena.duels == 0
    assert not any(rows.duel_of)
