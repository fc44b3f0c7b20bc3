"""Measures the speed of environments, compared with a loop in C and with other projects' environments.

The loop in C plays the same battles without Python. To show what a second processor core adds, it also runs
in two processes. Actions are random and are repeated for 8 steps. The measured time includes observations,
rewards and starts of battles, and begins after 200 steps. All ways are measured in rotation, so that other
load affects all of them. A turn of a battle with two tanks counts as two tank turns.

--peers: PYTHON has other environments (pettingzoo[classic], open_spiel, gymnax, pufferlib). Repeat the option
if they cannot be installed together. The output names each environment that no PYTHON provides.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rig import OUT, markdown, median_of, parser

with contextlib.suppress(ImportError):  # a Python of --peers need not have turnwright
    from turnwright_learn.envs import parallel_env
    from turnwright_learn.tank.vector import TankVectorEnv
    from turnwright_tank.envs.spaces import ENVS

HERE = Path(__file__).resolve().parent
C = HERE.parent / "packages/tank/src/turnwright_tank/backends/c"
WORKLOADS = (("TankDuel-v0", 1024, 1500), ("TankDuel-v0", 16384, 100), ("TankMelee-v0", 512, 200))
"""Environment, battles, steps."""
HELD_STEPS = 8
WARM_STEPS = 200
PEER_S = 4.0


@cache
def bare_program() -> Path:
    """Compile the loop in C and return the program. A run does this once, as its sources may have changed."""
    OUT.mkdir(exist_ok=True)
    program = OUT / "envs_bare"
    words = ["-O3", "-std=c11", "-D_GNU_SOURCE", "-ffp-contract=off", "-fno-fast-math", "-w", f"-I{C}"]
    subprocess.run(["cc", *words, "-o", program, HERE / "envs_bare.c", "-lm"], check=True)
    return program


def bare(env: str, battles: int, steps: int, processes: int = 1) -> float:
    """Return the tank turns per second of the loop in C.

    Args:
        processes: the number of processes. Each plays an equal share of the battles.

    Raises:
        RuntimeError: the program failed.
    """
    program = bare_program()
    settings, seats = ENVS[env]["settings"], ENVS[env]["seats"]
    sides = [settings.get("arena_width", 800), settings.get("arena_height", 600)]
    said = [str(program), *(str(word) for word in (battles // processes, seats, steps, *sides))]
    begun = [subprocess.Popen(said, stdout=subprocess.PIPE, text=True) for _ in range(processes)]
    rates = [float(process.communicate()[0]) for process in begun]
    if any(process.returncode for process in begun):
        raise RuntimeError(f"{said} failed")
    return sum(rates)


def ours(env: str, battles: int, steps: int, **more: Any) -> float:
    """Return the tank turns per second of the vector environment."""
    seats: int = ENVS[env]["seats"]
    envs = TankVectorEnv(battles * seats, env=env, opponents="self", autoreset_mode="SameStep", **more)
    envs.reset(seed=1)
    chance = np.random.default_rng(1)
    sets = [chance.uniform(-1, 1, (battles * seats, 5)).astype(np.float32) for _ in range(8)]
    for step in range(WARM_STEPS):  # as the loop in C: the first turns have no bullets yet
        envs.step(sets[step // HELD_STEPS % 8])
    began = time.perf_counter()
    for step in range(steps):
        envs.step(sets[step // HELD_STEPS % 8])
    return battles * seats * steps / (time.perf_counter() - began)


def single(steps: int = 3000) -> float:
    """Return the tank turns per second of PettingZoo's interface, one duel at a time."""
    env = parallel_env("tank", "TankDuel-v0")
    env.reset(seed=1)
    chance = np.random.default_rng(1)
    took, done = 0.0, 0
    for step in range(steps):
        if step % HELD_STEPS == 0:
            held = [chance.uniform(-1, 1, 5).astype(np.float32) for _ in env.possible_agents]
        began = time.perf_counter()
        if not env.agents:
            env.reset()
        env.step(dict(zip(env.possible_agents, held, strict=True)))
        took, done = took + time.perf_counter() - began, done + len(env.possible_agents)
    return done / took


def memory(env: str) -> float:
    """Return the bytes of one battle after 1,000 steps, without its part of the results."""
    seats = ENVS[env]["seats"]
    envs = TankVectorEnv(256 * seats, env=env, opponents="self", autoreset_mode="SameStep")
    envs.reset(seed=1)
    for _ in range(1000):
        envs.step(envs.action_space.sample())
    return envs.memory_bytes / 256


def alternated(ways: dict[str, Callable[[], float]], repeat: int) -> dict[str, list[float]]:
    """Return the rates of each way. The ways take turns."""
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(repeat):
        for name, measure in ways.items():
            rates[name].append(measure())
    return rates


