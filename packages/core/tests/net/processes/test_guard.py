from __future__ import annotations

import errno
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from packages.core.tests.net.processes.alive import is_alive
from packages.core.tests.waiting import wait_until
from turnwright.net.processes import guard

pytestmark = pytest.mark.process

Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def mark() -> str:
    return secrets.token_hex(8)


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts `sleep` with a mark (or none), by default in its own session, and ends it afterwards."""
    started: list[subprocess.Popen[bytes]] = []

    def run(mark: str | None, *argv: str, session: bool = True) -> subprocess.Popen[bytes]:
        environ = dict(os.environ) if mark is None else {**os.environ, guard.MARK: mark}
        process = subprocess.Popen(argv or ("sleep", "600"), env=environ, start_new_session=session)
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.wait()


def test_a_mark_matches_its_numbers_but_not_longer_marks(start: Start, mark: str) -> None:
    one, two, longer = start(f"{mark}.1"), start(f"{mark}.2"), start(f"{mark}.10")
    other, none = start(f"{mark}x.1"), start(None)
    wait_until(lambda: guard.family([mark]) == {one.pid, two.pid, longer.pid})
    assert guard.family([f"{mark}.1"]) == {one.pid}
    assert guard.family([f"{mark}.1", f"{mark}.2"]) == {one.pid, two.pid}
    assert not {other.pid, none.pid} & guard.family([mark])


def test_an_unused_mark_matches_no_process(mark: str) -> None:
    assert guard.family([mark]) == set()
    assert guard.family([]) == set()


def test_a_child_that_cleans_its_environment_is_family_by_session_or_parent(start: Start, mark: str) -> None:
    bash = start(f"{mark}.1", "bash", "-c", "env -i sleep 600 & env -i setsid sleep 600 & wait")
    wait_until(lambda: len(guard.family([mark])) == 3)
    assert bash.pid in guard.family([mark])
    assert guard.kill_family([mark])
    assert guard.family([mark]) == set()


def test_we_ourselves_are_never_family(start: Start, mark: str) -> None:
    child = start(f"{mark}.1", session=False)
    wait_until(lambda: guard.family([mark]) == {child.pid})
    assert os.getpid() not in guard.family([mark])


def test_a_zombie_is_not_alive(start: Start, mark: str) -> None:
    child = start(f"{mark}.1")
    child.kill()
    wait_until(lambda: guard.family([mark]) == set())
    assert child.wait() == -9


def test_a_signal_to_a_process_that_is_gone_is_harmless() -> None:
    child = subprocess.Popen(["true"])
    child.wait()
    guard.send_signal([child.pid], signal.SIGTERM)


@pytest.fixture
def watcher(mark: str) -> Iterator[tuple[subprocess.Popen[bytes], socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", guard.__file__, mark], stdin=theirs.fileno(), env={}
        )
        theirs.close()
        yield process, ours
        ours.close()
        process.wait(60)


class Kept:
    """A process that a guard has started, and the reports of its keeper."""

    def __init__(
        self,
        to_guard: socket.socket,
        *argv: str,
        cwd: str = "/",
        limits: Mapping[str, object] = guard.NO_LIMITS,
        **environ: str,
    ) -> None:
        self.stdin, self.stdout, self.stderr, status = (os.pipe() for _ in range(4))
        fds = (self.stdin[0], self.stdout[1], self.stderr[1], status[1])
        guard.request(to_guard, argv, cwd, {"PATH": os.environ["PATH"], **environ}, fds, limits)
        for fd in fds:
            os.close(fd)
        self._status = os.fdopen(status[0], "rb")
        self.first = self.next()

    def next(self) -> dict[str, object]:
        line = self._status.readline()
        return json.loads(line) if line else {}

    def close(self) -> None:
        self._status.close()
        os.close(self.stdin[1])
        os.close(self.stdout[0])
        os.close(self.stderr[0])


Watcher = tuple["subprocess.Popen[bytes]", socket.socket]


def gone(*pids: int) -> bool:
    return not any(is_alive(pid) for pid in pids)


def test_the_guard_waits_for_the_end_of_its_socket_then_kills_the_family(
    start: Start, mark: str, watcher: Watcher
) -> None:
    child = start(f"{mark}.1", "bash", "-c", "trap '' TERM; sleep 600 & exec sleep 600")
    process, ours = watcher
    wait_until(lambda: len(guard.family([mark])) == 2)
    Kept(ours, "true").close()  # it is up
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    assert process.poll() is None
    ours.close()
    assert process.wait(60) == 0
    assert child.wait(60) == -9
    assert guard.family([mark]) == set()


@pytest.mark.parametrize(
    ("script", "ended"), [("exit 3", 3), ("kill -9 $$", -9), ("kill -TERM $$", -15), ("true", 0)]
)
def test_a_keeper_tells_how_its_process_ended_and_ends_then(
    watcher: Watcher, script: str, ended: int
) -> None:
    kept = Kept(watcher[1], "bash", "-c", script)
    assert kept.first.keys() == {"pid", "keeper"}
    assert kept.next() == {"ended": ended}
    assert kept.next() == {}
    wait_until(lambda: gone(int(str(kept.first["keeper"]))))
    kept.close()


def test_a_process_is_started_as_if_by_us(watcher: Watcher, tmp_path: Path) -> None:
    code = "import os,sys; print(os.getcwd(), os.environ['A'], os.getsid(0) == os.getpid(), sys.argv[1:],"
    code += "os.read(0, 3), open('/proc/self/status').read().split('SigIgn:')[1].split()[0], file=sys.stderr)"
    kept = Kept(watcher[1], sys.executable, "-c", code, "ä\udc80", cwd=str(tmp_path), A="b\udc80")
    os.write(kept.stdin[1], b"xyz")
    assert kept.next() == {"ended": 0}
    said = os.read(kept.stderr[0], 4096).decode()
    by_us = subprocess.run(
        [sys.executable, "-c", code, "ä\udc80"],
        input=b"xyz",
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={"A": "b\udc80"},
        start_new_session=True,
        check=True,
    ).stderr.decode()
    assert by_us.startswith(f"{tmp_path} b\\udc80 True ['ä\\udc80'] b'xyz' ")
    assert said == by_us
    kept.close()


def test_the_reason_of_a_failed_start_is_reported(watcher: Watcher, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("no program")
    for argv, cwd, code in (
        (("no-such-program-here",), "/", errno.ENOENT),
        (("./plain",), str(tmp_path), errno.EACCES),
        (("true",), str(tmp_path / "gone"), errno.ENOENT),
    ):
        kept = Kept(watcher[1], *argv, cwd=cwd)
        assert kept.first["errno"] == code
        assert kept.next() == {}
        kept.close()
    kept = Kept(watcher[1], "tr\0ue")
    assert kept.first["errno"] is None
    assert "embedded null" in str(kept.first["why"])
    kept.close()


LETS_GO = "(setsid env -i sleep 600 & echo $! >&2); (env -i sleep 600 & echo $! >&2)"


def orphans(kept: Kept, many: int = 2) -> list[int]:
    text = b""
    while text.count(b"\n") < many:
        text += os.read(kept.stderr[0], 100)
    return [int(pid) for pid in text.split()]


needs_subreaper = pytest.mark.skipif(
    not guard.reaches_orphans(), reason="this system gives nobody what was let go of"
)


@needs_subreaper
def test_orphans_of_a_process_belong_to_its_family_and_no_other(watcher: Watcher) -> None:
    one, two = (Kept(watcher[1], "bash", "-c", f"{LETS_GO}; exit 0") for _ in range(2))
    mine, others = set(orphans(one)), set(orphans(two))
    assert one.next() == {"ended": 0}
    wait_until(lambda: guard.family([], [int(str(one.first["keeper"]))]) == mine)
    assert guard.kill_family([], [int(str(one.first["keeper"]))])
    assert one.next() == {}
    assert not gone(*others)
    watcher[1].close()
    wait_until(lambda: gone(*mine, *others))
    one.close()
    two.close()


@needs_subreaper
@pytest.mark.parametrize("killed", ["keeper", "guard"])
def test_killing_a_keeper_or_the_guard_frees_no_process(watcher: Watcher, killed: str) -> None:
    kept = Kept(watcher[1], "bash", "-c", f"{LETS_GO}; sleep 600")
    let_go, keeper = orphans(kept), int(str(kept.first["keeper"]))
    os.kill(keeper if killed == "keeper" else watcher[0].pid, signal.SIGKILL)
    assert kept.next() == {}
    wait_until(lambda: gone(int(str(kept.first["pid"]))))
    watcher[1].close()
    wait_until(lambda: gone(*let_go, keeper))
    kept.close()


def test_a_machine_without_subreapers_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not guard.reaches_orphans()


HOLD = """
import os, sys, time
held = b"x" * (80 << 20)
for _ in range(3):
    if os.fork() == 0:
        break
{then}
"""
SHARE = "time.sleep(1); print('awake', flush=True)"
SPEND = "more = b'y' * (80 << 20); time.sleep(600)"


@pytest.mark.parametrize(
    ("then", "said"), [(SHARE, [{"ended": 0}]), (SPEND, [{"over": "memory"}, {"ended": -9}])]
)
def test_shared_memory_of_a_family_counts_once_and_private_memory_ends_it(
    watcher: Watcher, then: str, said: list[dict[str, object]]
) -> None:
    limits = {"memory_bytes": 200 << 20}
    kept = Kept(watcher[1], sys.executable, "-I", "-S", "-c", HOLD.format(then=then), limits=limits)
    assert [kept.next() for _ in said] == said
    assert kept.next() == {}
    kept.close()


FORKS = """
import os, time
for _ in range(300):
    if os.fork() == 0:
        break
