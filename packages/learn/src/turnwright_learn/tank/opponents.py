"""Opponents of the learners in a batch: built-in bots, policies, and pools of both.

    TankVectorEnv(256, opponents="Tracker")                       a built-in bot
    TankVectorEnv(256, opponents=policy)                          a function of observations
    TankVectorEnv(256, opponents=OpponentPool({"Tracker": "Tracker", "early": policy}))

Each battle has its own opponents, which are drawn when it begins.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from turnwright.errors import SetupError
from turnwright_learn.tank.batch import FROM_OUTSIDE
from turnwright_tank.bots.house import HOUSE, IN_BATCHES

Array = np.ndarray[Any, np.dtype[Any]]
Policy = Callable[[Array], Array]
"""Returns actions (battle, number) for observations (battle, feature), in the continuous form."""

_RATING_SCALE = 400.0
_RATING_STEP = 12.0
_DRAWN_AT_LEAST = 0.05
_HOPELESS = 0.5
"""The weight of an opponent that always wins. An opponent that wins every second battle has the same."""
_POOL_MAX = 10_000


@dataclass(frozen=True)
class Opponent:
    """An opponent for a seat.

    Attributes:
        player: FROM_OUTSIDE or a number of IN_BATCHES.
        policy: the policy, or None for a built-in bot.
    """

    name: str
    player: int
    policy: Policy | None


class Opponents(Protocol):
    """A choice of opponents.

    Attributes:
        entries: all opponents. Their numbers are their positions in this list.
    """

    @property
    def entries(self) -> Sequence[Opponent]: ...

    def draw(self, seats: int) -> Sequence[int]:
        """Return the numbers of the opponents in the other seats of the next battle."""

    def note(self, number: int, result: float) -> None:
        """Take the learner's result of a battle against an opponent: 1 for a win, 0.5 for a draw, 0 for a
        loss.
        """


class FixedOpponents:
    """The same opponents in all battles, one for each seat."""

    def __init__(self, entries: Sequence[Opponent]) -> None:
        self.entries = entries

    def draw(self, seats: int) -> Sequence[int]:
        """Return the numbers of all opponents."""
        return range(seats)

    def note(self, number: int, result: float) -> None:
        """Do nothing, because results do not change the opponents."""


@dataclass
class Rated:
    """The learner's results against an opponent.

    Attributes:
        won: the number of battles that the learner won. A draw counts half.
        rating: how much stronger than the learner the opponent is, on Elo's scale. With 400 the opponent
            wins ten times as often as it loses. Old results count less and less.
    """

    battles: int = 0
    won: float = 0.0
    rating: float = 0.0

    @property
    def chance(self) -> float:
        """The learner's chance to win against the opponent, 0 to 1, by the rating."""
        return float(1.0 / (1.0 + 10.0 ** (self.rating / _RATING_SCALE)))


