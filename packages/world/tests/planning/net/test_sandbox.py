"""A sealed process can compute and do nothing else: each forbidden action is tried from inside."""

from __future__ import annotations

import subprocess
import sys

import pytest

from turnwright_world.planning.net.sandbox import can_seal

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not can_seal(), reason="no filter of system calls that we know on this machine"),
]

_PROGRAM = """
import os, sys, signal, socket, time, threading, _thread, resource, ctypes
from turnwright_world.planning.net import sandbox as seal
parent = os.getppid()
room = bytearray(1 << 20)
seal.limit(64, parent)
seal.seal()
try:
    {deed}
except BaseException as error:
    os.write(1, type(error).__name__.encode())
else:
    os.write(1, b"done")
os._exit(0)
"""


def _try(deed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(deed=deed)], capture_output=True, timeout=30, check=False
    )
    return done.stdout.decode() or f"ended {done.returncode}"


@pytest.mark.parametrize(
    "deed",
    [
        "sum(range(1000))",
        "bytearray(16 << 20)",
        "time.perf_counter()",
        "os.write(2, b'x')",
        "os.getpid()",
        "lock = _thread.allocate_lock(); lock.acquire()",
    ],
)
def test_system_calls_for_computing_are_allowed(deed: str) -> None:
    assert _try(deed) == "done"


@pytest.mark.parametrize(
    "deed",
    [
        "open('/etc/passwd')",
        "open('/tmp/x', 'w')",
        "os.listdir('/')",
        "os.stat('/')",
        "os.fork()",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "os.execv('/bin/true', ['true'])",
        "os.kill(parent, 9)",
        "os.kill(os.getpid(), 19)",
        "socket.socket()",
        "socket.socketpair()",
        "time.sleep(1)",
        "signal.setitimer(signal.ITIMER_REAL, 1)",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
        "os.setpriority(os.PRIO_PROCESS, 0, -5)",
        "os.sched_setaffinity(0, [0])",
        "os.pipe()",
        "os.dup(1)",
        "os.mkdir('/tmp/x')",
        "os.unlink('/tmp/x')",
        "os.setuid(0)",
        "os.chdir('/')",
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))",
    ],
)
def test_other_system_calls_are_refused(deed: str) -> None:
    assert _try(deed) in ("PermissionError", "OSError", "itimer_error", "ItimerError", "ValueError")


def test_no_thread_can_be_started() -> None:
    assert _try("threading.Thread(target=print).start()") == "RuntimeError"


def test_a_mind_cannot_allocate_more_than_its_limit() -> None:
    assert _try("bytearray(65 << 20)") == "MemoryError"


def test_breaking_python_ends_that_process_alone() -> None:
    assert _try("ctypes.string_at(0)") == "ended -11"
