"""Environments of PettingZoo for any game, with several learners in one battle."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium.utils.seeding import np_random
from pettingzoo import ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec_wrapper

from turnwright.app.game.playable import find_game
from turnwright_learn.envs.checks import checked_action
from turnwright_learn.envs.common import (
    RENDER_MODES,
    EpisodeOwner,
    Stepping,
    info_of,
    options_of,
    potential_of,
    reward_of,
)
from turnwright_learn.envs.episode import Episode
from turnwright_learn.envs.plan import EnvPlan, plan_of

_Results = tuple[
    dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]
"""Observations, rewards, terminations, truncations and infos, each by agent."""


class GameParallelEnv(EpisodeOwner, ParallelEnv[str, Any, Any]):
    """An environment with learners in the first seats: agents "seat_0", "seat_1" …

    An agent is removed from `agents` by the step in which it dies. `info["asked"]` says whether it is an
    agent's turn. A copy or pickle of an environment has no running episode. It begins with its own `reset`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": list(RENDER_MODES),
        "name": "turnwright",
        "is_parallelizable": True,
        "render_fps": 30,
    }

    def __init__(self, plan: EnvPlan, stepping: Stepping) -> None:
        super().__init__(plan, stepping)
        self.possible_agents = [f"seat_{seat}" for seat in plan.learners]
        self._seat_of = dict(zip(self.possible_agents, plan.learners, strict=True))
        self.agents: list[str] = []
        self.observation_spaces = dict.fromkeys(self.possible_agents, plan.observation_space)
        self.action_spaces = {agent: deepcopy(plan.action_space) for agent in self.possible_agents}
        self._chance = np.random.default_rng()

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "agents": []}

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin an episode, and return the first observations and the infos, by agent.

        The arguments and errors are those of `single.GameEnv.reset`.
        """
        if seed is not None:
            self._chance, _ = np_random(seed)
        episode = self._begin_episode(self._chance)
        self.agents = list(self.possible_agents)
        seen = {agent: episode.encoded[self._seat_of[agent]] for agent in self.agents}
        self._potentials = {agent: potential_of(self.stepping, seen[agent]) for agent in self.agents}
        none = dict.fromkeys(episode.terms, 0.0)
        return seen, {agent: self._info(agent, episode, none) for agent in self.agents}

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play a turn, or frame_skip turns with the same actions.

        The step ends early if an agent without an action is asked. The action of an agent has no effect if it
        is not the agent's turn. After the end, a call without actions returns empty dictionaries.

        Args:
            actions: By agent, the actions of all agents whose turn it is.

        Raises:
            ValueError: An action is missing, is not in its space, or belongs to a removed agent. Or no
                episode is running.
            ParticipantStartError, VoidBattleError: See `single.GameEnv.step`.
        """
        episode = self.episode
        if episode is None:
            raise ValueError("call reset before the first step")
        if not self.agents and not actions:
            return {}, {}, {}, {}, {}
        if not self.agents or episode.closed:
            raise ValueError("the episode is over: call reset before the next step")
        given = self._checked(actions)
        sums = {agent: dict.fromkeys(episode.terms, 0.0) for agent in self.agents}
        truncated = False
        for _ in range(self.stepping.frame_skip):
            episode.step({seat: action for seat, action in given.items() if seat in episode.asked})
            for agent in self.agents:
                for name, values in episode.terms.items():
                    sums[agent][name] += float(values[self._seat_of[agent]])
            truncated = not episode.over and self.stepping.is_truncated(episode)
            if episode.over or truncated or not given.keys() >= set(episode.asked):
                break
        return self._results(episode, sums, truncated=truncated)

    def _checked(self, actions: Mapping[str, Any]) -> dict[int, Any]:
        for agent in actions:
            if agent not in self.agents:
                raise ValueError(f"there is an action of {agent!r}, which does not play: {self.agents} do")
        given, asked = {}, () if self.episode is None else self.episode.asked
        for agent in self.agents:
            seat = self._seat_of[agent]
            if seat not in asked and actions.get(agent) is None:
                continue
            if agent not in actions:
                raise ValueError(f"the action of {agent!r} is missing")
            given[seat] = checked_action(self.plan.action_space, actions[agent], agent)
        return given

    def _results(
        self, episode: Episode, sums: Mapping[str, Mapping[str, float]], *, truncated: bool
    ) -> _Results:
        alive = episode.alive
        agents = self.agents
        terminated = {agent: episode.over or not alive[self._seat_of[agent]] for agent in agents}
        seen = {agent: episode.encoded[self._seat_of[agent]] for agent in agents}
        before, self._potentials = (
            self._potentials,
            {
                agent: 0.0 if terminated[agent] else potential_of(self.stepping, seen[agent])
                for agent in agents
            },
        )
        rewards = {
            agent: reward_of(self.stepping, sums[agent])
            + self.stepping.shaped(before[agent], self._potentials[agent])
            for agent in agents
        }
        truncations = {agent: truncated and not terminated[agent] for agent in agents}
        infos = {agent: self._info(agent, episode, sums[agent]) for agent in agents}
        self.agents = [] if truncated else [agent for agent in agents if not terminated[agent]]
        if not self.agents:
            self.stepping.finish(episode)
        return seen, rewards, terminated, truncations, infos

    def _info(self, agent: str, episode: Episode, terms: Mapping[str, float]) -> dict[str, Any]:
        asked = self._seat_of[agent] in episode.asked
        return {**info_of(self.stepping, episode, terms), "asked": asked}

    def _end_episode(self) -> None:
        super()._end_episode()
        self.agents = []


