"""A battle on a private server, on a free port. The server ends with the battle."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic_ns

from turnwright._version import __version__
from turnwright.app.frames import view_files
from turnwright.app.prepared_battle import PreparedBattle, Report
from turnwright.app.results import Progress
from turnwright.app.watch import (
    Watching,
    let_ask,
    page_url,
    restarted,
    seen,
    until_closed,
    was_stopped,
    watched,
)
from turnwright.errors import ParticipantStartError, SetupError, VoidBattleError
from turnwright.host.config import HostConfig
from turnwright.host.host import Host
from turnwright.host.protocol import HelloMessage
from turnwright.host.summary import BattleSummary, every_failure
from turnwright.host.watching.history import HISTORY_BYTES_MAX
from turnwright.kernel.battle import Battle
from turnwright.kernel.failure import IF_CRASHED, FailureReason, PrintedError
from turnwright.net.clock import now_ns
from turnwright.net.http.analysis import AnalysisProcess, analysis_of
from turnwright.net.http.pages import Pages
from turnwright.net.http.ports import ListenAddress
from turnwright.net.loop import on_signal
from turnwright.net.participants.in_process import LocalBot
from turnwright.net.participants.seating import seat_secret, seat_sources, seeds_of
from turnwright.net.participants.start_bots import Gathering, Operator
from turnwright.net.processes.bot_process import LEAVE_S, BotProcesses
from turnwright.net.rules_watchdog import watchdog_with_signals
from turnwright.net.sandbox.sandboxes import Sandboxes
from turnwright.net.server import LiveServer


class LocalSpectator:
    """An observer in the server's own process, connected from its creation until `leave`.

    Args:
        take: called with every message for spectators, as bytes.
        at_pace: whether the observer gets the turns at the pace of the battle, even if the bots' turns do not
            wait for spectators.
    """

    def __init__(
        self,
        server: LiveServer,
        host: Host,
        secret: str,
        take: Callable[[bytes], None],
        *,
        at_pace: bool = False,
    ) -> None:
        self._link = server.connect_local(take)
        name = "turnwright recorder"
        hello = HelloMessage(
            "spectator", name, __version__, secret=secret, takes="paced frames" if at_pace else "frames"
        )
        server.command(lambda now_ns: host.introduce(self._link.peer.port, hello, now_ns))

    def leave(self) -> None:
        """Disconnect from the server."""
        self._link.close()


HOST_NAME = "127.0.0.1"
_SECRET_BYTES = 16
UNANSWERED_TURNS_MAX = 300
"""The battle ends after this number of turns if no bot has answered any of them, even if bots are never
disqualified.
"""
_LOOK_S = 0.1
"""Time between two progress checks, seconds."""

_log = logging.getLogger("turnwright")


async def play_live(
    battle: PreparedBattle, report: Report, watching: Watching | None = None
) -> BattleSummary:
    """Play a battle to its end and return its outcome.

    When the function returns or raises an exception, all processes of the battle have ended.

    Args:
        report: called with the progress of the battle.
        watching: how people watch the battle in a browser, or None.

    Raises:
        SetupError: the battle cannot begin.
        ParticipantStartError: a bot does not start, or all bots leave before the battle is over.
        CancelledError: an operator or a signal stopped the battle.
    """
    _obey_termination()
    with watchdog_with_signals(battle.game):
        return await _play(battle, report, watching)


async def _play(battle: PreparedBattle, report: Report, watching: Watching | None) -> BattleSummary:
    bot_secret, operator_secret = (new_secret() for _ in range(2))
    ends = Ends()
    spectators = battle.spectators
    is_open = watching is not None or spectators is not None
    config = host_config(battle, bot_secret, operator_secret, watched=is_open)
    # A page that opens requests the whole record immediately.
    host = Host(replace(config, footer_later=watching is None, refusal=ends.refusal))
    analysis = _analysis_of(battle)
    server = LiveServer(
        host,
        ListenAddress(HOST_NAME, 0 if watching is None else watching.port),
        archive=battle.record_files.recorder,
        on_battle_over=ends.add,
        gate=None if spectators is None else spectators.gate,
        pages=None if watching is None else Pages(view_files(battle.game), analysis=analysis),
    )
    await server.start()
    processes, operator = BotProcesses(), Operator(server, host)
    holding = None if spectators is None else asyncio.ensure_future(spectators.hold(server, host))
    try:
        _let_watch_here(battle, server, host, operator_secret)
        wait_s = 0.0
        if watching is not None:
            wait_s = watching.on_page(page_url(HOST_NAME, server.port, host.issue_code(now_ns())))
        waits = partial(_tell_waiting, report)
        gathering = Gathering(battle.places, operator, waits)
        _take_in_local(battle, gathering, server, bot_secret)
        listen, python = server.listener.open_sandbox, battle.options.python
        sandboxes = Sandboxes(listen, python=python) if battle.sandbox == "full" else None
        gathering.watch_output(host.take_output)
        seeds = seeds_of(battle.places, battle.seed)
        await gathering.start(
            processes, f"ws://{HOST_NAME}:{server.port}", bot_secret, seeds, battle.copies, sandboxes
        )
        await begin_battle(battle, gathering, operator, ends, host, wait_s)
        summary = await follow_battle(battle, host, server, ends, gathering, report)
        while summary.ending == "aborted" and watching is not None and await restarted(host, ends.came):
            summary = await follow_battle(battle, host, server, ends, gathering, report)
        if summary.ending == "aborted" and watching is not None and was_stopped(summary):
            _log.error("the battle was %s", summary.why)
            await server.stop(1000, "the battle was stopped")
            raise asyncio.CancelledError
        if summary.ending == "aborted" and not summary.unanswered:
            raise await nobody_left(summary, gathering)
        summary = _log_learnt(summary, await gathering.told_by_processes(summary))
        if battle.options.is_apart:
            ends.is_last = True
            await processes.stop(leave_s=LEAVE_S)
            stay = watching is not None
            await (_stay(battle, server, host, summary, analysis) if stay else _let_show(host))
        elif analysis is not None and watching is not None and watched(host):
            await let_ask(analysis)
        await end_battle(server, processes, host, is_over=True)
        return replace(summary, printed=tuple(host.room.printed))
    finally:
        if holding is not None:
            holding.cancel()
        await asyncio.shield(end_battle(server, processes, host, is_over=False))


def _analysis_of(battle: PreparedBattle) -> AnalysisProcess | None:
    """Return the process that analyses the battle for its page, or None if the game has no analysis."""
    recorder, command = battle.record_files.recorder, battle.game.package.analysis
    if not command:
        return None
    return AnalysisProcess(lambda: recorder.newest, work=partial(analysis_of, command=command))


def _take_in_local(battle: PreparedBattle, gathering: Gathering, server: LiveServer, secret: str) -> None:
    """Connect the bots that play in this process."""
    for seat, place in enumerate(battle.places):
        if place.entry is None and seat not in battle.copies:
            gathering.take_in(seat, LocalBot(server.connect_local, place, secret, battle.seed))


def _tell_waiting(report: Report, names: Sequence[str]) -> None:
    report(Progress("starting", waiting_for=tuple(names)))


def _let_watch_here(battle: PreparedBattle, server: LiveServer, host: Host, secret: str) -> None:
    """Connect the spectators of this process."""
    if battle.record_files.shown is not None:
        LocalSpectator(server, host, secret, battle.record_files.shown.take)
    if battle.on_spectator_message is not None:
        LocalSpectator(server, host, secret, battle.on_spectator_message, at_pace=True)


async def _let_show(host: Host) -> None:
    """Wait until spectators without their own clock have seen the whole battle. Ctrl-C ends the wait."""
    try:
        while host.room.output.paced.is_behind:
            await asyncio.sleep(_LOOK_S)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        assert task is not None
        task.uncancel()


async def _stay(
    battle: PreparedBattle,
    server: LiveServer,
    host: Host,
    summary: BattleSummary,
    analysis: AnalysisProcess | None,
) -> None:
    """Report the outcome of a battle whose bots do not wait for spectators, and serve the battle's pages
    until the pages are closed.
    """
    server.command(lambda _: host.room.close_record())
    stays_s = battle.on_over(replace(summary, printed=tuple(host.room.printed)), watched(host))
    if stays_s is not None:
        await until_closed(host, stays_s)
    elif analysis is not None and watched(host):
        await let_ask(analysis)


async def end_battle(server: LiveServer, processes: BotProcesses, host: Host, *, is_over: bool) -> None:
    """Close the connections, end the processes and close the record.

    The record is closed last, because it must contain the last output of bots.

    Args:
        is_over: whether the battle is over, so that bots get LEAVE_S to end by themselves.
    """
    if is_over:
        await asyncio.gather(server.stop(1000, "the battle is over"), processes.stop(leave_s=LEAVE_S))
    else:
        await asyncio.gather(server.stop(), processes.stop())
    server.command(lambda _: host.room.close_record())


def new_secret() -> str:
    """Return a secret with which bots or operators connect to a private server."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def _obey_termination() -> None:
    """Make SIGTERM end the battle as Ctrl-C does. In a thread other than the main thread, do nothing."""
    task = asyncio.current_task()
    if task is not None and threading.current_thread() is threading.main_thread():
        on_signal(asyncio.get_running_loop(), signal.SIGTERM, task.cancel)


