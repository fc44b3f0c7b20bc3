"""Several rooms on one port. The front process listens on the port, and each room has its own process.

The front starts the processes of the rooms and passes connections to them (`net.http.room_front`). If a
room's process ends, the front starts it again. If it uses too much memory, the front ends it. Rooms do not
affect each other.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.app.game.playable import find_game
from turnwright.app.watch import here_of
from turnwright.errors import SetupError, TurnwrightError
from turnwright.net import loop as loops
from turnwright.net.http.ports import Inherited, bind, inherited
from turnwright.net.http.room_front import (
    WRONG,
    HandedSockets,
    RoomFront,
    RoomLink,
    check_names,
    prefix_of,
)
from turnwright.net.logs import log_to
from turnwright.net.loop import stop_on_signals
from turnwright.net.portability import IS_LINUX
from turnwright.net.processes.output_to_log import log_printed

if TYPE_CHECKING:
    from turnwright.app.options import ServeOptions
    from turnwright.host.host import Host
    from turnwright.net.server import LiveServer

STOP_S = 10.0
"""The time for rooms to end their battles when the server stops, in seconds."""
_STOP_STARTING_S = 1.0
SILENT_END_S = 60.0
"""The server ends a room's process that has reported nothing for this time, in seconds. The usual cause is a
method of the game's rules that never returns.
"""
_REPORT_S = 1.0
_LOOK_S = 0.5
_RESTART_S, _RESTART_S_MAX, _STEADY_S = 0.5, 30.0, 60.0
"""The shortest pause before a room's process is started again, the longest pause, and the time after which a
process counts as steady, in seconds. The pause doubles with each end. If a process has run for _STEADY_S, the
next pause is _RESTART_S again.
"""
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4_096
_MAIN = "from turnwright.app.serve import serve_room; serve_room()"

_log = logging.getLogger("turnwright")


@dataclass(frozen=True, slots=True)
class RoomSetup:
    """A room of a server, with options in the game's own class.

    The port in the options is ignored, because only the front listens on a port.
    """

    name: str
    game: str
    options: ServeOptions


@dataclass(frozen=True, slots=True)
class RoomSeat:
    """The data that a room's process gets from the front.

    Attributes:
        name, port: the room's name, and the front's port.
        descriptor: a socket that is connected to the front.
        listeners: the names of the front's listeners.
        outputs: descriptors of the server's standard output and standard error. The room's process needs
            them, because its own standard output and error are pipes to the front.
    """

    name: str
    port: int
    descriptor: int = -1
    listeners: tuple[str, ...] = ()
    outputs: tuple[int, int] = (-1, -1)

    def begin(self, level: int) -> None:
        """Write the log to the server's standard error, with the room's name in each line.

        Args:
            level: the log level of the server.
        """
        stream = os.fdopen(self.outputs[1], "w", encoding="utf-8", errors="backslashreplace")
        log_to(stream, level, f"room {self.name}")

    def say(self, line: str) -> None:
        """Print a line on the server's standard output."""
        with contextlib.suppress(OSError):
            os.write(self.outputs[0], f"{line}\n".encode())

    def fail(self, why: str) -> None:
        """Report to the front why this room cannot begin, or must end. Close the connection to the front."""
        with contextlib.suppress(OSError), socket.socket(fileno=self.descriptor) as channel:
            channel.send(json.dumps({WRONG: why}).encode() + b"\n")

    async def hold(self, server: LiveServer, host: Host, stop: asyncio.Event) -> None:
        """Take connections from the front and report to it each second, until `stop` is set.

        If the front is gone, set `stop`.
        """
        channel = socket.socket(fileno=self.descriptor)
        server.listener.prefix = prefix_of(self.name)
        handed = HandedSockets(channel, server.listener, stop.set, self.listeners)
        try:
            while not stop.is_set():
                handed.report(figures_of(host))
                try:
                    await asyncio.wait_for(stop.wait(), _REPORT_S)
                except TimeoutError:
                    continue
        finally:
            handed.close()


