"""Starts bots as child processes, reads their output, supervises them, and stops them.

On Linux, a guard process starts the bots (see `guard`). The parent of each bot is a keeper process. The
keeper adopts orphaned descendants of the bot, and all these processes are the bot's family. Each bot has its
own session, so that Ctrl-C at the terminal reaches only this program. `BotProcesses.stop` ends whole
families. The processes first get time to end by themselves. Then they get TERM, and then KILL. If this
program dies, the guard kills them. On other systems, the bots are ordinary child processes (see `portable`).
`stop` ends these processes, but not the processes that they have started. If this program dies, the
connection and the stdin of each bot are closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from turnwright.errors import ParticipantStartError
from turnwright.kernel.printed import printable
from turnwright.net.participants.forked import Copy
from turnwright.net.portability import IS_LINUX
from turnwright.net.processes import guard, portable
from turnwright.net.processes.output import STDERR, STDOUT, OutputReader, ProcessOutput

LEAVE_S = 1.0
"""The time in which processes may end by themselves after their battle, in seconds. After this time they get
TERM.
"""
STOP_GRACE_S = 2.0
"""The time between TERM and KILL, in seconds."""
_POLL_S = 0.02
_GUARD_WAIT_S = 5.0
_GUARD_POLL_S = 0.004


class BotProcess:
    """One running bot. Start it with `BotProcesses.start`.

    Attributes:
        mark: the value of the variable `guard.MARK` in the environment of the bot's processes.
        pid: the id of the bot's process, 0 until it is known.
        exited: set when the process has ended. From then on, `returncode` is its exit code, or minus the
            number of the signal that ended it. Children of the process may still run.
    """

    def __init__(self, name: str, mark: str) -> None:
        self.name = name
        self.mark = mark
        self.exited = asyncio.Event()
        self.returncode: int | None = None
        self.pid = 0
        self.keeper: int | None = None
        """The process id of the bot's keeper, as long as any process of the bot's family runs."""
        self.over = ""
        """The limit, e.g. "memory", that the bot's family exceeded, so that the family was ended. "" means no
        limit was exceeded.
        """
        self.output = ProcessOutput()
        self.on_close: list[Callable[[], None]] = []
        """Functions that `stop_all` calls once, after all processes of the bot have ended."""
        self._stdin = -1
        self._pipes: list[asyncio.BaseTransport] = []

    @property
    def alive(self) -> bool:
        """Whether the process or any of its children is still running."""
        return not self.exited.is_set() or bool(guard.family([self.mark], _keepers([self])))

    def exit_text(self) -> str:
        """Return how the process ended, e.g. "exit code 1" or "signal SIGKILL", or "still running"."""
        code = self.returncode
        if code is None:
            return "still running"
        if self.over:
            return f"ended by the limit of its {self.over}"
        if code >= 0:
            return f"exit code {code}"
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
        return f"signal {-code}"

    async def stop(self, grace_s: float = STOP_GRACE_S) -> None:
        """End the process and all its children (see `stop_all`). A second call has no effect."""
        await stop_all([self], grace_s)

    def _told(self, line: bytes) -> None:
        """Process a report of the keeper. b"" means that the keeper has gone."""
        said = json.loads(line) if line else {}
        self.pid, self.keeper = said.get("pid", self.pid), said.get("keeper", self.keeper)
        self.over = said.get("over", self.over)
        if not line:
            self.keeper = None
        if "ended" in said or not line:
            self._has_ended(said.get("ended", -guard.KILL))

    def _has_ended(self, returncode: int | None) -> None:
        if self.returncode is None:
            self.returncode = returncode
        self.exited.set()

    def _close(self) -> None:
        if self._stdin >= 0:
            os.close(self._stdin)
            self._stdin = -1
        for pipe in self._pipes:
            pipe.close()
        while self.on_close:
            self.on_close.pop()()


async def stop_all(
    processes: Sequence[BotProcess], grace_s: float = STOP_GRACE_S, *, leave_s: float = 0.0
) -> None:
    """End processes with all their children. All get TERM. The processes that still run after `grace_s`
    seconds get KILL. The call waits until all have ended, and calls the functions in `on_close`.

    Args:
        leave_s: the time, in seconds, in which the processes may end by themselves before they get TERM.
    """
    await _ended(processes, leave_s)
    guard.send_signal(_left(processes), signal.SIGTERM)
    await _ended(processes, grace_s)
    if left := _left(processes):
        guard.send_signal(left, guard.KILL)
        guard.kill_family(_marks(processes), _keepers(processes))
    for process in processes:
        await process.exited.wait()
    await asyncio.gather(*(process.output.settle() for process in processes))
    for process in processes:
        process._close()


async def _ended(processes: Sequence[BotProcess], wait_s: float) -> None:
    """Wait until all processes and their children have ended, but at most `wait_s` seconds."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + wait_s
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout_at(deadline):
            for process in processes:
                await process.exited.wait()
    while loop.time() < deadline and _left(processes):
        await asyncio.sleep(_POLL_S)


