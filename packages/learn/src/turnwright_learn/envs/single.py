"""An environment of Gymnasium for any game, with one learner.

Bots and policies have the other seats.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium

from turnwright.errors import SetupError
from turnwright_learn.envs.checks import checked_action
from turnwright_learn.envs.common import (
    RENDER_MODES,
    EpisodeOwner,
    info_of,
    options_of,
    potential_of,
    reward_of,
)
from turnwright_learn.envs.plan import plan_of

_SEAT = 0


class GameEnv(EpisodeOwner, gymnasium.Env[Any, Any]):
    """An environment with the learner in seat 0.

    An episode ends (terminated) with the battle or the learner's death, or (truncated) after `max_turns`. A
    copy or pickle of an environment has no running episode. It begins with its own `reset`.

    Args:
        game: the name of a game, or the path of its folder.
        env: the name of one of the game's environments, if the game has names for them.
        options: the options of `Stepping`, `ServerOptions`, `plan_of` and the game's spaces, e.g. opponents,
            settings and seats.

    Raises:
        SetupError: an option is wrong. The message names it.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 30}  # noqa: RUF012

    def __init__(self, game: str, env: str | None = None, **options: Any) -> None:
        stepping, others = options_of(options)
        plan = plan_of(game, env, **others)
        if len(plan.learners) != 1:
            raise SetupError(
                f"learners is {len(plan.learners)}; GameEnv has 1, parallel_env and aec_env have several"
            )
        super().__init__(plan, stepping)
        self.observation_space = plan.observation_space
        self.action_space = plan.action_space
        self._over = True

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_over": True}

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, and return the first observation and the infos.

        Args:
            seed: the seed of this and all later episodes, or None to continue their sequence.
            options: ignored.

        Raises:
            SetupError, GameError, ParticipantStartError, VoidBattleError: see `episode.Episode`.
        """
        super().reset(seed=seed)
        episode = self._begin_episode(self.np_random)
        self._potential = potential_of(self.stepping, episode.encoded[_SEAT])
        self._over = False
        none = dict.fromkeys(episode.terms, 0.0)
        return episode.encoded[_SEAT], info_of(self.stepping, episode, none)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play a turn, or frame_skip turns with the same action.

        The end of the episode closes its record (see `Stepping.finish`).

        Raises:
            ValueError: the action is not in its space, no episode is running, or `shaping` returned no finite
                number.
            ParticipantStartError: an opponent failed or did not answer.
            VoidBattleError: the rules failed.
        """
        episode = self.episode
        if episode is None:
            raise ValueError("call reset before the first step")
        if self._over or episode.closed:
            raise ValueError("the episode is over: call reset before the next step")
        action = checked_action(self.action_space, action, "the learner")
        sums = dict.fromkeys(episode.terms, 0.0)
        terminated = truncated = False
        for _ in range(self.stepping.frame_skip):
            episode.step({_SEAT: action})
            for name, values in episode.terms.items():
                sums[name] += float(values[_SEAT])
            terminated = episode.over or not episode.alive[_SEAT]
            truncated = not terminated and self.stepping.is_truncated(episode)
            if terminated or truncated:
                break
        seen, before = episode.encoded[_SEAT], self._potential
        self._potential = 0.0 if terminated else potential_of(self.stepping, seen)
        reward = reward_of(self.stepping, sums) + self.stepping.shaped(before, self._potential)
        self._over = terminated or truncated
        if self._over:
            self.stepping.finish(episode)
        return seen, reward, terminated, truncated, info_of(self.stepping, episode, sums)


def make_env(game: str, env: str | None = None, **options: Any) -> GameEnv:
    """Return an environment of any game, which may be in a folder. See `GameEnv`."""
    return GameEnv(game, env, **options)
