"""Checks players' minds, one at a time, each in its own sealed process.

A player can submit a program that takes much time and memory to read. So the server does not wait for a
check. The process has the lowest priority, and may use CHECK_CPU_US of processor time and CHECK_WALL_S of
real time.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from turnwright.net.portability import lower_priority
from turnwright_world.planning.messages import (
    CHECKED,
    BadAnswer,
    PlanAnswer,
    PlanBatch,
    Source,
    frame_of,
)
from turnwright_world.planning.net.pool import PlanProcess, PlanProcesses

CHECK_CPU_US = 500_000
CHECK_WALL_S = 5.0
CHECKS_WAITING_MAX = 100
"""The most programs that wait for a check. Each owner has at most one."""
Mistake = tuple[int, str]
"""A line number, or 0 if there is none, and the text of the mistake."""
Done = Callable[[Mistake | None], None]
LOOK_S = 0.05
"""The interval at which a running check is inspected, in seconds."""
_NICE = 19
_HOME = "a check of a program"
_TOO_LONG = 0, "it takes too long to read: make it shorter, or nest its lists and blocks less deeply"
_UNREADABLE = 0, "it cannot be read in the memory that a mind may have"
_NO_SEAL = 0, "this server cannot run players' programs safely (it needs Linux with seccomp)"
_BUSY = 0, "too many minds are being checked; try again in a second"


class MindChecker:
    """Checks players' minds, one after the other.

    The owner of `processes` calls `spare_came` whenever a process may be free.
    """

    def __init__(self, processes: PlanProcesses) -> None:
        self._processes = processes
        self._waiting: deque[tuple[Source, Done]] = deque()
        self._process: PlanProcess | None = None
        self._done: Done = lambda mistake: None
        self._ends_s = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def check(self, source: Source, done: Done) -> None:
        """Check a program, and later call `done` with its first mistake, or None if it has no mistake.

        If the check is impossible, e.g. because too many programs wait, `done` gets the reason as a mistake.
        """
        self._loop = asyncio.get_running_loop()
        if not self._processes.sealed:
            self._loop.call_soon(done, _NO_SEAL)
        elif len(self._waiting) >= CHECKS_WAITING_MAX:
            self._loop.call_soon(done, _BUSY)
        else:
            self._waiting.append((source, done))
            self.spare_came()

    def runs(self, process: PlanProcess) -> bool:
        """Return whether a process is running the current check."""
        return process is self._process

    def hear(self, process: PlanProcess) -> None:
        """Handle output of the process, or its end."""
        data = process.receive()
        if data == b"":
            return
        try:
            answers = process.reader.feed(data) if data is not None else None
        except BadAnswer:
            answers = None
        if answers is None:
            self._end(_UNREADABLE)
        elif answers:
            self._end(_mistake_of(answers[0]))

    def spare_came(self) -> None:
        """Begin the next check, if a process is free."""
        process = self._processes.take(_HOME) if self._process is None and self._waiting else None
        if process is None:
            return
        source, self._done = self._waiting.popleft()
        self._process = process
        lower_priority(process.pid, _NICE)
        self._ends_s = self._loop.time() + CHECK_WALL_S
        process.send(frame_of(PlanBatch((), (), check=source)), self._loop)
        self._timer = self._loop.call_later(LOOK_S, self._look)

    def close(self) -> None:
        """Stop checking. Programs that wait get no result."""
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        """End the current check if it has taken too long."""
        assert self._process is not None
        if self._process.usage().cpu_us > CHECK_CPU_US or self._loop.time() > self._ends_s:
            self._end(_TOO_LONG)
        else:
            self._timer = self._loop.call_later(LOOK_S, self._look)

    def _end(self, mistake: Mistake | None) -> None:
        process, self._process = self._process, None
        assert process is not None
        if self._timer is not None:
            self._timer.cancel()
        self._processes.kill(process)
        self._done(mistake)
        self.spare_came()


def _mistake_of(answer: PlanAnswer) -> Mistake | None:
    """Return the mistake in an answer, or None. An unexpected answer counts as an unreadable program."""
    if answer.id == CHECKED and not answer.error:
        return None
    line, _, text = answer.error.partition(":")
    good = answer.id == CHECKED and line.isascii() and line.isdecimal() and len(line) < 9
    return (int(line), text) if good else _UNREADABLE
