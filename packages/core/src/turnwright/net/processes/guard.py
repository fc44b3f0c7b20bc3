"""Starts processes and ends all their descendants, even when we are killed.

A process may start others, move them to another session, empty their environment and orphan them. So each
one gets a keeper, its parent, which adopts every orphaned descendant (a "child subreaper"): a family is all
descendants of its keeper. Without subreapers, a family is all processes that inherited an environment
variable, the mark, those in a session with one of them, and the children of all these.

A keeper also holds its family to limits that no limit of a process covers: it makes control groups for it
and removes them, and where there are none it counts the family's memory itself.

Run as a program (`python -I -S guard.py MARK`, its standard input a socket) this is the guard. It forks a
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

TYPE_CHECKING = False  # typing takes longer to load than all else here
if TYPE_CHECKING:
    from typing import Any

NO_LIMITS: Mapping[str, object] = MappingProxyType({})
MARK = "TURNWRIGHT_PROCESS"
"""The variable's name. Its value is a mark such as "a1b2.7". The mark "a1b2" means all "a1b2.…"."""

_PROC = "/proc"
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_TICKS_PER_S = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_STAT_TIMES = slice(11, 13)
"""The fields of /proc/PID/stat with the processor time, behind the name of the program."""
_KILL_PASSES_MAX = 200
_PAUSE_S = 0.01
_ENVIRON_SIZE_MAX = 1 << 20
_SIZE_BYTES = 4
_FDS_MIN, _FDS_MAX = 4, 8
_FREE_FD = 64
"""Numbers from here on are no file descriptor of a program that is started."""
_WATCH_S = 0.1
"""Between two looks at a family's memory, unless the machine's has grown much."""
_GLANCE_S = 0.01
"""Between two looks at the machine's memory: one small file, 20 µs."""
_GROWN_PARTS = 16
"""A family is looked at early when the machine's memory has grown by this part of the family's limit, and by
half of what the family may still take."""
_BUSY_LOOK_S = 0.1
"""Between two looks at a family's processor time: 30 µs each."""
_BUSY, _STILL_BUSY = 1.25, 1.0
"""Processors: a family that uses more is busy, until it uses no more than the second."""
_PROCESSES_MAX = 256
"""The most processes of a family whose memory is counted."""
_PAGES_MAX = 4 << 20
"""The most pages that they hold together, shared ones once for each: 0.1 s of counting."""
_COUNT_S_MAX = 0.5
"""The processor time of one count."""
_REST_PARTS, _EARLY_REST_PARTS = 9, 4
"""A look is followed by so many times its processor time without one; less where memory grows."""
_WATCH_NICE = -15
_SHARED_EVERY = 5
"""Looks at a family's memory until its shared memory is counted, too: that takes longer."""
_REMOVE_PASSES_MAX = 100
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37
_TOLD = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_PYTHON_IGNORES = tuple(getattr(signal, name) for name in ("SIGPIPE", "SIGXFSZ") if hasattr(signal, name))
KILL: signal.Signals = getattr(signal, "SIGKILL", signal.SIGTERM)
"""The signal that ends a process in any case; on Windows `os.kill` does so with each."""


def family(marks: Iterable[str], keepers: Iterable[int] = ()) -> set[int]:
    """Return the ids of all living processes of some marks or keepers.

    Without our own processes.

    Keepers themselves are no family.
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

    Memory that processes share is counted for each of them. A keeper that /proc does not show is left out.
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
    """Send a signal to each living process that we may signal."""
    for pid in pids:
        with contextlib.suppress(OSError):  # it has ended, or is not our process
            os.kill(pid, number)


def kill_family(marks: Iterable[str], keepers: Iterable[int] = ()) -> bool:
    """Kill a family, repeatedly while it forks. Return whether none is left."""
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

    The keeper of the process writes lines of JSON: {"pid": …, "keeper": …}, or {"errno": …, "why": …} when
    the program cannot be started; then {"over": …} when the family went over a limit, and {"ended": …}, the
    exit code or minus the signal. It closes when no process of the family is left.

    These limits of a family exist, and each may be left out. groups: control groups to make, each with
    directory and settings ([file, value, whether it must be]). memory_bytes: the limit if groups do not count
    memory. busy: if groups do, two of their files, usage and share, and two shares, the usual one and the one
    while the family uses more than one processor. nice: added to the priority of the process, as os.nice().

    Args:
        fds: its descriptors 0, 1, 2 and so on. The last one is for its keeper, which reports through it.
        limits: the limits of the family, by name.

    Raises:
        OSError: the guard has gone.
    """
    order = {"argv": list(argv), "cwd": cwd, "environ": dict(environ), "limits": dict(limits)}
    body = json.dumps(order).encode()
    socket.send_fds(to_guard, [len(body).to_bytes(_SIZE_BYTES, "big")], list(fds))
    to_guard.sendall(body)


def _process_table() -> dict[int, tuple[int, int]]:
    """Return parent and session of every process that is alive (a zombie is not)."""
    table = {}
    names = os.listdir(_PROC) if sys.platform.startswith("linux") and os.path.isdir(_PROC) else []
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
    """A keeper was ordered to end."""


def _guard(mark: str) -> None:
    """Serve requests until the other end has gone. Then kill what is left."""
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
    for directory in groups:  # of keepers that were killed, too
        _remove_group(directory)


def _directories_of(order: Mapping[str, Any]) -> list[str]:
    """Return the control groups that an order asks for."""
    return [group["directory"] for group in order.get("limits", {}).get("groups", [])]


