"""Many tables on one port: a front, and a process for each table.

The front starts the tables' processes, gives them connections (`net.http.tables`), starts one anew that ends,
and ends one that needs more memory than it may. What happens at one table touches no other.
"""

from __future__ import annotations

import asyncio
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

from turnwright.app.parts import parts_of
from turnwright.app.watch import here_of
from turnwright.errors import SetupError, TurnwrightError
from turnwright.net import loop as loops
from turnwright.net.http.ports import Inherited, bind, inherited
from turnwright.net.http.tables import HandedSockets, TableFront, TableLink, check_names, prefix_of
from turnwright.net.loop import stop_on_signals

if TYPE_CHECKING:
    from turnwright.app.options import ServeOptions
    from turnwright.host.host import Host
    from turnwright.net.server import LiveServer

__all__ = [
    "TableSeat",
    "TableSetup",
    "figures_of",
    "serve_tables",
    "taken_over",
    "wait_for_end",
]

STOP_S = 10.0
"""Time for tables to end their games when the server stops, seconds."""
_REPORT_S = 1.0
_LOOK_S = 0.5
_RESTART_S, _RESTART_S_MAX, _STEADY_S = 0.5, 30.0, 60.0
"""Pause before a table that ended is started again, seconds; doubled each time until one lives _STEADY_S."""
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4_096
_MAIN = "from turnwright.app.serve import serve_table; serve_table()"

_log = logging.getLogger("turnwright")


@dataclass(frozen=True, slots=True)
class TableSetup:
    """A table of a server: its name, its game, and its options, which are of the game's own class.

    What the options say of the port is left out: the front listens.
    """

    name: str
    game: str
    options: ServeOptions


@dataclass(frozen=True, slots=True)
class TableSeat:
    """The place of a table's process behind the front: its name, the front's port, and its channel.

    listeners: the names of the front's listeners.
    """

    name: str
    port: int
    descriptor: int = -1
    listeners: tuple[str, ...] = ()

    async def hold(self, server: LiveServer, host: Host, stop: asyncio.Event) -> None:
        """Take connections and report, until the front is gone or `stop` is set."""
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
    """Return what others shall know of a table: its phase, who is there, and its pace."""
    table, lobby = host.table, host.lobby
    return {
        "phase": table.phase.value,
        "bots": len(lobby.bots()),
        "spectators": len(lobby.spectators()),
        "tps": table.tps,
        "turns": table.turns_total,
    }


def taken_over(options: ServeOptions) -> tuple[ServeOptions, Inherited | None]:
    """Return the sockets of a supervisor, if there are any, and the options with where they are bound.

    Raises: SetupError when there are none though there should be, or one is reached without a secret.
    """
    if options.port != "inherit":
        return options, None
    handed = inherited()
    for bound, name in zip(*handed, strict=True):
        host_name, port = bound.getsockname()[:2]
        options.check_exposure(str(host_name))
        if name:
            _log.info("who comes by %s:%d is shown as ADDRESS%%%s", host_name, port, name)
    return replace(options, host_name=str(handed.sockets[0].getsockname()[0])), handed


def serve_tables(
    options: ServeOptions, tables: Sequence[TableSetup], on_listening: Callable[[str, str], None]
) -> bool:
    """Serve tables until SIGTERM; return whether all records that are kept are whole.

    options: where to listen, and whom to let in. on_listening: called with the address for programs and that
    of the list of tables. Raises: SetupError, also for a table that cannot be played.
    """
    check_names([table.name for table in tables])
    for table in tables:
        try:
            parts_of(table.game).protocol(table.options)
        except TurnwrightError as error:
            raise SetupError(f"table {table.name}: {error}") from error
    return loops.run(_serve_tables(options, tables, on_listening))


async def _serve_tables(
    options: ServeOptions, tables: Sequence[TableSetup], on_listening: Callable[[str, str], None]
) -> bool:
    stop = asyncio.Event()
    interrupted: list[bool] = []
    stop_on_signals(stop, lambda: interrupted.append(True))
    options, handed = taken_over(options)
    sockets, listeners = handed or Inherited(bind(options.host_name, int(options.port)), ())
    port = int(sockets[0].getsockname()[1])
    front = TableFront({table.name: table.game for table in tables}, options.gate())
    processes = [
        _TableProcess(front.tables[table.name], table, TableSeat(table.name, port, listeners=listeners))
        for table in tables
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
        await asyncio.gather(*(process.ended(STOP_S) for process in processes))
    if interrupted:
        raise KeyboardInterrupt
    return all(process.whole for process in processes)


class _TableProcess:
    """Keeps the process of one table going."""

    def __init__(self, link: TableLink, setup: TableSetup, seat: TableSeat) -> None:
        self._table = link
        self._setup = setup
        self._seat = seat
        self._process: subprocess.Popen[bytes] | None = None
        self.whole = True

    async def run(self) -> None:
        """Start it, look after it, and start it anew when it ends."""
        loop = asyncio.get_running_loop()
        wait_s = _RESTART_S
        while True:
            began_s = loop.time()
            self._start(began_s)
            assert self._process is not None
            await wait_for_end(self._process, self._table.name, self._setup.options.table_memory_mib)
            self._note_end()
            wait_s = _RESTART_S if loop.time() - began_s > _STEADY_S else min(2 * wait_s, _RESTART_S_MAX)
            await asyncio.sleep(wait_s)

    def ask_to_stop(self) -> None:
        """Let it end its game."""
        self._leave()

    async def ended(self, wait_s: float) -> None:
        """Wait for its end, then end it."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            await asyncio.to_thread(process.wait, wait_s)
        except subprocess.TimeoutExpired:
            process.kill()
            await asyncio.to_thread(process.wait)
        self.whole = self.whole and process.returncode == 0

    def _start(self, at_s: float) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _MAIN],
                stdin=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
            seat = replace(self._seat, descriptor=theirs.fileno())
            job = self._setup.options, self._setup.game, seat, _log.getEffectiveLevel()
            assert self._process.stdin is not None
            with self._process.stdin as stdin:
                stdin.write(pickle.dumps(job))
        self._table.begin(ours, at_s)
        asyncio.get_running_loop().add_reader(ours.fileno(), self._read, ours)

    def _read(self, channel: socket.socket) -> None:
        if self._table.channel is channel and not self._table.read_report(asyncio.get_running_loop().time()):
            self._leave()

    def _note_end(self) -> None:
        assert self._process is not None
        code = self._process.returncode
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        _log.error("table %s ended (%s): it is started anew", self._table.name, how)
        self.whole = False
        self._leave()

    def _leave(self) -> None:
        channel = self._table.channel
        if channel is not None:
            asyncio.get_running_loop().remove_reader(channel.fileno())
        self._table.end()


async def wait_for_end(process: subprocess.Popen[bytes], name: str, memory_mib_max: int) -> None:
    """Return when a table's process has ended; end it when it holds more memory than it may."""
    while process.poll() is None:
        held_mib = _memory_mib(process.pid)
        if held_mib > memory_mib_max:
            _log.error("table %s holds %d MiB, more than %d: it is ended", name, held_mib, memory_mib_max)
            process.kill()
        await asyncio.sleep(_LOOK_S)


def _memory_mib(pid: int) -> int:
    """Return what a process holds in memory, 0 where that cannot be known."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * _PAGE_BYTES >> 20
