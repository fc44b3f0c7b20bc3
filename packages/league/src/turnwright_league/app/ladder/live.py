"""Lets spectators watch running battles at /t/BATTLE.

    browser ──▶ front ──the socket itself──▶ worker that plays the battle

A worker connects to the ladder server's Unix socket, and sends the server's token and its battle's id. From
then on, the front hands the WebSockets of that path to the worker. Other users cannot enter the folder of the
socket. The token keeps out programs of this user that do not have it, such as bots without a sandbox. The
ladder server serves the pages. A worker serves only its bots and its spectators.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
import shutil
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from turnwright.app.rooms import RoomSeat
from turnwright.app.watch import HandedSpectators
from turnwright.host.admission import AdmissionConfig
from turnwright.host.host import Host
from turnwright.net.files.new_file import temporary_folder
from turnwright.net.http.room_front import RoomFront, RoomLink
from turnwright.net.server import LiveServer
from turnwright_league.app.worker import BattleJob, JobResult, play_job
from turnwright_league.tournament.battle_spec import BATTLE_ID_DIGITS

SPECTATORS_MAX = 100
"""The most spectators of one battle at the same time."""
_WORKERS_MAX = 128
_HELLO_S = 10.0
_TOKEN_BYTES = 16
_BATTLE = re.compile(rb"[0-9a-f]{%d}" % BATTLE_ID_DIGITS)


@dataclass(frozen=True, slots=True)
class LiveChannel:
    """The address and the token with which a worker connects to the ladder server.

    Attributes:
        path: the path of the ladder server's Unix socket.
        token: the token that a worker sends first.
        gate: admits spectators.
    """

    path: str
    token: bytes = field(repr=False)
    gate: AdmissionConfig

    def spectators(self, battle: str) -> HandedSpectators:
        """Return an object that passes the spectators of a battle on to the ladder server.

        Args:
            battle: the battle's id.
        """

        async def hold(server: LiveServer, host: Host) -> None:
            assert sys.platform == "linux", "only there workers get a channel"
            channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                channel.connect(self.path)
                channel.sendall(self.token + battle.encode())
            except OSError:
                channel.close()  # the ladder server ends, so there are no spectators
                return
            await RoomSeat(battle, server.port, channel.detach()).hold(server, host, asyncio.Event())

        return HandedSpectators(self.gate, hold)


def play_watched(live: LiveChannel | None, job: BattleJob) -> JobResult:
    """Play a battle of a ladder server in a worker.

    Args:
        live: the source of its spectators, or None.
    """
    result = play_job(job, None if live is None else live.spectators(job.spec.id))
    return replace(result, lacking=())  # a bot without its program fails its first check, and never plays


class LiveBattles:
    """The battles that can be watched, as rooms of a front.

    Args:
        front: hands over connections.
        game: the game of all battles.

    Raises:
        SetupError: the folder of the socket cannot be created.
    """

    def __init__(self, front: RoomFront, game: str) -> None:
        self._front, self._game = front, game
        self._folder = temporary_folder()
        self._token = secrets.token_hex(_TOKEN_BYTES).encode()
        self._bound: socket.socket | None = None
        if sys.platform == "linux":
            self._bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._bound.bind(self.path)
            self._bound.listen(_WORKERS_MAX)
            self._bound.setblocking(False)
        self._greeting: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def path(self) -> str:
        """The path of the socket, in a folder that only this user can enter."""
        return str(Path(self._folder, "live"))

    def channel(self, gate: AdmissionConfig) -> LiveChannel:
        """Return the address and the token for workers.

        Args:
            gate: admits spectators.
        """
        return LiveChannel(self.path, self._token, gate)

    def can_watch(self, battle: str) -> bool:
        """Return whether a battle has begun and takes spectators.

        Args:
            battle: the battle's id.
        """
        return battle in self._front.rooms

    def open(self) -> None:
        """Start accepting connections of workers. Call this in the server's event loop."""
        self._loop = loop = asyncio.get_running_loop()
        if self._bound is not None:
            loop.add_reader(self._bound.fileno(), self._accept, loop, self._bound)

    def close(self) -> None:
        """Stop accepting workers, end all connections and delete the folder. Calling it again is harmless."""
        loop, self._loop = self._loop, None
        if loop is not None:
            if self._bound is not None:
                loop.remove_reader(self._bound.fileno())
            for task in self._greeting:
                task.cancel()
            for link in list(self._front.rooms.values()):
                self._end(loop, link)
        if self._bound is not None:
            self._bound.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _accept(self, loop: asyncio.AbstractEventLoop, bound: socket.socket) -> None:
        with suppress(OSError):
            channel, _ = bound.accept()
            task = loop.create_task(self._greet(loop, channel))
            self._greeting.add(task)
            task.add_done_callback(self._greeting.discard)

    async def _greet(self, loop: asyncio.AbstractEventLoop, channel: socket.socket) -> None:
        """Make a room for a worker, which sends the id of its battle."""
        channel.setblocking(False)
        try:
            async with asyncio.timeout(_HELLO_S):
                token = await loop.sock_recv(channel, len(self._token))
                said = await loop.sock_recv(channel, BATTLE_ID_DIGITS)
        except (OSError, TimeoutError):
            token = said = b""
        name = said.decode("ascii", "replace")
        is_worker = hmac.compare_digest(token, self._token)
        if not is_worker or not _BATTLE.fullmatch(said) or name in self._front.rooms:
            channel.close()
            return
        link = RoomLink(name, self._game, most=SPECTATORS_MAX)
        link.begin(channel, loop.time())
        self._front.rooms[name] = link
        loop.add_reader(channel.fileno(), self._read, loop, link)

    def _read(self, loop: asyncio.AbstractEventLoop, link: RoomLink) -> None:
        try:
            is_there = link.read_report(loop.time())
        except (ValueError, TypeError, AttributeError):  # not our worker
            is_there = False
        if not is_there:
            self._end(loop, link)

    def _end(self, loop: asyncio.AbstractEventLoop, link: RoomLink) -> None:
        if link.channel is not None:
            loop.remove_reader(link.channel.fileno())
        link.end()
        self._front.rooms.pop(link.name, None)
