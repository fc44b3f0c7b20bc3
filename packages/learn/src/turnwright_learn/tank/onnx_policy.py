"""Policies of other libraries, as ONNX files. They need the extra [onnx].

    policy = load_onnx(Path("policy.onnx"), frame_skip=2)
    actions = policy(observations)          (many, feature) -> (many, number), 32-bit floats

The model takes observations (many, feature) and returns either the five numbers of actions, or the scores of
all choices of the discrete form, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from turnwright.errors import SetupError
from turnwright_learn.tank.policy import best_choices, seats_of_inputs
from turnwright_tank.envs.actions import ACTIONS, DISCRETE
from turnwright_tank.envs.features import Feature

_SIZE_MAX = 256 << 20
_CHOICES = sum(map(len, DISCRETE))
Array = np.ndarray[Any, np.dtype[Any]]


class OnnxPolicy:
    """A policy that onnxruntime computes, on one processor.

    Args:
        inputs: the number of numbers in an observation.
        frame_skip: the number of turns for which an action is repeated.
    """

    drawn: tuple[str, ...] = ()

    def __init__(self, session: Any, inputs: int, frame_skip: int) -> None:
        self._session = session
        self._input = session.get_inputs()[0].name
        self.inputs, self.frame_skip = inputs, frame_skip

    @property
    def seats(self) -> int:
        """The number of tanks in the battles for which it was trained."""
        return seats_of_inputs(self.inputs)

    def __call__(self, observations: Array) -> Array:
        """Return actions: (many, number). Numbers that the model returns itself may be outside -1 … 1."""
        found: Array = self._session.run(None, {self._input: observations})[0]
        return best_choices(found) if found.shape[1] == _CHOICES else found

    def check(self, features: Sequence[Feature]) -> None:
        """Check that the policy has as many inputs as there are features.

        Raises:
            SetupError: the policy is for another number of features.
        """
        if len(features) != self.inputs:
            raise SetupError(
                f"the policy is for {self.inputs} features, here are {len(features)}: it plays battles of as"
                " many tanks as it was trained with"
            )


def load_onnx(path: Path, frame_skip: int = 1) -> OnnxPolicy:
    """Return the policy of an ONNX file. The model is run once to check its result.

    Raises:
        SetupError: onnxruntime is missing, the file is not such a policy, or `frame_skip` is not 1 to 100.
    """
    try:
        import onnxruntime
    except ImportError:
        raise SetupError(f"{path} needs onnxruntime: pip install 'turnwright[onnx]'") from None
    if not path.exists():
        raise SetupError(f"there is no file {path}")
    if path.stat().st_size > _SIZE_MAX:
        raise SetupError(f"{path} has more than {_SIZE_MAX >> 20} MiB: that is not a policy for a turn")
    if not isinstance(frame_skip, int) or not 1 <= frame_skip <= 100:
        raise SetupError(f"frame_skip is {frame_skip!r}: give a whole number from 1 to 100")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        inputs = _width(session.get_inputs(), "input", path)
        policy = OnnxPolicy(session, inputs, frame_skip)
        found = session.run(None, {session.get_inputs()[0].name: np.zeros((1, inputs), np.float32)})[0]
    except SetupError:
        raise
    except Exception as error:  # onnxruntime's errors have no common type
        raise SetupError(f"{path} is not a policy: {str(error).splitlines()[0]}") from error
    if found.ndim != 2 or found.shape[1] not in (len(ACTIONS), _CHOICES):
        raise SetupError(
            f"{path} is not a policy: it returns the shape {found.shape}; expected (many, {len(ACTIONS)})"
            f" actions or (many, {_CHOICES}) scores of choices"
        )
    return policy


def _width(inputs: Sequence[Any], what: str, path: Path) -> int:
    shape = inputs[0].shape if len(inputs) == 1 else None
    if shape is None or len(shape) != 2 or not isinstance(shape[1], int):
        raise SetupError(f"{path} is not a policy: expected one {what} of the shape (many, feature)")
    return shape[1]