def _row(env: str, battles: int, steps: int, repeat: int) -> list[str]:
    rates = alternated(
        {
            "bare": lambda: bare(env, battles, steps),
            "one": lambda: ours(env, battles, steps, copy=False),
            "copied": lambda: ours(env, battles, steps),
            "two": lambda: ours(env, battles, steps, copy=False, threads=2),
            "bare_two": lambda: bare(env, battles, steps, processes=2),
        },
        repeat,
    )
    millions = {name: [rate / 1e6 for rate in found] for name, found in rates.items()}
    ratio = [one / limit for one, limit in zip(rates["one"], rates["bare"], strict=True)]
    linear = [two / one / 2 for two, one in zip(rates["two"], rates["one"], strict=True)]
    limit = [two / one / 2 for two, one in zip(rates["bare_two"], rates["bare"], strict=True)]
    return [
        f"{env}, {battles:,}",
        *(median_of(millions[name], 2) for name in ("bare", "one", "copied")),
        median_of(ratio, 3),
        median_of(millions["two"], 2),
        median_of(linear, 3),
        median_of(limit, 3),
    ]


def _peers(pythons: Sequence[str]) -> list[list[str]]:
    """Return the rates of the peers that some Python has, and why the others are missing."""
    found: dict[str, list[str]] = {}
    for python in pythons:
        with TemporaryDirectory() as folder:  # PufferLib leaves a link where it runs
            words = [python, str(HERE / "envs.py"), "--only-peers"]
            done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=folder)
        for row in map(json.loads, done.stdout.splitlines()):
            if "rate" in row:
                found[row["peer"]] = [f"{row['peer']} ({row['version']})", f"{row['rate']:,.0f}"]
            else:
                found.setdefault(row["peer"], [row["peer"], row["why"]])
    return list(found.values())


def _rate(steps: Callable[[], int]) -> float:
    """Return the turns per second.

    Args:
        steps: plays some turns, and returns their number.
    """
    steps()
    began, done = time.perf_counter(), 0
    while time.perf_counter() - began < PEER_S:
        done += steps()
    return done / (time.perf_counter() - began)


def pettingzoo_classic() -> float:
    """Return the turns per second of Connect Four in PettingZoo."""
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
    """Return the turns per second of Connect Four in OpenSpiel, with observation tensors."""
    import pyspiel

    game, chance = pyspiel.load_game("connect_four"), random.Random(1)

    def steps() -> int:
        state, count = game.new_initial_state(), 0
        while not state.is_terminal():
            state.observation_tensor()
            state.apply_action(chance.choice(state.legal_actions()))
            count += 1
        return count

    return _rate(steps)


def gymnax() -> float:
    """Return the turns per second of 1,024 CartPoles of gymnax, compiled by JAX on the processor."""
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
    """Return the turns per second of 1,024 CartPoles in Gymnasium's own vector environment."""
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
    """Return the turns per second of an environment of PufferLib in C.

    Args:
        actions: actions of all agents, for some steps.
    """
    envs.reset(seed=1)

    def steps() -> int:
        for action in actions:
            envs.step(action)
        return int(envs.num_agents) * len(actions)

    return _rate(steps)


def pufferlib_target() -> float:
    """Return the turns per second of Target of PufferLib.

    It has 128 fields, each with 8 agents and 4 goals, and 28 numbers per agent.
    """
    from pufferlib.ocean.target.target import Target

    envs = Target(num_envs=128)
    return _pufferlib(envs, np.random.default_rng(1).integers((9, 5), size=(64, envs.num_agents, 2)))


def pufferlib_drone() -> float:
    """Return the turns per second of Drone of PufferLib: 1,024 drones, with 16 numbers each."""
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
        except Exception as error:  # not installed, or it does not run here: the table says why
            yield {"peer": title, "why": f"{type(error).__name__}: {error}"}


def main() -> int:
    """Measure and print."""
    words = parser(__doc__)
    words.add_argument("--repeat", type=int, default=5, help="runs of each way")
    words.add_argument("--peers", metavar="PYTHON", action="append", help="a Python with other environments")
    words.add_argument("--quick", action="store_true", help="play a tenth of the steps")
    words.add_argument("--only-peers", action="store_true", help="print the peers' speeds as JSON lines")
    given = words.parse_args()
    if given.only_peers:
        for row in _measured():
            print(json.dumps(row), flush=True)
        return 0
    part = 10 if given.quick else 1
    rows = [_row(env, battles, steps // part, given.repeat) for env, battles, steps in WORKLOADS]
    head = (
        "environment, battles",
        "loop in C, M/s",
        "ours, M/s",
        "ours with copy=True, M/s",
        "ours / C",
        "two threads, M/s",
        "share of linear speed",
        "two loops in C, share of linear speed",
    )
    print(markdown(head, rows))
    sizes = [[env, f"{memory(env):,.0f}"] for env in ENVS]
    print(markdown(("environment", "bytes per battle"), sizes))
    slow = ours("TankDuel-v0", 8, 40, speed="interpreted")
    print(
        markdown(
            ("others, and ours interpreted", "turns per second"),
            [
                ["ours, as a parallel_env of PettingZoo, one duel at a time", f"{single():,.0f}"],
                ["ours, with interpreted rules, 8 duels at the same time", f"{slow:,.0f}"],
                *_peers(given.peers or [sys.executable]),
            ],
        )
    )
    print(f"load {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
