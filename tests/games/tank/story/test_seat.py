from __future__ import annotations

import pytest

from games.tank.story.scenes import tank
from turnwright.games.tank.story.facts import Blow
from turnwright.games.tank.story.seat import TankBook

BLOW = Blow(9, "bullet", 1, 1.0, 100.0, 4.0, 50.0)


def test_a_tank_at_rest_stands_still_and_the_longest_run_is_kept() -> None:
    book = TankBook(1, 100.0)
    for turn, (x, speed) in enumerate([(0, 0.0), (0, 0.0), (8, 8.0), (8, 0.0)], 1):
        book.moved(tank(1, float(x), speed=speed), turn)
    assert (book.tally.turns, book.tally.still_turns, book.tally.still_longest) == (4, 3, 2)
    assert (book.moved_turn, book.changed_turn) == (3, 4)


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ({"direction": 359.95, "speed": 8.0}, {"direction": 0.04, "speed": 8.0}, False),
        ({"direction": 10.0, "speed": 8.0}, {"direction": 10.2, "speed": 8.0}, True),
        ({"direction": 10.0, "speed": 8.0}, {"direction": 10.0, "speed": 7.8}, True),
        ({"direction": 10.0, "speed": 8.0}, {"direction": 10.0, "speed": 8.0}, False),
    ],
)
def test_a_course_is_even_while_heading_and_speed_are_kept(
    before: dict[str, float], after: dict[str, float], changed: bool
) -> None:
    book = TankBook(1, 100.0)
    book.moved(tank(1, 0.0, **before), 1)
    book.moved(tank(1, 8.0, **after), 2)
    assert book.changed_turn == (2 if changed else 1)


def test_a_gun_is_idle_when_it_could_fire_and_did_not() -> None:
    book = TankBook(1, 100.0)
    for heat, sees, fired in [(0.1, True, False), (0.0, True, False), (0.0, True, False), (1.6, True, True)]:
        book.moved(tank(1, gun_heat=heat), 1)
        book.aimed(fired=fired, sees=sees)
    assert book.tally.idle_gun_turns == 1


def test_turns_without_an_enemy_in_the_radar_are_counted_in_a_row() -> None:
    book = TankBook(1, 100.0)
    for sees in (True, False, False, True, False):
        book.looked(sees)
    assert (book.tally.seeing_turns, book.tally.blind_longest) == (2, 2)


def test_a_streak_of_bullets_ends_with_a_hit_of_its_own() -> None:
    book = TankBook(1, 100.0)
    for _ in range(3):
        book.took_bullet(BLOW, steady=True, still=False)
    book.landed_bullet()
    book.took_bullet(BLOW, steady=False, still=False)
    assert (book.tally.bullets_taken, book.tally.streak_taken, book.tally.steady_taken) == (4, 3, 3)
    assert book.tally.bullet_energy == 16.0


def test_near_a_wall_is_measured_from_the_centre() -> None:
    book = TankBook(1, 100.0)
    for x in (59.0, 61.0, 745.0):
        book.moved(tank(1, x, 300.0), 1)
        book.near_wall(800.0, 600.0)
    assert book.tally.near_wall_turns == 2


def test_becoming_disabled_is_told_once() -> None:
    book = TankBook(1, 100.0)
    told = []
    for energy in (1.0, 0.0, 0.0, -0.1):
        book.moved(tank(1, energy=energy), 1)
        told.append(book.became_disabled())
    assert told == [False, True, False, False]
    assert book.tally.disabled_turns == 2