def host_config(
    battle: PreparedBattle, bot_secret: str, operator_secret: str, *, watched: bool
) -> HostConfig:
    """Return the settings of the host of one battle.

    Args:
        watched: whether spectators need no secret.
    """
    options = battle.options
    return HostConfig(
        new_game=battle.new_game,
        random_bytes=os.urandom,
        stopwatch=monotonic_ns,
        version=__version__,
        bot_secrets=frozenset(
            {bot_secret, *(seat_secret(bot_secret, seat) for seat in range(len(battle.places)))}
        ),
        controller_secrets=frozenset({operator_secret}),
        open_to_spectators=watched,
        protocol=battle.protocol,
        tps=0 if battle.stepped else options.pace,
        pacing="apart" if options.is_apart else "together",
        opening_timeout_us=options.opening_timeout_us,
        first_answer=options.on_late == "drop",
        rules=options.turn_rules,
        on_rules_error_continue=battle.tolerant,
        unanswered_turns_max=UNANSWERED_TURNS_MAX,
        seed=battle.seed,
        sandbox=battle.recorded_sandbox,
        record=True,
        record_checks=options.record is not None,
        errors_public=battle.errors_public,
        prints_max=battle.prints_max,
        history_bytes_max=HISTORY_BYTES_MAX if watched else 0,
        source_hashes=seat_sources(battle.places),
    )


