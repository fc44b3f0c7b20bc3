"""Sparring partners, which drive in ways that no built-in bot does.

They are functions of observations.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwright_tank.envs.actions import ACTIONS
from turnwright_tank.envs.features import features_of

Array = np.ndarray[Any, np.dtype[Any]]
_CLOCK_TURNS = 1000.0
_DRIVE_TURNS, _SEARCH_TURNS = 14, 18
_GUN_WITH_RADAR = 20.0 / 45.0
_NEW = 0.015
_POWER = 1.0 / 3.0
_SINE_IN_TENS = 18.0 / np.pi
"""The factor from the sine of a small angle to the angle in units of ten degrees."""


_NAMES = [feature.name for feature in features_of(1.0, 1.0, 2)]
_CLOCK, _AGE = _NAMES.index("clock"), _NAMES.index("age_1")
_SIDE = _NAMES.index("bearing_sin_1")
_SPEED, _TURN, _GUN, _RADAR, _FIRE = map(ACTIONS.index, ("speed", "turn", "gun", "radar", "power"))


def seesaw(observations: Array) -> Array:
    """Return the actions (tank, number) of tanks that drive back and forth with stops.

    At each stop, a tank turns its gun once around, and fires weak bullets at tanks that it sees. It keeps its
    side to the last seen tank. A gun that predicts a straight line or an arc misses it. From the 1000th turn
    on, it does not move.
    """
    turn = np.rint(observations[:, _CLOCK] * _CLOCK_TURNS)
    period = _DRIVE_TURNS + _SEARCH_TURNS
    drives = (turn % period < _DRIVE_TURNS) & (turn < _CLOCK_TURNS)
    actions = np.zeros((len(observations), len(ACTIONS)), np.float32)
    actions[:, _SPEED] = np.where(drives, np.where(turn // period % 2 == 0, 1.0, -1.0), 0.0)
    left, ahead = observations[:, _SIDE], observations[:, _SIDE + 1]
    turn_left = np.where(left >= 0.0, -ahead, ahead) * _SINE_IN_TENS
    actions[:, _TURN] = np.where(observations[:, _AGE] < 1.0, np.clip(turn_left, -1.0, 1.0), 0.0)
    actions[:, _GUN] = np.where(drives, 0.0, 1.0)
    actions[:, _RADAR] = actions[:, _GUN] * _GUN_WITH_RADAR
    actions[:, _FIRE] = np.where(observations[:, _AGE] < _NEW, _POWER, 0.0)
    return actions
