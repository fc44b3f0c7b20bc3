"""Starts processes and ends all their descendants, even when we are killed.

A process may start other processes, move them to another session, empty their environment and orphan them. To
find all of them, each process gets a keeper as its parent. The keeper adopts every orphaned descendant (as a
"child subreaper"). The family of a process is all descendants of its keeper. On systems without subreapers,
the family is found by an environment variable, the mark. The family is then all processes with this mark, all
processes in the session of one of these, and the children of all these processes.

A keeper also enforces limits for the whole family, because the limits of the system apply only to single
processes. It makes control groups for the family, and removes them at the end. If control groups are not
available, the keeper itself counts the memory of the family.

As a program (`python -I -S guard.py MARK`, with a socket as standard input), this file is the guard. The
guard forks a keeper for each request. When the other end of the guard's socket is gone for any reason, the
guard kills all families. The guard runs without the rest of the project, so this file imports no other file
of the project.
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
"""The name of the environment variable with the mark. Its value is a mark such as "a1b2.7". In a search, the
mark "a1b2" stands for all marks that begin with "a1b2.".
"""

_PROC = "/proc"
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_TICKS_PER_S = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_STAT_TIMES = slice(11, 13)
"""The fields of /proc/PID/stat with the processor time. The fields after the name of the program are
counted.
"""
_KILL_PASSES_MAX = 200
_PAUSE_S = 0.01
_ENVIRON_SIZE_MAX = 1 << 20
_SIZE_BYTES = 4
_FDS_MIN, _FDS_MAX = 4, 8
_FREE_FD = 64
"""A started program has only file descriptors below this number."""
_WATCH_S = 0.1
"""The time between two checks of a family's memory, in seconds. If the memory in use on the machine grows
fast, a check comes earlier.
"""
_GLANCE_S = 0.01
"""The time between two checks of the machine's memory, in seconds. A check reads one small file and takes 20
µs.
"""
_GROWN_PARTS = 16
"""A family is checked early if the memory in use on the machine has grown by a sixteenth of the family's
limit, and by half of the memory that the family may still use.
"""
_BUSY_LOOK_S = 0.1
"""The time between two checks of a family's processor time, in seconds. A check takes 30 µs."""
_BUSY, _STILL_BUSY = 1.25, 1.0
"""A family counts as busy when it uses more processors than the first number. It stays busy until it uses at
most the second number.
"""
_PROCESSES_MAX = 256
"""The largest number of processes of a family whose memory can be counted."""
_PAGES_MAX = 4 << 20
"""The largest number of memory pages of these processes, if shared pages are counted for each process.
Counting so many pages takes 0.1 s.
"""
_COUNT_S_MAX = 0.5
"""The largest processor time of one count, in seconds."""
_REST_PARTS, _EARLY_REST_PARTS = 9, 4
"""The break after a check, as a multiple of the check's processor time. The second, shorter break applies
while memory grows.
"""
_WATCH_NICE = -15
_SHARED_EVERY = 5
"""Every fifth check of a family's memory also counts its shared memory, which takes longer."""
_REMOVE_PASSES_MAX = 100
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37
_TOLD = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_PYTHON_IGNORES = tuple(getattr(signal, name) for name in ("SIGPIPE", "SIGXFSZ") if hasattr(signal, name))
KILL: signal.Signals = getattr(signal, "SIGKILL", signal.SIGTERM)
"""The signal that ends a process in any case. On Windows, `os.kill` ends a process with any signal."""


def family(marks: Iterable[str], keepers: Iterable[int] = ()) -> set[int]:
    """Return the ids of all living processes of these marks or keepers, without this process and the keepers.

    The set is empty on systems without /proc.
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

    Shared memory is counted for each process that uses it. A keeper that /proc does not show is left out.
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
    """Send a signal to each of these processes that is still alive, as far as we are allowed to."""
    for pid in pids:
        with contextlib.suppress(OSError):  # it has ended, or it belongs to another user
            os.kill(pid, number)


def kill_family(marks: Iterable[str], keepers: Iterable[int] = ()) -> bool:
    """Kill a family. If it forks new processes meanwhile, try again, for about two seconds. Return whether no
    process is left that /proc shows.
    """
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
    """Ask a guard to start a process.

    The keeper of the process reports on a pipe, in lines of JSON. The first line is {"pid": …, "keeper": …},
    or {"errno": …, "why": …} if the program cannot be started. {"over": …} follows if the family exceeded a
    limit. {"ended": …} follows at the end of the process, with the exit code or minus the signal. The pipe
    closes when no process of the family is left.

    A family can have these limits. Each limit is optional:

    * groups: control groups to make. Each has a directory, and settings of the form [file, value, whether it
      is required].
    * memory_bytes: the limit of memory, in bytes, if the groups do not count memory.
    * files: with memory_bytes, the largest number of files in the family's own /tmp.
    * busy: only if the groups count memory. It has two files of a group (usage and share) and two values of
      the share: the usual share, and the share while the family uses more than one processor.
    * nice: a number that is added to the niceness of the process, as os.nice() does.

    Args:
        fds: the descriptors that the process gets as 0, 1, 2 and so on. The last descriptor is the pipe on
            which the keeper reports.
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
    """Raised in a keeper that has to end."""