def _void(host: Host, error: VoidBattleError, now_ns: int) -> None:
    host.room.void(error)


def _log_learnt(before: BattleSummary, now: BattleSummary) -> BattleSummary:
    """Log each failure in `now` that differs from the failure in `before`, the outcome at the end of the
    battle. Return `now`.
    """
    for one, learnt in zip(before.seats, now.seats, strict=True):
        failure = learnt.failure
        if failure is not None and (one.failure is None or one.failure.full_text != failure.full_text):
            _log.error("%s %s", learnt.name, failure.full_text)
    return now


async def nobody_left(summary: BattleSummary, gathering: Gathering) -> ParticipantStartError:
    """Return the error for a battle that ended because its bots have failed."""
    words = await gathering.last_words()
    seats = (await gathering.told_by_processes(summary)).seats
    failures = {seat: one.failure for seat, one in enumerate(seats) if one.failure is not None}
    why = every_failure([one.name for one in seats], failures) if failures else summary.why
    error = ParticipantStartError(f"{why}{words}")
    error.seats, error.failures = tuple(failures), failures
    return error


def _note_ends(host: Host, server: LiveServer, gathering: Gathering) -> None:
    """Report to the battle's room which processes of bots have ended or printed a crash, and how."""
    for seat, reason, error, printed in gathering.newly_ended():
        server.command(partial(_fail, host, seat, reason, error, printed))
    failures = {} if host.room.battle is None else host.room.battle.referee.failures
    for seat, failure in list(failures.items()):
        error, printed = gathering.crash_of(seat)
        if error and failure.reason in IF_CRASHED:
            server.command(partial(_fail, host, seat, IF_CRASHED[failure.reason], error, printed))


