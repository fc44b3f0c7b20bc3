"""One battle on a server of its own: started on a free port, played, and stopped whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic_ns

from turnwright._version import __version__
from turnwright.errors import ParticipantStartError, SetupError
from turnwright.host.config import HostConfig
from turnwright.host.host import Host
from turnwright.host.summary import BattleSummary
from turnwright.net.clock import now_ns
from turnwright.net.contestants import Place
from turnwright.net.forked import Copy
from turnwright.net.gathering import Gathering, Report
from turnwright.net.live import LiveServer
from turnwright.net.local_bots import LocalBot
from turnwright.net.onlooker import Onlooker
from turnwright.net.operator import Operator
from turnwright.net.pages import Pages
from turnwright.net.process import LEAVE_S, BotProcesses
from turnwright.net.progress import Follower
from turnwright.net.sourcehash import source_hash
from turnwright.net.spool import Spool
from turnwright.net.viewer_files import load_viewer
from turnwright.net.warmup import Warmth, new_game
from turnwright.net.watching import Watching, page_url, restarted, seen, was_stopped
from turnwright.options import BattleOptions, game_setup

__all__ = ["UNANSWERED_TURNS_MAX", "LiveBattle", "play_live"]

_HOST_NAME = "127.0.0.1"
_SECRET_BYTES = 16
UNANSWERED_TURNS_MAX = 300
"""A battle ends in which nobody has answered so many turns, not one: also where nobody is disqualified."""
_LOOK_S = 0.1
"""How often progress is looked up and told."""

_log = logging.getLogger("turnwright")


@dataclass(frozen=True, slots=True)
class LiveBattle:
    """What is to be played: options, who sits where, the seed, and where the record goes.

    onlook: gets every message that observers are sent. warmth: of a battle that does not wait for a compiler;
    None: what it needs is loaded. copies: by seat, the processes of bots of this program.
    """

    options: BattleOptions
    places: Sequence[Place]
    seed: int
    spool: Spool
    onlook: Callable[[bytes], None] | None = None
    warmth: Warmth | None = None
    copies: Mapping[int, Copy] = field(default_factory=dict)


async def play_live(battle: LiveBattle, report: Report, watching: Watching | None = None) -> BattleSummary:
    """Play a battle to its end and return how it went; `report` is told how far it has come.

    watching: how it is watched in a browser, or None. Raises: SetupError, ParticipantStartError;
    CancelledError when an operator stopped it, as when a signal does. Whatever happens, all processes are
    gone afterwards.
    """
    _obey_termination()
    bot_secret, operator_secret = (secrets.token_urlsafe(_SECRET_BYTES) for _ in range(2))
    ends = Ends()
    host = Host(_config(battle, bot_secret, operator_secret, watched=watching is not None))
    server = LiveServer(
        host,
        host_name=_HOST_NAME,
        port=0 if watching is None else watching.port,
        archive=battle.spool.recorder,
        on_battle_over=ends.add,
        pages=None if watching is None else Pages(load_viewer()),
    )
    await server.start()
    processes = BotProcesses()
    try:
        if battle.spool.shown is not None:
            Onlooker(server, operator_secret, battle.spool.shown.take)
        if battle.onlook is not None:
            Onlooker(server, operator_secret, battle.onlook)
        wait_s = 0.0
        if watching is not None:
            wait_s = watching.on_page(page_url(_HOST_NAME, server.port, host.issue_code(now_ns())))
        operator = Operator(server, operator_secret)
        gathering = Gathering(battle.places, operator, report)
        for seat, place in enumerate(battle.places):
            if place.entry is None and seat not in battle.copies:
                gathering.take_in(seat, LocalBot(server, place, bot_secret, battle.seed))
        url = f"ws://{_HOST_NAME}:{server.port}"
        await gathering.start(processes, url, bot_secret, battle.seed, battle.copies)
        await _begin(battle, gathering, operator, ends, host, wait_s)
        if battle.warmth is not None:
            battle.warmth.begin_aside()
        operator.leave()
        summary = await _follow(host, ends, gathering, report)
        while summary.ending == "aborted" and watching is not None and await restarted(host):
            summary = await _follow(host, ends, gathering, report)
        if summary.ending == "aborted" and watching is not None and was_stopped(summary):
            _log.error("the battle was %s", summary.why)
            await server.stop(1000, "the battle was stopped")
            raise asyncio.CancelledError
        if summary.ending == "aborted" and not summary.unanswered:
            raise ParticipantStartError(f"{summary.why}{await gathering.last_words()}")
        summary = gathering.with_last_lines(summary)
        # first the connections close, then the processes end: a bot may be in its last handler
        await asyncio.gather(server.stop(1000, "the battle is over"), processes.stop(leave_s=LEAVE_S))
        return summary
    finally:
        if battle.warmth is not None:
            await battle.warmth.end_aside()
        await asyncio.shield(asyncio.gather(server.stop(), processes.stop()))


def _obey_termination() -> None:
    """Let SIGTERM end the battle as Ctrl-C does; only possible in the main thread."""
    task = asyncio.current_task()
    if task is not None and threading.current_thread() is threading.main_thread():
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


def _config(battle: LiveBattle, bot_secret: str, operator_secret: str, *, watched: bool) -> HostConfig:
    options = battle.options
    return HostConfig(
        new_game=new_game if battle.warmth is None else battle.warmth.new_game,
        preparing=bool if battle.warmth is None else battle.warmth.is_preparing,
        random_bytes=os.urandom,
        stopwatch=monotonic_ns,
        version=__version__,
        bot_secrets=frozenset({bot_secret}),
        controller_secrets=frozenset({operator_secret}),
        open_to_observers=watched,
        initial_positions=options.initial_positions,
        tps=options.pace,
        opening_timeout_us=options.opening_timeout_us,
        on_late=options.on_late,
        on_skip=options.on_skip,
        max_skipped=options.max_skipped,
        on_disconnect=options.on_disconnect,
        on_rules_error_continue=options.on_rules_error == "continue",
        unanswered_turns_max=UNANSWERED_TURNS_MAX,
        seed=battle.seed,
        record=True,
        record_checks=options.record is not None,
        source_hashes=tuple(
            None if p.entry is None else source_hash(p.entry.directory) for p in battle.places
        ),
    )


class Ends:
    """How the battles of one server ended, in order; `came` is set with each one."""

    def __init__(self) -> None:
        self.summaries: list[BattleSummary] = []
        self.came = asyncio.Event()

    def add(self, battle: int, summary: BattleSummary) -> None:
        """Note the end of a battle."""
        self.summaries.append(summary)
        self.came.set()


async def _begin(
    battle: LiveBattle, gathering: Gathering, operator: Operator, ends: Ends, host: Host, wait_s: float
) -> None:
    """Wait until everybody is there and ready. Nobody is left behind: the game begins with all or not.

    wait_s: how long somebody who watches is waited for, seconds.
    """
    setup = game_setup(battle.options)
    setup.min_number_of_participants = len(battle.places)
    await gathering.connected(battle.options.connect_timeout_s)
    await seen(host, wait_s)
    await gathering.ready(setup)
    if operator.started is None:
        await asyncio.sleep(0)
        if ends.summaries:
            raise gathering.never_ready(ends.summaries[0].why, setup.ready_timeout)
        raise SetupError(f"the battle did not begin: {operator.ended}")


async def _follow(host: Host, ends: Ends, gathering: Gathering, report: Report) -> BattleSummary:
    """Wait for the end, and tell now and then how it goes and which bots have ended."""
    follower = Follower()
    while not ends.came.is_set():
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_S):
                await ends.came.wait()
        battle = host.table.battle
        if battle is not None and battle.turn:
            report(follower.look(battle))
        if not ends.came.is_set():
            for text in gathering.newly_ended():
                _log.warning("%s", text)
    ends.came.clear()
    return ends.summaries[-1]
