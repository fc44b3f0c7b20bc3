"""Turns and episodes a second of an environment whose opponent is a program, beside the same in one process.

    python bench/env_programs.py [--repeat 5]

A duel against the house bot Crawler with random actions. Episodes are cut short after 50 turns in the second
figure. All ways alternate within a run.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from typing import Any

import gymnasium
import numpy as np
from rig import markdown

import turnwright.envs  # noqa: F401  # it registers the environments

TURNS, EPISODES, SHORT = 2000, 40, 50
WAYS: dict[str, dict[str, Any]] = {"in this process": {}, "a process": {"processes": True}}


def turns_a_second(**options: Any) -> float:
    """Return the turns a second of whole episodes, without their beginnings."""
    env: Any = gymnasium.make("turnwright/TankDuel-v0", opponents="Crawler", **options)
    actions = np.random.default_rng(1).uniform(-1, 1, (TURNS, 5)).astype(np.float32)
    env.reset(seed=1)
    took = 0.0
    for action in actions:
        began = time.perf_counter()
        *_, terminated, truncated, _ = env.step(action)
        took += time.perf_counter() - began
        if terminated or truncated:
            env.reset()
    env.close()
    return TURNS / took


def episodes_a_minute(**options: Any) -> float:
    """Return the short episodes a minute, without the start of the program."""
    env: Any = gymnasium.make("turnwright/TankDuel-v0", opponents="Crawler", max_turns=SHORT, **options)
    env.reset(seed=1)
    began = time.perf_counter()
    for _ in range(EPISODES):
        env.reset()
        while not any(env.step(env.action_space.sample())[2:4]):
            pass
    took = time.perf_counter() - began
    env.close()
    return 60 * EPISODES / took


def _spread(values: list[float]) -> str:
    return f"{statistics.median(values):,.0f} ({min(values):,.0f} … {max(values):,.0f})"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeat", type=int, default=5)
    given = parser.parse_args()
    found: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in WAYS}
    for _ in range(given.repeat):
        for name, options in WAYS.items():
            found[name][0].append(turns_a_second(**options))
            found[name][1].append(episodes_a_minute(**options))
    rows = [[name, *map(_spread, values)] for name, values in found.items()]
    print(markdown(("the opponent is", "turns a second", f"episodes of {SHORT} turns a minute"), rows))
    print(f"load {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
