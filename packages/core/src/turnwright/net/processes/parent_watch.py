"""Ends this process when the process that started it is gone for any reason.

A worker of `multiprocessing` may be the child of a fork server, instead of the process that started it. The
fork server lives as long as any worker, so watching the parent process is not enough. The worker also watches
the process that started it, through a pipe whose other end that process has.
"""

from __future__ import annotations

import multiprocessing
import os
import threading

from turnwright.net.portability import IS_LINUX

_LOOK_S = 0.5
_GONE = 1
"""The exit code of the process. It shows that the process has not finished its work."""


def end_with_starter() -> None:
    """Let a worker of `multiprocessing` end with the process that started it.

    A new thread ends the worker within a second, whatever the worker is doing, and without cleaning up.
    """
    starter, parent = multiprocessing.parent_process(), os.getppid()

    def watch() -> None:
        pause = threading.Event()
        while (starter is None or starter.is_alive()) and (not IS_LINUX or os.getppid() == parent):
            pause.wait(_LOOK_S)
        os._exit(_GONE)  # `net.processes.guard` ends its bots, too

    threading.Thread(target=watch, name="turnwright-parent", daemon=True).start()
