"""Options of `turnwright train`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from turnwright.app.option_fields import argument, option
from turnwright.app.times import seconds
from turnwright.errors import SetupError

TRAINED = ("TankDuel-v0", "TankMelee-v0")
"""The environments in which a policy can be trained. They have no teams, because a policy's bot plays without
a team."""
_BATTLES_MAX = 65_536
_FOR_MAX_S = 30 * 86_400.0


@dataclass(frozen=True, kw_only=True)
class TrainOptions:
    """The settings of a training.

    Attributes:
        folder: becomes a bot directory. Its name is the bot's name.
        for_s: the total seconds of training, including earlier runs.
        battles: the number of parallel battles.
        seed: the seed of battles and draws.
        threads: the most processors that are used. None means all.

    Raises:
        SetupError: a value is out of its range.
    """

    folder: Path = argument(
        "FOLDER", "the bot directory to create. If it contains an earlier training, this training continues"
    )
    for_s: float = option(
        600.0,
        "the total time of training, including earlier runs, e.g. 90s, 10m, 2h or 1d (default: 10m)",
        "--for",
        metavar="TIME",
        read=seconds,
    )
    env: str = option("TankDuel-v0", "the environment (default: a duel)", metavar="|".join(TRAINED))
    battles: int = option(512, "the number of parallel battles (default: {default})", metavar="N")
    seed: int = option(1, "the random seed of the battles (default: {default})", "-s", "--seed", metavar="N")
    threads: int | None = option(
        None, "the largest number of processors to use (default: the number of processors)", metavar="N"
    )

    def __post_init__(self) -> None:
        if self.env not in TRAINED:
            raise SetupError(f"--env is {self.env!r}: give {' or '.join(TRAINED)}")
        if not 1.0 <= self.for_s <= _FOR_MAX_S:
            raise SetupError(f"--for is {self.for_s:g} seconds: give 1s to {_FOR_MAX_S / 86_400:g}d")
        if not 2 <= self.battles <= _BATTLES_MAX:
            raise SetupError(f"--battles is {self.battles}: give 2 to {_BATTLES_MAX:,}")
        if not 0 <= self.seed < 1 << 48:
            raise SetupError(f"--seed is {self.seed}: give 0 to {(1 << 48) - 1:,}")
        if self.threads is not None and not 1 <= self.threads <= 256:
            raise SetupError(f"--threads is {self.threads}: give 1 to 256")

    @property
    def processors(self) -> int:
        """`threads` if it is given, otherwise the number of processors that this process may use."""
        mine = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return self.threads or mine
