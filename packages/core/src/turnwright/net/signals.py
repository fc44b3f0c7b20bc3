"""Treats SIGTERM like Ctrl-C, so that a command cleans up when it is terminated.

The module imports no event loop, because every command imports it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def terminable() -> Iterator[None]:
    """Make SIGTERM raise KeyboardInterrupt in the block, as Ctrl-C does.

    In a thread other than the main thread, nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