def _left(processes: Sequence[BotProcess]) -> set[int]:
    """Return the ids of all processes that still run. If /proc does not show families, return the ids of the
    processes that we have started.
    """
    own = {process.pid for process in processes if process.pid and not process.exited.is_set()}
    return own | guard.family(_marks(processes), _keepers(processes))


def _marks(processes: Sequence[BotProcess]) -> list[str]:
    return [process.mark for process in processes]


def _keepers(processes: Sequence[BotProcess]) -> list[int]:
    return [process.keeper for process in processes if process.keeper is not None]


class BotProcesses:
    """The bot processes of one battle or one server.

    Use it as an asynchronous context manager. Leaving it stops all processes.

    Attributes:
        mark: the beginning of the marks of all processes. `guard.family([mark])` finds these processes.
    """

    def __init__(self) -> None:
        self.mark = secrets.token_hex(8)
        self._processes: list[BotProcess] = []
        self._started = 0
        self._guard: _Guard | _Plain | None = None

    @property
    def all(self) -> Sequence[BotProcess]:
        """The processes that this object has not ended yet, in order of their start."""
        return tuple(self._processes)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.shield(self.stop())

    async def start(
        self,
        name: str,
        argv: Sequence[str],
        directory: Path,
        environ: Mapping[str, str],
        *,
        fds: Sequence[int] = (),
        limits: Callable[[str], Mapping[str, object]] | None = None,
    ) -> BotProcess:
        """Start a bot in its directory.

        The last part of the bot's output is kept. The bot's stdin stays open and gets no data.

        Args:
            name: the bot's name in messages.
            fds: descriptors that the process gets as its descriptors 3, 4 and so on.
            limits: a function that takes the mark of the process, and returns the limits of its family (see
                `guard.request`).

        Raises:
            ParticipantStartError: the program cannot be started.
        """
        process = BotProcess(printable(name), self._next_mark())
        held = guard.NO_LIMITS if limits is None else limits(process.mark)
        marked = {**environ, guard.MARK: process.mark}
        try:
            await self._guarded().start(process, argv, directory, marked, fds, held)
        except (OSError, ValueError) as error:
            raise ParticipantStartError(_start_failure(name, argv, directory, error)) from error
        self._processes.append(process)
        return process

    async def adopt(self, copy: Copy, server_url: str, secret: str) -> BotProcess:
        """Let a copy of this process connect to the server, and supervise it.

        The copy is our child process and has no keeper. The processes that it starts are found by their mark,
        session and parent.

        Raises:
            OSError: the guard cannot be started.
        """
        self._guarded()
        process = BotProcess(printable(copy.name), self._next_mark())
        process.pid = copy.pid
        process.output.end_stream(STDOUT)  # its stdout is ours
        pipe, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: OutputReader(process.output, STDERR), os.fdopen(copy.stderr_fd, "rb", buffering=0)
        )
        process._pipes.append(pipe)
        self._processes.append(process)
        copy.play(server_url, secret, process.mark, lambda: process._has_ended(copy.returncode))
        return process

    async def end(
        self, processes: Sequence[BotProcess], grace_s: float = STOP_GRACE_S, *, leave_s: float = 0.0
    ) -> None:
        """End some of the processes with all their children (see `stop_all`)."""
        self._processes = [one for one in self._processes if one not in processes]
        await stop_all(processes, grace_s, leave_s=leave_s)

    def _next_mark(self) -> str:
        self._started += 1
        return f"{self.mark}.{self._started - 1}"

    def _guarded(self) -> _Guard | _Plain:
        """Return the guard. If there is no guard, or it was killed, start a new guard.

        Raises:
            OSError: the guard cannot be started.
        """
        if self._guard is None or self._guard.gone:
            self._guard = _Guard(self.mark) if IS_LINUX else _Plain()
        return self._guard

    async def stop(self, grace_s: float = STOP_GRACE_S, *, leave_s: float = 0.0) -> None:
        """End all processes and the guard (see `stop_all`). A second call has no effect."""
        processes, self._processes = self._processes, []
        await stop_all(processes, grace_s, leave_s=leave_s)
        watcher, self._guard = self._guard, None
        if watcher is not None:
            await watcher.end()


