"""Starts processes and ends all their descendants, even when we are killed.

A process may start others, move them to another session, empty their environment and let go of them. So each
one gets a keeper, its parent, to whom Linux gives every descendant that was let go of (a "child subreaper"):
a family is what descends from its keeper. Where Linux cannot do that, a family is who has inherited an
environment variable, the mark, who shares a session with one of them, and the children of all these.

Run as a program (`python -I -S guard.py MARK`, its standard input a socket) this is the guard: it forks a
keeper for each request that comes, and when the other end of its socket is gone, however it went, it kills
all families. Therefore this file imports nothing of ours.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Iterable, Mapping, Sequence

__all__ = ["MARK", "family", "kill_family", "reaches_orphans", "request", "send_signal"]

MARK = "TURNWRIGHT_PROCESS"
"""The variable's name. Its value is a mark such as "a1b2.7"; the mark "a1b2" stands for all "a1b2.…"."""

_PROC = "/proc"
_KILL_PASSES_MAX = 200
_PAUSE_S = 0.01
_ENVIRON_SIZE_MAX = 1 << 20
_SIZE_BYTES = 4
_FDS = 4
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37
_TOLD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PYTHON_IGNORES = (signal.SIGPIPE, signal.SIGXFSZ)


def family(marks: Iterable[str], keepers: Iterable[int] = ()) -> set[int]:
    """Return the ids of all living processes that belong to one of the marks or keepers, without our own.

    Keepers themselves are no family.
    """
    wanted, above = tuple(marks), set(keepers)
    table = _process_table()
    found = {pid for pid in table if wanted and _has_mark(pid, wanted)}
    sessions = {table[pid][1] for pid in found} - {os.getsid(0)}
    found |= {pid for pid, (_, session) in table.items() if session in sessions}
    found |= above & table.keys()
    grown = True
    while grown:
        more = {pid for pid, (parent, _) in table.items() if parent in found} - found
        found |= more
        grown = bool(more)
    return found - above - {os.getpid()}


