"""The figures of a few seconds of a training."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from turnwright_learn.tank.opponents import Rated

if TYPE_CHECKING:
    from turnwright_learn.tank.training.ppo import Update

_Z = 1.96


def interval(part: float, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a proportion, by Wilson's score. Without trials, it is 0 to 1.

    Args:
        of: the number of trials.
    """
    if of == 0:
        return 0.0, 1.0
    middle = (part + _Z * _Z / (2 * of)) / (1 + _Z * _Z / of)
    aside = _Z * math.sqrt(part * (1 - part) / of + _Z * _Z / (4 * of * of)) / (1 + _Z * _Z / of)
    return max(0.0, middle - aside), min(1.0, middle + aside)


class Window:
    """The figures of some updates of a training.

    Args:
        shown: the results against the pool so far.

    Attributes:
        seconds, turns: the seconds and turns of the training so far.
    """

    def __init__(self, shown: Mapping[str, Rated]) -> None:
        self.seconds = 0.0
        self.turns = 0
        self._returns: list[tuple[float, float, int]] = []
        self._entropy: list[float] = []
        self._before = {name: (rated.battles, rated.won) for name, rated in shown.items()}
        self._shown: Mapping[str, Rated] = {}

    def take(self, update: Update, shown: Mapping[str, Rated]) -> None:
        """Add the figures of an update.

        Args:
            shown: the results against the pool since the training began.
        """
        self.seconds, self.turns = update.seconds, update.turns
        if update.episodes:
            self._returns.append((update.returns, update.spread, update.episodes))
        self._entropy.append(update.entropy)
        self._shown = shown

    @property
    def against(self) -> dict[str, tuple[int, float]]:
        """The battles in this window, and the part of them that was won, by opponent."""
        found = {}
        for name, rated in self._shown.items():
            battles, won = self._before.get(name, (0, 0.0))
            if rated.battles > battles:
                found[name] = (rated.battles - battles, (rated.won - won) / (rated.battles - battles))
        return found

    def figures(self) -> dict[str, Any] | None:
        """Return the figures for JSON, or None if there was no update.

        `against` has for each opponent the battles, the part won, and its 95 % interval. A return is the sum
        of rewards of an episode. Returns are None if no episode ended, and `won` is None if no battle ended.
        """
        if not self._entropy:
            return None
        against = self.against
        battles = sum(number for number, _ in against.values())
        won = sum(number * part for number, part in against.values())
        mean, low, high = self._return()
        return {
            "seconds": round(self.seconds, 3),
            "turns": self.turns,
            "return": mean,
            "return_low": low,
            "return_high": high,
            "won": won / battles if battles else None,
            "entropy": sum(self._entropy) / len(self._entropy),
            "against": {name: [n, part, *interval(part, n)] for name, (n, part) in against.items()},
        }

    def _return(self) -> tuple[float | None, float | None, float | None]:
        """Return the mean return and its 95 % interval, or three times None if no episode ended."""
        count = sum(number for _, _, number in self._returns)
        if count == 0:
            return None, None, None
        mean = sum(one * number for one, _, number in self._returns) / count
        square = sum((spread**2 + one**2) * number for one, spread, number in self._returns) / count
        aside = _Z * math.sqrt(max(square - mean * mean, 0.0) / count)
        return mean, mean - aside, mean + aside