def _note_printed(battle: Battle, gathering: Gathering, errors: dict[int, PrintedError]) -> None:
    """For each bot that continues to play, add to `errors` and log the first error that its process printed.

    Official bot APIs catch an exception of the bot and print it. Then they skip turns or continue.

    Args:
        errors: the first error of each seat.
    """
    for seat, error in gathering.new_errors():
        if seat not in errors and seat not in battle.referee.failures:
            errors[seat] = one = PrintedError(*battle.place(), error)
            _log.error("%s %s", battle.header.seats[seat].name, one.text)


def _with_printed(summary: BattleSummary, errors: Mapping[int, PrintedError]) -> BattleSummary:
    seats = [
        seat
        if seat.failure is not None or number not in errors
        else replace(seat, printed_error=errors[number])
        for number, seat in enumerate(summary.seats)
    ]
    return replace(summary, seats=tuple(seats))


def _fail(
    host: Host, seat: int, reason: FailureReason, error: str, printed: Sequence[str], now_ns: int
) -> None:
    host.room.fail(seat, reason, error, printed)


class Ends:
    """The outcomes of the battles of one server, in order. The event `came` is set whenever a battle ends.

    Attributes:
        is_last: whether no other battle may begin.
    """

    def __init__(self) -> None:
        self.summaries: list[BattleSummary] = []
        self.came = asyncio.Event()
        self.is_last = False

    def refusal(self) -> str | None:
        """Return why no battle can begin, or None."""
        return "the battle of this command is over; start another one in a terminal" if self.is_last else None

    def add(self, battle: int, summary: BattleSummary) -> None:
        """Add the outcome of a battle that has ended."""
        self.summaries.append(summary)
        self.came.set()


async def begin_battle(
    battle: PreparedBattle,
    gathering: Gathering,
    operator: Operator,
    ends: Ends,
    host: Host,
    wait_s: float = 0.0,
    ready_s: float | None = None,
) -> None:
    """Start the battle when all bots are connected, and wait until it has begun.

    If one of the bots is missing, the battle does not begin.

    Args:
        wait_s: the longest time to wait for a spectator, in seconds.
        ready_s: the time for bots to get ready, in seconds, if it is shorter than in the settings.

    Raises:
        SetupError: a bot does not connect or get ready in time, or the battle did not begin.
        ParticipantStartError: a bot's process ends, or a bot leaves, before the battle begins.
        TimeoutError: a bot is not ready after `ready_s`.
    """
    setup = replace(battle.setup, bots_min=len(battle.places))
    await gathering.connected(battle.options.connect_timeout_s)
    await seen(host, wait_s)
    async with asyncio.timeout(ready_s):
        await gathering.ready(setup)
    if operator.started is None:
        await asyncio.sleep(0)
        if ends.summaries:
            raise gathering.never_ready(ends.summaries[0].why, setup.ready_timeout_us)
        raise SetupError(f"the battle did not begin: {operator.ended}")


async def follow_battle(
    prepared: PreparedBattle,
    host: Host,
    server: LiveServer,
    ends: Ends,
    gathering: Gathering,
    report: Report,
) -> BattleSummary:
    """Return the outcome of the battle, after waiting for its end. Meanwhile, report the progress and the
    bots whose processes have ended.
    """
    follower = prepared.follower()
    errors: dict[int, PrintedError] = {}
    told = 0
    while not ends.came.is_set():
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_S):
                await ends.came.wait()
        battle = host.room.battle
        if battle is not None and battle.turn and battle.void is None:
            _note_printed(battle, gathering, errors)
            try:
                if not prepared.stepped:  # a battle that is played turn by turn is read on another thread
                    names, lines = follower.names(battle), host.room.printed[told:]
                    told += len(lines)
                    printed = tuple((names[line.seat], line) for line in lines)
                    report(replace(follower.look(battle), printed=printed))
            except VoidBattleError as error:
                server.command(partial(_void, host, error))
        if not ends.came.is_set():
            _note_ends(host, server, gathering)
    ends.came.clear()
    return _with_printed(ends.summaries[-1], errors)
