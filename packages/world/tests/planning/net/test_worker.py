"""The program that forks: on demand, and without leaving processes behind."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from packages.core.tests.net.processes.alive import is_alive
from packages.core.tests.waiting import wait_until
from packages.world.tests.planning.net.planner_rig import FIRST_FORK_FAILS
from turnwright_world.planning.messages import (
    AnswerReader,
    BodyToPlan,
    PlanAnswer,
    PlanBatch,
    Source,
    frame_of,
)
from turnwright_world.planning.net import worker as planner
from turnwright_world.planning.net.spawned import import_path

pytestmark = pytest.mark.process


@contextmanager
def _program(*program: str) -> Iterator[tuple[socket.socket, subprocess.Popen[bytes]]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        environ = {"PYTHONPATH": import_path(), "PYTHONHASHSEED": "0"}
        argv = [sys.executable, "-s", *(program or ("-m", planner.__name__)), str(theirs.fileno()), "64"]
        process = subprocess.Popen(argv, pass_fds=[theirs.fileno()], env=environ)
        theirs.close()
        ours.settimeout(30)
        assert ours.recv(1) in (b"\0", b"\1")
        try:
            yield ours, process
        finally:
            ours.close()
            process.wait(30)


def _fork(control: socket.socket) -> tuple[int, socket.socket]:
    ours, theirs = socket.socketpair()
    with theirs:
        socket.send_fds(control, [planner.COMMAND.pack(b"F", 0)], [theirs.fileno()])
        (pid,) = struct.unpack("!I", control.recv(4))
    ours.settimeout(30)
    return pid, ours


def _answers(channel: socket.socket, batch: PlanBatch, count: int) -> list[PlanAnswer]:
    channel.sendall(frame_of(batch))
    reader, found = AnswerReader(), []
    while len(found) < count:
        data = channel.recv(65_536)
        assert data, "the process has ended"
        found += reader.feed(data)
    return found


def _bodies(count: int) -> tuple[BodyToPlan, ...]:
    return tuple(BodyToPlan(n, "m", n, msgspec.Raw(b"{}"), msgspec.Raw(b"null")) for n in range(count))


def test_a_forked_process_answers_each_body_in_order_and_keeps_its_minds() -> None:
    with _program() as (control, _):
        _, channel = _fork(control)
        with channel:
            source = Source("m", "m.py", "def plan(view, random): return 'go'")
            assert [a.id for a in _answers(channel, PlanBatch((source,), _bodies(3)), 3)] == [0, 1, 2]
            assert [a.command for a in _answers(channel, PlanBatch((), _bodies(2)), 2)] == ["go", "go"]
            assert [a.id for a in _answers(channel, PlanBatch((), (), 1_000), 1)] == [-1]


def test_sets_of_words_have_the_same_order_in_every_process() -> None:
    source = Source(
        "m", "m.py", "def plan(view, random): return ' '.join({'wolf', 'hare', 'crow', 'fox', 'elk'})"
    )
    commands = set()
    for _ in range(2):
        with _program() as (control, _):
            _, channel = _fork(control)
            with channel:
                commands |= {a.command for a in _answers(channel, PlanBatch((source,), _bodies(1)), 1)}
    assert len(commands) == 1


def test_a_killed_process_is_reaped_on_request() -> None:
    with _program() as (control, _):
        pid, channel = _fork(control)
        channel.close()
        os.kill(pid, 9)
        control.sendall(planner.COMMAND.pack(b"R", pid))
        other, channel = _fork(control)
        channel.close()
        assert not Path(f"/proc/{pid}").exists() or other != pid


def test_when_the_other_end_closes_no_process_is_left() -> None:
    with _program() as (control, process):
        forked = [_fork(control) for _ in range(3)]
        spinning = Source("m", "m.py", "def plan(view, random):\n    while True: pass")
        forked[0][1].sendall(frame_of(PlanBatch((spinning,), _bodies(1))))
        control.close()
        assert process.wait(30) == 0
        wait_until(lambda: not any(is_alive(pid) for pid, _ in forked))
        for _, channel in forked:
            channel.close()


def test_when_the_program_is_killed_its_children_die_with_it() -> None:
    with _program() as (control, process):
        pid, channel = _fork(control)
        process.kill()
        process.wait(30)
        assert channel.recv(1) == b""
        channel.close()
        wait_until(lambda: not is_alive(pid))


def test_a_failed_fork_is_reported_and_can_be_repeated() -> None:
    with _program("-c", FIRST_FORK_FAILS) as (control, _):
        refused, channel = _fork(control)
        channel.close()
        pid, channel = _fork(control)
        channel.close()
    assert (refused, pid > 1) == (0, True)
