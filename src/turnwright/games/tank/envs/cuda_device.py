"""An NVIDIA GPU with the kernels of `battles.cu`.

NVRTC compiles them when they are first asked for: 10 s to a minute. The driver keeps what it makes of that
(~/.nv/ComputeCache), so that later starts take less.
"""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from turnwright.errors import SetupError

__all__ = ["CudaDevice", "compile_battles", "why_no_gpu"]

Array = np.ndarray[Any, np.dtype[Any]]
_C = Path(__file__).parents[1] / "backends" / "c"
_HEADERS = ("batch.h", "bot_geometry.h", "house_bots.h", "rules.h", "snapshot.h")
_OF_THE_SYSTEM = ("math.h", "stdbool.h", "stddef.h", "stdint.h", "stdlib.h", "string.h")
"""Headers that NVRTC has not; `battles.cu` has what is needed of them."""
_THREADS_OF_BLOCK = 64
_EXTRA = "install turnwright[cuda]"


def compile_battles(architecture: str) -> bytes:
    """Return `battles.cu` in PTX, or for one kind of GPU as it runs.

    architecture: of the GPU: "compute_90" for PTX, which drivers translate, "sm_90" for what runs.
    Raises: SetupError where NVRTC is not installed; RuntimeError, with the log, for what does not compile.
    """
    try:
        from cuda.bindings import nvrtc
    except ImportError as error:
        raise SetupError(f"NVRTC, which compiles for a GPU, cannot be loaded ({error}): {_EXTRA}") from error
    texts = [(_C / name).read_bytes() for name in _HEADERS] + [b""] * len(_OF_THE_SYSTEM)
    names = [name.encode() for name in (*_HEADERS, *_OF_THE_SYSTEM)]
    source = (_C / "battles.cu").read_bytes()
    program = _done(nvrtc, nvrtc.nvrtcCreateProgram(source, b"battles.cu", len(texts), texts, names))
    options = [f"-arch={architecture}".encode(), b"-fmad=false", b"-default-device", b"-std=c++20"]
    (code,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    if code != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        log = b" " * _done(nvrtc, nvrtc.nvrtcGetProgramLogSize(program))
        _done(nvrtc, nvrtc.nvrtcGetProgramLog(program, log))
        raise RuntimeError(f"battles.cu does not compile for {architecture}: {log.decode(errors='replace')}")
    kind = "PTX" if architecture.startswith("compute_") else "CUBIN"
    found: bytes = b" " * _done(nvrtc, getattr(nvrtc, f"nvrtcGet{kind}Size")(program))
    _done(nvrtc, getattr(nvrtc, f"nvrtcGet{kind}")(program, found))
    _done(nvrtc, nvrtc.nvrtcDestroyProgram(program))
    return found


def why_no_gpu() -> str:
    """Return why there is no GPU to play on; "" where there is one."""
    try:
        _open_device()
    except SetupError as error:
        return str(error)
    return ""


class CudaDevice:
    """The first GPU that the driver shows.

    Raises: SetupError where there is none, with the reason.
    """

    def __init__(self) -> None:
        self._driver, self._context, capability = _open_device()
        self._module = _loaded(capability)

    def allocate(self, size: int) -> int:
        """Return the place of so many bytes, all 0."""
        self._enter()
        code, place = self._driver.cuMemAlloc(max(size, 8))
        if code == self._driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY:
            raise MemoryError(f"the GPU has no {size:,} bytes left: take fewer battles")
        _check(self._driver, code)
        self._do("cuMemsetD8", place, 0, max(size, 8))
        return int(place)

    def free(self, place: int) -> None:
        """Give bytes back."""
        self._enter()
        self._do("cuMemFree", place)

    def write(self, place: int, data: Array) -> None:
        """Copy an array to the device."""
        self._enter()
        self._do("cuMemcpyHtoD", place, data.ctypes.data, data.nbytes)

    def read(self, place: int, data: Array) -> None:
        """Copy from the device into an array, when the kernels before are done."""
        self._enter()
        self._do("cuMemcpyDtoH", data.ctypes.data, place, data.nbytes)

    def launch(self, kernel: str, threads: int, parameters: bytes) -> None:
        """Run a kernel in whole blocks of threads."""
        self._enter()
        function = self._do("cuModuleGetFunction", self._module, kernel.encode())
        values = ctypes.create_string_buffer(parameters, len(parameters))
        pointers = (ctypes.c_void_p * 1)(ctypes.addressof(values))
        blocks = -(-threads // _THREADS_OF_BLOCK)
        self._do(
            "cuLaunchKernel",
            function,
            *(blocks, 1, 1),
            *(_THREADS_OF_BLOCK, 1, 1),
            *(0, 0, ctypes.addressof(pointers), 0),
        )

    def _enter(self) -> None:
        """Make the GPU that of this thread."""
        self._do("cuCtxSetCurrent", self._context)

    def _do(self, name: str, *given: Any) -> Any:
        return _done(self._driver, getattr(self._driver, name)(*given))


@cache
def _open_device() -> tuple[Any, Any, str]:
    """Return the driver, the context that PyTorch shares, and the compute capability, e.g. "90"."""
    try:
        from cuda.bindings import driver
    except ImportError as error:
        raise SetupError(f"no GPU: cuda.bindings cannot be loaded ({error}): {_EXTRA}") from error
    try:
        _done(driver, driver.cuInit(0))
        gpu = _done(driver, driver.cuDeviceGet(0))
        kind = driver.CUdevice_attribute
        digits = [
            _done(driver, driver.cuDeviceGetAttribute(one, gpu))
            for one in (
                kind.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                kind.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
            )
        ]
        return driver, _done(driver, driver.cuDevicePrimaryCtxRetain(gpu)), f"{digits[0]}{digits[1]}"
    except RuntimeError as error:
        raise SetupError(f"no GPU: {error}; an NVIDIA GPU and its driver are needed") from error


@cache
def _loaded(capability: str) -> Any:
    """Return the kernels, loaded into the current context."""
    driver, context, _ = _open_device()
    _done(driver, driver.cuCtxSetCurrent(context))
    code, *found = driver.cuModuleLoadData(compile_battles(f"compute_{capability}"))
    if code == driver.CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION:  # the driver is older than NVRTC
        return _done(driver, driver.cuModuleLoadData(compile_battles(f"sm_{capability}")))
    return _done(driver, (code, *found))


def _done(library: Any, answer: tuple[Any, ...]) -> Any:
    """Return what a function of CUDA returned besides its code. Raises: RuntimeError for a bad one."""
    code, *found = answer
    _check(library, code)
    return found[0] if found else None


def _check(library: Any, code: Any) -> None:
    if int(code) != 0:
        raise RuntimeError(f"CUDA says {getattr(code, 'name', code)}")
