"""Room for connections: each takes a file descriptor, and many systems begin with 1,024 for a process."""

from __future__ import annotations

import contextlib
import logging

try:
    import resource
except ImportError:  # not Unix
    resource = None  # type: ignore[assignment]

__all__ = ["SPARE", "make_room"]

SPARE = 256
"""What a server has open besides its connections: files, pipes to bots, the event loop's own."""

_log = logging.getLogger("turnwright")


def make_room(connections: int) -> int:
    """Let this process hold so many connections, as far as it may; return how many it can.

    Only the soft limit is raised, never above the hard one, and never lowered.
    """
    if resource is None:
        return connections
    wanted = connections + SPARE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return connections
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        soft = allowed
    room = max(0, min(connections, soft - SPARE))
    if room < connections:
        _log.warning("this system allows %d connections, not %d: see ulimit -n", room, connections)
    return room
