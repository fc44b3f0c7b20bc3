from __future__ import annotations

import sys

import numpy as np
import pytest

from tests.games.tank.envs.single import common_of, fighting, give_seeds
from tests.messages import missing
from turnwright.errors import SetupError
from turnwright.games.tank.envs.batch import SAME_STEP
from turnwright.games.tank.envs.cuda import CudaBatch
from turnwright.games.tank.envs.cuda_device import CudaDevice, compile_battles, why_no_gpu
from turnwright.games.tank.envs.new_batch import new_batch
from turnwright.games.tank.envs.spaces import ENVS
from turnwright.games.tank.envs.vector import TankVectorEnv


def test_without_its_library_a_gpu_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cuda.bindings", None)
    for refused in (lambda: TankVectorEnv(2, speed="cuda"), lambda: compile_battles("compute_90")):
        with pytest.raises(SetupError) as error:
            refused()
        assert not missing(str(error.value), "turnwright[cuda]")
    assert "turnwright[cuda]" in why_no_gpu()


@pytest.mark.gpu
@pytest.mark.parametrize("name", ENVS)
def test_battles_on_a_gpu_are_those_of_the_processor_to_the_bit(name: str) -> None:
    if why_no_gpu():
        pytest.skip(why_no_gpu())
    common = common_of(name, 100, max_turns=300, frame_skip=2)
    there, here = CudaBatch(common, CudaDevice()), new_batch(common, "compiled")
    for batch in (there, here):
        for battle in range(common.battles):
            batch.seed(battle, 100 + battle)
        batch.reset(None)
    for step in range(400):
        assert np.array_equal(there.results.observations, here.results.observations), step
        assert np.array_equal(there.results.rewards, here.results.rewards), step
        actions = fighting(here.results.observations)
        for batch in (there, here):
            batch.step(actions, SAME_STEP)
            give_seeds(batch, step)
    assert [there.snapshot(k) for k in range(100)] == [here.snapshot(k) for k in range(100)]
