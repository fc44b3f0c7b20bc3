"""Bots as child processes: started, drained, noticed when they end, and stopped with all their children.

Each process gets a session of its own, so that Ctrl-C at the terminal reaches only us and its children can
be found. Nothing outlives a battle: `BotProcesses.stop` ends whole families (TERM, then KILL), a process is
killed by Linux when we die, and a guard beside us (see `guard`) kills what that does not reach.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from turnwright.errors import ParticipantStartError
from turnwright.net import guard
from turnwright.net.forked import Copy

__all__ = ["STDERR_LINES_MAX", "STDERR_SIZE_MAX", "STOP_GRACE_S", "BotProcess", "BotProcesses", "stop_all"]

STOP_GRACE_S = 2.0
"""Seconds between TERM and KILL."""
STDERR_LINES_MAX = 40
STDERR_SIZE_MAX = 8192
"""Bytes. Of what a bot writes to stderr, and to stdout, only the end is kept: this much and so many lines."""

_BURST_SIZE_MAX = 65_536
_BURST_PAUSE_S = 0.005
"""After a burst of 64 KiB a pipe rests for 5 ms: a flood costs us little, and its writer just waits."""
_POLL_S = 0.02
_SETTLE_S = 0.5
_GUARD_WAIT_S = 5.0
_PR_SET_PDEATHSIG = 1
_STDOUT, _STDERR = 1, 2


class BotProcess:
    """One running bot. Start it with `BotProcesses.start`.

    exited: set when the process has ended (its children may live on); then `returncode` is its exit code,
    negative for a signal.
    """

    def __init__(self, name: str, mark: str) -> None:
        self.name = name
        self.mark = mark
        self.exited = asyncio.Event()
        self._stderr = bytearray()
        self._stdout = bytearray()
        self._stderr_ended = asyncio.Event()
        self._transport: asyncio.SubprocessTransport | None = None

    @property
    def pid(self) -> int:
        """The id of the process; it must have been started."""
        assert self._transport is not None
        return self._transport.get_pid()

    @property
    def returncode(self) -> int | None:
        """What the process returned, or None while it runs."""
        return None if self._transport is None else self._transport.get_returncode()

    @property
    def alive(self) -> bool:
        """Whether the process or any child of it still runs."""
        return not self.exited.is_set() or bool(guard.family([self.mark]))

    async def settle(self) -> None:
        """After its end: wait until all it wrote to stderr is read, at most half a second."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_SETTLE_S):
                await self._stderr_ended.wait()

    def stderr_tail(self) -> list[str]:
        """Return the last lines that it wrote to stderr, without control characters."""
        return _last_lines(self._stderr)

    def last_lines(self) -> list[str]:
        """Return the last lines that it printed: to stderr, or if there are none, to stdout."""
        return _last_lines(self._stderr) or _last_lines(self._stdout)

    def exit_text(self) -> str:
        """Return how it ended, e.g. "exit code 1" or "signal SIGKILL"."""
        code = self.returncode
        if code is None:
            return "still running"
        if code >= 0:
            return f"exit code {code}"
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
        return f"signal {-code}"

    async def stop(self, grace_s: float = STOP_GRACE_S) -> None:
        """End it and all its children. Harmless when they have ended."""
        await stop_all([self], grace_s)

    def _attach(self, transport: asyncio.SubprocessTransport) -> None:
        self._transport = transport

    def _keep(self, fd: int, data: bytes) -> None:
        kept = self._stderr if fd == _STDERR else self._stdout
        kept += data
        if len(kept) > 2 * STDERR_SIZE_MAX:
            del kept[:-STDERR_SIZE_MAX]

    def _close(self) -> None:
        if self._transport is not None:
            self._transport.close()


async def stop_all(processes: Sequence[BotProcess], grace_s: float = STOP_GRACE_S) -> None:
    """End processes with all their children: TERM to every one, KILL to those left after `grace_s`."""
    marks = [process.mark for process in processes]
    loop = asyncio.get_running_loop()
    deadline = loop.time() + grace_s
    guard.send_signal(_left(processes, marks), signal.SIGTERM)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout_at(deadline):
            for process in processes:
                await process.exited.wait()
    while (left := _left(processes, marks)) and loop.time() < deadline:
        await asyncio.sleep(_POLL_S)
    if left:
        guard.send_signal(left, signal.SIGKILL)
        guard.kill_family(marks)
    for process in processes:
        await process.exited.wait()
        process._close()


def _left(processes: Sequence[BotProcess], marks: Sequence[str]) -> set[int]:
    """Return the ids of all processes to end: where /proc shows no families, at least our own children."""
    return {process.pid for process in processes if not process.exited.is_set()} | guard.family(marks)


