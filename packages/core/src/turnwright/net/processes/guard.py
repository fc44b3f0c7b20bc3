"""Starts processes and ends all their descendants, even when we are killed.

A process may start others, move them to another session, empty their environment and orphan them. So each
process gets a keeper as its parent. The keeper adopts every orphaned descendant (as a "child subreaper"), and
a family is all descendants of its keeper. Without subreapers, a family is all processes that inherited an
environment variable, the mark, all processes in a session with one of them, and the children of all these.

A keeper also enforces limits on its family that a process limit cannot express. It makes control groups for
the family and removes them. Without control groups it counts the family's memory itself.

Run as a program (`python -I -S guard.py MARK`, with a socket as standard input) this is the guard. It forks a
keeper for each request. When the other end of its socket is gone for any reason, it kills all families.
Therefore this file imports no other file of the project.
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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

TYPE_CHECKING = False  # typing takes longer to load than all other imports together
if TYPE_CHECKING:
    from typing import Any

NO_LIMITS: Mapping[str, object] = MappingProxyType({})
MARK = "TURNWRIGHT_PROCESS"
"""The variable's name. Its value is a mark such as "a1b2.7". The mark "a1b2" means all "a1b2.…"."""

_PROC = "/proc"
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_TICKS_PER_S = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_STAT_TIMES = slice(11, 13)
"""The fields of /proc/PID/stat with the processor time, counted after the name of the program."""
_KILL_PASSES_MAX = 200
_PAUSE_S = 0.01
_ENVIRON_SIZE_MAX = 1 << 20
_SIZE_BYTES = 4
_FDS_MIN, _FDS_MAX = 4, 8
_FREE_FD = 64
"""A started program has no file descriptors from this number on."""
_WATCH_S = 0.1
"""The time between two checks of a family's memory, unless the machine's memory in use has grown much."""
_GLANCE_S = 0.01
"""The time between two checks of the machine's memory. Each reads one small file, 20 µs."""
_GROWN_PARTS = 16
"""A family is checked early if the machine's memory in use has grown by this part of the family's limit, and
by half of what the family may still use."""
_BUSY_LOOK_S = 0.1
"""The time between two checks of a family's processor time, 30 µs each."""
_BUSY, _STILL_BUSY = 1.25, 1.0
"""A family that uses more processors than the first number is busy, until it uses at most the second."""
_PROCESSES_MAX = 256
"""The largest number of processes of a family whose memory can be counted."""
_PAGES_MAX = 4 << 20
"""The largest number of their pages, with shared pages counted for each process: 0.1 s of counting."""
_COUNT_S_MAX = 0.5
"""The largest processor time of one count."""
_REST_PARTS, _EARLY_REST_PARTS = 9, 4
"""A check is followed by a break of this many times the check's processor time. It is shorter while memory
grows."""
_WATCH_NICE = -15
_SHARED_EVERY = 5
"""After this number of checks of a family's memory, its shared memory is counted, too, which takes longer."""
_REMOVE_PASSES_MAX = 100
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37
_TOLD = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_PYTHON_IGNORES = tuple(getattr(signal, name) for name in ("SIGPIPE", "SIGXFSZ") if hasattr(signal, name))
KILL: signal.Signals = getattr(signal, "SIGKILL", signal.SIGTERM)
"""The signal that ends a process in any case. On Windows `os.kill` does so with each signal."""


def family(marks: Iterable[str], keepers: Iterable[int] = ()) -> set[int]:
    """Return the ids of all living processes of these marks or keepers.

    Our own processes are left out.

    The keepers themselves do not belong to a family.
    """
    wanted, above = tuple(marks), set(keepers)
    table = _process_table()
    if not table:
        return set()
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


def belongings(keepers: Iterable[int]) -> dict[int, tuple[int, float]]:
    """Return memory (bytes) and processor time (s) of the family of each keeper.

    Shared memory is counted for each process. A keeper that /proc does not show is left out.
    """
    parents = {pid: parent for pid, (parent, _) in _process_table().items()}
    sums = dict.fromkeys(keepers, (0, 0.0))
    for pid in parents:
        above = parents[pid]
        while above in parents and above not in sums:
            above = parents[above]
        if above in sums:
            memory, busy_s = sums[above]
            sums[above] = memory + _resident(pid), busy_s + _busy_s(pid)
    return {keeper: found for keeper, found in sums.items() if keeper in parents}


def _busy_s(pid: int) -> float:
    with contextlib.suppress(OSError), open(f"{_PROC}/{pid}/stat", "rb") as file:
        times = file.read().rpartition(b")")[2].split()[_STAT_TIMES]
        return sum(map(int, times)) / _TICKS_PER_S
    return 0.0