time.sleep(5)
"""
MAPS = """
import mmap, time
file = open({path!r}, "rb")
mapped = []
for _ in range({times}):
    mapped.append(mmap.mmap(file.fileno(), 0, mmap.MAP_SHARED | mmap.MAP_POPULATE, mmap.PROT_READ))
print("mapped", flush=True)
time.sleep({sleep_s})
"""
"""Maps one file many times: its pages exist once, and are counted once for each mapping."""
MAPPED_BYTES = 16 << 20


def test_a_family_with_more_processes_than_are_counted_is_ended_with_the_reason(watcher: Watcher) -> None:
    limits = {"memory_bytes": 8 << 30}
    kept = Kept(watcher[1], sys.executable, "-I", "-S", "-c", FORKS, limits=limits)
    assert [kept.next(), kept.next()] == [{"over": "processes"}, {"ended": -9}]
    assert kept.next() == {}
    kept.close()


def test_a_family_that_shares_more_pages_than_are_counted_is_ended_with_the_reason(
    watcher: Watcher, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * MAPPED_BYTES)
    code = MAPS.format(path=str(path), times=1200, sleep_s=5)
    kept = Kept(watcher[1], sys.executable, "-I", "-S", "-c", code, limits={"memory_bytes": 200 << 20})
    assert [kept.next(), kept.next()] == [{"over": "processes"}, {"ended": -9}]
    kept.close()


def test_a_family_is_counted_at_an_ordinary_priority(watcher: Watcher, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * MAPPED_BYTES)
    code = MAPS.format(path=str(path), times=500, sleep_s=600)
    kept = Kept(watcher[1], sys.executable, "-I", "-S", "-c", code, limits={"memory_bytes": 200 << 20})
    assert os.read(kept.stdout[0], 100) == b"mapped\n"
    pid, keeper = int(str(kept.first["pid"])), int(str(kept.first["keeper"]))
    looked_at: list[int] = []
    deadline = time.monotonic() + 60
    while len(looked_at) < 20 and time.monotonic() < deadline:
        if state_of(pid) == "T":  # it is stopped while it is counted
            looked_at.append(os.sched_getscheduler(keeper))
        time.sleep(0.002)
    assert looked_at.count(os.SCHED_OTHER) > 15
    os.kill(pid, signal.SIGKILL)
    assert kept.next() == {"ended": -9}
    kept.close()


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_a_process_gets_the_priority_that_was_asked_for(watcher: Watcher) -> None:
    code = "import os; raise SystemExit(os.nice(0) - int(os.environ['BEFORE']))"
    kept = Kept(watcher[1], sys.executable, "-c", code, limits={"nice": 3}, BEFORE=str(os.nice(0)))
    assert kept.next() == {"ended": 3}
    kept.close()


@pytest.mark.parametrize("line", ["{ns}\n", "usage_usec {us}\nuser_usec 0\n"])
def test_a_family_that_uses_more_than_one_processor_has_a_smaller_share_meanwhile(
    watcher: Watcher, tmp_path: Path, line: str
) -> None:
    usage, share, used_s = tmp_path / "usage", tmp_path / "share", 0.0

    def let_pass(processors: float, until: str) -> None:
        nonlocal used_s
        before_s, deadline = time.monotonic(), time.monotonic() + 60
        while share.read_text() != until and time.monotonic() < deadline:
            time.sleep(0.01)
            now_s = time.monotonic()
            used_s += processors * (now_s - before_s)
            before_s = now_s
            fresh = tmp_path / "fresh"
            fresh.write_text(line.format(ns=int(used_s * 1e9), us=int(used_s * 1e6)))
            fresh.replace(usage)
        assert share.read_text() == until

    usage.write_text(line.format(ns=0, us=0))
    share.write_text("9999")
    busy = {"usage": str(usage), "share": str(share), "shares": ["1024", "0102"]}
    kept = Kept(watcher[1], "sleep", "600", limits={"busy": busy})
    let_pass(8, until="0102")
    let_pass(0.1, until="1024")
    os.kill(int(str(kept.first["pid"])), signal.SIGTERM)
    assert kept.next() == {"ended": -15}
    kept.close()
