"""Worker processes for systems that cannot fork.

Each worker is a separate program that connects to a port of the server. The workers are neither sealed nor
limited, so they run only minds of the world's own content.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from turnwright import errors
from turnwright.errors import SetupError
from turnwright_world.planning.net import worker

PAUSE_S, PAUSE_S_MAX = 0.5, 60.0
"""The pause after a worker that did not connect. It doubles after each further failure."""

START_S = 30.0
"""The time within which the first worker must connect."""
_HELLO_S = 30.0
_SECRET_BYTES = 16
_BACKLOG = 64
_OURS = sys.modules[__name__.partition(".")[0]]
_log = logging.getLogger("turnwright")


def import_path() -> str:
    """Return the PYTHONPATH with which a worker finds turnwright and the package of the world."""
    roots = (Path(errors.__file__).parents[1], Path(str(_OURS.__file__)).parents[1])
    return os.pathsep.join(dict.fromkeys(map(str, roots)))


class SpawnedWorkers:
    """Starts workers. `on_come(pid, channel, child)` is called for each worker that has connected."""

    def __init__(
        self, memory_mib: int, on_come: Callable[[int, socket.socket, subprocess.Popen[bytes]], None]
    ) -> None:
        self._memory_mib = memory_mib
        self._on_come = on_come
        self._coming: dict[str, subprocess.Popen[bytes]] = {}
        self._greeting: set[asyncio.Task[None]] = set()
        self._connected = asyncio.Event()
        self._pause_s, self._again_s = PAUSE_S, 0.0
        self._loop = asyncio.get_running_loop()
        self._bound = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
        self._bound.setblocking(False)
        self._loop.add_reader(self._bound.fileno(), self._accept)

    async def ready(self) -> bool:
        """Wait until a worker has connected. Return False, because players' minds cannot run in it.

        Raises:
            SetupError: no worker has connected in time.
        """
        try:
            await asyncio.wait_for(self._connected.wait(), START_S)
        except TimeoutError:
            raise SetupError(f"no worker for planning has connected within {START_S:g} s") from None
        return False

    @property
    def coming(self) -> int:
        """The number of started workers that have not connected yet.

        If a worker has ended before it connected, reading this logs a warning and pauses `start`.
        """
        ended = {secret: one for secret, one in self._coming.items() if one.poll() is not None}
        self._coming = {secret: one for secret, one in self._coming.items() if secret not in ended}
        if ended:
            codes = ", ".join(sorted({str(one.returncode) for one in ended.values()}))
            self._pause(f"{len(ended)} ended before they connected, with exit code {codes}")
        return len(self._coming)

    def start(self) -> bool:
        """Start a worker, and return whether it was started. During a pause no worker is started."""
        if self._loop.time() < self._again_s:
            return False
        path = os.pathsep.join(filter(None, (import_path(), os.environ.get("PYTHONPATH"))))
        port = self._bound.getsockname()[1]
        try:
            child = subprocess.Popen(
                [sys.executable, "-s", "-B", "-m", worker.__name__, str(port), str(self._memory_mib)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": path},
                start_new_session=True,
            )
        except OSError as error:
            self._pause(str(error))
            return False
        secret = secrets.token_hex(_SECRET_BYTES)
        assert child.stdin is not None
        with suppress(OSError), child.stdin as stdin:
            stdin.write(secret.encode() + b"\n")
        self._coming[secret] = child
        return True

    def _pause(self, why: str) -> None:
        """Pause the start of workers, longer after each failure."""
        _log.warning(
            "processes in which creatures plan do not start, next try in %g s: %s", self._pause_s, why
        )
        self._again_s = self._loop.time() + self._pause_s
        self._pause_s = min(2 * self._pause_s, PAUSE_S_MAX)

    def bury(self, pid: int) -> None:
        """Do nothing, because the system reuses no child's id while this process runs."""

    async def close(self) -> None:
        """End workers that have not connected, and start no more."""
        self._loop.remove_reader(self._bound.fileno())
        self._bound.close()
        for task in self._greeting:
            task.cancel()
        for child in self._coming.values():
            child.kill()
            child.wait()
        self._coming.clear()

    def _accept(self) -> None:
        with suppress(OSError):
            channel, _ = self._bound.accept()
            task = self._loop.create_task(self._greet(channel))
            self._greeting.add(task)
            task.add_done_callback(self._greeting.discard)

    async def _greet(self, channel: socket.socket) -> None:
        """Accept a worker that sends the right secret."""
        channel.setblocking(False)
        said = b""
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(_HELLO_S):
                while len(said) < 2 * _SECRET_BYTES:
                    data = await self._loop.sock_recv(channel, 2 * _SECRET_BYTES - len(said))
                    if not data:
                        break
                    said += data
        child = self._coming.pop(said.decode("ascii", "replace"), None)
        if child is None:
            channel.close()
            return
        self._pause_s = PAUSE_S
        channel.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._on_come(child.pid, channel, child)
        self._connected.set()
