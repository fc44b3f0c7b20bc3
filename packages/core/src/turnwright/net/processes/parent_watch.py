"""Ends this process when the one that started it is gone, killed or not.

A worker of `multiprocessing` is not a child of its starter where a fork server starts it, and the fork server
lives as long as any worker does. So it asks for the starter itself, which holds the other end of a pipe.
"""

from __future__ import annotations

import multiprocessing
import os
import threading

from turnwright.net.portability import IS_LINUX

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

    threading.Thread(target=watch, name="turnwright-parent", daemon=True).start()
