"""End every process that a battle started, even when we ourselves were killed.

A bot may start processes of its own, move them to another session and let go of them. All of them inherit
one environment variable, the mark, which Linux shows in /proc. So a family can be found at any time: the
processes with the mark, those that share a session with one of them, and the children of all these.

Run as a program (`python -I -S guard.py MARK`), it waits for the end of its standard input, which comes
when the process that holds the other end is gone, however it went, and then kills the family. Therefore
this file imports nothing of ours. Where there is no /proc, it finds nothing.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterable

__all__ = ["MARK", "family", "kill_family", "send_signal"]

MARK = "TURNWRIGHT_PROCESS"
"""The variable's name. Its value is a mark such as "a1b2.7"; the mark "a1b2" stands for all "a1b2.…"."""

_PROC = "/proc"
_KILL_PASSES_MAX = 200
_PAUSE_S = 0.01
_ENVIRON_SIZE_MAX = 1 << 20


def family(marks: Iterable[str]) -> set[int]:
    """Return the ids of all living processes that belong to one of the marks, without our own."""
    wanted = tuple(marks)
    table = _process_table()
    found = {pid for pid in table if _has_mark(pid, wanted)}
    sessions = {table[pid][1] for pid in found} - {os.getsid(0)}
    found |= {pid for pid, (_, session) in table.items() if session in sessions}
    grown = True
    while grown:
        more = {pid for pid, (parent, _) in table.items() if parent in found} - found
        found |= more
        grown = bool(more)
    return found - {os.getpid()}


def send_signal(pids: Iterable[int], number: signal.Signals) -> None:
    """Send a signal to each process that is still there and that we may signal."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def kill_family(marks: Iterable[str]) -> bool:
    """Kill a family, again and again while it forks. Return whether nothing is left."""
    wanted = tuple(marks)
    for _ in range(_KILL_PASSES_MAX):
        pids = family(wanted)
        if not pids:
            return True
        send_signal(pids, signal.SIGKILL)
        time.sleep(_PAUSE_S)
    return False


def _process_table() -> dict[int, tuple[int, int]]:
    """Return parent and session of every process that is alive (a zombie is not)."""
    table = {}
    names = os.listdir(_PROC) if os.path.isdir(_PROC) else []
    for name in names:
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError):
            with open(f"{_PROC}/{name}/stat", "rb") as file:
                # "12 (name, which may hold anything) S parent group session …"
                state, parent, _, session = file.read().rpartition(b")")[2].split()[:4]
            if state not in (b"Z", b"X"):
                table[int(name)] = (int(parent), int(session))
    return table


def _has_mark(pid: int, marks: tuple[str, ...]) -> bool:
    try:
        with open(f"{_PROC}/{pid}/environ", "rb") as file:
            environ = file.read(_ENVIRON_SIZE_MAX)
    except OSError:
        return False
    _, found, rest = (b"\0" + environ).partition(b"\0" + MARK.encode() + b"=")
    if not found:
        return False
    value = rest.partition(b"\0")[0].decode("ascii", "replace")
    return any(value == mark or value.startswith(mark + ".") for mark in marks)


def _wait_then_kill(mark: str) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while os.read(sys.stdin.fileno(), 1024):
        pass
    kill_family([mark])


if __name__ == "__main__":
    _wait_then_kill(sys.argv[1])
