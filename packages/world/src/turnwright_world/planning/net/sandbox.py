"""Seals a process, so that it can only compute and answer.

The process has system limits (memory, files, processes, time) and a separate session. It cannot gain
privileges, and it ends with its parent. On Linux a filter of system calls (seccomp) permits only the calls
that Python needs to compute, to get memory and to use the open descriptors. The process cannot open a
file or a socket, start a process or a thread, send a signal or set an alarm. Such a call fails with EPERM.

Sources: Linux, Documentation/userspace-api/seccomp_filter.rst; numbers of calls from asm/unistd.h.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import signal
import struct
import sys

CPU_S_MAX = 120
"""The system ends a process after this processor time, in seconds. The server replaces a process long before.
"""

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38
_MODE_FILTER = 2
_ALLOW, _KILL, _EPERM = 0x7FFF_0000, 0x8000_0000, 0x0005_0001
_LOAD, _JUMP_EQUAL, _RETURN = 0x20, 0x15, 0x06
_NOBODY = 65_534

_CALLS = {
    # read write close fstat lseek mmap mprotect munmap brk rt_sigprocmask rt_sigreturn readv writev
    # sched_yield mremap madvise getpid exit gettid times getrusage sigaltstack futex clock_gettime
    # clock_getres exit_group getrandom rseq restart_syscall gettimeofday
    "x86_64": (
        0xC000_003E,
        "0 1 3 5 8 9 10 11 12 14 15 19 20 24 25 28 39 60 186 100 98 131 202 228 229 231 318 334 219 96",
    ),
    "aarch64": (
        0xC000_00B7,
        "63 64 57 80 62 222 226 215 214 135 139 65 66 124 216 233 172 93 178 153 165 132 98 113 114 94"
        " 278 293 128 169",
    ),
}
"""For each kind of machine, its audit number and the permitted system calls."""


class _SeccompFilter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


if sys.platform == "linux":
    import resource

    _libc = ctypes.CDLL(None, use_errno=True)
    _libc.prctl.argtypes = (ctypes.c_int, *4 * (ctypes.c_ulong,))


def can_seal() -> bool:
    """Return whether this machine has a filter of system calls that this module can set."""
    if sys.platform != "linux" or platform.machine() not in _CALLS:
        return False
    # With an unreadable address the call fails with EFAULT if the system has filters, otherwise with EINVAL.
    _libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, 0, 0, 0)
    return ctypes.get_errno() == 14 and struct.calcsize("P") == 8


def limit(memory_mib: int, parent: int) -> None:
    """Limit this process for the rest of its life, and clear its environment.

    A root process gets the user id 65534. Systems other than Linux have no limits.

    Args:
        memory_mib: the memory that it may use in addition to its present memory.
        parent: the process id of its parent. When the parent ends, this process ends.
    """
    os.environ.clear()
    if sys.platform != "linux":
        return
    os.setsid()
    with contextlib.suppress(OSError):
        if os.getuid() == 0:
            os.setgroups([])
            os.setresgid(_NOBODY, _NOBODY, _NOBODY)
            os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    _libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
    _lower(resource.RLIMIT_AS, _memory_now() + (memory_mib << 20))
    _lower(resource.RLIMIT_CPU, CPU_S_MAX)
    _lower(resource.RLIMIT_NOFILE, 8)
    _lower(resource.RLIMIT_NPROC, 0)
    _lower(resource.RLIMIT_FSIZE, 0)
    _lower(resource.RLIMIT_CORE, 0)


def seal() -> None:
    """Set the filter of system calls, for the rest of the process's life.

    Call it only if `can_seal` returns True, and after `limit`.

    Raises:
        OSError: the system refuses the filter.
    """
    assert sys.platform == "linux", "can_seal() said no"
    number, listed = _CALLS[platform.machine()]
    calls = sorted(int(call) for call in listed.split())
    steps = [(_LOAD, 0, 0, 4), (_JUMP_EQUAL, 1, 0, number), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    left = len(calls)
    for call in calls:
        steps.append((_JUMP_EQUAL, left, 0, call))
        left -= 1
    steps += [(_RETURN, 0, 0, _EPERM), (_RETURN, 0, 0, _ALLOW)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = _SeccompFilter(len(steps), ctypes.addressof(code))
    for option, value, pointer in (
        (_PR_SET_NO_NEW_PRIVS, 1, 0),
        (_PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(program)),
    ):
        if _libc.prctl(option, value, pointer, 0, 0) != 0:
            error = ctypes.get_errno()
            raise OSError(error, os.strerror(error))


def _lower(what: int, most: int) -> None:
    assert sys.platform == "linux"
    _, hard = resource.getrlimit(what)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(what, (most, most))


def _memory_now() -> int:
    assert sys.platform == "linux"
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[0]) * resource.getpagesize()
