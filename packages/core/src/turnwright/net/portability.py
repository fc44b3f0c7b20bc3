"""The choice between ways of Linux and portable ones.

Each thing that only Linux has stands behind a seam, see docs/decisions/0054-portable-ways.md. On every
other system the portable way is taken, also where a part of the other would work: so it is that one, and no
mixture, which `make test-portable` runs on Linux.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

IS_LINUX = sys.platform.startswith("linux")
"""Whether the ways of Linux are taken."""


def lower_priority(pid: int, niceness: int) -> None:
    """Let a process yield to others, where the system has such priorities.

    If the process has ended, nothing happens.

    Args:
        niceness: the new priority, 0 to 19; 19 yields most.
    """
    if hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, pid, niceness)


def has_unread(sockets: Collection[int]) -> bool:
    """Return whether something lies unread in at least one of these sockets.

    Args:
        sockets: their descriptors.
    """
    if not sockets:
        return False  # which Windows takes for a mistake
    if IS_LINUX:
        poll = select.poll()
        for number in sockets:
            poll.register(number, select.POLLIN)
        return bool(poll.poll(0))
    import selectors  # which a command that serves nothing does not need

    with selectors.DefaultSelector() as selector:
        for number in sockets:
            selector.register(number, selectors.EVENT_READ)
        return bool(selector.select(0))


def sync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk for good.

    It does nothing where folders cannot be opened, as on Windows. There the system does it.

    Raises:
        OSError: the folder cannot be opened or written to the disk.
    """
    if not IS_LINUX:
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