class _Guard:
    """The guard of our processes. It is a process itself.

    Raises:
        OSError: the guard cannot be started.
    """

    def __init__(self, mark: str) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", guard.__file__, mark],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={},
                start_new_session=True,
            )
        self._socket = ours

    @property
    def gone(self) -> bool:
        """Whether the guard's process has ended."""
        return self._process.poll() is not None

    async def start(
        self,
        process: BotProcess,
        argv: Sequence[str],
        directory: Path,
        environ: Mapping[str, str],
        fds: Sequence[int],
        limits: Mapping[str, object],
    ) -> None:
        """Start a bot's program, and let the guard watch it.

        Raises:
            OSError, ValueError: the program cannot be started.
        """
        loop = asyncio.get_running_loop()
        (stdin, ours), *outputs = (os.pipe() for _ in range(4))
        theirs = (stdin, *(fd for _, fd in outputs))
        handed = (*theirs[:-1], *fds, theirs[-1])
        process._stdin = ours
        try:
            guard.request(self._socket, argv, str(directory.absolute()), environ, handed, limits)
        except BaseException:
            for fd, _ in outputs:
                os.close(fd)
            process._close()
            raise
        finally:
            for fd in theirs:
                os.close(fd)
        first: asyncio.Future[dict[str, Any]] = loop.create_future()
        readers = (
            OutputReader(process.output, STDOUT),
            OutputReader(process.output, STDERR),
            _StatusReader(process, first),
        )
        for reader, (fd, _) in zip(readers, outputs, strict=True):
            pipe, _ = await loop.connect_read_pipe(partial(_same, reader), os.fdopen(fd, "rb", 0))
            process._pipes.append(pipe)
        said = await first
        if "why" in said:
            process._close()
            code = said["errno"]
            raise ValueError(said["why"]) if code is None else OSError(code, os.strerror(code))

    async def end(self) -> None:
        """Let the guard end all remaining processes, and wait for its end, at most _GUARD_WAIT_S seconds.

        The method polls instead of using a thread, because no thread can be started while the interpreter
        ends.
        """
        self._socket.close()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _GUARD_WAIT_S
        while not self.gone and loop.time() < deadline:
            await asyncio.sleep(_GUARD_POLL_S)


class _Plain:
    """Starts processes on systems without a guard.

    Threads read their output and wait for their ends.
    """

    gone = False

    async def start(
        self,
        process: BotProcess,
        argv: Sequence[str],
        directory: Path,
        environ: Mapping[str, str],
        fds: Sequence[int],
        limits: Mapping[str, object],
    ) -> None:
        """Start a bot's program as a child of this process.

        Raises:
            OSError, ValueError: the program cannot be started.
        """
        if fds or limits:
            raise ValueError("only Linux can hold a process to limits")
        child = portable.started(argv, directory, environ)
        process.pid = child.pid
        loop = asyncio.get_running_loop()
        portable.read_output(child, loop, process.output.keep, process.output.end_stream)
        portable.await_end(child, loop, process._has_ended)
        assert child.stdin is not None
        process.on_close.append(child.stdin.close)

    async def end(self) -> None:
        """Do nothing. All processes were already ended, or none was started."""


def _same(protocol: asyncio.Protocol) -> asyncio.Protocol:
    return protocol


class _StatusReader(asyncio.Protocol):
    """Reads a keeper's reports about its process. `first` gets the first line."""

    def __init__(self, process: BotProcess, first: asyncio.Future[dict[str, Any]]) -> None:
        self._process = process
        self._first = first
        self._rest = b""

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if not self._first.done():
                self._first.set_result(json.loads(line))
            self._process._told(line)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._first.done():
            self._first.set_result({"errno": None, "why": "the guard of the processes was ended"})
        self._process._told(b"")


def _start_failure(name: str, argv: Sequence[str], directory: Path, error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError) and not directory.is_dir():
        return f"{name} did not start: its directory {directory} no longer exists"
    if isinstance(error, FileNotFoundError):
        return (
            f"{name} did not start: no program {argv[0]!r} on this machine: install it or put it on the PATH"
            " (`turnwright doctor` says what can be started)"
        )
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"{name} did not start: {argv[0]}: {reason}"
