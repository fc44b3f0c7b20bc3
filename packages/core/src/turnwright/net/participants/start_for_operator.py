"""Starts bots that an operator requests on the page.

These bots end when a battle begins without them, and when the server stops.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from secrets import randbits
from typing import Any, Literal

from turnwright.errors import SetupError, TurnwrightError
from turnwright.host.protocol import DIRECTORY_ID_CHARS_MAX, BootEntry, BootMessage, GameProtocol
from turnwright.kernel.game import SeatInfo
from turnwright.net.participants.command import Team, command, environment
from turnwright.net.participants.config import BotConfig
from turnwright.net.participants.directory import BotEntry, members, scan
from turnwright.net.participants.game_bots import BuiltInProgram, GameBots
from turnwright.net.processes.bot_process import LEAVE_S, BotProcess, BotProcesses, stop_all
from turnwright.net.processes.output import STDERR, TakeOutput
from turnwright.net.sandbox.sandboxes import Sandboxes
from turnwright.wire.faults import FaultCode

ENTRIES_MAX = 1_000
"""The largest number of bots that are offered to operators."""


@dataclass(frozen=True, slots=True)
class Bootable:
    """A bot, team or built-in bot that can be started.

    Attributes:
        id: the id by which operators request it.
        entry: the directory, or None for a built-in bot.
    """

    id: str
    name: str
    kind: Literal["bot", "team", "house"]
    entry: BotEntry | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """A bot process to start."""

    name: str
    version: str
    argv: tuple[str, ...]
    directory: Path
    environ: Mapping[str, str]
    is_ours: bool = False
    """Whether the process is a built-in bot. Built-in bots need no sandbox."""


def find(roots: Sequence[str | os.PathLike[str]], game_bots: GameBots) -> dict[str, Bootable]:
    """Return, by id, the bots that can be started now.

    Built-in bots come first, then the bots in each root, by name of directory.

    Wrong directories are left out. `turnwright bots list` prints why. Bots with an id that is too long for a
    message, and bots after the first ENTRIES_MAX, are left out, too. A root that does not exist or cannot be
    read has no bots.
    """
    found = {f"house/{name}": Bootable(f"house/{name}", name, "house") for name in game_bots.built_in}
    for number, root in enumerate(roots, 1):
        for entry in _found_in(root):
            entry_id = f"{number}/{entry.directory.name}"
            if entry.problem is None and len(entry_id) <= DIRECTORY_ID_CHARS_MAX and len(found) < ENTRIES_MAX:
                found[entry_id] = Bootable(entry_id, entry.config.name, entry.kind, entry)
    return found


def _found_in(root: str | os.PathLike[str]) -> list[BotEntry]:
    try:
        return scan([root])
    except SetupError:
        return []


def listing(found: Mapping[str, Bootable]) -> list[BootEntry]:
    """Return the bots in the form in which they are sent to an operator."""
    rows = []
    for one in found.values():
        description = None if one.entry is None else one.entry.config.description
        rows.append(BootEntry(one.id, one.name, one.kind, description))
    return rows


def starts_of(
    one: Bootable,
    game_bots: GameBots,
    *,
    server_url: str,
    secrets: Iterator[str],
    seed: int,
    team_id: int,
    python: str | None = None,
    sandboxes: Sandboxes | None = None,
) -> list[Start]:
    """Return the processes to start: one for a bot, and one for each member of a team.

    Args:
        secrets: yields a secret for each process.
        team_id: the id of a team, unique on the server.
        python: the interpreters for Python bots (see `command.pythons_given`).
        sandboxes: the sandbox for directories, if they use it.

    Raises:
        SetupError: something cannot be started.
    """
    if one.entry is None:
        return [_built_in_start(game_bots.built_in_program(one.name), server_url, next(secrets), seed)]
    config = one.entry.config
    team = Team(team_id, config.name, config.version) if one.kind == "team" else None
    starts = []
    for member in members(one.entry):
        environ = environment(
            member,
            server_url=server_url if sandboxes is None else sandboxes.url,
            secret=next(secrets),
            seed=seed,
            team=team,
            inherited=os.environ if sandboxes is None else sandboxes.environment(),
        )
        argv = tuple(command(member, python=python))
        starts.append(Start(member.config.name, member.config.version, argv, member.directory, environ))
    return starts


def _drop_output(_text: str, _is_error: bool) -> None:
    """Ignore the output of a bot between two battles."""


def _built_in_start(program: BuiltInProgram, server_url: str, secret: str, seed: int) -> Start:
    config = BotConfig(program.name, program.version, program.authors)
    entry = BotEntry(program.directory, config)
    environ = environment(entry, server_url=server_url, secret=secret, seed=seed)
    return Start(program.name, program.version, program.argv, program.directory, environ, is_ours=True)


BOOTED_MAX = 100
"""The largest number of processes that run at the same time."""
SECRET = "SERVER_SECRET"
"""The name of the environment variable with a process's secret. The secret identifies the process's
connection.
"""
_SEED_BITS = 48
_LAST_LINES = 5

Answer = Callable[[bytes], None]
"""Sends a message to the operator that made the request, if the operator is still connected."""

_log = logging.getLogger("turnwright")


class Booter:
    """Starts bots for one server.

    Args:
        roots: directories that contain bot directories.
        protocol: the protocol of the server's operators.
        game_bots: the game's bots.
        secrets: one secret for each process, at most BOOTED_MAX.
        python: the interpreters for Python bots (see `command.pythons_given`).
    """

    def __init__(
        self,
        roots: Sequence[str | os.PathLike[str]],
        protocol: GameProtocol,
        game_bots: GameBots,
        secrets: Sequence[str],
        python: str | None = None,
    ) -> None:
        self._roots = tuple(roots)
        self._protocol = protocol
        self._game_bots = game_bots
        self._secrets = tuple(secrets)
        self._python = python
        self._server_url = ""
        self._sandboxes: Sandboxes | None = None
        self._processes = BotProcesses()
        self._running: dict[BotProcess, Start] = {}
        self._teams = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._one_at_a_time = asyncio.Lock()

    def open(self, server_url: str, sandboxes: Sandboxes | None = None) -> None:
        """Set the server's address. Before this call, no bot can be started.

        Args:
            sandboxes: the sandbox for bots of directories, if they use it.
        """
        self._server_url = server_url
        self._sandboxes = sandboxes

    @property
    def running(self) -> list[str]:
        """The names of the bots that run, in order of their start."""
        return [start.name for start in self._running.values()]

    def show(self, answer: Answer) -> None:
        """Pass `answer` a message with the bots that can be started. The call returns immediately."""
        self._aside(self._show(answer))

    def boot(self, ids: Sequence[str], answer: Answer) -> None:
        """Start all of these bots. If one of them cannot be started, start none.

        The call returns immediately. `answer` is called if the start fails, and when a bot ends by itself.
        """
        self._aside(self._boot(ids, answer))

    def battle_began(
        self, seats: Sequence[SeatInfo], secrets: Sequence[str], take_output: TakeOutput
    ) -> None:
        """End the bots that do not play. Pass on the output of the bots that play until the battle is over.

        Args:
            secrets: the secrets that the bots in these seats have sent.
        """
        by_secret = {secret: seat for seat, secret in enumerate(secrets)}
        for process, start in self._running.items():
            if (seat := by_secret.get(start.environ[SECRET])) is not None:
                output, take = process.output, partial(take_output, seat)
                if output.on_text is None:  # this is its first battle
                    output.watch(take)
                else:
                    output.on_text = take
        playing = {(seat.name, seat.version) for seat in seats}
        idle = [one for one, start in self._running.items() if (start.name, start.version) not in playing]
        for process in idle:
            del self._running[process]
        if idle:
            self._aside(stop_all(idle))

    def battle_over(self) -> None:
        """Stop passing on the output of bots."""
        for process in self._running:
            if process.output.on_text is not None:
                process.output.on_text = _drop_output

    async def stop(self) -> None:
        """End all bots. A second call has no effect."""
        self._running.clear()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._processes.stop(leave_s=LEAVE_S)

    def _aside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("starting bots failed", exc_info=task.exception())

    async def _show(self, answer: Answer) -> None:
        found = await asyncio.to_thread(find, self._roots, self._game_bots)
        answer(self._protocol.directories(listing(found)))

    async def _boot(self, ids: Sequence[str], answer: Answer) -> None:
        async with self._one_at_a_time:
            try:
                taken = {start.environ[SECRET] for start in self._running.values()}
                free = [secret for secret in self._secrets if secret not in taken]
                starts = await asyncio.to_thread(self._starts, ids, chain(free, repeat("")))
                if len(starts) > len(free):
                    asked = f"{len(starts)} bots are requested"
                    raise SetupError(f"{asked}, there is room for {len(free)} more: start fewer")
                await self._start_all(starts, answer)
            except TurnwrightError as error:
                self._refuse(answer, str(error))

    def _starts(self, ids: Sequence[str], secrets: Iterator[str]) -> list[Start]:
        """Return what to start for these ids: one `Start` for each process.

        Raises:
            SetupError: one of the bots cannot be started.
        """
        found = find(self._roots, self._game_bots)
        starts: list[Start] = []
        for wanted in ids:
            if wanted not in found:
                raise SetupError(f"there is no bot {wanted[:80]!r} to start: choose from a new list")
            self._teams += 1
            starts += starts_of(
                found[wanted],
                self._game_bots,
                server_url=self._server_url,
                secrets=secrets,
                seed=randbits(_SEED_BITS),
                team_id=self._teams,
                python=self._python,
                sandboxes=self._sandboxes,
            )
        return starts

    async def _start_all(self, starts: Sequence[Start], answer: Answer) -> None:
        """Start all processes.

        Raises:
            ParticipantStartError: a process cannot be started. In this case all processes are ended.
        """
        started: dict[BotProcess, Start] = {}
        try:
            for one in starts:
                started[await self._start(one)] = one
        except TurnwrightError:
            await stop_all(list(started))
            raise
        self._running |= started
        for process, start in started.items():
            _log.info("started %s %s for an operator", start.name, start.version)
            self._aside(self._watch(process, answer))

    async def _start(self, one: Start) -> BotProcess:
        if self._sandboxes is None or one.is_ours:
            return await self._processes.start(one.name, one.argv, one.directory, one.environ)
        sandboxed = await self._sandboxes.start(
            self._processes, one.name, one.argv, one.directory, one.environ
        )
        return sandboxed.process

    async def _watch(self, process: BotProcess, answer: Answer) -> None:
        """Report the end of a bot, unless the server has stopped it."""
        await process.exited.wait()
        if self._running.pop(process, None) is None:
            return
        await process.output.settle()
        await process.stop(0.0)  # also ends its remaining processes and its sandbox
        words = "; ".join(process.output.lines(STDERR)[-_LAST_LINES:])
        said = f"{process.name} ended ({process.exit_text()}){': ' if words else ''}{words}"
        _log.warning("%s", said)
        self._refuse(answer, said)

    def _refuse(self, answer: Answer, text: str) -> None:
        name = self._protocol.name_of(BootMessage)
        answer(self._protocol.error(FaultCode.BAD_SETUP, text, name))
