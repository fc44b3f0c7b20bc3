"""Ends this process when the one that started it is gone, killed or not.

A worker of `multiprocessing` is not a child of its starter where a fork server starts it, and the fork server
lives as long as any worker does. So it asks for the starter itself, which holds the other end of a pipe. Any
other process can be given a pipe as its stdin, into which nothing is written but GO_ON.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable

from turnwright.net.portability import IS_LINUX

GO_ON = b"+"
"""Written into a process's stdin: it may continue for a time when that ends."""
_LOOK_S = 0.5
_GONE = 1
"""The exit code: whatever this process was at is not finished."""


def end_with_starter() -> None:
    """Let a worker of `multiprocessing` end with the process that started it.

    Within a second, whatever it is at, and also when its parent, which may be a fork server, is gone.
    """
    starter, parent = multiprocessing.parent_process(), os.getppid()

    def watch() -> None:
        pause = threading.Event()
        while (starter is None or starter.is_alive()) and (not IS_LINUX or os.getppid() == parent):
            pause.wait(_LOOK_S)
        os._exit(_GONE)  # its bots end with it: see `net.processes.guard`

    _in_thread(watch)


def end_with_stdin(after_s: float = 0.0) -> None:
    """Let this process end when its stdin does, which is the pipe of the process that started it.

    Args:
        after_s: how long it continues then, seconds, if GO_ON was the last that was written.
    """

    fd = sys.stdin.fileno()

    def watch() -> None:
        said = b""
        while last := os.read(fd, 1):
            said = last
        if said == GO_ON:
            threading.Event().wait(after_s)
        os._exit(_GONE)

    _in_thread(watch)


def _in_thread(watch: Callable[[], None]) -> None:
    threading.Thread(target=watch, name="turnwright-parent", daemon=True).start()
