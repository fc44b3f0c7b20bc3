"""The filter of system calls of a sandboxed bot, by architecture. It is a deny list.

An allow list would have to contain all calls that any JVM, Node and .NET use. The calls in REFUSED return
EPERM. The calls in NOT_THERE return ENOSYS instead, so that C libraries and runtimes use other calls. Some
calls are denied only with certain arguments, e.g. `socket` for unusual families. A call of another
architecture (by a 32-bit program on a 64-bit kernel) ends the process.

Sources: Linux, Documentation/userspace-api/seccomp_filter.rst. Numbers of calls from asm/unistd.h. The
default profile of container engines, for calls that programs do not need.
"""

from __future__ import annotations

import platform
import struct
import sys

_LOAD, _AND, _JUMP_EQUAL, _JUMP_SET, _RETURN = 0x20, 0x54, 0x15, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF_0000, 0x8000_0000, 0x0005_0000
_EPERM, _EINVAL, _ENOSYS, _EAFNOSUPPORT = 1, 22, 38, 97
_NUMBER, _AUDIT, _ARGUMENTS = 0, 4, 16
"""The offsets of the call's number, its architecture and its arguments in the structure that describes a
call. Each argument has eight bytes, with the lower half first.
"""
_FAMILIES = (1, 2, 10)
"""The allowed families of sockets: Unix, IPv4 and IPv6. Other families are denied, because network namespaces
do not isolate all of them, e.g. vsock.
"""
_NAMESPACES = 0x7E02_0080
"""Flags of `clone` that make a namespace."""
_SHARED_WITHOUT_FILE = 0x21
"""The flags of `mmap` for shared memory without a file. No measure of a process's memory includes such memory
fully.
"""
_TERMINAL_INPUT = (0x5412, 0x541C)
"""Requests of `ioctl` that write input into a terminal: TIOCSTI, TIOCLINUX."""

_AUDIT_OF = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_SOCKET = {"x86_64": (41, 53), "aarch64": (198, 199)}
"""The numbers of the calls `socket` and `socketpair`."""
_CLONE = {"x86_64": 56, "aarch64": 220}
_MMAP = {"x86_64": 9, "aarch64": 222}
_IOCTL = {"x86_64": 16, "aarch64": 29}
_UNKNOWN = {"x86_64": 0x4000_0000, "aarch64": 0}
"""The bits in the number of a call that select a second set of calls (x32 on x86-64)."""

_FCNTL = {"x86_64": 72, "aarch64": 25}
_TOLD_OF_FILES = (5, 36, 1024, 1025, 1026)
"""Requests of `fcntl` that reveal how other processes use a file: F_GETLK, F_OFD_GETLK, leases and F_NOTIFY.
All sandboxes show the same system files, so with these requests bots could send each other signals. Taking a
lock is allowed.
"""

NOT_THERE = (
    ("clone3", 435, 435),
    ("io_uring_setup", 425, 425),
    ("io_uring_enter", 426, 426),
    # signals between sandboxes through files of the system
    ("flock", 73, 32),
    ("inotify_init", 253, None),
    ("inotify_init1", 294, 26),
)
REFUSED = (
    # files and mounts
    ("mount", 165, 40),
    ("umount2", 166, 39),
    ("pivot_root", 155, 41),
    ("chroot", 161, 51),
    ("open_tree", 428, 428),
    ("move_mount", 429, 429),
    ("fsopen", 430, 430),
    ("fsconfig", 431, 431),
    ("fsmount", 432, 432),
    ("fspick", 433, 433),
    ("mount_setattr", 442, 442),
    ("statmount", 457, 457),
    ("listmount", 458, 458),
    ("open_tree_attr", 467, 467),
    ("name_to_handle_at", 303, 264),
    ("open_by_handle_at", 304, 265),
    ("quotactl", 179, 60),
    ("quotactl_fd", 443, 443),
    ("swapon", 167, 224),
    ("swapoff", 168, 225),
    ("fanotify_init", 300, 262),
    ("ustat", 136, None),
    ("sysfs", 139, None),
    # namespaces and other processes
    ("unshare", 272, 97),
    ("setns", 308, 268),
    ("ptrace", 101, 117),
    ("process_vm_readv", 310, 270),
    ("process_vm_writev", 311, 271),
    ("process_madvise", 440, 440),
    ("pidfd_getfd", 438, 438),
    ("kcmp", 312, 272),
    ("migrate_pages", 256, 238),
    ("move_pages", 279, 239),
    ("setsid", 112, 157),
    # memory that a count of a process's memory does not include
    ("memfd_create", 319, 279),
    ("memfd_secret", 447, 447),
    ("shmget", 29, 194),
    ("msgget", 68, 186),
    ("semget", 64, 190),
    ("mq_open", 240, 180),
    ("userfaultfd", 323, 282),
    # the kernel
    ("io_uring_register", 427, 427),
    ("bpf", 321, 280),
    ("perf_event_open", 298, 241),
    ("add_key", 248, 217),
    ("request_key", 249, 218),
    ("keyctl", 250, 219),
    ("seccomp", 317, 277),
    ("personality", 135, 92),
    ("syslog", 103, 116),
    ("acct", 163, 89),
    ("reboot", 169, 142),
    ("init_module", 175, 105),
    ("finit_module", 313, 273),
    ("delete_module", 176, 106),
    ("kexec_load", 246, 104),
    ("kexec_file_load", 320, 294),
    ("lookup_dcookie", 212, 18),
    ("uselib", 134, None),
    ("_sysctl", 156, None),
    ("iopl", 172, None),
    ("ioperm", 173, None),
    ("modify_ldt", 154, None),
    ("vhangup", 153, 58),
    ("sethostname", 170, 161),
    ("setdomainname", 171, 162),
    ("settimeofday", 164, 170),
    ("clock_settime", 227, 112),
    ("clock_adjtime", 305, 266),
    ("adjtimex", 159, 171),
)
"""The calls that return EPERM, each with its name, its number on x86-64, and its number on ARM64. The calls
in NOT_THERE return ENOSYS.
"""