def figures_of(host: Host) -> dict[str, Any]:
    """Return a room's report to the front: its phase, connections, pace and turns, and why its battle is
    void.
    """
    room, lobby = host.room, host.lobby
    return {
        "phase": room.phase.value,
        "bots": len(lobby.bots()),
        "spectators": len(lobby.spectators()),
        "tps": room.tps,
        "pacing": room.pacing_now,
        "turns": room.turns_total,
        WRONG: room.void_text,
    }


def taken_over(options: ServeOptions) -> tuple[ServeOptions, Inherited | None]:
    """Return the options with the host name of a supervisor's first socket, and the supervisor's sockets.

    If the options name a port, return them unchanged, and None instead of sockets.

    Raises:
        SetupError: the supervisor passed no sockets although the options ask for them, or other machines can
            reach a socket without a secret.
    """
    if options.port != "inherit":
        return options, None
    handed = inherited()
    for bound, name in zip(*handed, strict=True):
        host_name, port = bound.getsockname()[:2]
        options.check_exposure(str(host_name))
        if name:
            _log.info("connections through %s:%d are shown as ADDRESS%%%s", host_name, port, name)
    return replace(options, host_name=str(handed.sockets[0].getsockname()[0])), handed


def serve_rooms(
    options: ServeOptions, rooms: Sequence[RoomSetup], on_listening: Callable[[str, str], None]
) -> bool:
    """Serve rooms until SIGTERM. Return whether all kept records are complete and no room's process failed.

    Args:
        options: the addresses and limits on connections.
        on_listening: called with two addresses: the address for programs, and the address of the list of
            rooms.

    Raises:
        SetupError: the server cannot start, or a room cannot be played.
        KeyboardInterrupt: the server has stopped because of SIGINT.
    """
    if not IS_LINUX:
        raise SetupError(
            "several rooms need Linux, because the front process passes open connections to a process for"
            " each room. Serve one room, or start a server for each room on its own port"
        )
    check_names([room.name for room in rooms])
    for room in rooms:
        try:
            game = find_game(room.game)
            if game.folder is None and not game.checked:  # only the rooms' processes load other games
                game.protocol(room.options)
        except TurnwrightError as error:
            raise SetupError(f"room {room.name}: {error}") from error
    return loops.run(_serve_rooms(options, rooms, on_listening))


async def _serve_rooms(
    options: ServeOptions, rooms: Sequence[RoomSetup], on_listening: Callable[[str, str], None]
) -> bool:
    stop = asyncio.Event()
    interrupted: list[bool] = []
    stop_on_signals(stop, lambda: interrupted.append(True))
    options, handed = taken_over(options)
    sockets, listeners = handed or Inherited(bind(options.host_name, int(options.port)), ())
    port = int(sockets[0].getsockname()[1])
    outputs = os.dup(sys.stdout.fileno()), os.dup(sys.stderr.fileno())
    front = RoomFront({room.name: room.game for room in rooms}, options.gate())
    processes = [
        _RoomProcess(
            front.rooms[room.name],
            room,
            RoomSeat(room.name, port, listeners=listeners, outputs=outputs),
        )
        for room in rooms
    ]
    await front.open(sockets, listeners)
    running = [asyncio.create_task(process.run()) for process in processes]
    here = f"{here_of(options.host_name)}:{port}"
    try:
        on_listening(f"ws://{here}", f"http://{here}/")
        await stop.wait()
    finally:
        front.close()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for process in processes:
            process.ask_to_stop()
        await asyncio.gather(*(process.ended() for process in processes))
        for descriptor in outputs:
            os.close(descriptor)
    if interrupted:
        raise KeyboardInterrupt
    return all(process.whole for process in processes)