class OpponentPool:
    """Opponents that are drawn by their rating. Opponents that are a little better than the learner are drawn
    most often.

    An opponent's weight is (1 - chance)(chance + 0.5), but at least a twentieth. chance is the learner's
    chance to win by the rating. The weight is largest if the learner wins one battle of four. Source:
    prioritised fictitious self-play, Vinyals et al. 2019 (Nature 575).

    The pool may grow while battles run. Removed opponents are not drawn again.

    Args:
        opponents: built-in bots or policies by name.
        shares: by name, the part of all draws, 0 … 1, for opponents whose rating does not count. The other
            opponents share the remaining draws.
        seed: the seed of the draws.

    Raises:
        SetupError: a bot is unknown, or the shares are impossible.
    """

    def __init__(
        self,
        opponents: Mapping[str, str | Policy],
        *,
        shares: Mapping[str, float] = MappingProxyType({}),
        seed: int = 0,
    ) -> None:
        self.entries: list[Opponent] = []
        self.results: list[Rated] = []
        self._drawn: list[int] = []
        self._random = random.Random(seed)
        for name, opponent in opponents.items():
            self.add(name, opponent)
        self._shares: dict[int, float] = {}
        self.set_shares(shares)

    def add(self, name: str, opponent: str | Policy) -> int:
        """Add an opponent and return its number.

        Raises:
            SetupError: another opponent has this name, the bot is unknown, or the pool is full.
        """
        if name in (self.entries[number].name for number in self._drawn):
            raise SetupError(f"the pool has an opponent {name!r} already: give another name")
        if len(self.entries) >= _POOL_MAX:
            raise SetupError(f"the pool has {_POOL_MAX} opponents, which is the most; make a new pool")
        found = _opponent(opponent)
        self.entries.append(Opponent(name, found.player, found.policy))
        self.results.append(Rated())
        self._drawn.append(len(self.entries) - 1)
        return len(self.entries) - 1

    def remove(self, name: str) -> None:
        """Stop drawing an opponent.

        Raises:
            SetupError: there is no opponent of that name, or it is the only one.
        """
        number = self._number_of(name)
        if len(self._drawn) == 1:
            raise SetupError(f"{name!r} is the last opponent of the pool; add another one first")
        self._drawn.remove(number)

    def _number_of(self, name: str) -> int:
        for number in self._drawn:
            if self.entries[number].name == name:
                return number
        raise SetupError(f"the pool has no opponent {name!r}")

    def set_shares(self, shares: Mapping[str, float]) -> None:
        """Set the parts of all draws that go to these opponents.

        The other opponents share the remaining draws by their ratings.

        Raises:
            SetupError: the shares are impossible, or there is no opponent of that name.
        """
        if not all(share >= 0.0 for share in shares.values()) or not sum(shares.values()) < 1.0:
            raise SetupError(f"shares is {dict(shares)}: give parts of all draws, 0 to 1, less than 1 in all")
        self._shares = {self._number_of(name): share for name, share in shares.items()}

    def set_rated(self, name: str, rated: Rated) -> None:
        """Set the results against an opponent and its rating, e.g. those of an earlier run.

        Raises:
            SetupError: there is no opponent of that name.
        """
        self.results[self._number_of(name)] = rated

    def draw(self, seats: int) -> Sequence[int]:
        """Return the numbers of the opponents in the other seats of the next battle.

        Raises:
            SetupError: the pool is empty, or all its opponents have a share of 0.
        """
        if not self._drawn:
            raise SetupError("the pool has no opponents; add one first")
        weights = self._weights()
        if not any(weights):
            raise SetupError("the pool's opponents all have a share of 0: give one of them more")
        return self._random.choices(self._drawn, weights, k=seats)

    def _weights(self) -> list[float]:
        shares = self._shares
        weights = {
            number: _weight(self.results[number].chance) for number in self._drawn if number not in shares
        }
        scale = sum(weights.values()) / (1.0 - sum(shares.get(number, 0.0) for number in self._drawn))
        return [
            shares[number] * (scale or 1.0) if number in shares else weights[number] for number in self._drawn
        ]

    def note(self, number: int, result: float) -> None:
        """Take the learner's result of a battle against an opponent: 1 for a win, 0.5 for a draw, 0 for a
        loss.
        """
        rated = self.results[number]
        rated.battles += 1
        rated.won += result
        rated.rating -= _RATING_STEP * (result - rated.chance)

    @property
    def shown(self) -> dict[str, Rated]:
        """The results against the opponents that can be drawn, by name."""
        return {self.entries[number].name: self.results[number] for number in self._drawn}


def _weight(chance: float) -> float:
    """Return the weight with which an opponent is drawn.

    Args:
        chance: the chance of the learner to win.
    """
    return max((1.0 - chance) * (chance + _HOPELESS), _DRAWN_AT_LEAST)


def opponents_of(given: Any, others: int) -> Opponents | None:
    """Return the opponents for an argument, or None for "self" and None. A pool is returned as it is.

    Args:
        others: the number of seats for opponents.

    Raises:
        SetupError: one of them cannot be an opponent, or their number does not fit the seats.
    """
    if given is None or (isinstance(given, str) and given == "self"):
        return None
    if hasattr(given, "draw") and hasattr(given, "note"):
        found: Opponents = given
        return found
    single = isinstance(given, str) or callable(given)
    many = [given] * others if single else list(given)
    if len(many) != others:
        raise SetupError(f"opponents has {len(many)}: give {others}, one for each other seat")
    return FixedOpponents([_opponent(one) for one in many])


def _opponent(given: Any) -> Opponent:
    if isinstance(given, str):
        if given in IN_BATCHES:
            return Opponent(given, 1 + IN_BATCHES.index(given), None)
        inside = ", ".join(IN_BATCHES)
        if given in HOUSE:
            raise SetupError(
                f"opponents has {given!r}, which does not play inside a batch: {inside} do; all play in"
                " gymnasium.make"
            )
        close = get_close_matches(given, IN_BATCHES, n=1)
        hint = f"did you mean {close[0]}?" if close else f"give {inside}, a policy, or 'self'"
        raise SetupError(f"opponents has {given!r}: {hint} Bots of directories play in gymnasium.make")
    if not callable(given):
        raise SetupError(
            f"opponents has {given!r:.60}: give built-in bots by name, or functions of observations"
        )
    return Opponent(getattr(given, "__name__", type(given).__name__), FROM_OUTSIDE, given)
