"""A sparring partner drives to and fro, stops in between, and fires weak bullets."""

from __future__ import annotations

import numpy as np

from turnwright_learn.tank.training.sparring import seesaw
from turnwright_learn.tank.vector import TankVectorEnv


def test_the_seesaw_drives_stops_and_fires() -> None:
    envs = TankVectorEnv(20, opponents=seesaw, full_state=True, autoreset_mode="Disabled", max_turns=500)
    speed, fired = (envs.features.index(name) for name in ("speed", "fired"))
    envs.reset(seed=1)
    speeds, powers = [], []
    for _ in range(300):
        _, _, _, _, infos = envs.step(np.zeros((20, 5), np.float32))
        speeds.append(infos["full_state"][:, 1, speed])
        powers.append(infos["full_state"][:, 1, fired])
    found = np.array(speeds)
    assert ((found > 0.5).any(0) & (found < -0.5).any(0)).all()
    assert 0.4 < (found == 0.0).mean() < 0.8
    shots = np.array(powers)[np.array(powers) > 0.0]
    assert len(shots) > 20
    assert np.allclose(shots, 1.0 / 3.0, atol=1e-6)
