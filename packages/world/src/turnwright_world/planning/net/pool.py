"""The server's side of worker processes, which are forked in advance, reused and killed.

Minds of the world's own content share processes. Every other owner has its own process. While none of the
owner's bodies plans, the process is stopped (SIGSTOP), so that it cannot use the machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import time
from collections import deque
from collections.abc import Callable

from turnwright.errors import SetupError
from turnwright.net.clock import now_ns
from turnwright.net.portability import IS_LINUX
from turnwright_world.planning.limits import Usage
from turnwright_world.planning.messages import AnswerReader
from turnwright_world.planning.net.forked import ForkedWorkers
from turnwright_world.planning.net.spawned import SpawnedWorkers

HOMES_MAX = 128
"""The most owners with a process (about 2 MB each).

If there are more, the server ends the process that has been unused for longest.
"""
RETIRE_CPU_S = 60
"""A process is replaced after this processor time, in seconds."""
RETIRE_SIZE = 16 << 20
"""The most private memory of an owner's process between turns, in bytes. A process with more memory is
replaced.
"""
_READ_SIZE = 65_536
_PAGE_SIZE = os.sysconf("SC_PAGESIZE") if hasattr(os, "sysconf") else 4096


class PlanProcess:
    """One worker process.

    Args:
        child: the process if the server started it directly, or None if it was forked. For a direct child,
            the time with batches counts as processor time.

    Attributes:
        home: its owner, or None for a shared process.
        known: the versions of the sources that it has received.
    """

    def __init__(
        self, pid: int, channel: socket.socket, child: subprocess.Popen[bytes] | None = None
    ) -> None:
        self._child = child
        self._busy_ns = 0
        self._since_ns: int | None = None
        self.pid = pid
        self.channel = channel
        self.home: str | None = None
        self.known: dict[str, int] = {}
        self.reader = AnswerReader()
        self.ended = False
        self._unsent = b""
        self._clock = (~pid << 3) | 2
        self._waits = -1
        if child is None:
            with contextlib.suppress(OSError):
                self._waits = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)

    def usage(self) -> Usage:
        """Return the process's usage since its start, as far as the system counts it."""
        if self._child is not None:
            since_ns = self._since_ns
            return Usage((self._busy_ns + (0 if since_ns is None else now_ns() - since_ns)) // 1_000, None)
        cpu_us, wait_us = 0, None
        with contextlib.suppress(OSError, ValueError, IndexError):
            cpu_us = time.clock_gettime_ns(self._clock) // 1_000
            if self._waits >= 0:
                wait_us = int(os.pread(self._waits, 100, 0).split()[1]) // 1_000
        return Usage(cpu_us, wait_us)

    def runnable(self) -> bool:
        """Return whether a process runs or waits for a processor. False if the system does not report it."""
        try:
            with open(f"/proc/{self.pid}/stat", "rb", buffering=0) as file:
                return file.read(512).rpartition(b") ")[2][:1] == b"R"
        except OSError:
            return False

    def size(self) -> int:
        """Return the process's private memory in bytes, or 0 if the system does not report it."""
        try:
            with open(f"/proc/{self.pid}/statm", "rb", buffering=0) as file:
                _, resident, shared, *_ = file.read(200).split()
        except (OSError, ValueError):
            return 0
        return (int(resident) - int(shared)) * _PAGE_SIZE

    def send(self, frame: bytes, loop: asyncio.AbstractEventLoop) -> None:
        """Send a frame. Bytes that the socket does not accept now are sent later."""
        self._unsent += frame
        self._flush(loop)

    def receive(self) -> bytes | None:
        """Return new output, b"" if there is none, or None if the process has ended."""
        try:
            return self.channel.recv(_READ_SIZE) or None
        except BlockingIOError:
            return b""
        except OSError:
            return None

    def rest(self) -> None:
        """Stop the process until `go_on`, if the system can stop processes."""
        if self._child is None:
            self.signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let the process continue."""
        if self._child is None:
            self.signal(signal.SIGCONT)

    def note_busy(self, busy: bool) -> None:
        """Note that the process has received a batch, or that its batch is done."""
        if self._child is not None:
            if self._since_ns is not None:
                self._busy_ns += now_ns() - self._since_ns
            self._since_ns = now_ns() if busy else None

    def signal(self, number: signal.Signals) -> None:
        """Send the process a signal. No other process gets its id until `PlanProcesses` releases it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self.pid, number)

    def end(self, loop: asyncio.AbstractEventLoop) -> None:
        """Kill the process and stop reading from it. A second call does nothing."""
        if self.ended:
            return
        self.ended = True
        loop.remove_reader(self.channel)
        loop.remove_writer(self.channel)
        if self._child is None:
            self.signal(signal.SIGKILL)
        else:
            self._child.kill()
        self.channel.close()
        if self._waits >= 0:
            os.close(self._waits)
            self._waits = -1

    def _flush(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(BlockingIOError):
            try:
                self._unsent = self._unsent[self.channel.send(self._unsent) :]
            except OSError as error:
                if isinstance(error, BlockingIOError):
                    raise
                self._unsent = b""
        if self._unsent:
            loop.add_writer(self.channel, self._flush, loop)
        else:
            loop.remove_writer(self.channel)


class PlanProcesses:
    """All planning processes.

    Args:
        spares: the number of unused processes that are kept ready.
        on_data: called with a process that has output.
        on_spare: called when a spare process is ready.

    Attributes:
        sealed: whether players' minds can run on this machine, known after `start`.
        killed, forked: the number of processes that were killed, and that have started.
    """

    def __init__(
        self,
        spares: int,
        memory_mib: int,
        on_data: Callable[[PlanProcess], None],
        on_spare: Callable[[], None],
    ) -> None:
        self.sealed = False
        self.killed = self.forked = 0
        self._spares_wanted = spares
        self._memory_mib = memory_mib
        self._on_data = on_data
        self._on_spare = on_spare
        self._spares: deque[PlanProcess] = deque()
        self._shared: list[PlanProcess] = []
        self._homes: dict[str, PlanProcess] = {}
        self._busy: set[PlanProcess] = set()
        self._over = False

    async def start(self) -> None:
        """Start the program that starts workers, and request the spares.

        Raises:
            SetupError: no worker can start.
        """
        self._loop = asyncio.get_running_loop()
        self._workers: ForkedWorkers | SpawnedWorkers = (
            ForkedWorkers(self._memory_mib, self._come)
            if IS_LINUX
            else SpawnedWorkers(self._memory_mib, self._come)
        )
        self._order_spares()
        try:
            self.sealed = await self._workers.ready()
        except SetupError:
            await self.close()
            raise

    async def close(self) -> None:
        """Kill all processes, and wait until they have ended."""
        if self._over:
            return
        self._over = True
        for process in [*self._spares, *self._shared, *self._homes.values(), *self._busy]:
            process.end(self._loop)
        await self._workers.close()

    def take(self, home: str | None) -> PlanProcess | None:
        """Return an idle process for an owner, or a shared one for None. Return None if none is free yet."""
        process = self._shared.pop() if home is None and self._shared else None
        if home is not None:
            process = self._homes.pop(home, None)
        if process is None:
            if not self._spares:
                self._order_spares()
                return None
            process = self._spares.popleft()
            process.home = home
            self._order_spares()
        self._busy.add(process)
        process.note_busy(True)
        if process.home is not None:
            process.go_on()
        return process

    def give_back(self, process: PlanProcess) -> None:
        """Keep a process for its owner's next batch, or end it if it has used too much time or memory."""
        self._busy.discard(process)
        process.note_busy(False)
        if process.usage().cpu_us > 1_000_000 * RETIRE_CPU_S:
            self._bury(process)
        elif process.home is None:
            self._shared.append(process)
        elif process.size() > RETIRE_SIZE:
            self._bury(process)
        else:
            process.rest()
            self._homes[process.home] = process
            if len(self._homes) > HOMES_MAX:
                self._bury(self._homes.pop(next(iter(self._homes))))

    def resting(self, home: str) -> PlanProcess | None:
        """Return the owner's process if it is stopped until its next batch, or None."""
        return self._homes.get(home)

    def retire(self, home: str) -> None:
        """End the stopped process of an owner, if there is one. The next batch gets a new process."""
        process = self._homes.pop(home, None)
        if process is not None:
            self._bury(process)

    def kill(self, process: PlanProcess) -> None:
        """Kill a process. A new process replaces it."""
        self._busy.discard(process)
        if process.home is not None and self._homes.get(process.home) is process:
            del self._homes[process.home]
        for idle in (self._shared, self._spares):
            if process in idle:
                idle.remove(process)
        self.killed += 1
        self._bury(process)
        self._order_spares()

    def _bury(self, process: PlanProcess) -> None:
        if not process.ended:
            process.end(self._loop)
            self._workers.bury(process.pid)

    def _order_spares(self) -> None:
        while len(self._spares) + self._workers.coming < self._spares_wanted and not self._over:
            if not self._workers.start():
                return

    def _come(self, pid: int, channel: socket.socket, child: subprocess.Popen[bytes] | None = None) -> None:
        """Add a process that has started."""
        process = PlanProcess(pid, channel, child)
        self._loop.add_reader(channel, self._on_data, process)
        self._spares.append(process)
        self.forked += 1
        self._on_spare()
