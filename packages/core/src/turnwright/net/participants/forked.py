"""Bots of the calling program in separate processes, forked before a battle.

A Bot class or a function may be defined anywhere, for example in a notebook or within another function. So
another program could not import it. Therefore its process is a copy of this process (a fork), made before the
battle's event loop and threads begin. The copy keeps the program's memory, but not its open files. The copy's
pipes and sockets are replaced, because another process could wait until they are closed. The copy waits for
its orders (`Copy.play`). Then it connects, reports the local port of its connection, and plays. It ends
without running the program's exit handlers.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import io
import json
import os
import signal
import socket
import stat
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Mapping
from typing import NoReturn, TextIO

from turnwright.errors import EXIT_INTERNAL, EXIT_OK, SetupError, TurnwrightError
from turnwright.net.participants.command import environment_of_copy
from turnwright.net.participants.seating import Entrant
from turnwright.net.portability import IS_LINUX
from turnwright.net.processes import guard

_ORDERS_SIZE_MAX = 65_536
_PR_SET_PDEATHSIG = 1
_STAT_ENVIRON = slice(47, 49)
"""The fields of /proc/PID/stat with the start and the end of the environment in memory. The fields after the
name of the program are counted.
"""
_kept: list[object] = []
"""The streams of the program that a copy has replaced. The copy keeps these objects, because Python would
write their buffers if it deleted them.
"""


def can_copy() -> bool:
    """Return whether this system can make copies of a process."""
    return IS_LINUX and hasattr(os, "fork")


class Copy:
    """A copy of this process that waits to play one bot.

    Args:
        line: the socket for orders to the copy, and for its answer.
        stderr_fd: the descriptor from which the copy's stderr can be read.

    Attributes:
        returncode: the exit code, or minus the number of the signal that ended the copy. None means that it
            has not ended yet.
    """

    def __init__(self, name: str, pid: int, line: socket.socket, stderr_fd: int) -> None:
        self.name = name
        self.pid = pid
        self.stderr_fd = stderr_fd
        self.returncode: int | None = None
        self._line = line
        self._told = b""
        self._adopted = False

    @property
    def port(self) -> int | None:
        """The local port of the copy's connection. None means that the copy has not connected yet."""
        with contextlib.suppress(BlockingIOError, ConnectionError):
            self._told += self._line.recv(64)
        return int(self._told) if self._told.endswith(b"\n") else None

    def play(self, server_url: str, secret: str, mark: str, on_end: Callable[[], None]) -> None:
        """Let the copy connect to the server and play its bot. The call returns immediately.

        Args:
            mark: see `guard`.
            on_end: called in the caller's event loop when the copy has ended.
        """
        orders = {"url": server_url, "secret": secret, "mark": mark}
        with contextlib.suppress(ConnectionError):
            self._line.send(json.dumps(orders).encode() + b"\n")
        self._line.setblocking(False)
        self._adopted = True
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._await_end, args=(loop, on_end), daemon=True).start()

    def discard(self) -> None:
        """Close the socket to the copy. Unless `play` was called, end the copy, too."""
        self._line.close()
        if not self._adopted:
            os.close(self.stderr_fd)
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)

    def _await_end(self, loop: asyncio.AbstractEventLoop, on_end: Callable[[], None]) -> None:
        with contextlib.suppress(ChildProcessError):
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        if self.returncode is None:
            self.returncode = EXIT_INTERNAL
        with contextlib.suppress(RuntimeError):  # the loop has closed
            loop.call_soon_threadsafe(on_end)


def copy_of(place: Entrant, seed: int) -> Copy:
    """Return a copy of this process for one of its bots.

    Call it before the battle's loop and threads begin.

    Raises:
        SetupError: the system cannot copy a process.
    """
    if not can_copy():
        raise SetupError(
            f"{place.name} runs in this process and cannot play against bots of other programs, because this"
            " system cannot fork: put the bot into its own directory (`turnwright new bot`)"
        )
    ours, its = socket.socketpair()
    stderr_fd, its_stderr = os.pipe()
    parent = os.getpid()
    sys.stdout.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about threads, which the copy does not have
        pid = os.fork()
    if pid == 0:
        _be(place, seed, its, its_stderr, parent)
    its.close()
    os.close(its_stderr)
    return Copy(place.name, pid, ours, stderr_fd)


