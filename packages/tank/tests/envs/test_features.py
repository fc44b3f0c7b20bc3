from __future__ import annotations

import math
from collections.abc import Iterable

import pytest

from packages.tank.tests.bots.scenes import tank
from turnwright_tank.envs.features import SeatMemory, features_of, write
from turnwright_tank.structs import (
    BulletFiredEvent,
    BulletHitBotEvent,
    BulletState,
    Event,
    Observation,
    ScannedBotEvent,
)

NAMES = [feature.name for feature in features_of(800, 600, 2)]
ME, OTHER = 1, 2
X, Y, AWAY = 100.0, 300.0, 280.0
LEFT, RIGHT = 90.0, 270.0


def seen_at(turn: int, events: Iterable[Event], *, gun: float = 0.0, game_round: int = 1) -> Observation:
    """Return an observation of a tank that is at (X, Y) and looks to the east."""
    me = tank(x=X, y=Y, gun_direction=gun)
    return Observation(game_round, turn, me, [], list(events))


def scan(turn: int, y: float, *, direction: float = LEFT, speed: float = 8.0, energy: float = 100.0) -> Event:
    return ScannedBotEvent(turn, ME, OTHER, energy, X + AWAY, y, direction, speed)


def shot(turn: int, power: float) -> Event:
    return BulletFiredEvent(turn, BulletState(turn, ME, power, X, Y, 0.0))


def shown(memory: SeatMemory, observation: Observation) -> dict[str, float]:
    return dict(zip(NAMES, write(observation, memory), strict=True))


def of_a_duel() -> SeatMemory:
    return SeatMemory(ME - 1, range(2), 800.0, 600.0)


@pytest.mark.parametrize(("direction", "way"), [(LEFT, 1.0), (RIGHT, -1.0)])
@pytest.mark.parametrize(("speed", "lead"), [(8.0, 1.0), (4.0, 0.5), (0.0, 0.0)])
def test_a_lead_is_how_far_ahead_the_other_was_when_a_bullet_passed(
    direction: float, way: float, speed: float, lead: float
) -> None:
    memory, place = of_a_duel(), Y
    shown(memory, seen_at(1, [scan(1, place, direction=direction, speed=speed), shot(1, 2.0)]))
    found = {"lead_1": 0.0}
    for turn in range(2, 40):
        place += way * speed
        found = shown(memory, seen_at(turn, [scan(turn, place, direction=direction, speed=speed)]))
        flown = 14.0 * (turn - 1) >= math.hypot(AWAY, place - Y)
        assert found["lead_1"] == pytest.approx(lead if flown else 0.0, abs=0.07), turn
    assert flown


def test_a_tank_that_turns_back_has_a_negative_lead_and_aim_follows_it() -> None:
    memory = of_a_duel()
    shown(memory, seen_at(1, [scan(1, Y), shot(1, 2.0)]))
    for turn in range(2, 30):
        found = shown(memory, seen_at(turn, [scan(turn, Y - 4.0 * turn, direction=RIGHT)]))
    assert found["lead_1"] < -0.3
    sine = -found["lead_1"] * 8.0 / 14.0  # it goes to the right now: behind that is to the left
    line = math.degrees(math.atan2(-4.0 * 29, AWAY))
    aimed = shown(memory, seen_at(30, [], gun=(line + math.degrees(math.asin(sine))) % 360.0))
    assert aimed["lead_fine_1"] == pytest.approx(0.0, abs=1e-3)
    assert abs(aimed["aim_fine_1"]) == 1.0


def test_the_oldest_shot_over_the_limit_is_not_followed() -> None:
    memory = of_a_duel()
    for turn in (1, 2, 3):  # the first would pass a tank that went to the left, the others a still one
        shown(memory, seen_at(turn, [scan(turn, Y, speed=8.0 if turn == 1 else 0.0), shot(turn, 2.0)]))
    leads = [shown(memory, seen_at(turn, [scan(turn, Y + 60.0)]))["lead_1"] for turn in range(4, 30)]
    assert next(lead for lead in leads if lead != 0.0) > 0.0
    first = next(place for place, lead in enumerate(leads) if lead != 0.0) + 4
    assert first == 2 + math.ceil(math.hypot(AWAY, 60.0) / 14.0)


def test_the_next_two_shots_of_another_tank_are_seen_coming() -> None:
    memory = of_a_duel()
    shown(memory, seen_at(1, [scan(1, Y, speed=0.0, energy=100.0)]))
    shown(memory, seen_at(2, [scan(2, Y, speed=0.0, energy=98.0)]))
    found = shown(memory, seen_at(12, [scan(12, Y, speed=0.0, energy=97.0)]))
    assert found["shot_time_1"] == pytest.approx((AWAY / 14.0 - 10) / 50.0, abs=1e-6)
    assert found["later_shot_time_1"] == pytest.approx(AWAY / 17.0 / 50.0, abs=1e-6)
    assert found["shot_side_1"] == found["later_shot_side_1"] == 0.0


def test_hit_rate_and_lead_are_remembered_in_the_next_round_and_shots_are_not() -> None:
    memory = of_a_duel()
    shown(memory, seen_at(1, [scan(1, Y), shot(1, 3.0)]))
    for turn in range(2, 30):
        shown(memory, seen_at(turn, [scan(turn, Y + 8.0 * turn)]))
    hit = BulletHitBotEvent(30, OTHER, BulletState(1, ME, 3.0, X + AWAY, Y, 0.0), 16.0, 84.0)
    before = shown(memory, seen_at(30, [hit]))
    assert before["hit_rate_1"] > 0.2
    after = shown(memory, seen_at(1, [scan(1, Y)], game_round=2))
    assert (after["hit_rate_1"], after["lead_1"]) == (before["hit_rate_1"], before["lead_1"])
    assert after["shot_time_1"] == 0.0
    assert shown(of_a_duel(), seen_at(1, [scan(1, Y)]))["hit_rate_1"] == 0.2
