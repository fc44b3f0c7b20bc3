from __future__ import annotations

from packages.tank.tests.analysis.scenes import bullet
from turnwright_tank.analysis.shots import Shots, distance


def test_the_distance_of_two_places_is_pythagoras() -> None:
    assert distance(1.0, 2.0, 4.0, 6.0) == 5.0


def test_a_bullet_that_met_a_bullet_and_then_a_tank_has_hit_the_tank() -> None:
    shots = Shots()
    shots.fired(bullet(1, 0.0, 0.0), 3)
    shots.ended(bullet(1, 9.0, 0.0), "tank", 5)
    shots.ended(bullet(1, 9.0, 0.0), "bullet", 5)
    (shot,) = shots.of(1)
    assert (shot.ending, shot.turn, shot.x) == ("tank", 3, 0.0)


def test_a_bullet_that_was_not_seen_leaving_begins_where_it_is_seen() -> None:
    shots = Shots()
    shot = shots.ended(bullet(2, 50.0, 60.0, power=2.0, number=8), "wall", 40)
    assert (shot.owner, shot.power, shot.turn, shot.x, shot.y) == (2, 2.0, 40, 50.0, 60.0)
    assert shots.of(1) == []