class _RoomProcess:
    """The process of one room. It is started again whenever it ends.

    Attributes:
        whole: whether all processes that have ended did so on request, and with complete records.
    """

    def __init__(self, link: RoomLink, setup: RoomSetup, seat: RoomSeat) -> None:
        self._room = link
        self._setup = setup
        self._seat = seat
        self._process: subprocess.Popen[bytes] | None = None
        self._stop_s = STOP_S
        self.whole = True

    async def run(self) -> None:
        """Run the room's process, and restart it whenever it ends, until the task is cancelled."""
        loop = asyncio.get_running_loop()
        wait_s = _RESTART_S
        while True:
            began_s = loop.time()
            try:
                ends = self._start(began_s)
            except OSError as error:
                _log.error("room %s cannot be started: %s", self._room.name, error.strerror)
                self._room.note_end(f"it cannot be started: {error.strerror}")
            else:
                await self._look_after(ends)
            wait_s = _RESTART_S if loop.time() - began_s > _STEADY_S else min(2 * wait_s, _RESTART_S_MAX)
            await asyncio.sleep(wait_s)

    async def _look_after(self, ends: Sequence[int]) -> None:
        """Wait until the process has ended. Log its output and its end.

        Args:
            ends: our ends of the pipes for its output.
        """
        assert self._process is not None
        who, clock_s = f"room {self._room.name}", asyncio.get_running_loop().time
        printed = [await log_printed(end, who) for end in ends]
        why = await wait_for_end(
            self._process,
            self._room.name,
            self._setup.options.room_memory_mib_max,
            lambda: self._room.silent_s(clock_s()),
        )
        self._note_end(why)
        for pipe in printed:
            pipe.close()

    def ask_to_stop(self) -> None:
        """Ask the process to end. It gets STOP_S to end its battle, or less if it is still starting."""
        self._stop_s = STOP_S if self._room.figures else _STOP_STARTING_S
        self._leave()

    async def ended(self) -> None:
        """Wait until the process has ended. If it takes longer than `ask_to_stop` allows, kill it."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            await asyncio.to_thread(process.wait, self._stop_s)
        except subprocess.TimeoutExpired:
            process.kill()
            await asyncio.to_thread(process.wait)
        self.whole = self.whole and process.returncode == 0

    def _start(self, at_s: float) -> tuple[int, int]:
        """Start the process. Return our ends of the pipes for its output.

        Raises:
            OSError: the process cannot be started.
        """
        ours, theirs = socket.socketpair()
        (printed, out), (wailed, err) = os.pipe(), os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _MAIN],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=err,
                pass_fds=[theirs.fileno(), *self._seat.outputs],
                start_new_session=True,
            )
        except OSError:
            ours.close()
            os.close(printed)
            os.close(wailed)
            raise
        finally:
            descriptor = theirs.fileno()
            theirs.close()
            os.close(out)
            os.close(err)
        seat = replace(self._seat, descriptor=descriptor)
        job = self._setup.options, self._setup.game, seat, _log.getEffectiveLevel()
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError), self._process.stdin as stdin:  # it may have ended
            stdin.write(pickle.dumps(job))
        self._room.begin(ours, at_s)
        asyncio.get_running_loop().add_reader(ours.fileno(), self._read, ours)
        return printed, wailed

    def _read(self, channel: socket.socket) -> None:
        if self._room.channel is channel and not self._room.read_report(asyncio.get_running_loop().time()):
            self._leave()

    def _note_end(self, why: str) -> None:
        assert self._process is not None
        code = self._process.returncode
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        _log.error("room %s ended (%s): it is restarted", self._room.name, how)
        self._room.note_end(why or f"its process ended ({how})")
        self.whole = False
        self._leave()

    def _leave(self) -> None:
        channel = self._room.channel
        if channel is not None:
            asyncio.get_running_loop().remove_reader(channel.fileno())
        self._room.end()


async def wait_for_end(
    process: subprocess.Popen[bytes],
    name: str,
    memory_mib_max: int,
    silent_s: Callable[[], float] = lambda: 0.0,
) -> str:
    """Wait for the end of a room's process. Return why the front ended it, or "" if it ended by itself.

    The front ends a process that uses too much memory, or that has reported nothing for SILENT_END_S.

    Args:
        silent_s: returns the time since the process last reported, in seconds.
    """
    why = ""
    while process.poll() is None:
        held_mib = _memory_mib(process.pid)
        if held_mib > memory_mib_max:
            why = f"ended for using {held_mib} MiB of memory, more than {memory_mib_max}"
        elif silent_s() > SILENT_END_S:
            why = f"ended after {SILENT_END_S:g} s without a report"
        if why:
            _log.error("room %s: %s", name, why)
            process.kill()
        await asyncio.sleep(_LOOK_S)
    return why


def _memory_mib(pid: int) -> int:
    """Return the memory that a process uses, in MiB. 0 means not known."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * _PAGE_BYTES >> 20
