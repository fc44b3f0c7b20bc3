"""How arrays of battles and seats become arrays of environments, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class EnvLayout:
    """The environments of a batch: the first `learners` tanks of each of its battles.

    Attributes:
        copy: Whether each step returns new arrays. If not, the next step overwrites them.
    """

    battles: int
    learners: int
    copy: bool

    @property
    def envs(self) -> int:
        """The number of environments."""
        return self.battles * self.learners

    def shown(self, array: Array) -> Array:
        """Return the learners' part of an array (battle, seat, …) as an array (environment, …)."""
        part = array[:, : self.learners]
        part = part.reshape(self.envs, *array.shape[2:])
        return part.copy() if self.copy and np.shares_memory(part, array) else part

    def by_env(self, array: Array) -> Array:
        """Return one flag for each environment: the flag of its battle."""
        if self.learners == 1:
            return array.copy() if self.copy else array
        found = np.empty((self.battles, self.learners), np.bool_)
        found[:] = array[:, None]
        return found.reshape(-1)

    def battles_of(self, mask: Array) -> Array:
        """Return one flag for each battle: the flag of its environments.

        Raises:
            ValueError: The mask has another shape or type, or selects only a part of a battle's environments.
        """
        if mask.shape != (self.envs,) or mask.dtype != np.bool_:
            raise ValueError(
                f"reset_mask has the shape {mask.shape} of {mask.dtype}; expected ({self.envs},) of bool"
            )
        flags = mask.reshape(self.battles, self.learners)
        if (flags.any(1) != flags.all(1)).any():
            raise ValueError("reset_mask selects a part of a battle. Select all its environments, or none")
        return np.ascontiguousarray(flags.any(1))
