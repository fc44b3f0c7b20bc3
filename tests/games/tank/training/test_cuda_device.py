"""The kernels compile for GPUs, and round each operation by itself. It needs NVRTC, not a GPU."""

from __future__ import annotations

import re

import pytest

from turnwright.errors import SetupError
from turnwright.games.tank.envs.cuda_device import compile_battles, why_no_gpu
from turnwright.games.tank.envs.vector import TankVectorEnv

EXACT = {"add.rn", "sub.rn", "mul.rn", "div.rn", "rcp.rn", "sqrt.rn"}
"""Operations of 64-bit floats that are rounded as IEEE 754 says, and are never joined."""
OTHERS = {"abs", "neg", "min", "max", "mov", "selp", "ld", "st", "cvt", "setp", "copysign", "testp", "cvta"}
"""Instructions that round nothing, or conversions."""


def test_battles_compile_for_a_gpu_and_no_operation_is_joined_with_another() -> None:
    ptx = compile_battles("compute_90").decode()
    found = set(re.findall(r"^\s+(?:@%?\w+\s+)?([a-z]+(?:\.rn)?)[a-z0-9.]*\.f64", ptx, re.MULTILINE))
    assert found >= EXACT - {"rcp.rn"}
    assert found <= EXACT | OTHERS | {f"{name}.rn" for name in OTHERS}
    for kernel in ("measure", "lay_out", "reset", "step", "snapshot"):
        assert f".entry {kernel}(" in ptx


def test_battles_compile_to_what_runs_on_a_gpu_too() -> None:
    assert compile_battles("sm_90").startswith(b"\x7fELF")


def test_what_does_not_compile_is_told_with_the_log() -> None:
    with pytest.raises(RuntimeError, match="compute_1"):
        compile_battles("compute_1")


def test_without_a_gpu_the_environment_says_so() -> None:
    if not why_no_gpu():
        pytest.skip("there is a GPU")
    with pytest.raises(SetupError, match="no GPU"):
        TankVectorEnv(2, speed="cuda")
