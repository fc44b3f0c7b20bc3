"""The cast of many battles: the opponents in their seats, now and next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from turnwright_learn.tank.batch import Results
from turnwright_learn.tank.opponents import Opponents, Policy

Array = np.ndarray[Any, np.dtype[Any]]
_SURVIVAL = 2


class Cast:
    """The opponents of battles with one learner, in seat 0.

    Attributes:
        now, played: (battle, seat - 1), the number of each opponent. `now` is about the running battles.
            `played` is about the battles of the last step, including the battles that the step ended.
    """

    def __init__(self, opponents: Opponents, battles: int, seats: int) -> None:
        self._opponents = opponents
        self.now = np.zeros((battles, seats - 1), np.int32)
        self._next = np.zeros_like(self.now)
        self._survival = np.zeros((battles, seats))
        self._is_over = np.zeros(battles, np.bool_)
        self.played = self.now.copy()

    def draw(self, battle: int) -> list[int]:
        """Draw the opponents of the next beginning, and return all players as `Batch.seed` takes them."""
        chosen = self._opponents.draw(self._next.shape[1])
        self._next[battle] = chosen
        entries = self._opponents.entries
        return [0, *(entries[number].player for number in chosen)]

    def begin(self, battles: Array) -> None:
        """Let the next opponents of these battles take their seats."""
        self.now[battles] = self._next[battles]
        self._survival[battles] = 0.0
        self._is_over[battles] = False
        self.played[:] = self.now

    def note(self, results: Results) -> None:
        """Report to the opponents how battles ended, and note the battles that a step began."""
        self.played[:] = self.now
        self._survival += results.terms[..., _SURVIVAL]
        ended = (results.terminated | results.truncated) & ~self._is_over
        for battle in np.flatnonzero(ended):
            learner, *others = self._survival[battle]
            for number, other in zip(self.now[battle], others, strict=True):
                self._opponents.note(int(number), 0.5 + 0.25 * float(learner - other))
        self._is_over |= ended
        begun = results.used
        if begun.any():
            self.now[begun] = self._next[begun]
            self._survival[begun] = 0.0
            self._is_over[begun] = False

    def asked(self) -> Iterator[tuple[Array, int, Policy]]:
        """Yield the battles and the seat in which a policy plays, and the policy."""
        entries = self._opponents.entries
        for place in range(self.now.shape[1]):
            column = self.now[:, place]
            for number in np.unique(column):
                policy = entries[number].policy
                if policy is not None:
                    yield np.flatnonzero(column == number), place + 1, policy
