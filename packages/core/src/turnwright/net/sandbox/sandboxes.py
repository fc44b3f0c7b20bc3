"""Starts bots in the sandbox.

    bubblewrap ──▶ launcher ──▶ the bot; its socket ──▶ the server's listener

Each sandbox passes a listening socket to the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from turnwright.errors import ParticipantStartError
from turnwright.net.participants.command import pythons_given
from turnwright.net.processes import guard
from turnwright.net.processes.bot_process import BotProcess, BotProcesses
from turnwright.net.processes.output import STDERR
from turnwright.net.sandbox import bubblewrap, seccomp
from turnwright.net.sandbox.bubblewrap import PORT, BotUser, SandboxLimits
from turnwright.net.sandbox.cgroups import Groups, find_groups
from turnwright.net.sandbox.launcher import LISTENING
from turnwright.net.sandbox.readable import base_environment, program_of

START_TIMEOUT_S = 15.0
"""The longest time in which a sandbox must be made, in seconds. It is long enough for a busy machine."""
_SAID_BYTES_MAX = 4_096

Listen = Callable[[socket.socket, str], Awaitable[Callable[[], None]]]
"""Adds a sandbox's listening socket to a server under a name. Returns a function that removes the socket."""


@dataclass(frozen=True, slots=True)
class SandboxedBot:
    """A bot in a sandbox.

    Attributes:
        listener: the name of the bot's listener at the server.
    """

    process: BotProcess
    listener: str


class Sandboxes:
    """Starts sandboxed bots for one server.

    Args:
        listen: adds the sandboxes' sockets to the server.
        path: the path of the server's URL.
        groups: the folders in which control groups can be made. None means that they are searched for.
        python: the operator's interpreters (see `pythons_given`).

    Raises:
        SetupError: an interpreter does not exist.
    """

    def __init__(
        self,
        listen: Listen,
        *,
        path: str = "",
        limits: SandboxLimits | None = None,
        groups: Groups | None = None,
        python: str | None = None,
    ) -> None:
        self._pythons = tuple(pythons_given(python).values())
        self.limits = limits or SandboxLimits()
        self.url = f"ws://127.0.0.1:{PORT}{path}"
        """The server's address from inside every sandbox."""
        self._listen = listen
        self._groups = find_groups() if groups is None else groups
        self._count = 0

    def environment(self) -> Mapping[str, str]:
        """Return the environment variables of a sandboxed bot. They replace the variables of this process."""
        return base_environment(self.limits.memory_mib)

    async def start(
        self,
        processes: BotProcesses,
        name: str,
        argv: Sequence[str],
        directory: Path,
        environ: Mapping[str, str],
    ) -> SandboxedBot:
        """Start a bot in its own sandbox.

        Args:
            name: the bot's name, for messages.
            environ: the bot's complete environment. PATH and the mark are added.

        Raises:
            ParticipantStartError: the sandbox or the bot cannot be started.
            SetupError: the bot's directory cannot be shown in the sandbox, or no user id is free.
        """
        as_root = os.getuid() == 0
        bubblewrap.refuse_unreadable(directory, as_root=as_root)
        program = await asyncio.to_thread(program_of, argv, directory, self._pythons)
        bwrap = bubblewrap.find_bwrap() or "bwrap"
        command = bubblewrap.bwrap_command(directory, program, self.limits, as_root=as_root, bwrap=bwrap)
        user = bubblewrap.claim_user() if as_root else None
        ours, theirs = socket.socketpair()
        rules = _filter_file()
        try:
            process = await processes.start(
                name,
                command,
                Path("/"),
                {},
                fds=(theirs.fileno(), rules),
                limits=lambda mark: self.limits.of_family(self._groups, mark),
            )
        except BaseException:
            ours.close()
            _release(user)
            raise
        finally:
            theirs.close()
            os.close(rules)
        process.on_close.append(lambda: _release(user))
        marked = {**environ, "PATH": program.path, guard.MARK: process.mark}
        number = None if user is None else user.id
        orders = bubblewrap.launch_orders(program.argv, marked, directory, self.limits, number)
        self._count += 1
        listener = f"sandbox{self._count}"
        try:
            with ours:
                bound = await _handed_out(process, ours, orders)
            process.on_close.append(await self._listen(bound, listener))
        except BaseException:
            await process.stop(0.0)
            raise
        return SandboxedBot(process, listener)


def _release(user: BotUser | None) -> None:
    if user is not None:
        user.claim.close()


def _filter_file() -> int:
    """Return a descriptor from which bubblewrap reads the filter of system calls."""
    fd = os.memfd_create("turnwright-seccomp", os.MFD_CLOEXEC)
    os.write(fd, seccomp.filter_of())
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


async def _handed_out(process: BotProcess, line: socket.socket, orders: bytes) -> socket.socket:
    """Send the launcher its orders. When the bot's program runs, return the socket that the launcher passed.

    Raises:
        ParticipantStartError: the sandbox or the launcher failed. The message has its output.
    """
    line.setblocking(False)
    loop = asyncio.get_running_loop()
    found: list[socket.socket] = []
    said = b""
    try:
        async with asyncio.timeout(START_TIMEOUT_S):
            with contextlib.suppress(OSError):
                await loop.sock_sendall(line, orders)
                while (piece := await _received(line, found)) and len(said) < _SAID_BYTES_MAX:
                    said += piece
        why = _why(said)
    except TimeoutError:
        why = f"its sandbox did not start within {START_TIMEOUT_S:g} s"
    if why is None and found:
        return found[0]
    for one in found:
        one.close()
    if why is None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await process.exited.wait()
        await process.output.settle()
        last = process.output.lines(STDERR)[-1:] or [process.exit_text()]
        why = f"its sandbox could not be created: {last[0]}"
    raise ParticipantStartError(f"{process.name} did not start: {why}")


def _why(said: bytes) -> str | None:
    """Return the launcher's reason for not starting the bot, or None."""
    text = said.removeprefix(LISTENING)
    if not text:
        return None
    with contextlib.suppress(ValueError):
        told = json.loads(text)
        return f"{told['why']} (in its sandbox)"
    return "its launcher failed"


async def _received(line: socket.socket, found: list[socket.socket]) -> bytes:
    """Return the launcher's next message, or b"" if the launcher has closed the connection. Add the sockets
    that come with the message to `found`."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(line.fileno(), ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(line.fileno())
    data, fds, _, _ = socket.recv_fds(line, _SAID_BYTES_MAX, 1)
    found += [socket.socket(fileno=fd) for fd in fds]
    return data
