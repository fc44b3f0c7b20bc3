from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.tank.tests.small_battles import rows_of, run, tank
from turnwright_tank.rules.constants import clamp
from turnwright_tank.rules.motion import execute_intents, turn


def test_a_tank_moves_in_its_old_direction_then_turns() -> None:
    rows = rows_of(tank(400, 300, has_intent=1, want_speed=8.0, want_turn=90.0, want_gun_turn=5.0))
    run(rows, execute_intents)
    row = rows.tanks[0]
    assert (row.x, row.y, row.speed) == (401.0, 300.0, 1.0)
    assert (row.direction, row.gun_direction, row.radar_direction) == (9.25, 14.25, 14.25)
    assert (row.turn_rate, row.gun_turn_rate, row.radar_sweep) == (9.25, 5.0, 14.25)


@pytest.mark.parametrize("fields", [{"has_intent": 0}, {"has_intent": 1, "energy": 1e-7}])
def test_a_tank_without_intent_or_energy_keeps_everything(fields: dict[str, float]) -> None:
    rows = rows_of(tank(400, 300, speed=4.0, want_speed=8.0, want_turn=9.0, radar_sweep=3.0, **fields))
    run(rows, execute_intents)
    row = rows.tanks[0]
    assert (row.x, row.speed, row.direction, row.radar_sweep, row.executed) == (400, 4.0, 0.0, 3.0, 0)


BODY, GUN, RADAR = 1.0, 20.0, 45.0


@pytest.mark.parametrize(
    ("flags", "gun", "radar"),
    [
        ((0, 0, 0), BODY + GUN, BODY + GUN + RADAR),
        ((1, 0, 0), GUN, GUN + RADAR),
        ((0, 1, 0), BODY + GUN, BODY + RADAR),
        ((1, 1, 0), GUN, BODY + RADAR),
        ((0, 0, 1), BODY + GUN, GUN + RADAR),
        ((1, 0, 1), GUN, GUN + RADAR - BODY),
        ((0, 1, 1), BODY + GUN, RADAR),
        ((1, 1, 1), GUN, RADAR),
    ],
)
def test_the_adjust_flags_remove_carried_rotation(
    flags: tuple[int, int, int], gun: float, radar: float
) -> None:
    row = tank(
        0,
        0,
        want_turn=BODY,
        want_gun_turn=GUN,
        want_radar_turn=RADAR,
        adjust_gun_for_body=flags[0],
        adjust_radar_for_gun=flags[1],
        adjust_radar_for_body=flags[2],
    )
    turn(row)
    assert (row.gun_direction, row.radar_direction, row.radar_sweep) == (gun, radar, radar)


@given(*[st.floats(-100, 100)] * 4)
def test_rates_are_limited_and_directions_stay_in_one_turn(
    body: float, gun: float, radar: float, speed: float
) -> None:
    row = tank(0, 0, want_turn=body, want_gun_turn=gun, want_radar_turn=radar, speed=clamp(speed, -8.0, 8.0))
    turn(row)
    assert abs(row.turn_rate) <= 10.0 - 0.75 * abs(row.speed)
    assert abs(row.gun_turn_rate) <= 20.0
    assert abs(row.radar_turn_rate) <= 45.0
    assert abs(row.radar_sweep) <= 75.0
    for direction in (row.direction, row.gun_direction, row.radar_direction):
        assert 0.0 <= direction <= 360.0


@given(st.floats(0, 359.9), st.floats(1, 8))
def test_a_step_is_as_long_as_the_speed(direction: float, speed: float) -> None:
    rows = rows_of(tank(400, 300, direction=direction, has_intent=1, want_speed=speed, speed=speed))
    run(rows, execute_intents)
    row = rows.tanks[0]
    assert math.dist((400, 300), (row.x, row.y)) == pytest.approx(speed, abs=1e-9)


def test_colours_are_shown_when_the_intent_is_executed() -> None:
    rows = rows_of(tank(400, 300, has_intent=1, repaint=1, want_gun_color=7, want_body_color=9))
    run(rows, execute_intents)
    assert (rows.tanks[0].gun_color, rows.tanks[0].body_color, rows.tanks[0].repaint) == (7, 9, 0)
