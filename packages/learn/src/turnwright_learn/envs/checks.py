"""Checks the actions of users, and the observations and spaces of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete, Space

from turnwright.errors import GameError

_SHOWN = 120
"""The most characters of a value in an error message."""


def checked_action(space: Space[Any], action: Any, who: str) -> Any:
    """Return an action after checking it: for a space of numbers as an array or number, otherwise unchanged.

    Numbers outside the bounds of a Box are allowed. The game must handle them.

    Args:
        who: the name of the acting agent, for the error message.

    Raises:
        ValueError: the action is not an element of its space.
    """
    if not isinstance(space, Box | Discrete | MultiBinary | MultiDiscrete):
        if not space.contains(action):
            raise ValueError(f"the action of {who} is {_short(action)}; expected one of {space}")
        return action
    try:
        array = np.asarray(action)
    except ValueError:  # lists of different lengths
        array = np.asarray(None)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"the action of {who} is {_short(action)}; expected one of {space}")
    if array.shape != space.shape:
        raise ValueError(f"the action of {who} has the shape {array.shape}; expected {space.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"the action of {who} has a number that is not finite: {array.tolist()}")
    if isinstance(space, Box):
        return array
    whole = array.astype(space.dtype)
    if array.dtype.kind == "b" or not (np.equal(whole, array).all() and space.contains(whole[()])):
        raise ValueError(f"the action of {who} is {array.tolist()}; expected one of {space}")
    return whole[()]


def checked_observation(space: Space[Any], encoded: Any, game: str) -> Any:
    """Return an encoded observation, unchanged, after checking it.

    Raises:
        GameError: the observation is outside its space.
    """
    if not space.contains(encoded):
        array = np.asarray(encoded)
        raise GameError(
            f"{game}.encode() returned {_short(encoded)}, of the shape {array.shape} and the type"
            f" {array.dtype}; expected an element of {space}"
        )
    return encoded


def checked_space(space: Any, method: str, game: str) -> Space[Any]:
    """Return a space after checking it.

    Args:
        method: the game's method that returned it.

    Raises:
        GameError: `space` is not a space of Gymnasium.
    """
    if not isinstance(space, Space):
        raise GameError(
            f"{game}.{method}() returned {_short(space)}; expected a space of Gymnasium, e.g."
            " gymnasium.spaces.Discrete(4)"
        )
    return space


def checked_terms(terms: Any, seats: int, game: str) -> Mapping[str, Sequence[float]]:
    """Return the terms of a reward, unchanged, after checking them.

    Raises:
        GameError: `terms` does not have, by the name of each term, a finite number for each seat.
    """
    try:
        rows = [np.asarray(values, np.float64) for values in terms.values()]
        is_right = all(row.shape == (seats,) and np.isfinite(row).all() for row in rows)
    except (AttributeError, TypeError, ValueError):
        is_right = False
    if not is_right:
        raise GameError(
            f"{game}.rewards() returned {_short(terms)}; expected a dictionary with {seats} finite numbers,"
            " one for each seat, by the name of each term"
        )
    found: Mapping[str, Sequence[float]] = terms
    return found


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
