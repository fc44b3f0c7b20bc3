"""Seeds and players of the battles of a batch that begin next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from turnwright.kernel.rng import Stream
from turnwright_learn.tank.batch import Batch
from turnwright_learn.tank.cast import Cast
from turnwright_learn.tank.env_layout import EnvLayout

Array = np.ndarray[Any, np.dtype[Any]]


class Beginnings:
    """Gives each battle of a batch the seed and the players with which it begins again.

    A copy or pickle has no running battle. It continues with the same seeds.

    Args:
        cast: Draws the opponents. It is None if every tank learns.
        rounds: The number of rounds of a game.

    Attributes:
        playing: The seeds of the running battles.
        running: Whether battles have begun.
    """

    def __init__(self, batch: Batch, cast: Cast | None, layout: EnvLayout, rounds: int) -> None:
        self._batch = batch
        self._cast = cast
        self._layout = layout
        self._rounds = rounds
        self._seeds: list[Stream] = []
        self.playing = np.zeros(layout.battles, np.uint64)
        self.running = False

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "running": False}

    @property
    def seeded(self) -> bool:
        """Whether `take_seeds` was called."""
        return bool(self._seeds)

    def take_seeds(self, seed: int | Sequence[int | None] | None) -> None:
        """Take one seed for all battles, or one for each environment. None means a random seed.

        The seed of a battle's first environment counts.

        Raises:
            ValueError: The number of seeds is not the number of environments.
        """
        layout = self._layout
        if seed is None or isinstance(seed, int | np.integer):
            words = np.random.SeedSequence(None if seed is None else int(seed)).generate_state(
                layout.battles, np.uint64
            )
        else:
            if len(seed) != layout.envs:
                raise ValueError(
                    f"seed has {len(seed)} numbers; expected {layout.envs}, one for each environment"
                )
            words = np.array(
                [
                    np.random.SeedSequence(one).generate_state(1, np.uint64)[0]
                    for one in seed[:: layout.learners]
                ]
            )
        self._seeds = [Stream(int(word)) for word in words]

    def new_games(self, battles: Array) -> None:
        """Let these battles begin a new game next time."""
        self._batch.results.rounds[battles] = self._rounds  # the last of a game, so a new one comes next
        self._give(battles)

    def note(self) -> None:
        """Note the seeds of the battles that began, and set the seeds of their next beginnings."""
        self.running = True
        results = self._batch.results
        begun = np.flatnonzero(results.used)
        self.playing[begun] = results.seeds[begun]
        self._give(begun)

    def _give(self, battles: Array) -> None:
        """Give seeds and players to the next beginnings of battles.

        A battle begins with the next round of its game, or with the first round of a new game.
        """
        rounds = self._batch.results.rounds
        rounds[battles] = rounds[battles] % self._rounds + 1
        for battle in battles:
            stay = self._cast is None or rounds[battle] > 1
            players = () if stay or self._cast is None else self._cast.draw(int(battle))
            self._batch.seed(int(battle), self._seeds[battle].bits64() >> 1, players)
