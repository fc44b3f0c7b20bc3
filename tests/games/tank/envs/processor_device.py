"""The processor as a device: the kernels of `battles.cu`, compiled as C, one thread after the other."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np

C = Path(__file__).parents[4] / "src" / "turnwright" / "games" / "tank" / "backends" / "c"
CC = shutil.which("cc")
SOURCE = """
#include <stdint.h>
#include <string.h>
static int64_t number_of_thread;
#define NUMBER_OF_THREAD number_of_thread
#define KERNEL static void
#include "battles.cu"
#define RUN(name)                                                                     \\
  if (strcmp(kernel, #name) == 0) {                                                   \\
    for (number_of_thread = 0; number_of_thread < threads; number_of_thread++) name(launch); \\
    return 0;                                                                         \\
  }
int launch(const char *kernel, int64_t threads, const char *parameters, int64_t size) {
  Launch launch;
  if (size != (int64_t)sizeof launch) return 2;
  memcpy(&launch, parameters, sizeof launch);
  RUN(measure) RUN(lay_out) RUN(reset) RUN(step) RUN(snapshot)
  return 1;
}
"""
BLOCK = 64


@cache
def compiled() -> Any:
    """The kernels. Raises: AssertionError where there is no C compiler."""
    assert CC is not None, "there is no C compiler"
    folder = Path(mkdtemp(prefix="turnwright-kernels-"))
    (folder / "kernels.c").write_text(SOURCE)
    words = [CC, "-O1", "-std=c11", "-ffp-contract=off", "-fPIC", "-shared", "-w", f"-I{C}"]
    subprocess.run([*words, folder / "kernels.c", "-o", folder / "kernels.so"], check=True)
    found = ctypes.CDLL(str(folder / "kernels.so"))
    shutil.rmtree(folder)
    found.launch.argtypes = [ctypes.c_char_p, ctypes.c_int64, ctypes.c_char_p, ctypes.c_int64]
    return found


class ProcessorDevice:
    """A device whose memory is that of the process. freed: how many places were given back."""

    def __init__(self) -> None:
        self.blocks: dict[int, Any] = {}
        self.freed = 0

    def allocate(self, size: int) -> int:
        block = np.zeros(max(size, 8), np.uint8)
        self.blocks[block.ctypes.data] = block
        return int(block.ctypes.data)

    def free(self, place: int) -> None:
        del self.blocks[place]
        self.freed += 1

    def write(self, place: int, data: Any) -> None:
        ctypes.memmove(place, data.ctypes.data, data.nbytes)

    def read(self, place: int, data: Any) -> None:
        ctypes.memmove(data.ctypes.data, place, data.nbytes)

    def launch(self, kernel: str, threads: int, parameters: bytes) -> None:
        whole = -(-threads // BLOCK) * BLOCK  # as many as a GPU runs
        assert compiled().launch(kernel.encode(), whole, parameters, len(parameters)) == 0
