from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from turnwright.net import guard

pytestmark = pytest.mark.process

Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def mark() -> str:
    return secrets.token_hex(8)


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts `sleep` with a mark (or none), in a session of its own unless told, and ends it afterwards."""
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


def wait_for(claim: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not claim() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert claim()


def test_a_mark_stands_for_itself_and_its_numbers_but_not_for_longer_marks(start: Start, mark: str) -> None:
    one, two, longer = start(f"{mark}.1"), start(f"{mark}.2"), start(f"{mark}.10")
    other, none = start(f"{mark}x.1"), start(None)
    wait_for(lambda: guard.family([mark]) == {one.pid, two.pid, longer.pid})
    assert guard.family([f"{mark}.1"]) == {one.pid}
    assert guard.family([f"{mark}.1", f"{mark}.2"]) == {one.pid, two.pid}
    assert not {other.pid, none.pid} & guard.family([mark])


def test_nobody_has_a_mark_that_was_never_given(mark: str) -> None:
    assert guard.family([mark]) == set()
    assert guard.family([]) == set()


def test_a_child_that_cleans_its_environment_is_family_by_session_or_parent(start: Start, mark: str) -> None:
    bash = start(f"{mark}.1", "bash", "-c", "env -i sleep 600 & env -i setsid sleep 600 & wait")
    wait_for(lambda: len(guard.family([mark])) == 3)
    assert bash.pid in guard.family([mark])
    assert guard.kill_family([mark])
    assert guard.family([mark]) == set()


def test_we_ourselves_are_never_family(start: Start, mark: str) -> None:
    child = start(f"{mark}.1", session=False)
    wait_for(lambda: guard.family([mark]) == {child.pid})
    assert os.getpid() not in guard.family([mark])


def test_a_zombie_is_not_alive(start: Start, mark: str) -> None:
    child = start(f"{mark}.1")
    child.kill()
    wait_for(lambda: guard.family([mark]) == set())
    assert child.wait() == -9


def test_a_signal_to_a_process_that_is_gone_is_harmless() -> None:
    child = subprocess.Popen(["true"])
    child.wait()
    guard.send_signal([child.pid], signal.SIGTERM)


def test_the_guard_waits_for_the_end_of_its_input_then_kills_the_family(start: Start, mark: str) -> None:
    child = start(f"{mark}.1", "bash", "-c", "trap '' TERM; sleep 600 & wait")
    watcher = subprocess.Popen(
        [sys.executable, "-I", "-S", guard.__file__, mark], stdin=subprocess.PIPE, env={}
    )
    assert watcher.stdin is not None
    wait_for(lambda: len(guard.family([mark])) == 2)
    time.sleep(0.2)
    assert watcher.poll() is None
    watcher.send_signal(signal.SIGTERM)
    watcher.stdin.close()
    assert watcher.wait(60) == 0
    assert child.wait(60) == -9
    assert guard.family([mark]) == set()