DENIED = tuple(name for name, _, _ in (*NOT_THERE, *REFUSED))
"""The names of the calls that are denied, whatever their arguments are."""

_Step = tuple[int, int, int, int]


def is_known(machine: str | None = None) -> bool:
    """Return whether there is a filter for a machine. None means this machine."""
    return (machine or platform.machine()) in _AUDIT_OF and sys.byteorder == "little"


def filter_of(machine: str | None = None) -> bytes:
    """Return the filter in the kernel's format, one `sock_filter` after another.

    Args:
        machine: the machine's name as in `platform.machine()`. None means this machine.

    Raises:
        KeyError: there is no filter for this machine.
    """
    machine = machine or platform.machine()
    column = 1 if machine == "x86_64" else 2
    steps: list[_Step] = [
        (_LOAD, 0, 0, _AUDIT),
        (_JUMP_EQUAL, 1, 0, _AUDIT_OF[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if _UNKNOWN[machine]:
        steps += [(_JUMP_SET, 0, 1, _UNKNOWN[machine]), (_RETURN, 0, 0, _ERRNO | _ENOSYS)]
    for listed, error in ((NOT_THERE, _ENOSYS), (REFUSED, _EPERM)):
        for row in listed:
            if (number := row[column]) is not None:
                steps += [(_JUMP_EQUAL, 0, 1, int(number)), (_RETURN, 0, 0, _ERRNO | error)]
    families = [(_JUMP_EQUAL, len(_FAMILIES) - place, 0, one) for place, one in enumerate(_FAMILIES)]
    for number in _SOCKET[machine]:
        steps += _checked(number, 0, [*families, (_RETURN, 0, 0, _ERRNO | _EAFNOSUPPORT)])
    steps += _checked(_CLONE[machine], 0, [(_JUMP_SET, 0, 1, _NAMESPACES), (_RETURN, 0, 0, _ERRNO | _EPERM)])
    steps += _checked(_IOCTL[machine], 1, _refused_requests(_TERMINAL_INPUT, _EPERM))
    steps += _checked(_FCNTL[machine], 1, _refused_requests(_TOLD_OF_FILES, _EINVAL))
    shared = [
        (_AND, 0, 0, _SHARED_WITHOUT_FILE),
        (_JUMP_EQUAL, 0, 1, _SHARED_WITHOUT_FILE),
        (_RETURN, 0, 0, _ERRNO | _EPERM),
    ]
    steps += _checked(_MMAP[machine], 3, shared)
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _refused_requests(requests: tuple[int, ...], error: int) -> list[_Step]:
    """Return the steps that refuse some values of an argument."""
    found = [(_JUMP_EQUAL, len(requests) - at, 0, one) for at, one in enumerate(requests)]
    return [*found, (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ERRNO | error)]


def _checked(number: int, argument: int, checks: list[_Step]) -> list[_Step]:
    """Return the steps that check an argument of one call. If all checks pass, the call is allowed."""
    inside = [(_LOAD, 0, 0, _ARGUMENTS + 8 * argument), *checks, (_RETURN, 0, 0, _ALLOW)]
    return [(_JUMP_EQUAL, 0, len(inside), number), *inside]
