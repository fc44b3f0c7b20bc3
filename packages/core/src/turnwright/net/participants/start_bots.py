"""Starts the processes of a battle and waits until every bot is ready."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from turnwright.errors import MissingProgramError, ParticipantStartError, SetupError, TurnwrightError
from turnwright.host import effects as fx
from turnwright.host.host import Host
from turnwright.host.lobby import RefusedBot
from turnwright.host.protocol import BattleSetup, RemoteAddress
from turnwright.host.summary import BattleSummary
from turnwright.kernel.failure import IF_CRASHED, Failure, FailureReason
from turnwright.net.participants.command import environment
from turnwright.net.participants.forked import Copy
from turnwright.net.participants.given_seat import GivenSeat
from turnwright.net.participants.in_process import LocalBot
from turnwright.net.participants.runtimes import lacking_program, program_not_found, program_that_lacks
from turnwright.net.participants.seating import ConnectedBot, Entrant, match, seat_secret
from turnwright.net.participants.start_advice import author_advice, refusal_text, start_advice
from turnwright.net.processes.bot_process import BotProcess, BotProcesses
from turnwright.net.processes.output import TakeOutput
from turnwright.net.sandbox.sandboxes import Sandboxes
from turnwright.net.server import LiveServer

E = TypeVar("E", bound=TurnwrightError)


class Operator:
    """The operator of a server in this process. It knows the connected bots, and starts a battle.

    The operator does not connect to the server as a client, because the server would then have to encode
    every frame for it.

    Attributes:
        changed: set when bots connect or leave, or when a battle begins or ends. The code that waits for this
            event clears it.
        started: the number of bots in the battle that has begun, or None.
        ended: why the battle is over or has not begun, or None.
    """

    def __init__(self, server: LiveServer, host: Host) -> None:
        self.started: int | None = None
        self.ended: str | None = None
        self.changed = asyncio.Event()
        self._server = server
        self._host = host
        server.watchers.append(self._note)

    @property
    def bots(self) -> tuple[ConnectedBot, ...]:
        """The connected bots, in order of arrival."""
        lobby = self._host.lobby
        there, secrets = lobby.introduced_bots(), lobby.shown_secrets()
        infos = self._host.config.protocol.seat_infos([hello for hello, _ in there])
        return tuple(
            ConnectedBot(info.name, info.version, address.host, address.port, info.authors, info.team, secret)
            for info, (_, address), secret in zip(infos, there, secrets, strict=True)
        )

    @property
    def refused_bots(self) -> Sequence[RefusedBot]:
        """The refused bots, in order of their refusal."""
        return self._host.lobby.refused_bots

    def start_battle(self, setup: BattleSetup, bots: Sequence[ConnectedBot]) -> None:
        """Start a battle. The order of the bots is the order of their seats.

        Raises:
            SetupError: none of the bots is connected, two have one address, a battle is already running, or
                the battle cannot be played with this setup.
        """
        addresses = [RemoteAddress(bot.host, bot.port) for bot in bots]
        self._server.command(lambda now_ns: self._host.start_battle(setup, addresses, now_ns))

    def _note(self, effect: fx.Effect) -> None:
        if isinstance(effect, fx.RecordOpen):
            self.started = len(effect.header.seats)
        elif isinstance(effect, fx.BattleOver):
            self.ended = effect.summary.why or "it is over"
        self.changed.set()


_LOOK_S = 0.1
"""The time between two checks of processes while bots connect, in seconds."""

_ENDING_S = 1.0
"""The time in which processes must end after their connections have ended, in seconds."""

BEFORE_BATTLE, NOT_STARTED = "before the battle began", "it did not start"
LOOPBACK = "127.0.0.1"
NO_COPIES: Mapping[int, Copy] = MappingProxyType({})

ReportWaiting = Callable[[tuple[str, ...]], None]
"""Called with the names of the bots for which the battle waits."""


class Gathering:
    """The participants of one battle while they connect.

    Args:
        places: the participants, by seat.
    """

    def __init__(self, places: Sequence[Entrant], operator: Operator, report: ReportWaiting) -> None:
        self._places = places
        self._operator = operator
        self._report = report
        self._processes: dict[int, BotProcess] = {}
        self._copies: dict[int, Copy] = {}
        self._listeners: dict[int, str] = {}
        """By seat, the name of the listener if only this seat's bot can reach it. These are the listeners of
        sandboxes and of kept bots.
        """
        self._locals: dict[int, LocalBot | GivenSeat] = {}
        self._secrets: dict[str, int] = {}
        """The seat of each process, by the secret that the process sends."""
        self._found: list[ConnectedBot | None] = [None] * len(places)
        self._told: set[int] = set()
        self._take_output: TakeOutput | None = None

    async def start(
        self,
        processes: BotProcesses,
        server_url: str,
        secret: str,
        seeds: Sequence[int] = (),
        copies: Mapping[int, Copy] = NO_COPIES,
        sandboxes: Sandboxes | None = None,
    ) -> None:
        """Start the processes of bot directories, and let the copies of this process play, in order of seats.

        Bots whose processes are already running (`take_kept`) are left out.

        Args:
            seeds: by seat, the seeds for the programs' own random numbers.
            sandboxes: the sandbox for directories, if they use it.

        Raises:
            ParticipantStartError: a bot does not start.
            SetupError: a directory cannot be shown in the sandbox.
        """
        for seat, place in enumerate(self._places):
            if seat in copies:
                self._copies[seat] = copies[seat]
                self._processes[seat] = await processes.adopt(copies[seat], server_url, secret)
                self._watch(seat)
            if place.entry is None or seat in self._processes:
                continue
            environ = environment(
                place.entry,
                server_url=server_url if sandboxes is None else sandboxes.url,
                secret=seat_secret(secret, seat),
                seed=seeds[seat],
                team=place.team,
                inherited=os.environ if sandboxes is None else sandboxes.environment(),
            )
            self._secrets[seat_secret(secret, seat)] = seat
            directory: Path = place.entry.directory
            try:
                if sandboxes is None:
                    process = await processes.start(place.name, place.argv, directory, environ)
                else:
                    sandboxed = await sandboxes.start(processes, place.name, place.argv, directory, environ)
                    process, self._listeners[seat] = sandboxed.process, sandboxed.listener
            except TurnwrightError as error:
                _blaming([seat], error, FailureReason.SILENT, NOT_STARTED)
                if isinstance(error, ParticipantStartError) and (lacks := program_that_lacks(place.argv)):
                    missing = MissingProgramError(lacking_program(place.name, lacks))
                    raise _blaming([seat], missing, FailureReason.SILENT, NOT_STARTED) from error
                raise
            self._processes[seat] = process
            self._watch(seat)

    @property
    def found(self) -> list[ConnectedBot]:
        """The bots that have connected, in order of seats. After `connected` has returned, all are here."""
        return [bot for bot in self._found if bot is not None]

    def take_kept(self, seat: int, process: BotProcess, listener: str) -> None:
        """Add a bot whose process is already running, with the listener of its connection."""
        self._processes[seat], self._listeners[seat] = process, listener
        self._watch(seat)

    def watch_output(self, take: TakeOutput | None) -> None:
        """Pass on the output of the bots' processes, or nothing if `take` is None."""
        self._take_output = take
        for seat in self._processes:
            self._watch(seat)

    def _watch(self, seat: int) -> None:
        """Pass on the output of a process, including the output from before this call."""
        take, output = self._take_output, self._processes[seat].output
        if take is None:
            output.on_text = None
        else:
            output.watch(partial(take, seat))

    def take_in(self, seat: int, bot: LocalBot | GivenSeat) -> None:
        """Add a bot in this process, or a seat whose intents come from this process."""
        self._locals[seat] = bot

    async def connected(self, timeout_s: float) -> None:
        """Wait until every bot has connected.

        Whenever a bot connects, the timeout starts again for the missing bots.

        Raises:
            ParticipantStartError: a process ends before it has connected.
            SetupError: a bot takes too long.
        """
        loop = asyncio.get_running_loop()
        deadline, waited_for = loop.time() + timeout_s, len(self._places)
        while missing := self._missing():
            await self._check_alive()
            if len(missing) < waited_for:
                deadline, waited_for = loop.time() + timeout_s, len(missing)
            if loop.time() > deadline:
                what = f"did not connect within {timeout_s:g} s"
                raise _blaming(missing, SetupError(self._too_late(missing, what)), FailureReason.SILENT, what)
            self._report(tuple(self._places[seat].name for seat in missing))
            await self._wait()

    async def ready(self, setup: BattleSetup) -> None:
        """Start the battle and wait until it has begun, or is over, e.g. because a bot is not ready in time.

        If it is over before it has begun, the operator's `started` stays None.

        Raises:
            SetupError: the battle is refused.
            ParticipantStartError: a bot leaves before the battle begins.
        """
        operator = self._operator
        operator.start_battle(setup, self.found)
        self._report(())
        while operator.started is None and operator.ended is None:
            await self._wait()
            await self._check_alive()
        if operator.started is not None and operator.started < len(self._places):
            raise await self._left_early()

    async def _left_early(self) -> ParticipantStartError:
        """Return the error that names the bots that left before the battle began."""
        words = await self.last_words()
        await self._check_alive()
        here = {(bot.host, bot.port) for bot in self._operator.bots}
        pairs = zip(self._places, self._found, strict=True)
        left = {
            seat: place.name
            for seat, (place, bot) in enumerate(pairs)
            if bot is not None and (bot.host, bot.port) not in here
        }
        names = ", ".join(left.values()) or "a bot"
        error = ParticipantStartError(f"{names} left before the battle began{words}")
        return _blaming(left, error, FailureReason.LEFT, BEFORE_BATTLE)

    def never_ready(self, why: str, timeout_us: int) -> SetupError:
        """Return the error for a battle that did not begin.

        Args:
            why: the host's reason. It names bots by their addresses.
            timeout_us: the time in which bots had to get ready, in µs.
        """
        late = [
            seat
            for seat, bot in enumerate(self._found)
            if bot is not None and f"{bot.host}:{bot.port})" in why
        ]
        if not late:
            return SetupError(f"the battle did not begin: {why}")
        what = f"connected, but was not ready within {timeout_us / 1e6:g} s"
        return _blaming(late, SetupError(self._too_late(late, what)), FailureReason.SILENT, what)

    def newly_ended(self) -> list[tuple[int, FailureReason, str, list[str]]]:
        """Return seat, reason, error and last lines of each process that ended since the last call."""
        ended = []
        for seat, process in self._processes.items():
            if seat not in self._told and process.output.is_read and not process.alive:
                self._told.add(seat)
                ended.append((seat, *how_it_ended(process), process.output.last_lines()))
        return ended

    def new_errors(self) -> list[tuple[int, str]]:
        """Return the errors that processes printed since the last call, each with its seat."""
        told = [(seat, process.output.new_error()) for seat, process in self._processes.items()]
        return [(seat, error) for seat, error in told if error]

    def crash_of(self, seat: int) -> tuple[str, list[str]]:
        """Return the error that a bot's process printed, or "", and its last lines."""
        process = self._processes.get(seat)
        return ("", []) if process is None else (process.output.crash(), process.output.last_lines())

    async def told_by_processes(self, summary: BattleSummary) -> BattleSummary:
        """Return the summary with the information from the bots' processes added.

        The information is the last lines of each process, and how the process ended. The processes of bots
        that have left get a short time to end.
        """
        failed = [
            self._processes[seat]
            for seat, one in enumerate(summary.seats)
            if one.failure is not None and one.left and seat in self._processes
        ]
        await _ends_of(failed)
        seats = list(summary.seats)
        for seat, process in self._processes.items():
            failure = seats[seat].failure
            if failure is not None:
                if process.exited.is_set():
                    failure = failure.learnt(*how_it_ended(process), process.output.last_lines())
                elif failure.reason in IF_CRASHED and (crash := self.crash_of(seat))[0]:
                    failure = failure.learnt(IF_CRASHED[failure.reason], *crash)
            seats[seat] = replace(seats[seat], last_lines=tuple(process.output.last_lines()), failure=failure)
        return replace(summary, seats=tuple(seats))

    async def last_words(self) -> str:
        """Return the last lines of processes that have ended or end within a short time, or "".

        The text can be appended to an error message.
        """
        ended = await _ends_of(list(self._processes.values()))
        return "".join(words_of(process) for process in ended)

    def _missing(self) -> list[int]:
        """Match participants with connections. Return the seats without a connection."""
        by_address = {(bot.host, bot.port): bot for bot in self._operator.bots}
        for seat, local in self._locals.items():
            self._found[seat] = by_address.pop((local.peer.host, local.peer.port), None)
        for seat, copy in self._copies.items():
            self._found[seat] = by_address.pop((LOOPBACK, copy.port or 0), None)
        for seat, listener in self._listeners.items():  # no other bot can use this listener
            there = [address for address in by_address if address[0].endswith(f"%{listener}")]
            self._found[seat] = by_address[there[0]] if there else None
            for address in there:
                del by_address[address]
        for address, one in list(by_address.items()):
            if (shown := self._secrets.get(one.secret)) is not None:
                self._found[shown] = by_address.pop(address)
        self._match_connecting(by_address)
        known = {*self._copies, *self._listeners, *self._secrets.values()}
        seats = sorted(self._processes.keys() - known)
        matched = match([self._places[seat] for seat in seats], list(by_address.values()))
        for seat, bot in zip(seats, matched, strict=True):
            self._found[seat] = bot
        return [seat for seat, bot in enumerate(self._found) if bot is None]

    def _match_connecting(self, by_address: dict[tuple[str, int], ConnectedBot]) -> None:
        """Match the bots that connect by themselves. Bots with a given name are matched first."""
        waited = [(seat, one.connects) for seat, one in enumerate(self._places) if one.connects is not None]
        for seat, name in sorted(waited, key=lambda pair: not pair[1]):
            fitting = [address for address, bot in by_address.items() if name in ("", bot.name)]
            self._found[seat] = by_address.pop(fitting[0]) if fitting else None

    async def _wait(self) -> None:
        """Wait until the operator sees a change, or for a short time."""
        self._operator.changed.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_S):
                await self._operator.changed.wait()

    async def _check_alive(self) -> None:
        for seat, process in self._processes.items():
            if process.exited.is_set() and not process.alive:
                await process.output.settle()
                how = f"{process.name} ended before the battle began ({process.exit_text()})"
                place = self._places[seat]
                reason, said = how_it_ended(process)
                said = self._refusal_of(seat) or said
                advice = self._refusal_of(seat) or start_advice(
                    place.entry, place.argv, process.output.last_lines()
                )
                error = ParticipantStartError(f"{how}: {advice}{words_of(process)}")
                if lacks := program_not_found(process.returncode, process.output.last_lines()):
                    error = MissingProgramError(f"{lacking_program(process.name, lacks)}{words_of(process)}")
                own_advice = self._refusal_of(seat) or author_advice(process.output.last_lines())
                error.for_author = f"{said}, {BEFORE_BATTLE}: {own_advice}"
                raise _blaming([seat], error, reason, f"{said}, {BEFORE_BATTLE}")

    def _refusal_of(self, seat: int) -> str:
        """Return why the server refused the bot of a seat, with advice, or "" if it did not refuse the bot.

        A bot that sent no secret is identified by its listener or its name. If the name of a refused bot is
        unknown in the battle, it may be the bot of any seat.
        """
        names, listener = {place.name for place in self._places}, self._listeners.get(seat)
        for bot in reversed(self._operator.refused_bots):
            is_it = bot.name == self._places[seat].name or bot.name not in names
            if bot.listener == listener if listener else is_it:
                return refusal_text(bot.reason)
        return ""

    def _too_late(self, seats: Sequence[int], what: str) -> str:
        names = ", ".join(dict.fromkeys(self._places[seat].name for seat in seats))
        if refused := next(filter(None, map(self._refusal_of, seats)), ""):
            return f"{names} {what}: {refused}"
        words = "".join(words_of(self._processes[seat]) for seat in seats if seat in self._processes)
        return f"{names} {what}: check that it works with this server, or give it more time{words}"


