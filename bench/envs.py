"""Agent-steps a second of the tank environments, beside a loop in C and environments of others.

    python bench/envs.py [--repeat 5] [--peers PYTHON …] [--quick]

The loop in C plays the same battles without Python; two of them at once, each a process, tell what the second
processor adds. Random actions that are held for 8 steps, with observations, rewards and beginnings inside,
after 200 steps; an agent-step is one turn of one tank. All ways alternate within a run. --peers: a Python
with what is to be compared (pettingzoo[classic], open_spiel, gymnax, pufferlib); more than once where they do
not go together. What none has is named.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rig import OUT, markdown

from turnwright.envs import parallel_env
from turnwright.games.tank.envs.spaces import ENVS
from turnwright.games.tank.envs.vector import TankVectorEnv

HERE = Path(__file__).resolve().parent
C = HERE.parent / "src" / "turnwright" / "games" / "tank" / "backends" / "c"
WORKLOADS = (("TankDuel-v0", 1024, 1500), ("TankDuel-v0", 16384, 100), ("TankMelee-v0", 512, 200))
"""Environment, battles, steps."""
HELD_STEPS = 8
WARM_STEPS = 200


@cache
def bare_program() -> Path:
    """Compile the loop in C, once a run: the sources may have changed since the last one."""
    OUT.mkdir(exist_ok=True)
    program = OUT / "envs_bare"
    words = ["-O3", "-std=c11", "-D_GNU_SOURCE", "-ffp-contract=off", "-fno-fast-math", "-w", f"-I{C}"]
    subprocess.run(["cc", *words, "-o", program, HERE / "envs_bare.c", "-lm"], check=True)
    return program


def bare(env: str, battles: int, steps: int, processes: int = 1) -> float:
    """Return agent-steps a second of the loop in C.

    processes: which share the battles, and nothing else.
    """
    program = bare_program()
    settings, seats = ENVS[env]["settings"], ENVS[env]["seats"]
    sides = [settings.get("arena_width", 800), settings.get("arena_height", 600)]
    said = [program, *(str(word) for word in (battles // processes, seats, steps, *sides))]
    begun = [subprocess.Popen(said, stdout=subprocess.PIPE, text=True) for _ in range(processes)]
    rates = [float(process.communicate()[0]) for process in begun]
    if any(process.returncode for process in begun):
        raise RuntimeError(f"{said} failed")
    return sum(rates)


def ours(env: str, battles: int, steps: int, **more: Any) -> float:
    """Return agent-steps a second of the vector environment."""
    seats = ENVS[env]["seats"]
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
    """Return agent-steps a second of one duel after the other, by PettingZoo's interface."""
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
    """Return the bytes of one battle, after a while, without its part of the results."""
    seats = ENVS[env]["seats"]
    envs = TankVectorEnv(256 * seats, env=env, opponents="self", autoreset_mode="SameStep")
    envs.reset(seed=1)
    for _ in range(1000):
        envs.step(envs.action_space.sample())
    return envs.memory_bytes / 256


def alternated(ways: dict[str, Callable[[], float]], repeat: int) -> dict[str, list[float]]:
    """Return the rates of each way, measured in turns."""
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(repeat):
        for name, measure in ways.items():
            rates[name].append(measure())
    return rates


def _spread(values: list[float], digits: int = 2) -> str:
    low, middle, high = min(values), statistics.median(values), max(values)
    return f"{middle:.{digits}f} ({low:.{digits}f} … {high:.{digits}f})"


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
        *(_spread(millions[name]) for name in ("bare", "one", "copied")),
        _spread(ratio, 3),
        _spread(millions["two"]),
        _spread(linear, 3),
        _spread(limit, 3),
    ]


def _peers(pythons: Sequence[str]) -> list[list[str]]:
    """Return what each Python says of the peers that it has, and why the others are in none."""
    found: dict[str, list[str]] = {}
    for python in pythons:
        with TemporaryDirectory() as folder:  # PufferLib leaves a link where it runs
            words = [python, HERE / "envs_peers.py"]
            done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=folder)
        for row in map(json.loads, done.stdout.splitlines()):
            if "rate" in row:
                found[row["peer"]] = [f"{row['peer']} ({row['version']})", f"{row['rate']:,.0f}"]
            else:
                found.setdefault(row["peer"], [row["peer"], row["why"]])
    return list(found.values())


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--peers", action="append")
    parser.add_argument("--quick", action="store_true", help="a tenth of the steps")
    given = parser.parse_args()
    part = 10 if given.quick else 1
    rows = [_row(env, battles, steps // part, given.repeat) for env, battles, steps in WORKLOADS]
    head = (
        "environment, battles",
        "loop in C, M/s",
        "ours, M/s",
        "with copies, M/s",
        "ours / C",
        "two threads, M/s",
        "of linear",
        "two loops in C, of linear",
    )
    print(markdown(head, rows))
    sizes = [[env, f"{memory(env):,.0f}"] for env in ENVS]
    print(markdown(("environment", "bytes a battle"), sizes))
    slow = ours("TankDuel-v0", 8, 40, speed="interpreted")
    print(
        markdown(
            ("others, and ours interpreted", "agent-steps/s"),
            [
                ["ours, one duel at a time by PettingZoo's parallel_env", f"{single():,.0f}"],
                ["ours, interpreted, 8 duels side by side", f"{slow:,.0f}"],
                *_peers(given.peers or [sys.executable]),
            ],
        )
    )
    print(f"load {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
