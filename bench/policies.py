"""Times a policy's bot: one turn of a duel, from the observation to the intent, its driving drawn.

    python bench/policies.py [--turns 20000] [--widths 256 128]

Beside the same in ONNX where onnxruntime and onnx are, and a house bot (Tracker) on the same observations.
The bot plays a battle in this process against Crawler; each of its turns is timed. Figures in microseconds.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from turnwright import run_battle
from turnwright.games.tank.bots.bot import Bot
from turnwright.games.tank.bots.house.crawler import Crawler
from turnwright.games.tank.bots.house.tracker import Tracker
from turnwright.games.tank.envs.actions import DISCRETE
from turnwright.games.tank.envs.features import features_of
from turnwright.games.tank.envs.onnx_policy import load_onnx
from turnwright.games.tank.envs.policy import Policy
from turnwright.games.tank.envs.policy_bot import PolicyBot


def drawn(widths: list[int]) -> Policy:
    """Return a policy for duels with weights by lot."""
    features = tuple(feature.name for feature in features_of(800, 600, 2))
    chance = np.random.default_rng(1)
    sizes = [len(features), *widths, sum(map(len, DISCRETE))]
    layers = [
        (chance.normal(0, a**-0.5, (a, b)).astype(np.float32), np.zeros(b, np.float32))
        for a, b in pairwise(sizes)
    ]
    return Policy(layers, features, 1, "relu", ("speed", "turn"))


def as_onnx(policy: Policy, path: Path) -> Any:
    """Return the same policy, computed by onnxruntime."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    nodes, weights, name = [], [], "seen"
    for place, (matrix, offsets) in enumerate(policy.layers):
        weights += [
            numpy_helper.from_array(matrix, f"w{place}"),
            numpy_helper.from_array(offsets, f"b{place}"),
        ]
        out = f"sum{place}"
        nodes.append(helper.make_node("Gemm", [name, f"w{place}", f"b{place}"], [out]))
        if place < len(policy.layers) - 1:
            name = f"h{place}"
            nodes.append(helper.make_node("Relu", [out], [name]))
    ends = [
        helper.make_tensor_value_info(end, TensorProto.FLOAT, ["many", width])
        for end, width in (("seen", policy.layers[0][0].shape[0]), (out, policy.layers[-1][0].shape[1]))
    ]
    graph = helper.make_graph(nodes, "policy", [ends[0]], [ends[1]], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))
    return load_onnx(path)


def times_of(bot: Bot, turns: int) -> list[float]:
    """Return the time of each turn of a bot in battles against Crawler, in microseconds."""
    took: list[float] = []
    step = bot.step

    def timed(observation: Any) -> Any:
        began = time.perf_counter_ns()
        answer = step(observation)
        took.append((time.perf_counter_ns() - began) / 1000.0)
        return answer

    bot.step = timed  # type: ignore[method-assign]
    seed = 0
    while len(took) < turns:
        seed += 1
        run_battle(bot, Crawler, rounds=20, seed=seed)
    return took[:turns]


def main() -> None:
    """Print a line for each bot."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=20_000)
    parser.add_argument("--widths", type=int, nargs="+", default=[256, 128])
    given = parser.parse_args()
    policy = drawn(given.widths)
    bots: list[tuple[str, Bot]] = [("Tracker", Tracker()), ("policy, NumPy", PolicyBot(policy))]
    with tempfile.TemporaryDirectory() as scratch:
        if find_spec("onnx") and find_spec("onnxruntime"):
            bots.append(("policy, ONNX", PolicyBot(as_onnx(policy, Path(scratch) / "policy.onnx"))))
        print(f"a network of {' and '.join(map(str, given.widths))}, {given.turns:,} turns each, µs")
        print(f"{'':16} {'median':>8} {'p99':>8} {'p99.9':>8} {'max':>9}")
        for name, bot in bots:
            took = np.array(times_of(bot, given.turns))
            p50, p99, p999 = np.percentile(took, [50, 99, 99.9])
            print(f"{name:16} {p50:8.0f} {p99:8.0f} {p999:8.0f} {took.max():9.0f}", flush=True)


if __name__ == "__main__":
    main()