def send_signal(pids: Iterable[int], number: signal.Signals) -> None:
    """Send a signal to each living process, as far as we may."""
    for pid in pids:
        with contextlib.suppress(OSError):  # it has ended, or it belongs to another user
            os.kill(pid, number)


def kill_family(marks: Iterable[str], keepers: Iterable[int] = ()) -> bool:
    """Kill a family, repeatedly while it forks. Return whether no process is left."""
    wanted, above = tuple(marks), tuple(keepers)
    for _ in range(_KILL_PASSES_MAX):
        pids = family(wanted, above)
        if not pids:
            return True
        send_signal(pids, KILL)
        time.sleep(_PAUSE_S)
    return False


def reaches_orphans() -> bool:
    """Return whether a keeper on this machine adopts orphaned descendants."""
    answer = ctypes.c_int(0)
    if not sys.platform.startswith("linux") or not os.path.isdir(f"{_PROC}/self"):
        return False
    return _prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(answer))


def request(
    to_guard: socket.socket,
    argv: Sequence[str],
    cwd: str,
    environ: Mapping[str, str],
    fds: Sequence[int],
    limits: Mapping[str, object] = NO_LIMITS,
) -> None:
    """Ask a guard for a process.

    The keeper of the process writes lines of JSON: {"pid": …, "keeper": …}, or {"errno": …, "why": …} if
    the program cannot be started. Then {"over": …} if the family exceeded a limit, and {"ended": …} with the
    exit code or minus the signal. The pipe closes when no process of the family is left.

    A family can have these limits. Each may be left out:

    * groups: control groups to make, each with a directory and settings [file, value, is it required].
    * memory_bytes: the limit of memory if groups do not count memory.
    * busy: if groups count memory, two of their files (usage and share) and two shares: the usual share, and
      the share while the family uses more than one processor.
    * nice: a number that is added to the priority of the process, as by os.nice().

    Args:
        fds: the process's descriptors 0, 1, 2 and so on. The last one is for its keeper, which reports
            through it.
        limits: the limits of the family, by name.

    Raises:
        OSError: the guard has gone.
    """
    order = {"argv": list(argv), "cwd": cwd, "environ": dict(environ), "limits": dict(limits)}
    body = json.dumps(order).encode()
    socket.send_fds(to_guard, [len(body).to_bytes(_SIZE_BYTES, "big")], list(fds))
    to_guard.sendall(body)


def _process_table() -> dict[int, tuple[int, int]]:
    """Return the parent and session of every living process. Zombies are left out."""
    table = {}
    names = os.listdir(_PROC) if sys.platform.startswith("linux") and os.path.isdir(_PROC) else []
    for name in names:
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError):
            with open(f"{_PROC}/{name}/stat", "rb") as file:
                # "12 (name, which may contain any characters) S parent group session …"
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
    """Make a call of Linux's prctl, and return whether it succeeded. On other systems, return False."""
    if not sys.platform.startswith("linux"):
        return False
    return bool(ctypes.CDLL(None).prctl(option, argument, 0, 0, 0) == 0)


class _Told(BaseException):
    """A keeper was told to end."""


def _guard(mark: str) -> None:
    """Serve requests until the other end has gone. Then kill all families."""
    inherited: dict[int, object] = {number: signal.getsignal(number) for number in _TOLD}
    for number in _TOLD:
        signal.signal(number, _do_nothing)
    signal.signal(signal.SIGCHLD, _reap)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    asked = socket.socket(fileno=os.dup(sys.stdin.fileno()))
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
    groups: list[str] = []
    while (wanted := _next(asked)) is not None:
        order, fds = wanted
        groups = [*filter(os.path.isdir, groups), *_directories_of(order)]
        if os.fork() == 0:
            asked.close()
            _keep_and_exit(order, fds, inherited)
        for fd in fds:
            os.close(fd)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    kill_family([mark], [os.getpid()])
    for directory in groups:  # also those of keepers that were killed
        _remove_group(directory)


def _directories_of(order: Mapping[str, Any]) -> list[str]:
    """Return the control groups of a request."""
    return [group["directory"] for group in order.get("limits", {}).get("groups", [])]


def _next(asked: socket.socket) -> tuple[dict[str, object], list[int]] | None:
    """Return the next request and its file descriptors, or None if no more can come."""
    try:
        head, fds, _, _ = socket.recv_fds(asked, _SIZE_BYTES, _FDS_MAX)
        if len(fds) < _FDS_MIN:
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
    """Run as the keeper of one process. This never returns."""
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
        for directory in _directories_of(order):
            _remove_group(directory)
        os.close(status)
        os._exit(0)


