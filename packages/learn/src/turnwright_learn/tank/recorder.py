"""Records battles of a batch by playing their actions again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from turnwright_learn.envs.common import Stepping
from turnwright_learn.envs.episode import Episode
from turnwright_learn.envs.plan import plan_of
from turnwright_learn.tank.batch import FROM_OUTSIDE, BatchSettings, Results
from turnwright_tank.bots.house import HOUSE, IN_BATCHES

Array = np.ndarray[Any, np.dtype[Any]]


class BattleRecorder:
    """Writes a record of each ended battle among the first `recorded` battles of a batch.

    A battle follows from its seed, its actions and its built-in bots. The recorder keeps the actions, 20
    bytes for each tank and step. The rules of single battles play the battle again.

    Args:
        common: the settings that all battles of the batch share.
        folder: gets episode000001.twr and so on, after the highest number in it. It is created if necessary.

    Raises:
        SetupError: the folder cannot be made.
    """

    def __init__(self, env: str, common: BatchSettings, folder: Path, recorded: int) -> None:
        everyone = len(common.seats)
        self._plan = plan_of("tank", env, learners=everyone, opponents=[], settings=common.settings)
        self._common = common
        self._folder = folder
        self._number = Stepping(record=folder).last_episode()
        self._seeds = [-1] * recorded
        self._players = np.zeros((recorded, everyone), np.uint8)
        self._actions: list[list[Array]] = [[] for _ in range(recorded)]

    def note_beginnings(self, results: Results) -> None:
        """Note the seeds and the players of the battles that have just begun."""
        for battle in range(len(self._seeds)):
            if results.used[battle]:
                self._seeds[battle] = int(results.seeds[battle])
                self._players[battle] = results.players[battle]
                self._actions[battle] = []

    def note(self, actions: Array, results: Results) -> None:
        """Note the actions of a step, and write the battles that it ended.

        Call it before the seeds of the next beginnings are set.
        """
        for battle in range(len(self._seeds)):
            ended = results.terminated[battle] or results.truncated[battle]
            if not results.used[battle] or ended:  # else the step only began it
                self._actions[battle].append(actions[battle].copy())
            if ended and self._seeds[battle] >= 0:
                self._write(self._seeds[battle], self._players[battle], self._actions[battle])
                self._seeds[battle] = -1
        self.note_beginnings(results)

    def _write(self, seed: int, players: Array, actions: list[Array]) -> None:
        self._number += 1
        takers = tuple(
            None if player == FROM_OUTSIDE else HOUSE[IN_BATCHES[player - 1]] for player in players
        )
        plan = replace(self._plan, takers=takers)
        episode = Episode(plan, seed, self._folder / f"episode{self._number:06}.twr")
        for step in actions:
            for _ in range(self._common.frame_skip):
                if self._is_over(episode):
                    break
                episode.step({seat: step[seat] for seat in plan.learners})
        episode.close()

    def _is_over(self, episode: Episode) -> bool:
        """Return whether the batch ended the battle here, like `step_battle` in backends/c/batch.h."""
        most = self._common.max_turns
        living = any(episode.alive[: self._common.learners])
        return episode.over or not living or 0 < most <= episode.battle.turn