def _blaming(seats: Iterable[int], error: E, reason: FailureReason, said: str) -> E:
    """Return `error`, after adding the failure of each of these seats."""
    error.failures = {seat: Failure(reason, error=said) for seat in seats}
    error.seats = tuple(error.failures)
    return error


async def _ends_of(processes: Sequence[BotProcess]) -> list[BotProcess]:
    """Wait a short time for processes to end, and for the output of those that have. Return the processes
    that have ended.
    """
    waiting = [asyncio.create_task(process.exited.wait()) for process in processes]
    if waiting:
        await asyncio.wait(waiting, timeout=_ENDING_S)
    for task in waiting:
        task.cancel()
    ended = [process for process in processes if process.exited.is_set()]
    for process in ended:
        await process.output.settle()
    return ended


def how_it_ended(process: BotProcess) -> tuple[FailureReason, str]:
    """Return why a process ended, and its error: what it printed, or e.g. "exit code 1"."""
    if process.returncode == 0 and not process.over:
        return FailureReason.EXITED, process.exit_text()
    return FailureReason.CRASHED, process.output.crash() or process.exit_text()


def words_of(process: BotProcess) -> str:
    """Return the last lines that a process printed, as the end of an error message, or "" without lines."""
    lines = process.output.last_lines()
    if not lines:
        return ""
    return f"\nlast lines of {process.name}:" + "".join(f"\n  {line}" for line in lines)