class GameAECEnv(parallel_to_aec_wrapper[str, Any, Any]):
    """An environment in which agents act one after the other.

    In each turn, the asked agents act in order of seat.
    """

    agent_selection: str
    agents: list[str]
    infos: dict[str, dict[str, Any]]
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    _actions: dict[str, Any]
    _cumulative_rewards: dict[str, float]
    _waiting: list[str]
    """Agents of this turn that have not acted."""

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begin an episode.

        Args:
            seed: see `GameParallelEnv.reset`.
        """
        super().reset(seed=seed, options=options)
        self._select()

    def step(self, action: Any) -> None:
        """Take the action of the selected agent. The last action of a turn plays the turn.

        If the agent is out, the action must be None, and the agent is removed.

        Raises:
            ValueError, ParticipantStartError, VoidBattleError: see `GameParallelEnv.step`.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._actions[agent] = action
        if self._waiting:
            self._clear_rewards()
            self.agent_selection = self._waiting.pop(0)
            return
        results = self.env.step(self._actions)
        self._observations, self.rewards, self.terminations, self.truncations, self.infos = results
        self._accumulate_rewards()
        self._select()

    def _select(self) -> None:
        """Select the first agent whose turn it is.

        Dead agents are selected before that, so that they are removed.
        """
        asked = [agent for agent in self.env.agents if self.infos[agent]["asked"]]
        self._actions = {}
        self.agent_selection, *self._waiting = asked or self.agents
        self._deads_step_first()


def parallel_env(game: str, env: str | None = None, **options: Any) -> GameParallelEnv:
    """Return an environment in which the first `learners` seats learn.

    Without `learners`, one seat learns if there are `opponents`. Otherwise all seats learn, two by default.

    Args:
        game, env, options: see `single.GameEnv`.
    """
    stepping, options = options_of(options)
    if options.get("learners") is None and not options.get("opponents"):
        seats = options.get("seats") or find_game(game).environments.get(env or "", {}).get("seats", 2)
        options |= {"learners": seats, "seats": seats, "opponents": []}
    return GameParallelEnv(plan_of(game, env, **options), stepping)


def aec_env(game: str, env: str | None = None, **options: Any) -> GameAECEnv:
    """Return the same environment as `parallel_env`, but agents act one after the other."""
    return GameAECEnv(parallel_env(game, env, **options))
