from __future__ import annotations

from games.tank.worlds import tank, world_of
from turnwright.games.tank.score import clear_duels, score_bullet_hit, score_ram_hit


def test_damage_is_counted_for_each_victim_in_order_of_the_first_contact() -> None:
    one, two, three = tank(1, 1), tank(2, 2), tank(3, 3)
    world = world_of(one, two, three)
    world.duels.extend(world.duels[:0])
    score_bullet_hit(world, one, three, 4.0, False)
    score_ram_hit(world, one, two, False)
    score_bullet_hit(world, one, three, 3.0, True)
    rows = [(d.victim, d.bullet_damage, d.ram_hits, d.bullet_kill) for d in world.duels[: world.arena.duels]]
    assert rows == [(2, 7.0, 0, 1), (1, 0.0, 1, 0)]


def test_kills_are_numbered_and_a_victim_counts_once() -> None:
    one, two, three = tank(1, 1), tank(2, 2), tank(3, 3)
    world = world_of(one, two, three)
    score_ram_hit(world, one, three, True)
    score_ram_hit(world, one, two, True)
    score_ram_hit(world, one, three, True)
    assert [d.ram_kill for d in world.duels[:2]] == [1, 2]
    assert one.ram_kills == 2


def test_a_new_round_forgets_all() -> None:
    one, two = tank(1, 1), tank(2, 2)
    world = world_of(one, two)
    score_ram_hit(world, two, one, True)
    clear_duels(world)
    assert world.arena.duels == 0
    assert not any(world.duel_of)
