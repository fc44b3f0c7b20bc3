"""Ends this process when the process that started it is gone for any reason.

A worker of `multiprocessing` may be a child of a fork server instead of its starter, and the fork server
lives as long as any worker. So this module watches the starter itself, which has the other end of a pipe.
"""

from __future__ import annotations

import multiprocessing
import os
import threading

from turnwright.net.portability import IS_LINUX

_LOOK_S = 0.5
_GONE = 1
"""The exit code. The work of this process is not finished."""


def end_with_starter() -> None:
    """Let a worker of `multiprocessing` end with the process that started it.

    It ends within a second, whatever it is doing, even if its parent is a fork server that has gone.
    """
    starter, parent = multiprocessing.parent_process(), os.getppid()

    def watch() -> None:
        pause = threading.Event()
        while (starter is None or starter.is_alive()) and (not IS_LINUX or os.getppid() == parent):
            pause.wait(_LOOK_S)
        os._exit(_GONE)  # `net.processes.guard` ends its bots, too

    threading.Thread(target=watch, name="turnwright-parent", daemon=True).start()