def _keep(order: dict[str, object], fds: Sequence[int], inherited: Mapping[int, object]) -> None:
    """Start the process. Wait until it and all processes that it has orphaned have ended."""
    *standard, status = fds
    limits: Mapping[str, Any] = order["limits"]  # type: ignore[assignment]
    groups: list[Mapping[str, Any]] = limits.get("groups", [])
    failed_here, failed_there = os.pipe()
    try:
        for group in groups:
            _make_group(group)
    except OSError as error:
        _say(status, json.dumps({"errno": None, "why": f"its limits cannot be set: {error}"}).encode())
        return
    child = os.fork()
    if child == 0:
        _become(order, standard, inherited, failed_there)
    for fd in (*standard, failed_there):
        os.close(fd)
    with open(failed_here, "rb") as failure:
        why = failure.read()
    _say(status, why or json.dumps({"pid": child, "keeper": os.getpid()}).encode())
    watch: _MemoryWatch | _ProcessorWatch | None = None
    if "memory_bytes" in limits:
        watch = _MemoryWatch(limits["memory_bytes"], limits.get("files"))
    elif "busy" in limits:
        watch = _ProcessorWatch(**limits["busy"])
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, code = os.wait() if watch is None else watch.wait()
            if pid == child and not why:
                ran_out = any(_ran_out(one["directory"]) for one in groups)
                if over := (watch is not None and watch.over) or (ran_out and "memory"):
                    _say(status, json.dumps({"over": over}).encode())
                _say(status, json.dumps({"ended": os.waitstatus_to_exitcode(code)}).encode())


# ---- limits of a family --------------------------------------------------------------------------------


def _make_group(group: Mapping[str, Any]) -> None:
    """Make a control group with its settings.

    Raises:
        OSError: a required setting cannot be made.
    """
    os.mkdir(group["directory"])
    for name, value, must_be in group["settings"]:
        try:
            _write(f"{group['directory']}/{name}", value)
        except OSError:
            if must_be:
                raise


def _remove_group(directory: str) -> None:
    """Remove a control group. The kernel needs a moment until the group's last process is gone."""
    for _ in range(_REMOVE_PASSES_MAX):
        try:
            os.rmdir(directory)
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(_PAUSE_S)


def _ran_out(directory: str) -> bool:
    """Return whether a process of a group was killed because the group's memory was used up."""
    for name in ("memory.events", "memory.oom_control"):
        with contextlib.suppress(OSError), open(f"{directory}/{name}", "rb") as file:
            rows = (line.split() for line in file)
            return any(row[0] == b"oom_kill" and int(row[1]) > 0 for row in rows)
    return False


def _write(path: str, value: str) -> None:
    fd = os.open(path, os.O_WRONLY)
    try:
        os.write(fd, value.encode())
    finally:
        os.close(fd)


