"""Steps a second of environments of others that are installed: one JSON line each.

Run by bench/envs.py with the Python of --peers. Random legal actions; an agent-step is an action of one agent
with the observation after it.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

SECONDS = 4.0


def _rate(steps: Callable[[], int]) -> float:
    """Return agent-steps a second. steps: takes some, and returns how many."""
    steps()
    began, done = time.perf_counter(), 0
    while time.perf_counter() - began < SECONDS:
        done += steps()
    return done / (time.perf_counter() - began)


def pettingzoo_classic() -> float:
    """Measure Connect Four of PettingZoo."""
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.env()

    def steps() -> int:
        env.reset()
        count = 0
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            done = terminated or truncated
            env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
            count += 1
        return count

    return _rate(steps)


def open_spiel() -> float:
    """Measure Connect Four of OpenSpiel, with observation tensors."""
    import random

    import pyspiel

    game = pyspiel.load_game("connect_four")

    def steps() -> int:
        state, count = game.new_initial_state(), 0
        while not state.is_terminal():
            state.observation_tensor()
            state.apply_action(random.choice(state.legal_actions()))
            count += 1
        return count

    return _rate(steps)


def gymnax() -> float:
    """Measure CartPole of gymnax, 1,024 side by side, compiled by JAX on the processor."""
    import gymnax as peer
    import jax

    env, params = peer.make("CartPole-v1")
    keys = jax.random.split(jax.random.PRNGKey(0), 1024)
    _, states = jax.vmap(env.reset, (0, None))(keys, params)

    def run(states: Any, key: Any) -> Any:
        def one(carry: Any, step_key: Any) -> Any:
            keys = jax.random.split(step_key, 1024)
            actions = jax.random.randint(step_key, (1024,), 0, 2)
            observations, after, *_ = jax.vmap(env.step, (0, 0, 0, None))(keys, carry, actions, params)
            return after, observations.sum()

        return jax.lax.scan(one, states, jax.random.split(key, 100))

    compiled = jax.jit(run)

    def steps() -> int:
        jax.block_until_ready(compiled(states, jax.random.PRNGKey(1)))
        return 1024 * 100

    return _rate(steps)


def gymnasium_vector() -> float:
    """Measure CartPole of Gymnasium's own vector environment, 1,024 side by side."""
    import gymnasium

    envs = gymnasium.make_vec("CartPole-v1", 1024, vectorization_mode="vector_entry_point")
    envs.reset(seed=1)
    actions = [envs.action_space.sample() for _ in range(8)]

    def steps() -> int:
        for action in actions:
            envs.step(action)
        return 1024 * len(actions)

    return _rate(steps)


def _pufferlib(envs: Any, actions: Any) -> float:
    """Measure an environment of PufferLib in C. actions: some for all agents, taken in turn."""
    envs.reset(seed=1)

    def steps() -> int:
        for action in actions:
            envs.step(action)
        return int(envs.num_agents) * len(actions)

    return _rate(steps)


def pufferlib_target() -> float:
    """Measure Target of PufferLib: 128 fields in each of which 8 agents drive to 4 goals; 28 numbers each."""
    import numpy as np
    from pufferlib.ocean.target.target import Target

    envs = Target(num_envs=128)
    return _pufferlib(envs, np.random.default_rng(1).integers((9, 5), size=(64, envs.num_agents, 2)))


def pufferlib_drone() -> float:
    """Measure Drone of PufferLib: 1,024 alone, 16 numbers each."""
    import numpy as np
    from pufferlib.ocean.drone.drone import Drone

    envs = Drone(num_envs=1024, report_interval=128)
    actions = np.random.default_rng(1).uniform(-1.0, 1.0, (64, 1024, 4)).astype(np.float32)
    return _pufferlib(envs, actions)


PEERS = (
    ("pettingzoo", "PettingZoo, Connect Four", pettingzoo_classic),
    ("open_spiel", "OpenSpiel, Connect Four", open_spiel),
    ("gymnasium", "Gymnasium, CartPole, 1,024 in NumPy", gymnasium_vector),
    ("gymnax", "gymnax, CartPole, 1,024 by JAX", gymnax),
    ("pufferlib", "PufferLib, Target, 128 fields of 8 in C", pufferlib_target),
    ("pufferlib", "PufferLib, Drone, 1,024 in C", pufferlib_drone),
)


def _measured() -> Iterator[dict[str, Any]]:
    for package, title, measure in PEERS:
        try:
            yield {"peer": title, "version": version(package), "rate": measure()}
        except Exception as error:  # not installed, or it does not run here: said in the table
            yield {"peer": title, "why": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    for row in _measured():
        print(json.dumps(row), flush=True)
    sys.exit(0)