def _next(asked: socket.socket) -> tuple[dict[str, object], list[int]] | None:
    """Return the next order and its file descriptors, or None when no more can come."""
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
        for directory in _directories_of(order):
            _remove_group(directory)
        os.close(status)
        os._exit(0)


def _keep(order: dict[str, object], fds: Sequence[int], inherited: Mapping[int, object]) -> None:
    """Start the process, and wait until it and all that it has let go of have ended."""
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
        OSError: one that must be cannot be made.
    """
    os.mkdir(group["directory"])
    for name, value, must_be in group["settings"]:
        try:
            _write(f"{group['directory']}/{name}", value)
        except OSError:
            if must_be:
                raise


def _remove_group(directory: str) -> None:
    """Remove a control group; the kernel needs a moment until its last process is out of it."""
    for _ in range(_REMOVE_PASSES_MAX):
        try:
            os.rmdir(directory)
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(_PAUSE_S)


def _ran_out(directory: str) -> bool:
    """Return whether a process of a group was killed because the group had no memory left."""
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
    """Counts the memory of our family, and kills it when that is over its limit.

    It looks ten times a second, and at once when the memory in use on the machine has grown so much that the
    family may be over its limit. A look adds up what each process holds, which is cheap. Only a family that
    seems to be over its limit is counted exactly, and stopped meanwhile, so that many processes do not outrun
    it. A count is bounded, and runs as an ordinary process, so that no turn waits for it; waiting, and a look
    because memory has grown, come before ordinary processes where we may ask for that.

    What several processes share is counted once, if the system lets us look. Files in the family's /tmp are
    counted, too, if it is a file system in memory.

    Attributes:
        over: why it killed, or "": "memory", "files", or "processes" for a family that has more processes, or
            shares more among them, than can be counted.
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
        """Return a child that has ended, as os.wait(), looking meanwhile."""
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
        """Find out whether our family is over a limit.

        Args:
            pids: a list that gets the ids of the family.
            until_s: the end, in processor time of this thread.

        Raises:
            _TooMuchError: the family is too large to be counted.
        """
        pids += _descendants()
        self._looks += 1
        self._held = sum(map(_resident, pids))
        stopped = self._held > self._most
        if stopped:
            send_signal(pids, signal.SIGSTOP)
            pids[:] = _descendants()  # with those that were forked meanwhile
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
    """Gives a family less of the processors while it uses more than one.

    Args:
        usage: the file that tells the processor time used.
        share: the file that takes a share.
        shares: the usual one, and the one meanwhile.
        over: as in _MemoryWatch, always "".
    """

    over = ""

    def __init__(self, usage: str, share: str, shares: Sequence[str]) -> None:
        self._usage, self._share, self._shares = usage, share, shares
        self._is_busy = False
        self._used_s, self._looked_s = _processor_s(usage), time.monotonic()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})

    def wait(self) -> tuple[int, int]:
        """Return a child that has ended, as os.wait(), looking meanwhile."""
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

    0 where it cannot be read.
    """
    with contextlib.suppress(OSError, ValueError), open(path, "rb") as file:
        for line in file:
            if line.startswith(b"usage_usec "):
                return int(line.split()[1]) / 1e6
            return int(line) / 1e9
    return 0.0


class _TooMuchError(Exception):
    """A family that cannot be counted within its bound."""


def _each_in_time(pids: Sequence[int], until_s: float) -> Iterator[int]:
    """Yield ids while there is time.

    Raises:
        _TooMuchError: the time is over.
    """
    for pid in pids:
        if time.thread_time() > until_s:
            raise _TooMuchError
        yield pid


class _Priority:
    """The priority of this process: that of ordinary ones, or before them.

    Before all of them, or before most, as far as we may.
    """

    def __init__(self) -> None:
        self._is_first = False
        self._nice = os.nice(0)

    def come_first(self) -> None:
        """Run before ordinary processes."""
        if self._is_first:
            return
        self._is_first = True
        with contextlib.suppress(OSError, AttributeError):
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
            return
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, 0, _WATCH_NICE)

    def come_as_others(self) -> None:
        """Run as ordinary processes do."""
        if not self._is_first:
            return
        self._is_first = False
        with contextlib.suppress(OSError, AttributeError):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, 0, self._nice)


def _in_use() -> int:
    """Return the memory that all processes of the machine hold; 0 where /proc does not tell."""
    found = 0
    with contextlib.suppress(OSError), open(f"{_PROC}/meminfo", "rb") as file:
        for line in file:
            if line.startswith((b"AnonPages:", b"Shmem:")):
                found += int(line.split()[1]) << 10
    return found


def _descendants() -> list[int]:
    """Return the ids of our family, or of more of it than are counted.

    It costs no look at other processes where /proc lists children.
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
    """Return the memory of a process, with its part of what it shares; where that is hidden, all of it."""
    with contextlib.suppress(OSError), open(f"{_PROC}/{pid}/smaps_rollup", "rb") as file:
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) << 10
    return _resident(pid)


def _shared(pids: Iterable[int]) -> int:
    """Return the size of all memory that is shared and of no file: it may be there and resident nowhere."""
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
    """Return how many files there are in a family's /tmp, unless it is that of the machine."""
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
        import fcntl  # only where there are keepers

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
    """Survive a signal; unlike SIG_IGN this is not inherited by programs that are started."""


def _tell(*_: object) -> None:
    raise _Told


def _reap(*_: object) -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


if __name__ == "__main__":
    _guard(sys.argv[1])
