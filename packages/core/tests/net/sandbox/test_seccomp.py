from __future__ import annotations

import struct

import pytest

from turnwright.net.sandbox import seccomp

ALLOWED, KILLED = 0x7FFF_0000, 0x8000_0000
EPERM, EINVAL, ENOSYS, EAFNOSUPPORT = 1, 22, 38, 97
AUDIT = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
MACHINES = sorted(AUDIT)
X86 = {"fcntl": 72, "socket": 41, "clone": 56, "mmap": 9, "ioctl": 16, "read": 0, "execve": 59, "ptrace": 101}
ARM = {
    "fcntl": 25,
    "socket": 198,
    "clone": 220,
    "mmap": 222,
    "ioctl": 29,
    "read": 63,
    "execve": 221,
    "ptrace": 117,
}
CALLS = {"x86_64": X86, "aarch64": ARM}


def answer(machine: str, call: str | int, *arguments: int, audit: int | None = None) -> int:
    """Run the filter as the kernel does and return its verdict on a call."""
    number = CALLS[machine][call] if isinstance(call, str) else call
    given = [*arguments, *[0] * 6][:6]
    data = struct.pack("<IIQ6Q", number, AUDIT[machine] if audit is None else audit, 0, *given)
    steps = list(struct.iter_unpack("=HBBI", seccomp.filter_of(machine)))
    held, at = 0, 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        if code == 0x20:
            (held,) = struct.unpack_from("<I", data, value)
        elif code == 0x54:
            held &= value
        elif code == 0x15:
            at += if_true if held == value else if_false
        elif code == 0x45:
            at += if_true if held & value else if_false
        elif code == 0x06:
            return int(value)
        else:
            raise AssertionError(f"an unknown step {code:#x}")


def refused(error: int) -> int:
    return 0x0005_0000 | error


@pytest.mark.parametrize("machine", MACHINES)
def test_ordinary_calls_pass(machine: str) -> None:
    for call in ("read", "execve"):
        assert answer(machine, call) == ALLOWED


@pytest.mark.parametrize("machine", MACHINES)
def test_every_call_of_the_list_is_refused(machine: str) -> None:
    column = 1 if machine == "x86_64" else 2
    for listed, error in ((seccomp.NOT_THERE, ENOSYS), (seccomp.REFUSED, EPERM)):
        for row in listed:
            if row[column] is not None:
                assert answer(machine, int(row[column])) == refused(error), row[0]
    assert {"ptrace", "mount", "unshare", "bpf", "keyctl", "io_uring_setup", "clone3"} <= set(seccomp.DENIED)


@pytest.mark.parametrize("machine", MACHINES)
def test_sockets_are_unix_or_ip_alone(machine: str) -> None:
    found = {family for family in range(64) if answer(machine, "socket", family, 1, 0) == ALLOWED}
    assert found == {1, 2, 10}
    assert answer(machine, "socket", 40, 1, 0) == refused(EAFNOSUPPORT)


@pytest.mark.parametrize("machine", MACHINES)
def test_clone_makes_threads_and_processes_but_no_namespaces(machine: str) -> None:
    assert answer(machine, "clone", 17) == ALLOWED  # fork
    assert answer(machine, "clone", 0x3D0F00) == ALLOWED  # a thread
    for flag in (0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000):
        assert answer(machine, "clone", flag | 17) == refused(EPERM), hex(flag)


@pytest.mark.parametrize("machine", MACHINES)
def test_shared_memory_without_a_file_is_refused(machine: str) -> None:
    assert answer(machine, "mmap", 0, 4096, 3, 0x22) == ALLOWED
    assert answer(machine, "mmap", 0, 4096, 3, 0x01) == ALLOWED
    assert answer(machine, "mmap", 0, 4096, 3, 0x21) == refused(EPERM)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_bot_cannot_type_into_a_terminal(machine: str) -> None:
    assert answer(machine, "ioctl", 0, 0x5401) == ALLOWED
    for request in (0x5412, 0x541C, 0x5412 | 1 << 32):
        assert answer(machine, "ioctl", 0, request) == refused(EPERM)


@pytest.mark.parametrize("machine", MACHINES)
def test_locks_work_and_do_not_reveal_those_of_other_programs(machine: str) -> None:
    for request in (1, 2, 3, 4, 6, 7, 37, 38, 1030):  # flags, locks, a copy of a descriptor
        assert answer(machine, "fcntl", 3, request) == ALLOWED
    for request in (5, 36, 1024, 1025, 1026):
        assert answer(machine, "fcntl", 3, request) == refused(EINVAL)
    assert {"flock", "inotify_init1"} <= set(seccomp.DENIED)


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_of_another_architecture_end_the_process(machine: str) -> None:
    assert answer(machine, "read", audit=0x4000_0003) == KILLED


def test_the_second_set_of_calls_of_x86_is_not_there() -> None:
    assert answer("x86_64", 0x4000_0000 | 101) == refused(ENOSYS)


def test_the_filter_is_short_enough_and_unknown_machines_are_recognized() -> None:
    for machine in MACHINES:
        assert len(seccomp.filter_of(machine)) // 8 < 4_096
    assert not seccomp.is_known("riscv64")