class _MemoryWatch:
    """Counts the memory of our family, and kills the family if it is above its limit.

    It checks ten times a second. It also checks at once when the machine's memory in use has grown so much
    that the family may be above its limit. A check adds up the memory of each process, which is cheap. Only
    if the sum is too large, the family is stopped and counted exactly, so that many processes cannot outrun
    the count. A count is bounded and has ordinary priority, so that no turn waits for it. If the system
    allows it, waiting and early checks have a higher priority.

    Memory that several processes share is counted once, if the system lets us see it. Files in the family's
    /tmp are counted, too, if it is a file system in memory.

    Attributes:
        over: why it killed the family, or "". "memory", "files", or "processes" if the family has more
            processes, or shares more memory among them, than can be counted.
    """

    def __init__(self, memory_bytes: int, files: int | None) -> None:
        self.over = ""
        self._most = memory_bytes
        self._files_most = files
        self._looks = 0
        self._held = self._in_use = 0
        self._due_s = self._early_s = 0.0
        self._priority = _Priority()

    def wait(self) -> tuple[int, int]:
        """Return a child that has ended, like os.wait(), and check the family while waiting."""
        while True:
            found = os.waitpid(-1, os.WNOHANG)
            if found[0]:
                return found
            self._priority.come_first()
            time.sleep(_GLANCE_S)
            in_use, now_s = _in_use(), time.monotonic()
            grown = in_use - self._in_use
            may_be_over = grown > max(self._most // _GROWN_PARTS, (self._most - self._held) // 2)
            if now_s >= self._due_s or (may_be_over and now_s >= self._early_s):
                if not may_be_over:
                    self._priority.come_as_others()
                self._look()
                self._in_use = in_use
            else:
                self._in_use = min(self._in_use, in_use)

    def _look(self) -> None:
        began_s, pids = time.thread_time(), list[int]()
        try:
            self._count(pids, began_s + _COUNT_S_MAX)
        except _TooMuchError:
            self.over = "processes"
        self._priority.come_as_others()
        if self.over:
            send_signal(pids, signal.SIGKILL)
            kill_family([], [os.getpid()])
        busy_s, now_s = time.thread_time() - began_s, time.monotonic()
        self._early_s = now_s + _EARLY_REST_PARTS * busy_s
        self._due_s = now_s + max(_WATCH_S, _REST_PARTS * busy_s)

    def _count(self, pids: list[int], until_s: float) -> None:
        """Find out whether our family is above a limit.

        Args:
            pids: a list that gets the ids of the family.
            until_s: the end of the count, in processor time of this thread.

        Raises:
            _TooMuchError: the family is too large to be counted.
        """
        pids += _descendants()
        self._looks += 1
        self._held = sum(map(_resident, pids))
        stopped = self._held > self._most
        if stopped:
            send_signal(pids, signal.SIGSTOP)
            pids[:] = _descendants()  # including those that were forked in the meantime
            send_signal(pids, signal.SIGSTOP)
        self._priority.come_as_others()
        if len(pids) > _PROCESSES_MAX or self._held > _PAGES_MAX * _PAGE_BYTES:
            raise _TooMuchError
        if stopped:
            self._held = sum(_in_proportion(pid) for pid in _each_in_time(pids, until_s))
        if self._looks % _SHARED_EVERY == 0 and self._held <= self._most:
            self._held = max(self._held, _shared(_each_in_time(pids, until_s)))
        if self._held > self._most:
            self.over = "memory"
        elif self._files_most is not None and _files_in_tmp(pids) > self._files_most:
            self.over = "files"
        elif stopped:
            send_signal(pids, signal.SIGCONT)


class _ProcessorWatch:
    """Gives a family a smaller share of the processors while it uses more than one.

    Args:
        usage: the file with the processor time used.
        share: the file that sets the share.
        shares: the usual share, and the share of a busy family.
    """

    over = ""

    def __init__(self, usage: str, share: str, shares: Sequence[str]) -> None:
        self._usage, self._share, self._shares = usage, share, shares
        self._is_busy = False
        self._used_s, self._looked_s = _processor_s(usage), time.monotonic()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})

    def wait(self) -> tuple[int, int]:
        """Return a child that has ended, like os.wait(), and check the family while waiting."""
        while True:
            found = os.waitpid(-1, os.WNOHANG)
            if found[0]:
                return found
            rest_s = self._looked_s + _BUSY_LOOK_S - time.monotonic()
            if rest_s <= 0:
                self._look()
            else:
                signal.sigtimedwait({signal.SIGCHLD}, rest_s)

    def _look(self) -> None:
        used_s, now_s = _processor_s(self._usage), time.monotonic()
        processors = (used_s - self._used_s) / (now_s - self._looked_s)
        self._used_s, self._looked_s = used_s, now_s
        is_busy = processors > (_STILL_BUSY if self._is_busy else _BUSY)
        if is_busy != self._is_busy:
            self._is_busy = is_busy
            with contextlib.suppress(OSError):
                _write(self._share, self._shares[is_busy])


def _processor_s(path: str) -> float:
    """Return the processor time of a control group: cpuacct.usage of version 1, cpu.stat of version 2.

    Return 0 if it cannot be read.
    """
    with contextlib.suppress(OSError, ValueError), open(path, "rb") as file:
        for line in file:
            if line.startswith(b"usage_usec "):
                return int(line.split()[1]) / 1e6
            return int(line) / 1e9
    return 0.0


class _TooMuchError(Exception):
    """A family that is too large to be counted within the limit."""


def _each_in_time(pids: Sequence[int], until_s: float) -> Iterator[int]:
    """Yield ids until the time is over.

    Raises:
        _TooMuchError: the time is over.
    """
    for pid in pids:
        if time.thread_time() > until_s:
            raise _TooMuchError
        yield pid


