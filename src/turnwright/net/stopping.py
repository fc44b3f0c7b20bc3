"""What ends a server of ours: SIGTERM, and Ctrl-C, which is an interruption."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Callable

__all__ = ["stop_on_signals"]


def stop_on_signals(stop: asyncio.Event, interrupted: Callable[[], None]) -> None:
    """Let SIGTERM and SIGINT set `stop`, and the latter be told. Only possible in the main thread."""
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        interrupted()
        stop.set()

    if threading.current_thread() is threading.main_thread() and sys.platform != "win32":
        loop.add_signal_handler(signal.SIGTERM, stop.set)
        loop.add_signal_handler(signal.SIGINT, interrupt)
