"""Worker processes that a separate program forks on request."""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from turnwright.errors import SetupError
from turnwright_world.planning.net import worker
from turnwright_world.planning.net.spawned import START_S, import_path

_PID = struct.Struct("!I")
_log = logging.getLogger("turnwright")


class ForkedWorkers:
    """Starts workers through a separate program, which the constructor starts.

    `on_come(pid, channel)` is called for each worker that has started.
    """

    def __init__(self, memory_mib: int, on_come: Callable[[int, socket.socket], None]) -> None:
        self._memory_mib = memory_mib
        self._on_come = on_come
        self._coming: deque[socket.socket] = deque()
        self._pids = b""
        self._loop = asyncio.get_running_loop()
        self._control, other = socket.socketpair()
        with other:
            self._program = _start_program(other, memory_mib)

    async def ready(self) -> bool:
        """Wait for the program, and return whether players' minds can run in its workers.

        Raises:
            SetupError: the program did not start.
        """
        self._control.settimeout(START_S)
        said = b""
        with suppress(OSError):
            said = await asyncio.to_thread(self._control.recv, worker.READY.size)
        if not said:
            raise SetupError(
                "the program for planning did not start: see what"
                f" `{sys.executable} -m {worker.__name__} 0 {self._memory_mib}` says"
            )
        self._control.setblocking(False)
        self._loop.add_reader(self._control, self._forked)
        (sealed,) = worker.READY.unpack(said)
        return bool(sealed)

    @property
    def coming(self) -> int:
        """The number of requested workers that have not started yet."""
        return len(self._coming)

    def start(self) -> bool:
        """Request a worker, and return whether that was possible."""
        ours, theirs = socket.socketpair()
        with theirs:
            ours.setblocking(False)
            if not self._order(b"F", 0, theirs.fileno()):
                ours.close()
                return False
            self._coming.append(ours)
            return True

    def bury(self, pid: int) -> None:
        """Free the process id of a killed worker."""
        self._order(b"R", pid)

    async def close(self) -> None:
        """End the program, and wait until it has ended."""
        self._loop.remove_reader(self._control)
        for channel in self._coming:
            channel.close()
        self._control.close()
        await asyncio.to_thread(self._program.wait)

    def _order(self, order: bytes, pid: int, *descriptors: int) -> bool:
        """Send a short order to the program, and return whether it was sent."""
        try:
            socket.send_fds(self._control, [worker.COMMAND.pack(order, pid)], descriptors)
        except OSError:
            return False
        return True

    def _forked(self) -> None:
        """Handle workers that have started."""
        try:
            data = self._control.recv(_PID.size * len(self._coming) or 1)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._loop.remove_reader(self._control)
            _log.error("the program for planning has ended: no creature plans until the server is restarted")
            return
        self._pids += data
        while len(self._pids) >= _PID.size and self._coming:
            (pid,) = _PID.unpack_from(self._pids)
            self._pids = self._pids[_PID.size :]
            channel = self._coming.popleft()
            if pid != 0:
                self._on_come(pid, channel)
                continue
            channel.close()
            _log.warning("the system has no room for another process in which creatures plan")


def _start_program(channel: socket.socket, memory_mib: int) -> subprocess.Popen[bytes]:
    """Start the program that forks, without standard streams and with an empty environment."""
    return subprocess.Popen(
        [sys.executable, "-s", "-B", "-m", worker.__name__, str(channel.fileno()), str(memory_mib)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[channel.fileno()],
        env={"PYTHONHASHSEED": "0", "PYTHONPATH": import_path()},
        cwd="/",
        start_new_session=True,
    )
