"""Have the rules compiled before anybody waits for a turn."""

from __future__ import annotations

from collections.abc import Callable

from turnwright.games.tank import compiled
from turnwright.games.tank.game import TankGame
from turnwright.options import OnRulesError

__all__ = ["new_game", "warm_up"]


def new_game(tolerant: bool) -> TankGame:
    """Return the rules of the tank; tolerant: a stage that fails is skipped for that turn."""
    return TankGame(on_error="continue" if tolerant else "raise")


def warm_up(on_rules_error: OnRulesError, tell: Callable[[str], None]) -> None:
    """Load the compiled rules, if battles will use them; `tell` is told what takes long, and how long."""
    if new_game(on_rules_error == "continue").speed == "numba":
        compiled.load(tell)