class _Priority:
    """The priority of this process: that of ordinary processes, or a higher one. The higher one takes
    precedence over most or all processes, as far as the system allows.
    """

    def __init__(self) -> None:
        self._is_first = False
        self._nice = os.nice(0)

    def come_first(self) -> None:
        """Take precedence over ordinary processes."""
        if self._is_first:
            return
        self._is_first = True
        with contextlib.suppress(OSError, AttributeError):
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
            return
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, 0, _WATCH_NICE)

    def come_as_others(self) -> None:
        """Run with the priority of ordinary processes."""
        if not self._is_first:
            return
        self._is_first = False
        with contextlib.suppress(OSError, AttributeError):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, 0, self._nice)


def _in_use() -> int:
    """Return the memory that all processes of the machine use. 0: /proc does not tell."""
    found = 0
    with contextlib.suppress(OSError), open(f"{_PROC}/meminfo", "rb") as file:
        for line in file:
            if line.startswith((b"AnonPages:", b"Shmem:")):
                found += int(line.split()[1]) << 10
    return found


def _descendants() -> list[int]:
    """Return the ids of our family, or more of them than can be counted.

    If /proc lists children, other processes need not be examined.
    """
    if not os.path.exists(f"{_PROC}/self/task/{os.getpid()}/children"):
        return sorted(family([], [os.getpid()]))
    found: list[int] = []
    open_ends = [os.getpid()]
    while open_ends and len(found) <= _PROCESSES_MAX:
        below = _children(open_ends.pop())
        found += below
        open_ends += below
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"{_PROC}/{pid}/task"):
            with contextlib.suppress(OSError), open(f"{_PROC}/{pid}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError), open(f"{_PROC}/{pid}/statm", "rb") as file:
        return int(file.read().split()[1]) * _PAGE_BYTES
    return 0


def _in_proportion(pid: int) -> int:
    """Return a process's memory, with its part of shared memory. If that is hidden, return its full
    memory.
    """
    with contextlib.suppress(OSError), open(f"{_PROC}/{pid}/smaps_rollup", "rb") as file:
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) << 10
    return _resident(pid)


def _shared(pids: Iterable[int]) -> int:
    """Return the size of shared memory without a file. Such memory may exist without being resident."""
    sizes: dict[bytes, int] = {}
    for pid in pids:
        with contextlib.suppress(OSError), open(f"{_PROC}/{pid}/maps", "rb") as file:
            for line in file:
                if line.endswith(b"(deleted)\n"):
                    place, _, _, _, inode = line.split()[:5]
                    start, _, end = place.partition(b"-")
                    sizes[inode] = max(sizes.get(inode, 0), int(end, 16) - int(start, 16))
    return sum(sizes.values())


def _files_in_tmp(pids: Iterable[int]) -> int:
    """Return the number of files in a family's /tmp, unless it is the machine's /tmp."""
    ours = os.stat("/tmp").st_dev
    for pid in pids:
        with contextlib.suppress(OSError):
            place = f"{_PROC}/{pid}/root/tmp"
            if os.stat(place).st_dev != ours:
                found = os.statvfs(place)
                return found.f_files - found.f_ffree
    return 0


# ---- the process ---------------------------------------------------------------------------------------


def _become(
    order: dict[str, object], standard: Sequence[int], inherited: Mapping[int, object], failed: int
) -> None:
    """Become the requested process, or report why this failed. This never returns."""
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
        import fcntl  # only needed on systems with keepers

        _enter_groups(order)
        given = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _FREE_FD) for fd in standard]
        for number, fd in enumerate(given):
            os.dup2(fd, number)
        os.nice(order["limits"].get("nice", 0))  # type: ignore[attr-defined]
        os.chdir(order["cwd"])  # type: ignore[arg-type]
        argv: list[str] = order["argv"]  # type: ignore[assignment]
        os.execvpe(argv[0], argv, order["environ"])  # type: ignore[arg-type]
    except BaseException as error:
        code = error.errno if isinstance(error, OSError) else None
        os.write(failed, json.dumps({"errno": code, "why": str(error)}).encode())
    finally:
        os._exit(127)


def _enter_groups(order: dict[str, object]) -> None:
    limits: Mapping[str, Any] = order["limits"]  # type: ignore[assignment]
    for group in limits.get("groups", []):
        _write(f"{group['directory']}/cgroup.procs", "0")


def _say(status: int, line: bytes) -> None:
    with contextlib.suppress(OSError):
        os.write(status, line + b"\n")


def _do_nothing(*_: object) -> None:
    """Ignore a signal. Unlike SIG_IGN, started programs do not inherit this."""


def _tell(*_: object) -> None:
    raise _Told


def _reap(*_: object) -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


if __name__ == "__main__":
    _guard(sys.argv[1])