def send_signal(pids: Iterable[int], number: signal.Signals) -> None:
    """Send a signal to each process that is still there and that we may signal."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def kill_family(marks: Iterable[str], keepers: Iterable[int] = ()) -> bool:
    """Kill a family, again and again while it forks. Return whether nothing is left."""
    wanted, above = tuple(marks), tuple(keepers)
    for _ in range(_KILL_PASSES_MAX):
        pids = family(wanted, above)
        if not pids:
            return True
        send_signal(pids, signal.SIGKILL)
        time.sleep(_PAUSE_S)
    return False


def reaches_orphans() -> bool:
    """Return whether this machine lets a keeper have what its descendants let go of."""
    answer = ctypes.c_int(0)
    return os.path.isdir(f"{_PROC}/self") and _prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(answer))


def request(
    to_guard: socket.socket, argv: Sequence[str], cwd: str, environ: Mapping[str, str], fds: Sequence[int]
) -> None:
    """Ask a guard for a process. fds: its stdin, stdout and stderr, and where its keeper tells how it fares.

    The keeper writes lines of JSON: {"pid": …, "keeper": …}, or {"errno": …, "why": …} when the program
    cannot be started; then {"ended": …}, the exit code or minus the signal. It closes when no process of the
    family is left. Raises: OSError when the guard has gone.
    """
    body = json.dumps({"argv": list(argv), "cwd": cwd, "environ": dict(environ)}).encode()
    socket.send_fds(to_guard, [len(body).to_bytes(_SIZE_BYTES, "big")], list(fds))
    to_guard.sendall(body)


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


# ---- the guard and the keepers -------------------------------------------------------------------------


def _prctl(option: int, argument: object) -> bool:
    """Return whether Linux did it; False on other systems."""
    if not sys.platform.startswith("linux"):
        return False
    return bool(ctypes.CDLL(None).prctl(option, argument, 0, 0, 0) == 0)


class _Told(BaseException):
    """A keeper was told to end."""


def _guard(mark: str) -> None:
    """Serve requests until the other end has gone; then kill what is left."""
    inherited: dict[int, object] = {number: signal.getsignal(number) for number in _TOLD}
    for number in _TOLD:
        signal.signal(number, _do_nothing)
    signal.signal(signal.SIGCHLD, _reap)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    asked = socket.socket(fileno=os.dup(sys.stdin.fileno()))
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
    while (wanted := _next(asked)) is not None:
        order, fds = wanted
        if os.fork() == 0:
            asked.close()
            _keep_and_exit(order, fds, inherited)
        for fd in fds:
            os.close(fd)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    kill_family([mark], [os.getpid()])


def _next(asked: socket.socket) -> tuple[dict[str, object], list[int]] | None:
    """Return the next order and its file descriptors, or None when no more can come."""
    try:
        head, fds, _, _ = socket.recv_fds(asked, _SIZE_BYTES, _FDS)
        if len(fds) < _FDS:
            return None
        body, size = b"", int.from_bytes(head, "big")
        while len(body) < size:
            part = asked.recv(size - len(body))
            if not part:
                return None
            body += part
    except OSError:
        return None
    for fd in fds:
        os.set_inheritable(fd, False)
    return json.loads(body), fds


def _keep_and_exit(order: dict[str, object], fds: Sequence[int], inherited: Mapping[int, object]) -> None:
    """Be the keeper of one process. Never returns."""
    parent, status = os.getppid(), fds[-1]
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, _tell)
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        _prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM))
        if os.getppid() == parent:
            _keep(order, fds, inherited)  # it returns when no process is left
    except _Told:
        signal.signal(signal.SIGTERM, _do_nothing)
        kill_family([], [os.getpid()])
    finally:
        os.close(status)
        os._exit(0)


def _keep(order: dict[str, object], fds: Sequence[int], inherited: Mapping[int, object]) -> None:
    """Start the process, and wait until it and all that it has let go of have ended."""
    *standard, status = fds
    failed_here, failed_there = os.pipe()
    child = os.fork()
    if child == 0:
        _become(order, standard, inherited, failed_there)
    for fd in (*standard, failed_there):
        os.close(fd)
    with open(failed_here, "rb") as failure:
        why = failure.read()
    _say(status, why or json.dumps({"pid": child, "keeper": os.getpid()}).encode())
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, code = os.wait()
            if pid == child and not why:
                _say(status, json.dumps({"ended": os.waitstatus_to_exitcode(code)}).encode())


def _become(
    order: dict[str, object], standard: Sequence[int], inherited: Mapping[int, object], failed: int
) -> None:
    """Become the process that was ordered, or say why not. Never returns."""
    keeper = os.getppid()
    try:
        os.setsid()
        _prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))
        if os.getppid() != keeper:
            os._exit(1)
        for number, how in inherited.items():
            signal.signal(number, how)  # type: ignore[arg-type]
        for number in _PYTHON_IGNORES:
            signal.signal(number, signal.SIG_DFL)
        for number, fd in enumerate(standard):
            os.dup2(fd, number)
        os.chdir(order["cwd"])  # type: ignore[arg-type]
        argv: list[str] = order["argv"]  # type: ignore[assignment]
        os.execvpe(argv[0], argv, order["environ"])  # type: ignore[arg-type]
    except BaseException as error:
        code = error.errno if isinstance(error, OSError) else None
        os.write(failed, json.dumps({"errno": code, "why": str(error)}).encode())
    finally:
        os._exit(127)


def _say(status: int, line: bytes) -> None:
    with contextlib.suppress(OSError):
        os.write(status, line + b"\n")


def _do_nothing(*_: object) -> None:
    """Survive a signal; unlike SIG_IGN this is not inherited by programs that are started."""


def _tell(*_: object) -> None:
    raise _Told


def _reap(*_: object) -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


if __name__ == "__main__":
    _guard(sys.argv[1])