# ---- in the copy -----------------------------------------------------------------------------------------


def _be(place: Entrant, seed: int, line: socket.socket, stderr_fd: int, parent: int) -> NoReturn:
    """Run the bot. This never returns into the program's own code."""
    code = EXIT_INTERNAL
    try:
        _detach(line, stderr_fd, parent)
        code = _obey(place, seed, line)
        sys.stdout.flush()
    except TurnwrightError as error:
        print(f"{place.name}: {error}", file=sys.stderr)
        code = error.exit_code
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(BaseException):
            sys.stderr.flush()
        os._exit(code)


def _obey(place: Entrant, seed: int, line: socket.socket) -> int:
    """Wait for orders and play. Return the exit code."""
    text = b""
    while not text.endswith(b"\n"):
        piece = line.recv(_ORDERS_SIZE_MAX)
        if not piece:
            return EXIT_OK
        text += piece
    orders: Mapping[str, str] = json.loads(text)
    os.environ.update(environment_of_copy(orders["url"], orders["secret"], seed, orders["mark"]))
    _show_environment()
    assert place.game_bots is not None
    session = place.game_bots.session(place.given, place.name, orders["secret"], seed)
    place.game_bots.converse(session, orders["url"], lambda port: line.sendall(b"%d\n" % port))
    return EXIT_OK


def _detach(line: socket.socket, stderr_fd: int, parent: int) -> None:
    """Start a new session, which ends when the parent process ends. Close the pipes and sockets of the
    parent.
    """
    os.setsid()
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(EXIT_OK)
    with contextlib.suppress(ValueError):  # not in the main thread, so there is nothing to reset
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(stderr_fd, 2)
    for fd in _open_files() - {0, 1, 2, null, line.fileno()}:
        with contextlib.suppress(OSError):
            if not _is_file(os.fstat(fd).st_mode):
                os.dup2(null, fd)  # not closed, because the owner of the number may still close it
    _kept.extend((sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__))
    sys.stdout, sys.stderr = _stream(1), _stream(2)


def _stream(fd: int) -> TextIO:
    raw = io.BufferedWriter(io.FileIO(fd, "w", closefd=False))
    return io.TextIOWrapper(raw, encoding="utf-8", errors="replace", line_buffering=True)


def _open_files() -> set[int]:
    for folder in ("/proc/self/fd", "/dev/fd"):
        with contextlib.suppress(OSError):
            return {int(name) for name in os.listdir(folder)}
    return set(range(3, 1024))


def _is_file(mode: int) -> bool:
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISCHR(mode)


def _show_environment() -> None:
    """Make /proc show the mark. /proc reads the environment from the place in memory where the program's
    original environment was. This place is the same in a copy.

    First all variables are set again, so that nothing uses this memory any more. Processes that the bot forks
    have the mark, too, so that `guard` finds all of them.
    """
    said = f"{guard.MARK}={os.environ[guard.MARK]}\0".encode()
    for name, value in os.environ.items():
        os.putenv(name, value)
    with contextlib.suppress(OSError, ValueError):
        with open("/proc/self/stat", "rb") as file:
            start, end = map(int, file.read().rpartition(b")")[2].split()[_STAT_ENVIRON])
        if start > 0 and start + len(said) <= end:
            size = end - start
            block = said + _that_fit(ctypes.string_at(start, size), size - len(said))
            ctypes.memmove(start, block + bytes(size - len(block)), size)


def _that_fit(block: bytes, size: int) -> bytes:
    """Return the last variables of an environment, as many as fit into `size` bytes."""
    while len(block) > size:
        block = block.partition(b"\0")[2]
    return block