class BotProcesses:
    """All processes of one battle. Use it as an asynchronous context manager: leaving it stops them all."""

    def __init__(self) -> None:
        self._mark = secrets.token_hex(8)
        self._processes: list[BotProcess] = []
        self._guard: subprocess.Popen[bytes] | None = None

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
        self, name: str, argv: Sequence[str], directory: Path, environ: Mapping[str, str]
    ) -> BotProcess:
        """Start a bot in its directory. Of what it prints the end is kept; its stdin stays open and silent.

        name: for messages. Raises: ParticipantStartError when the program cannot be started.
        """
        if self._guard is None:
            self._guard = _start_guard(self._mark)
        process = BotProcess(_printable(name), f"{self._mark}.{len(self._processes)}")
        loop = asyncio.get_running_loop()
        try:
            transport, _ = await loop.subprocess_exec(
                lambda: _Drain(process),
                *argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=directory,
                env={**environ, guard.MARK: process.mark},
                start_new_session=True,
                preexec_fn=_die_with_us(),
            )
        except (OSError, ValueError) as error:
            raise ParticipantStartError(_start_failure(name, argv, directory, error)) from error
        process._attach(transport)
        self._processes.append(process)
        return process

    async def adopt(self, copy: Copy, server_url: str, secret: str) -> BotProcess:
        """Send a copy of this process to the server and look after it as after any other."""
        if self._guard is None:
            self._guard = _start_guard(self._mark)
        process = BotProcess(_printable(copy.name), f"{self._mark}.{len(self._processes)}")
        drain = _Drain(process)
        reader, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: _Pipe(drain), os.fdopen(copy.stderr_fd, "rb", buffering=0)
        )
        transport = cast(asyncio.SubprocessTransport, _CopyTransport(copy, reader))
        drain.connection_made(transport)
        process._attach(transport)
        self._processes.append(process)
        copy.play(server_url, secret, process.mark, drain.process_exited)
        return process

    async def stop(self, grace_s: float = STOP_GRACE_S) -> None:
        """End all processes and the guard. Harmless when called again."""
        processes, self._processes = self._processes, []
        await stop_all(processes, grace_s)
        watcher, self._guard = self._guard, None
        if watcher is not None:
            assert watcher.stdin is not None
            watcher.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(watcher.wait, _GUARD_WAIT_S)


class _Drain(asyncio.SubprocessProtocol):
    """Reads what a bot prints, so that its pipes never stay full, and notices its end."""

    def __init__(self, process: BotProcess) -> None:
        self._process = process
        self._transport: asyncio.SubprocessTransport | None = None
        self._bursts = {_STDOUT: 0, _STDERR: 0}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        assert isinstance(data, bytes)
        self._process._keep(fd, data)
        self._bursts[fd] += len(data)
        if self._bursts[fd] >= _BURST_SIZE_MAX:
            self._bursts[fd] = 0
            self._rest(fd)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == _STDERR:
            self._process._stderr_ended.set()

    def process_exited(self) -> None:
        self._process.exited.set()

    def _rest(self, fd: int) -> None:
        pipe = self._transport.get_pipe_transport(fd) if self._transport is not None else None
        if pipe is not None:
            reader = cast(asyncio.ReadTransport, pipe)
            reader.pause_reading()
            asyncio.get_running_loop().call_later(_BURST_PAUSE_S, _resume, reader)


class _Pipe(asyncio.Protocol):
    """The stderr of a copy, handed to who reads that of other processes."""

    def __init__(self, drain: _Drain) -> None:
        self._drain = drain

    def data_received(self, data: bytes) -> None:
        self._drain.pipe_data_received(_STDERR, data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._drain.pipe_connection_lost(_STDERR, exc)


class _CopyTransport:
    """What a process needs to know of a copy: the part of `asyncio.SubprocessTransport` that is used."""

    def __init__(self, copy: Copy, reader: asyncio.BaseTransport) -> None:
        self._copy = copy
        self._reader = reader

    def get_pid(self) -> int:
        return self._copy.pid

    def get_returncode(self) -> int | None:
        return self._copy.returncode

    def get_pipe_transport(self, fd: int) -> asyncio.BaseTransport | None:
        return self._reader if fd == _STDERR else None

    def close(self) -> None:
        self._reader.close()


def _resume(reader: asyncio.ReadTransport) -> None:
    if not reader.is_closing():
        reader.resume_reading()


def _start_guard(mark: str) -> subprocess.Popen[bytes] | None:
    """Start the guard of a battle, where /proc lets it see processes; else return None."""
    if not sys.platform.startswith("linux"):
        return None
    return subprocess.Popen(
        [sys.executable, "-I", "-S", guard.__file__, mark],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env={},
        start_new_session=True,
    )


def _die_with_us() -> Callable[[], None] | None:
    """Return what a child does before it becomes the bot: ask Linux to kill it when we die.

    The library is loaded here, before the fork; the child only calls into it. If we died in between, the
    child's parent has already changed, and it ends itself.
    """
    if not sys.platform.startswith("linux"):
        return None
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def prepare() -> None:
        prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return prepare


def _start_failure(name: str, argv: Sequence[str], directory: Path, error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError) and not directory.is_dir():
        return f"{name} did not start: its directory {directory} is gone"
    if isinstance(error, FileNotFoundError):
        return (
            f"{name} did not start: no program {argv[0]!r} on this machine: install it or put it on the PATH"
            " (`turnwright doctor` says what can be started)"
        )
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"{name} did not start: {argv[0]}: {reason}"


def _last_lines(kept: bytearray) -> list[str]:
    text = bytes(kept[-STDERR_SIZE_MAX:]).decode("utf-8", "replace")
    return [_printable(line) for line in text.splitlines()[-STDERR_LINES_MAX:]]


def _printable(line: str) -> str:
    return "".join(
        letter if letter.isprintable() or letter == "\t" else "\N{REPLACEMENT CHARACTER}" for letter in line
    )
