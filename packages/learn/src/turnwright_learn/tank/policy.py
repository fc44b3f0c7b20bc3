"""Policies: small networks in NumPy, and their files.

    policy = load(Path("policy.npz"))
    actions = policy(observations)          (many, feature) -> (many, number), 32-bit floats

A file has the weights of each layer, and the names of its features and choices. So a file of another version
is refused.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from turnwright.errors import SetupError
from turnwright.net.files.new_file import write_file
from turnwright_tank.envs.actions import ACTIONS, DISCRETE
from turnwright_tank.envs.features import OTHER, OWN, Feature

FORMAT = 1
"""The version of the files."""
_SIZE_MAX = 64 << 20
_WIDTH_MAX = 4096
_LAYERS_MAX = 16
Array = np.ndarray[Any, np.dtype[Any]]


def _relu(values: Array) -> Array:
    return np.maximum(values, 0.0)


ACTIVATIONS: Mapping[str, Callable[[Array], Array]] = {"tanh": np.tanh, "relu": _relu}
"""The functions between two layers, by name."""
_CHOICES = tuple(np.array(values, np.float32) for values in DISCRETE)
_LEAST = 1e-12
CHOICES = sum(map(len, DISCRETE))
"""The number of choices in all: the sum over the numbers of an action."""


def seats_of_inputs(features: int) -> int:
    """Return the number of tanks in a battle whose observations have this many features."""
    return (features - OWN) // OTHER + 1


def best_choices(scores: Array) -> Array:
    """Return the actions of the best choices: (many, number).

    Args:
        scores: the scores of all choices of the discrete form, in order: (many, choice).
    """
    found, at = [], 0
    for values in _CHOICES:
        found.append(values[scores[:, at : at + len(values)].argmax(1)])
        at += len(values)
    return np.stack(found, 1)


@dataclass(frozen=True)
class Policy:
    """A network of dense layers with an activation between them.

    The last layer scores the choices of each number of an action.

    Attributes:
        layers: weights (in, out) and offsets (out) of each layer.
        features: the names of its inputs, in order.
        frame_skip: the number of turns for which an action is repeated.
        activation: one of ACTIVATIONS.
        drawn: the numbers of ACTIONS that its bot draws at random, by the policy's probabilities. For the
            others, the bot takes the best choice.
    """

    layers: Sequence[tuple[Array, Array]]
    features: tuple[str, ...]
    frame_skip: int = 1
    activation: str = "tanh"
    drawn: tuple[str, ...] = ()

    @property
    def seats(self) -> int:
        """The number of tanks in the battles for which it was trained."""
        return seats_of_inputs(len(self.features))

    def scores(self, observations: Array) -> Array:
        """Return the scores of all choices: (many, choice)."""
        values, activate = observations, ACTIVATIONS[self.activation]
        for place, (weights, offsets) in enumerate(self.layers):
            values = values @ weights + offsets
            if place < len(self.layers) - 1:
                values = activate(values)
        return values

    def __call__(self, observations: Array) -> Array:
        """Return the best actions: (many, number), each -1 … 1."""
        return best_choices(self.scores(observations))

    def draw(self, observations: Array, uniform: Array) -> Array:
        """Return actions (many, number), in which the numbers of `drawn` are drawn at random.

        Args:
            uniform: random numbers for the draws, 0 <= number < 1: (many, choice).
        """
        noise = -np.log(-np.log(np.clip(uniform, _LEAST, 1.0 - _LEAST)))
        return best_choices(self.scores(observations) + noise * _mask(self.drawn))

    def save(self, path: Path) -> None:
        """Write the policy to a new file, and rename the file to `path` when it is complete.

        Raises:
            OSError: the file cannot be written.
        """
        about = {
            "format": FORMAT,
            "features": list(self.features),
            "choices": [list(values) for values in DISCRETE],
            "frame_skip": self.frame_skip,
            "activation": self.activation,
            "drawn": list(self.drawn),
        }
        arrays: dict[str, Any] = {"about": np.array(json.dumps(about))}
        for place, (weights, offsets) in enumerate(self.layers):
            arrays[f"weights{place}"] = np.asarray(weights, np.float32)
            arrays[f"offsets{place}"] = np.asarray(offsets, np.float32)
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)
        write_file(path, buffer.getvalue())

    def check(self, features: Sequence[Feature]) -> None:
        """Check that the policy has these features.

        Raises:
            SetupError: a feature differs. The message names the first one.
        """
        wanted = tuple(feature.name for feature in features)
        if self.features == wanted:
            return
        pairs = enumerate(zip(self.features, wanted, strict=False))
        shorter = min(len(self.features), len(wanted))
        place = next((k for k, (mine, theirs) in pairs if mine != theirs), shorter)
        mine = self.features[place] if place < len(self.features) else "nothing"
        theirs = wanted[place] if place < len(wanted) else "nothing"
        raise SetupError(
            f"the policy is for {len(self.features)} features, here are {len(wanted)}: number {place} is"
            f" {mine} for it and {theirs} here; it plays battles of as many tanks as it was trained with"
        )


@cache
def _mask(drawn: tuple[str, ...]) -> Array:
    """Return whether each choice belongs to a number that is drawn at random."""
    return np.repeat([name in drawn for name in ACTIONS], [len(values) for values in DISCRETE])


def load(path: Path) -> Policy:
    """Return the policy of a file.

    Raises:
        SetupError: the file is not a policy, is damaged, or has another version.
    """
    try:
        if path.stat().st_size > _SIZE_MAX:
            raise SetupError(f"{path} has more than {_SIZE_MAX >> 20} MiB: that is not a policy")
        with zipfile.ZipFile(path) as packed:
            if sum(one.file_size for one in packed.infolist()) > _SIZE_MAX:
                raise SetupError(f"{path} has more than {_SIZE_MAX >> 20} MiB unpacked: that is not a policy")
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(str(arrays["about"]))
    except FileNotFoundError as error:
        raise SetupError(f"there is no file {path}") from error
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise SetupError(f"{path} is not a policy: {error}") from error
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        found = about.get("format") if isinstance(about, dict) else about
        raise SetupError(f"{path} has version {found!r} of the format; this turnwright reads {FORMAT}")
    if about.get("choices") != [list(values) for values in DISCRETE]:
        raise SetupError(f"{path} chooses among actions that this turnwright does not have: train it again")
    return _checked(path, about, arrays)


def _checked(path: Path, about: Mapping[str, Any], arrays: Mapping[str, Array]) -> Policy:
    features, skip = about.get("features"), about.get("frame_skip")
    layers: list[tuple[Array, Array]] = []
    while f"weights{len(layers)}" in arrays and len(layers) < _LAYERS_MAX:
        layers.append((arrays[f"weights{len(layers)}"], arrays.get(f"offsets{len(layers)}", np.zeros(0))))
    widths = [len(features) if isinstance(features, list) else 0]
    for number, (weights, offsets) in enumerate(layers):
        fits = weights.dtype == offsets.dtype == np.float32 and weights.ndim == 2
        if not fits or weights.shape != (widths[-1], len(offsets)) or len(offsets) > _WIDTH_MAX:
            raise SetupError(f"{path} is not a policy: layer {number} does not fit its neighbours")
        if not (np.isfinite(weights).all() and np.isfinite(offsets).all()):
            raise SetupError(f"{path} is not a policy: layer {number} has a number that is not finite")
        widths.append(len(offsets))
    if not layers or widths[-1] != CHOICES:
        raise SetupError(f"{path} is not a policy: it scores {widths[-1]} choices, not {CHOICES}")
    if not isinstance(skip, int) or not 1 <= skip <= 100:
        raise SetupError(f"{path} is not a policy: frame_skip is {skip!r}, not 1 to 100")
    activation = about.get("activation", "tanh")
    if activation not in ACTIVATIONS:
        raise SetupError(
            f"{path} is not a policy: activation is {activation!r}, not {' or '.join(ACTIVATIONS)}"
        )
    drawn = about.get("drawn", [])
    if not isinstance(drawn, list) or not set(map(str, drawn)) <= set(ACTIONS):
        raise SetupError(f"{path} is not a policy: drawn is {drawn!r}, not some of {', '.join(ACTIONS)}")
    return Policy(layers, tuple(map(str, features)), skip, activation, tuple(drawn))  # type: ignore[arg-type]  # by the widths