def _guard(mark: str) -> None:
    """Serve requests until the server closes its end of the socket. Then kill all bots and their children."""
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
    """Return the next request and its file descriptors. None means that the other end has gone."""
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
    """Start the process. Wait until the process, and all processes that it has orphaned, have ended."""
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
    """Make a control group, and apply its settings.

    Raises:
        OSError: the group cannot be made, or a required setting cannot be applied.
    """
    os.mkdir(group["directory"])
    for name, value, must_be in group["settings"]:
        try:
            _write(f"{group['directory']}/{name}", value)
        except OSError:
            if must_be:
                raise


def _remove_group(directory: str) -> None:
    """Remove a control group. Try again for a second, because its last process may need a moment to go."""
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

    The keeper checks the memory ten times per second. It also checks immediately if the memory in use on the
    machine has grown so much that the family may be above its limit. A check adds up the memory of each
    process, which takes little time. If the sum is too large, the keeper stops the family's processes and
    counts their memory exactly. They are stopped so that new processes cannot outrun the count. The time of a
    count is limited, and it runs with ordinary priority, so that no turn waits for it. Waiting and early
    checks have a higher priority if the system allows this.

    Memory that several processes share is counted once, if the system shows which memory is shared. Files in
    the family's /tmp are counted, too, if /tmp is a file system in memory.

    Attributes:
        over: why the keeper killed the family. "memory" means that it used too much memory. "files" means
            that it had too many files. "processes" means that it had more processes, or more shared memory
            among them, than the keeper can count. "" means that the keeper has not killed it.
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
        """Wait for a child that ends, and return the same as os.wait(). Check the family while waiting."""
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
        """Set `over` if our family is above a limit. During an exact count, its processes are stopped.

        Args:
            pids: a list to which the process ids of the family are added.
            until_s: the time at which the count must end, measured as processor time of this thread, in
                seconds.

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
        usage: the path of the file that shows the processor time used.
        share: the path of the file that sets the share.
        shares: the usual share, and the share of a busy family.
    """

    over = ""

    def __init__(self, usage: str, share: str, shares: Sequence[str]) -> None:
        self._usage, self._share, self._shares = usage, share, shares
        self._is_busy = False
        self._used_s, self._looked_s = _processor_s(usage), time.monotonic()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})

    def wait(self) -> tuple[int, int]:
        """Wait for a child that ends, and return the same as os.wait(). Check the family while waiting."""
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
    """Return the processor time of a control group, in seconds. The file is cpuacct.usage in version 1, or
    cpu.stat in version 2.

    Return 0 if it cannot be read.
    """
    with contextlib.suppress(OSError, ValueError), open(path, "rb") as file:
        for line in file:
            if line.startswith(b"usage_usec "):
                return int(line.split()[1]) / 1e6
            return int(line) / 1e9
    return 0.0


class _TooMuchError(Exception):
    """A family is too large to be counted within the time limit."""


def _each_in_time(pids: Sequence[int], until_s: float) -> Iterator[int]:
    """Yield the ids in `pids`, as long as there is time.

    Raises:
        _TooMuchError: the time is over.
    """
    for pid in pids:
        if time.thread_time() > until_s:
            raise _TooMuchError
        yield pid


class _Priority:
    """Switches this process between the priority of ordinary processes and a higher one. With the higher one,
    it runs before most or all other processes. If the system forbids that, the priority stays the same.
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
    """Return the memory that all processes of the machine use, in bytes, or 0 if /proc does not show it."""
    found = 0
    with contextlib.suppress(OSError), open(f"{_PROC}/meminfo", "rb") as file:
        for line in file:
            if line.startswith((b"AnonPages:", b"Shmem:")):
                found += int(line.split()[1]) << 10
    return found


def _descendants() -> list[int]:
    """Return the process ids of our family. If there are more processes than can be counted, the list is cut
    off above this number.

    If /proc lists the children of each process, no other process needs to be examined.
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
    """Return a process's memory, in bytes. Shared memory is divided among the processes that use it. If the
    system hides how memory is shared, all of the shared memory counts.
    """
    with contextlib.suppress(OSError), open(f"{_PROC}/{pid}/smaps_rollup", "rb") as file:
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) << 10
    return _resident(pid)


def _shared(pids: Iterable[int]) -> int:
    """Return the size, in bytes, of the shared memory without a file that these processes have. Such memory
    can be in use although no process shows it as resident.
    """
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
    """Return the number of files in a family's /tmp, or 0 if it is the machine's /tmp."""
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
    """Become the requested process. If this fails, report the reason on `failed` and end. This never
    returns.
    """
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
    """Do nothing when a signal arrives. Unlike SIG_IGN, this handler is not inherited by started programs."""


def _tell(*_: object) -> None:
    raise _Told


def _reap(*_: object) -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


if __name__ == "__main__":
    _guard(sys.argv[1])
