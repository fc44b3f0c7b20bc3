"""Bots whose processes stay connected from one battle to the next.

    take ──▶ a matching running process, or a new one ──▶ battle ──▶ settle ──▶ it stays or is stopped

Each process has its own listening socket at the server, which identifies its connection.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from socket import socket

from turnwright.host.summary import SeatSummary
from turnwright.net.http.ports import bind
from turnwright.net.participants.command import Team, environment
from turnwright.net.participants.seating import Entrant
from turnwright.net.processes import guard
from turnwright.net.processes.bot_process import BotProcess, BotProcesses
from turnwright.net.sandbox.sandboxes import Sandboxes

LISTENER_PREFIX = "bot"
"""The beginning of the names of the listeners of kept bots."""
FAILURES_MAX = 2
"""A program whose processes have failed this number of times, after they had played an earlier battle, gets a
new process for each battle.
"""
_END_GRACE_S = 1.0
_IDLE_BUSY_S = 0.5
"""The processor time that a bot may use while it does not play, in seconds, in addition to
_IDLE_BUSY_PART.
"""
_IDLE_BUSY_PART = 0.05
"""The processor time that a bot may use while it does not play, as a part of the elapsed time. A bot that
uses more is ended, because it would delay the bots that play.
"""
Listen = Callable[[socket, str], Awaitable[Callable[[], None]]]
"""Adds a listening socket to the server under a name. Returns a function that removes the socket."""


@dataclass(frozen=True, slots=True)
class BotKey:
    """The program of a process, and how it was started.

    Processes with equal keys can replace each other.

    Attributes:
        source: the hash of the bot's directory.
    """

    directory: Path
    source: str
    argv: tuple[str, ...]
    team: Team | None

    @classmethod
    def of(cls, place: Entrant, source: str | None) -> BotKey | None:
        """Return the key of a participant. None means that the participant's process plays only one
        battle."""
        if place.entry is None or source is None or place.entry.config.fresh:
            return None
        return cls(place.entry.directory, source, place.argv, place.team)


@dataclass(eq=False, slots=True)
class KeptBot:
    """A process that may play several battles.

    Attributes:
        key: the key of the process. None means that the process plays only this battle.
        listener: the name of its listener.
        battles: the number of battles that it has played.
        busy_s: the processor time of the process at the last check, in seconds.
    """

    key: BotKey | None
    process: BotProcess
    listener: str
    battles: int = 0
    busy_s: float = 0.0
    is_playing: bool = True


@dataclass(frozen=True, slots=True)
class KeepLimits:
    """Limits for the processes that are kept between battles.

    Attributes:
        bots: the largest number of processes.
        memory_bytes: the largest memory of each process.
        memory_total_bytes: the largest memory of all processes together.
    """

    bots: int = 16
    memory_bytes: int = 768 << 20
    memory_total_bytes: int = 2 << 30


class KeptBots:
    """The processes of one server, the most recently used one last.

    Args:
        listen: adds listening sockets to the server.
        secret: the secret that bots send.
        sandboxes: starts bots in the sandbox. None means that they run without a sandbox.
    """

    def __init__(
        self,
        processes: BotProcesses,
        listen: Listen,
        secret: str,
        limits: KeepLimits | None = None,
        sandboxes: Sandboxes | None = None,
    ) -> None:
        self._processes = processes
        self._listen = listen
        self._secret = secret
        self._limits = limits or KeepLimits()
        self._sandboxes = sandboxes
        self._bots: list[KeptBot] = []
        self._count = 0
        self._failures: Counter[BotKey] = Counter()

    def __len__(self) -> int:
        return len(self._bots)

    @property
    def bots(self) -> Sequence[KeptBot]:
        """The processes, the most recently used one last."""
        return tuple(self._bots)

    async def take(
        self, place: Entrant, source: str | None, seed: int, connected: Collection[str]
    ) -> KeptBot:
        """Return a process for one seat. It is a connected process of the same program, or a new process.
        Processes of this program that have lost their connections are ended.

        Args:
            source: the hash of the directory, or None.
            seed: the seed for a new process's own random numbers.
            connected: the names of the listeners whose bots have sent their handshakes.

        Raises:
            ParticipantStartError: a new process cannot be started.
            SetupError: the directory cannot be shown in the sandbox, or no port or user id is free.
        """
        key = BotKey.of(place, source)
        if key is not None and self._failures[key] >= FAILURES_MAX:
            key = None
        fitting = [bot for bot in self._bots if key is not None and bot.key == key and not bot.is_playing]
        gone = [bot for bot in fitting if bot.process.exited.is_set() or bot.listener not in connected]
        await self.end(gone)
        there = [bot for bot in fitting if bot not in gone]
        if there:
            bot = there[0]
            bot.process.output.forget()
        else:
            bot = await self._start(place, key, seed)
        bot.is_playing = True
        return bot

    async def _start(self, place: Entrant, key: BotKey | None, seed: int) -> KeptBot:
        bot = KeptBot(key, *await self._started(place, seed))
        self._bots.append(bot)
        return bot

    async def _started(self, place: Entrant, seed: int) -> tuple[BotProcess, str]:
        """Return a new process and the name of its listener."""
        assert place.entry is not None
        variables = partial(environment, place.entry, secret=self._secret, seed=seed, team=place.team)
        directory, sandboxes = place.entry.directory, self._sandboxes
        if sandboxes is not None:
            environ = variables(server_url=sandboxes.url, inherited=sandboxes.environment())
            sandboxed = await sandboxes.start(self._processes, place.name, place.argv, directory, environ)
            return sandboxed.process, sandboxed.listener
        self._count += 1
        name = f"{LISTENER_PREFIX}{self._count}"
        (bound,) = bind("127.0.0.1", 0)
        url = f"ws://127.0.0.1:{bound.getsockname()[1]}"
        close = await self._listen(bound, name)
        try:
            environ = variables(server_url=url, inherited=os.environ)
            process = await self._processes.start(place.name, place.argv, directory, environ)
        except BaseException:
            close()
            raise
        process.on_close.append(close)
        return process, name

    async def settle(self, reasons: Mapping[KeptBot, str], took_s: float) -> None:
        """End the processes that do not stay after a battle.

        These are processes without a key, processes with a reason, processes that used too much processor
        time while they did not play, and processes above the limits.

        Args:
            reasons: for each bot that played, why its process does not stay, or "".
            took_s: the time since the previous battle, in seconds.
        """
        held = guard.belongings([bot.process.keeper for bot in self._bots if bot.process.keeper is not None])
        ended = []
        for bot in list(self._bots):
            memory, busy_s = held.get(bot.process.keeper or 0, (0, bot.busy_s))
            idle_s, bot.busy_s = busy_s - bot.busy_s, busy_s
            played, bot.is_playing = bot.is_playing, False
            if played:
                bot.battles += 1
                self._bots.remove(bot)
                self._bots.append(bot)
            restless = not played and idle_s > max(_IDLE_BUSY_S, _IDLE_BUSY_PART * took_s)
            if bot.key is None or reasons.get(bot) or restless or memory > self._limits.memory_bytes:
                ended.append(bot)
        left = [bot for bot in self._bots if bot not in ended]
        total = sum(held.get(bot.process.keeper or 0, (0, 0.0))[0] for bot in left)
        while len(left) > self._limits.bots or total > self._limits.memory_total_bytes:
            bot = left.pop(0)
            total -= held.get(bot.process.keeper or 0, (0, 0.0))[0]
            ended.append(bot)
        await self.end(ended)

    def blame(self, bots: Collection[KeptBot]) -> None:
        """Count a failure for each of these bots. The cause may be that the bot's process had played an
        earlier battle.

        After FAILURES_MAX failures of a program, each battle starts it in a new process. A single failure may
        be caused by a pause of the machine.
        """
        self._failures.update({bot.key for bot in bots if bot.key is not None})

    async def end(self, bots: Collection[KeptBot]) -> None:
        """End some of the processes, including all processes that they have started."""
        if bots:
            self._bots = [bot for bot in self._bots if bot not in bots]
            await self._processes.end([bot.process for bot in bots], _END_GRACE_S)


def why_not_kept(bot: KeptBot, seat: SeatSummary) -> str:
    """Return the reason why a process must not play the next battle, or ""."""
    if seat.left or bot.process.exited.is_set():
        return "it has left"
    if seat.disqualifications:
        return "it was disqualified"
    if seat.never_answered:
        return "it never answered"
    if seat.owes:
        return "an answer is outstanding that could count in the next battle"
    if bot.process.output.crash():
        return "it printed a crash"
    return ""
