"""Battles of a batch on a GPU, one thread a battle.

The kernels are the C of the compiled rules, compiled once more.

Each step copies the actions there and the results back. `DeviceArray` shows results where they lie, for
learners on the same GPU:

    batch = new_batch(common, "cuda")
    seen = torch.as_tensor(batch.on_device["observations"], device="cuda")    # without a copy

Results have the same bits as on a processor. Only house bots differ: they ask the C library for angles, which
a GPU has not; there they ask the rules, whose angles differ in the last places.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from turnwright.errors import SetupError
from turnwright.games.tank.envs.actions import ACTIONS
from turnwright.games.tank.envs.batch import (
    FROM_OUTSIDE,
    HOUSE_BOTS,
    BatchSettings,
    SeededBatch,
    check_finite,
    first_rows,
)
from turnwright.games.tank.rules.constants import PLACEMENT_CELL
from turnwright.games.tank.settings import read_settings

__all__ = ["CudaBatch", "Device", "DeviceArray"]

Array = np.ndarray[Any, np.dtype[Any]]
_ARRAYS = (
    *("observations", "finals", "rewards", "terms", "terminated", "truncated", "alive", "used", "turns"),
    *("keys", "players", "lots", "draws", "rounds"),
)
_RESULTS = _ARRAYS[:9]
_LENGTH, _FAILED, _NUMBERS = 3, 4, 5
"""Places in what the kernels tell: three sizes, the length of a snapshot, whether a table was too small."""
_NOWHERE = 0


class Device(Protocol):
    """A processor with a memory of its own. Places in it are whole numbers."""

    def allocate(self, size: int) -> int:
        """Return the place of so many bytes, all 0. Raises: MemoryError."""

    def free(self, place: int) -> None:
        """Give bytes back."""

    def write(self, place: int, data: Array) -> None:
        """Copy an array to the device."""

    def read(self, place: int, data: Array) -> None:
        """Copy from the device into an array, when the kernels before are done."""

    def launch(self, kernel: str, threads: int, parameters: bytes) -> None:
        """Run a kernel of `battles.cu` in so many threads, or more. Raises: RuntimeError."""


class DeviceArray:
    """An array in the memory of a GPU.

    It has the CUDA Array Interface, which PyTorch and CuPy read.
    """

    def __init__(self, place: int, like: Array) -> None:
        self.__cuda_array_interface__ = {
            "shape": like.shape,
            "typestr": like.dtype.str,
            "data": (place, True),
            "strides": None,
            "version": 3,
        }


class CudaBatch(SeededBatch):
    """A batch on a GPU.

    on_device: the results by name, as they lie there; to be read only. Raises: MemoryError where the GPU has
    too little.
    """

    speed = "cuda"

    def __init__(self, common: BatchSettings, device: Device) -> None:
        super().__init__(common)
        self._device = device
        self._places: list[int] = []
        self._at = {name: self._allocate(array.nbytes) for name, array in self._by_name.items()}
        shape = (common.battles, len(common.seats), len(ACTIONS))
        self._actions_size = 4 * int(np.prod(shape))
        self._shape = shape
        self._actions, self._which = self._allocate(self._actions_size), self._allocate(common.battles)
        self._numbers = self._allocate(8 * _NUMBERS)
        self._teams = self._put(np.array(common.teams, np.int64))
        self._battles = self._scratch = self._room = self._snapshot = _NOWHERE
        self._common = common
        self._launch("measure", 1)
        self._sizes = self._told()[:_LENGTH]
        room, battle, scratch = self._sizes
        self._room = self._allocate(room * common.battles)
        self._battles = self._allocate(battle * common.battles)
        self._scratch = self._allocate(scratch * common.battles)
        self._snapshot = self._allocate(room)
        self._launch("lay_out", common.battles)
        self.on_device: Mapping[str, DeviceArray] = MappingProxyType(
            {name: DeviceArray(self._at[name], self._by_name[name]) for name in _RESULTS}
        )

    def seed(self, battle: int, seed: int, players: Sequence[int] = ()) -> None:
        """Give the seed and the players of a battle's next beginning.

        Raises: SetupError for Ace, which learns in more memory than a battle has on a GPU.
        """
        if any(player != FROM_OUTSIDE and HOUSE_BOTS[player - 1] == "Ace" for player in players):
            raise SetupError("Ace does not play on a GPU: take another opponent, or speed 'compiled'")
        super().seed(battle, seed, players)

    def reset(self, which: Array | None) -> None:
        """Begin battles anew."""
        if which is not None:
            self._device.write(self._which, np.ascontiguousarray(which).view(np.uint8))
        self._run("reset", which=_NOWHERE if which is None else self._which)

    def step(self, actions: Array, autoreset: int) -> None:
        """Take a step of all battles."""
        if actions.shape != self._shape or actions.dtype != np.float32:
            raise ValueError(
                f"actions has the shape {actions.shape} of {actions.dtype}; expected {self._shape} of float32"
            )
        check_finite(actions)
        self._device.write(self._actions, np.ascontiguousarray(actions))
        self._run("step", autoreset=autoreset)

    def snapshot(self, battle: int) -> bytes:
        """Return the canonical state of a battle."""
        if not 0 <= battle < self._common.battles:
            raise IndexError(f"there is no battle {battle}")
        self._launch("snapshot", 1, at=battle)
        found = np.zeros(self._told()[_LENGTH], np.uint8)
        self._device.read(self._snapshot, found)
        return found.tobytes()

    def memory(self) -> int:
        """Return how many bytes the battles take on the device."""
        return sum(self._sizes) * self._common.battles

    def close(self) -> None:
        """Give the device's memory back. The batch cannot be used afterwards."""
        while self._places:
            self._device.free(self._places.pop())

    def __del__(self) -> None:
        """Give the device's memory back."""
        self.close()

    @property
    def _by_name(self) -> dict[str, Array]:
        return dict(zip(_ARRAYS, self.arrays, strict=True))

    def _allocate(self, size: int) -> int:
        place = self._device.allocate(size)
        self._places.append(place)
        return place

    def _put(self, data: Array) -> int:
        place = self._allocate(data.nbytes)
        self._device.write(place, data)
        return place

    def _told(self) -> list[int]:
        """Return what the kernels told."""
        found = np.zeros(_NUMBERS, np.int64)
        self._device.read(self._numbers, found)
        return [int(number) for number in found]

    def _run(self, kernel: str, *, which: int = _NOWHERE, autoreset: int = 0) -> None:
        """Run a kernel of all battles, and fetch the results."""
        arrays = self._by_name
        for name in _ARRAYS[len(_RESULTS) :]:
            self._device.write(self._at[name], arrays[name])
        self._launch(kernel, self._common.battles, which=which, autoreset=autoreset)
        for name in _RESULTS:
            self._device.read(self._at[name], arrays[name])
        if self._told()[_FAILED]:
            raise RuntimeError("a battle has more bullets or events than its tables on the GPU have room for")

    def _launch(
        self, kernel: str, threads: int, *, which: int = _NOWHERE, autoreset: int = 0, at: int = 0
    ) -> None:
        told = [self._numbers + 8 * place for place in (0, _LENGTH, _FAILED)]
        pointers = (self._scratch, self._actions, which, self._snapshot, *told)
        parameters = self._core() + struct.pack("<7Q2q", *pointers, autoreset, at)
        self._device.launch(kernel, threads, parameters)

    def _core(self) -> bytes:
        """Return a BatchCore of `backends/c/batch.h`."""
        common = self._common
        settings = read_settings(common.settings)
        across = settings.arena_width // PLACEMENT_CELL
        up = settings.arena_height // PLACEMENT_CELL
        numbers: Sequence[int] = (
            *(common.battles, len(common.seats), common.learners, common.observed),
            *(common.max_turns, common.frame_skip, self.results.observations.shape[2]),
            *(across, up, settings.arena_width // across, settings.arena_height // up),
        )
        arena, tank = first_rows(common)
        pointers = (self._teams, self._battles, self._room, *self._at.values())
        head = struct.pack("<11q3d", *numbers, *common.weights)
        return head + arena + tank + struct.pack("<17Q", *pointers)
