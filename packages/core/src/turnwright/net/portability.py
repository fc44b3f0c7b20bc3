"""The choice between Linux features and portable replacements.

Each feature that only Linux has is behind an interface (see docs/decisions/0054-portable-fallbacks.md). Other
systems use the portable replacements for all of these features, even if some of the features would work
there. So `make test-portable` can test exactly this combination on Linux.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

IS_LINUX = sys.platform.startswith("linux")
"""Whether the Linux features are used. Otherwise the portable replacements are used."""


def lower_priority(pid: int, niceness: int) -> None:
    """Lower the priority of a process, if the system has such priorities.

    If the process has ended or belongs to another user, this has no effect.

    Args:
        niceness: the new priority, 0 to 19. 19 is the lowest.
    """
    if hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, pid, niceness)


def has_unread(sockets: Collection[int]) -> bool:
    """Return whether at least one of these sockets has unread data.

    Args:
        sockets: the descriptors of the sockets.
    """
    if not sockets:
        return False  # an empty list is an error on Windows
    if IS_LINUX:
        poll = select.poll()
        for number in sockets:
            poll.register(number, select.POLLIN)
        return bool(poll.poll(0))
    import selectors  # commands without a server do not need it

    with selectors.DefaultSelector() as selector:
        for number in sockets:
            selector.register(number, selectors.EVENT_READ)
        return bool(selector.select(0))


def sync_folder(folder: Path) -> None:
    """Make sure that the names of the files in a folder are on the disk.

    On systems other than Linux, the function does nothing. Windows cannot open folders, and writes the names
    itself.

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
