"""Child processes on any system.

Threads read the pipes of the processes, because no event loop on Windows can wait for pipes.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

_READ_BYTES = 65_536
_PAUSE_S = 0.005
"""The pause after a large piece of a flood of output, in seconds. It limits the server's work."""
_NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
"""With this flag on Windows, Ctrl-C at the terminal reaches only this program."""


def started(argv: Sequence[str], directory: Path, environ: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a program in a directory, with pipes for its streams. Return its process.

    Raises:
        OSError, ValueError: the program cannot be started.
    """
    return subprocess.Popen(
        list(argv),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=directory.absolute(),
        env=dict(environ),
        start_new_session=True,
        creationflags=_NEW_GROUP,
    )


def read_output(
    child: subprocess.Popen[bytes],
    loop: asyncio.AbstractEventLoop,
    keep: Callable[[int, bytes], None],
    ended: Callable[[int], None],
) -> None:
    """Read the output of a child, in threads.

    The call returns immediately. Later, `keep(descriptor, data)` is called in `loop` for each piece, and
    `ended(descriptor)` at the end. The descriptor is 1 for stdout and 2 for stderr.
    """
    for number, stream in ((1, child.stdout), (2, child.stderr)):
        assert stream is not None
        _thread("output", _read, stream, number, loop, keep, ended)


def await_end(
    child: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop, ended: Callable[[int], None]
) -> None:
    """Call `ended(code)` in `loop` when a child has ended. The call returns immediately.

    The code is the child's exit code, or minus the number of the signal that ended it.
    """

    def wait() -> None:
        _tell(loop, ended, child.wait())

    _thread("end", wait)


def _thread(what: str, target: Callable[..., None], *arguments: object) -> None:
    threading.Thread(target=target, args=arguments, name=f"turnwright-{what}", daemon=True).start()


def _read(
    stream: IO[bytes],
    number: int,
    loop: asyncio.AbstractEventLoop,
    keep: Callable[[int, bytes], None],
    ended: Callable[[int], None],
) -> None:
    with suppress(OSError), stream:
        while data := os.read(stream.fileno(), _READ_BYTES):
            if not _tell(loop, keep, number, data):
                return
            if len(data) == _READ_BYTES:
                time.sleep(_PAUSE_S)
    _tell(loop, ended, number)


def _tell(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *arguments: object) -> bool:
    """Call a function in a loop. Return False if the loop has closed."""
    try:
        loop.call_soon_threadsafe(call, *arguments)
    except RuntimeError:
        return False
    return True
