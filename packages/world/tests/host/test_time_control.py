"""An operator's wishes for time: a pause, steps, a speed, each within its bounds."""

from __future__ import annotations

from turnwright_world.host.pace import SPEED_MAX, SPEED_MIN, STEPS_MAX, TimeControl
from turnwright_world.wire.clock import RATE_ONE


def test_a_pause_lasts_until_resume() -> None:
    steering = TimeControl()
    assert not steering.stands
    steering.pause()
    assert steering.stands
    steering.resume()
    assert not steering.stands


def test_steps_run_for_their_turns_and_stop_again() -> None:
    steering = TimeControl()
    steering.step(2)
    assert not steering.stands
    assert [steering.turn_over(), steering.turn_over()] == [False, True]
    steering.step(10**9)
    assert steering.steps == STEPS_MAX


def test_speeds_are_bounded() -> None:
    steering, found = TimeControl(), []
    for speed in (0.0, 0.5, 99.0):
        steering.run_at(speed)
        found.append(steering.speed)
    assert found == [SPEED_MIN * RATE_ONE, RATE_ONE // 2, SPEED_MAX * RATE_ONE]
