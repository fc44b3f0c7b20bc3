"""Battles on a GPU, played here by the processor: the same kernels, compiled as C."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.games.tank.envs.processor_device import ProcessorDevice
from tests.games.tank.envs.single import common_of, fighting, give_seeds
from turnwright.errors import SetupError
from turnwright.games.tank.backends import extension
from turnwright.games.tank.envs.batch import (
    DISABLED,
    HOUSE_BOTS,
    NEXT_STEP,
    SAME_STEP,
    Batch,
    BatchSettings,
)
from turnwright.games.tank.envs.cuda import CudaBatch
from turnwright.games.tank.envs.new_batch import new_batch
from turnwright.games.tank.envs.spaces import ENVS

RESULTS = ("observations", "finals", "rewards", "terms", "terminated", "truncated", "alive", "used")

pytestmark = pytest.mark.skipif(not extension.available(), reason="the rules are not compiled here")


def both(common: BatchSettings, players: tuple[int, ...] = ()) -> tuple[CudaBatch, Batch]:
    """Return two batches that have begun: on a device, and on the processor."""
    there, here = CudaBatch(common, ProcessorDevice()), new_batch(common, "compiled")
    for batch in (there, here):
        for battle in range(common.battles):
            batch.seed(battle, 100 + battle, players)
        batch.reset(None)
    return there, here


def assert_same(there: CudaBatch, here: Batch, step: int) -> None:
    for name in RESULTS:
        assert np.array_equal(getattr(there.results, name), getattr(here.results, name)), f"{name} at {step}"


@pytest.mark.parametrize("name", ENVS)
@pytest.mark.parametrize("autoreset", [NEXT_STEP, SAME_STEP, DISABLED])
def test_battles_on_a_device_are_those_of_the_processor_to_the_bit(name: str, autoreset: int) -> None:
    common = common_of(name, 5, max_turns=150, frame_skip=2)
    there, here = both(common)
    ended = 0
    for step in range(130):
        assert_same(there, here, step)
        actions = fighting(here.results.observations)
        there.step(actions, autoreset)
        here.step(actions, autoreset)
        ended += int(here.results.terminated.sum() + here.results.truncated.sum())
        give_seeds(there, step)
        give_seeds(here, step)
        if step % 10 == 0:
            assert all(there.snapshot(k) == here.snapshot(k) for k in range(common.battles))
    assert ended > 0


def test_guns_that_are_never_hot_have_room_for_their_bullets() -> None:
    settings = {**ENVS["TankMelee-v0"]["settings"], "gun_cooling_rate": 3.0}
    there, here = both(common_of("TankMelee-v0", 3, settings=settings))
    most = 0
    for step in range(200):
        actions = fighting(here.results.observations)
        actions[:, :, 4] = 0.04  # 0.12 of power: the most bullets
        there.step(actions, DISABLED)
        here.step(actions, DISABLED)
        assert_same(there, here, step)
        most = max(most, len(here.snapshot(0)))
    assert most > 9_000, "a hundred bullets"


@pytest.mark.parametrize("player", [1 + k for k, name in enumerate(HOUSE_BOTS) if name != "Ace"])
def test_a_house_bot_on_a_device_asks_for_angles_elsewhere_and_hardly_differs(player: int) -> None:
    there, here = both(common_of("TankDuel-v0", 8, learners=1), players=(0, player))
    for _ in range(40):
        actions = np.zeros((8, 2, 5), np.float32)
        actions[:, 0, :2] = 1.0, 0.3
        there.step(actions, DISABLED)
        here.step(actions, DISABLED)
    assert np.allclose(there.results.observations, here.results.observations, atol=1e-6)


def test_named_battles_alone_begin_anew() -> None:
    there, here = both(common_of("TankDuel-v0", 6))
    actions = np.full((6, 2, 5), 0.5, np.float32)
    for batch in (there, here):
        batch.step(actions, DISABLED)
        batch.reset(np.array([True, False, False, True, False, True]))
    assert there.results.used.tolist() == [True, False, False, True, False, True]
    assert_same(there, here, 1)


@pytest.mark.parametrize(
    ("shape", "kind", "number", "words"),
    [
        ((6, 2, 4), np.float32, 0.0, ("(6, 2, 4)", "(6, 2, 5)")),
        ((6, 2, 5), np.float64, 0.0, ("float64", "float32")),
        ((6, 2, 5), np.float32, np.nan, ("actions[0, 0, 0]", "finite")),
    ],
)
def test_actions_that_cannot_be_are_refused(shape: Any, kind: Any, number: float, words: Any) -> None:
    there, _ = both(common_of("TankDuel-v0", 6))
    with pytest.raises(ValueError) as error:
        there.step(np.full(shape, number, kind), DISABLED)
    assert all(word in str(error.value) for word in words)


def test_a_battle_without_room_is_told() -> None:
    class Narrow(ProcessorDevice):
        def read(self, place: int, data: Any) -> None:
            super().read(place, data)
            if data.dtype == np.int64 and len(data) == 5 and self.narrow:
                data[4] = 1

        narrow = False

    device = Narrow()
    batch = CudaBatch(common_of("TankDuel-v0", 2), device)
    device.narrow = True
    with pytest.raises(RuntimeError, match="room"):
        batch.reset(None)


def test_arrays_on_the_device_are_shown_where_they_lie() -> None:
    device = ProcessorDevice()
    there = CudaBatch(common_of("TankDuel-v0", 6), device)
    there.reset(None)
    shown = there.on_device["observations"].__cuda_array_interface__
    assert shown["shape"] == (6, 2, there.results.observations.shape[2])
    assert (shown["typestr"], shown["strides"], shown["version"]) == ("<f4", None, 3)
    place, read_only = shown["data"]
    assert read_only
    seen = np.zeros_like(there.results.observations)
    device.read(place, seen)
    assert np.array_equal(seen, there.results.observations)


def test_a_closed_batch_gives_all_memory_back() -> None:
    device = ProcessorDevice()
    batch = CudaBatch(common_of("TankDuel-v0", 6), device)
    assert batch.memory() > 6 * 4000
    assert device.blocks
    batch.close()
    batch.close()
    assert not device.blocks


def test_ace_does_not_play_on_a_device() -> None:
    there = CudaBatch(common_of("TankDuel-v0", 1), ProcessorDevice())
    with pytest.raises(SetupError, match="Ace"):
        there.seed(0, 1, (0, 1 + HOUSE_BOTS.index("Ace")))
