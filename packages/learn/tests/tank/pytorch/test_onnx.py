"""Policies of other libraries play as bots, from ONNX files."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from torch import nn

from turnwright import run_battle
from turnwright.errors import SetupError
from turnwright.net.participants.directory import load as directory
from turnwright_learn.tank.onnx_policy import load_onnx
from turnwright_learn.tank.opponents import OpponentPool
from turnwright_learn.tank.policy import load
from turnwright_learn.tank.policy_bot import PolicyBot, write_bot
from turnwright_learn.tank.training.ppo import Learner, PpoSettings
from turnwright_tank.bots.house.spinner import Spinner
from turnwright_tank.envs.features import features_of

FEATURES = len(features_of(800, 600, 2))


def model(path: Path, layers: list[tuple[np.ndarray, np.ndarray]]) -> Path:  # type: ignore[type-arg]
    """Write dense layers with ReLU between them as ONNX."""
    from onnx import TensorProto, helper, numpy_helper

    nodes, weights, name = [], [], "seen"
    for place, (matrix, offsets) in enumerate(layers):
        weights += [
            numpy_helper.from_array(matrix, f"w{place}"),
            numpy_helper.from_array(offsets, f"b{place}"),
        ]
        last = place == len(layers) - 1
        out = "out" if last else f"sum{place}"
        nodes.append(helper.make_node("Gemm", [name, f"w{place}", f"b{place}"], [out]))
        if not last:
            nodes.append(helper.make_node("Relu", [out], [f"h{place}"]))
            name = f"h{place}"
    many = [
        helper.make_tensor_value_info("seen", TensorProto.FLOAT, ["many", layers[0][0].shape[0]]),
        helper.make_tensor_value_info("out", TensorProto.FLOAT, ["many", layers[-1][0].shape[1]]),
    ]
    graph = helper.make_graph(nodes, "policy", [many[0]], [many[1]], weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(made, str(path))
    return path


def drawn(*widths: int) -> list[tuple[np.ndarray, np.ndarray]]:  # type: ignore[type-arg]
    chance = np.random.default_rng(1)
    return [
        (chance.normal(size=(a, b)).astype(np.float32), np.zeros(b, np.float32)) for a, b in pairwise(widths)
    ]


def test_an_onnx_policy_acts_as_the_weights_that_it_has(tmp_path: Path) -> None:
    learner = Learner(
        PpoSettings(battles=4, steps=4, widths=(32, 16), threads=1), OpponentPool({"Spinner": "Spinner"})
    )
    policy = learner.policy()
    other = load_onnx(model(tmp_path / "policy.onnx", list(policy.layers)), frame_skip=2)
    seen = np.random.default_rng(1).uniform(-1, 1, (100, FEATURES)).astype(np.float32)
    assert np.array_equal(other(seen), policy(seen))
    assert other.seats == 2
    other.check(features_of(800, 600, 2))
    with pytest.raises(SetupError, match="features"):
        other.check(features_of(800, 600, 3))


@pytest.mark.parametrize("numbers", [5, 25])
def test_an_onnx_policy_becomes_a_bot_that_plays(tmp_path: Path, numbers: int) -> None:
    write_bot(model(tmp_path / "p.onnx", drawn(FEATURES, 16, numbers)), tmp_path / "Foreign", frame_skip=2)
    assert directory(tmp_path / "Foreign").kind == "bot"

    class Foreign(PolicyBot):
        policy_file = tmp_path / "Foreign" / "policy.onnx"
        frame_skip = 2

    found = run_battle(Foreign, Spinner, rounds=1, seed=1)
    assert sorted(row.name for row in found.results) == ["Foreign", "Spinner"]
    assert not found.failures


def test_a_file_that_is_not_a_policy_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.onnx").write_text("no model")
    for path, word in (
        (tmp_path / "none.onnx", "no file"),
        (tmp_path / "text.onnx", "not a policy"),
        (model(tmp_path / "odd.onnx", drawn(FEATURES, 7)), "shape"),
    ):
        with pytest.raises(SetupError, match=word):
            load_onnx(path)
    with pytest.raises(SetupError, match="frame_skip"):
        load_onnx(model(tmp_path / "good.onnx", drawn(FEATURES, 5)), frame_skip=0)


def test_a_small_network_answers_long_before_a_deadline(tmp_path: Path) -> None:
    """The bound is that of a tick of 30 ms; bench/README.md has the figures."""
    torch.set_num_threads(1)
    learner = Learner(PpoSettings(battles=4, steps=4, threads=1), OpponentPool({"Spinner": "Spinner"}))
    learner.policy().save(tmp_path / "policy.npz")
    ours = load(tmp_path / "policy.npz")
    theirs = load_onnx(model(tmp_path / "policy.onnx", list(ours.layers)))
    assert isinstance(learner.network.actor[0], nn.Linear)
    seen = np.zeros((1, FEATURES), np.float32)
    for policy in (ours, theirs):
        took = []
        for _ in range(300):
            began = time.perf_counter()
            policy(seen)
            took.append(time.perf_counter() - began)
        assert sorted(took)[150] < 0.03
