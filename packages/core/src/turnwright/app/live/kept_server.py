"""A private server for one battle after another, with bots that stay connected."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from time import monotonic

from turnwright.app.battle_server import (
    HOST_NAME,
    Ends,
    begin_battle,
    follow_battle,
    host_config,
    new_secret,
    nobody_left,
)
from turnwright.app.live.stepped_room import SteppedRoom
from turnwright.app.prepared_battle import PreparedBattle, Report
from turnwright.app.results import Progress
from turnwright.errors import ParticipantStartError, TurnwrightError
from turnwright.host.config import HostConfig
from turnwright.host.host import Host
from turnwright.host.summary import BattleSummary
from turnwright.kernel.game import Seat
from turnwright.net import loop as loops
from turnwright.net.files.writer import RecordWriter
from turnwright.net.http.ports import ListenAddress
from turnwright.net.participants.in_process import LocalBot
from turnwright.net.participants.kept_bots import KeepLimits, KeptBot, KeptBots, why_not_kept
from turnwright.net.participants.seating import seeds_of
from turnwright.net.participants.start_bots import Gathering, Operator
from turnwright.net.processes.bot_process import LEAVE_S, BotProcesses
from turnwright.net.rules_watchdog import watchdog_of
from turnwright.net.sandbox import SandboxLevel
from turnwright.net.sandbox.sandboxes import Sandboxes
from turnwright.net.server import LiveServer
from turnwright.net.websocket.local import LOCAL_HOST

READY_S = 0.8
"""The time for bots to get ready if a bot has played before, in seconds. An official bot API blocks its whole
program for a second if a thread of the previous battle still runs. Such a bot misses this time limit and is
started again, because its thread could answer in the next battle.
"""
_SETTLING_ROUNDS = 3
"""The number of rounds of the event loop before a battle. In these rounds the server learns which processes
and connections have ended.
"""

_log = logging.getLogger("turnwright")


@dataclass(frozen=True, slots=True)
class OpenAddress:
    """The address of a server for bots that connect by themselves.

    Attributes:
        secret: the secret that the bots send, or "".
    """

    host_name: str
    port: int
    secret: str = field(default="", repr=False)


class KeptServer:
    """A private server in this process, at `address` or on a free port.

    `play` runs an event loop of the server for the time of the battle. `play_here` uses the caller's event
    loop. The server is not thread-safe. Use it as a context manager: at the end of the block, it ends all
    processes of bots. If this process is killed, a guard process ends the processes of bots.

    Args:
        limits: the limits for processes that stay between battles. None means the defaults.
        address: the address to which bots connect by themselves, or None if the server starts all bots.
        pauses_gc: see `LiveServer`.
        sandbox: the sandbox level of bot directories.
        python: the operator's interpreters for the sandbox.
    """

    def __init__(
        self,
        limits: KeepLimits | None = None,
        address: OpenAddress | None = None,
        *,
        pauses_gc: bool = True,
        sandbox: SandboxLevel = "none",
        python: str | None = None,
    ) -> None:
        self._limits = limits
        self._address = address
        self._pauses_gc = pauses_gc
        self._sandbox, self._python = sandbox, python
        self._runner = loops.runner()
        self._processes = BotProcesses()
        self._bot_secret, self._operator_secret = new_secret(), new_secret()
        self._server: LiveServer | None = None
        self._bots: KeptBots | None = None
        self._players: dict[Seat, KeptBot] = {}
        self._over_s = monotonic()
        self.is_stopped = False
        self.reused: Set[Seat] = frozenset()
        """In the newest battle, the seats whose processes had played an earlier battle."""

    def __enter__(self) -> KeptServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def bots(self) -> KeptBots | None:
        """The bots' processes that stay connected. None before the first battle."""
        return self._bots

    def play(self, battle: PreparedBattle, report: Report) -> BattleSummary:
        """Play a battle to its end (see `battle_server.play_live`).

        The battle's programs may stay connected afterwards.

        Raises:
            SetupError: the battle cannot begin.
            ParticipantStartError: a bot does not start, or all bots leave before the battle is over.
        """
        with watchdog_of(battle.game):
            return self._runner.run(self.play_here(battle, report))

    def play_afresh(self, blamed: Set[Seat]) -> None:
        """End the processes of the newest battle, so that the next battle starts new ones.

        Args:
            blamed: the seats that failed, perhaps because their processes had played an earlier battle. After
                some failures of a program, each battle starts it in a new process.
        """
        self._runner.run(self.end_players(blamed))

    async def end_players(self, blamed: Set[Seat]) -> None:
        """Do the same as `play_afresh`, on the running event loop."""
        if self._bots is not None:
            self._bots.blame([bot for seat, bot in self._players.items() if seat in blamed])
            await self._bots.end(list(self._players.values()))

    def stop(self) -> None:
        """Stop the server, and end all processes of bots. A second call has no effect."""
        if self._server is not None:
            self._runner.run(self.stop_here())
        self.is_stopped = True
        self._runner.close()

    async def stop_here(self) -> None:
        """Do the same as `stop`, on the running event loop."""
        server, self._server = self._server, None
        self.is_stopped = True
        if server is not None:
            await asyncio.gather(
                server.stop(1000, "the battles are over"), self._processes.stop(leave_s=LEAVE_S)
            )

    async def play_here(
        self, battle: PreparedBattle, report: Report, steps: SteppedRoom | None = None
    ) -> BattleSummary:
        """Play a battle like `play`, with the same errors, on the running event loop.

        Args:
            steps: the steps of a caller that plays the battle turn by turn. None means that the server plays
                all turns by itself.
        """
        seeds = enumerate(seeds_of(battle.places, battle.seed))
        seeds_told = {seat: seed for seat, seed in seeds if battle.places[seat].given is None}
        battle = replace(battle, setup=replace(battle.setup, bot_seeds=seeds_told))
        host, ends = Host(self._host_config(battle)), Ends()
        recorder = battle.record_files.recorder
        server = await self._serve(host, recorder if steps is None else steps.announced(recorder), ends)
        operator = Operator(server, host)
        gathering = Gathering(
            battle.places, operator, lambda names: report(Progress("starting", waiting_for=names))
        )
        gathering.watch_output(host.take_output)
        self._players, self.reused = {}, frozenset()
        over, owing = False, frozenset[Seat]()
        try:
            await self._gather(battle, host, gathering, steps)
            await self._begin(battle, gathering, operator, ends, host)
            if steps is not None:
                steps.begin(server, host)
            summary = await follow_battle(battle, host, server, ends, gathering, report)
            stopped = steps is not None and steps.stopped
            if summary.ending == "aborted" and not (summary.unanswered or stopped):
                raise self._blame_reused(await nobody_left(summary, gathering))
            summary = await gathering.told_by_processes(summary)
            summary = replace(summary, printed=tuple(host.room.printed))
            over, owing = summary.ending == "over" or stopped, frozenset(steps.owing if steps else ())
            return summary
        except asyncio.CancelledError:
            server.command(lambda _: host.abort("it was stopped"))  # otherwise all bots would seem to leave
            raise
        finally:
            gathering.watch_output(None)
            await self._end_others(server, host)
            await self._settle(summary if over else None, owing)

    def _host_config(self, battle: PreparedBattle) -> HostConfig:
        """Return the host's settings for a battle. Bots that connect by themselves are admitted, too."""
        config = host_config(battle, self._bot_secret, self._operator_secret, watched=False)
        if self._address is None:
            return config
        secret = self._address.secret
        return replace(config, bot_secrets=config.bot_secrets | {secret} if secret else frozenset())

    async def _serve(self, host: Host, archive: RecordWriter, ends: Ends) -> LiveServer:
        """Return the running server with `host`, which takes over the connected bots. The first call starts
        the server.
        """
        if self._server is None:
            address = self._address or OpenAddress(HOST_NAME, 0)
            server = self._server = LiveServer(
                host,
                ListenAddress(address.host_name, address.port),
                archive=archive,
                on_battle_over=ends.add,
                pauses_gc=self._pauses_gc,
            )
            try:
                await server.start()
            except BaseException:
                self._server = None
                raise
            listen = server.listener.open_sandbox
            sandboxes = Sandboxes(listen, python=self._python) if self._sandbox == "full" else None
            self._bots = KeptBots(self._processes, listen, self._bot_secret, self._limits, sandboxes)
            return server
        for _ in range(_SETTLING_ROUNDS):
            await asyncio.sleep(0)
        self._server.change_host(host, archive, ends.add)
        return self._server

    async def _gather(
        self, battle: PreparedBattle, host: Host, gathering: Gathering, steps: SteppedRoom | None
    ) -> None:
        """Start the bots of all seats, or take them from an earlier battle."""
        server, bots = self._server, self._bots
        assert server is not None
        assert bots is not None
        connected = {client.origin.listener for client in host.lobby.bots()}
        hashes = host.config.source_hashes
        for seat, place in enumerate(battle.places):
            if place.entry is not None:
                try:
                    bot = await bots.take(place, hashes[seat], battle.setup.bot_seeds[seat], connected)
                except TurnwrightError as error:
                    error.seats = (seat,)
                    raise
                self._players[seat] = bot
                gathering.take_kept(seat, bot.process, bot.listener)
            elif steps is not None and seat in steps.given:
                gathering.take_in(seat, steps.enter(server, host, seat, self._bot_secret))
            elif seat not in battle.copies and place.connects is None:
                gathering.take_in(seat, LocalBot(server.connect_local, place, self._bot_secret, battle.seed))
        self.reused = frozenset(seat for seat, bot in self._players.items() if bot.battles)
        url = f"ws://{HOST_NAME}:{server.port}"
        await gathering.start(self._processes, url, self._bot_secret, copies=battle.copies)

    async def _begin(
        self, battle: PreparedBattle, gathering: Gathering, operator: Operator, ends: Ends, host: Host
    ) -> None:
        try:
            ready_s = READY_S if self.reused else None
            await begin_battle(battle, gathering, operator, ends, host, ready_s=ready_s)
        except TimeoutError:
            raise self._blame_reused(
                ParticipantStartError(f"a bot that has played before was not ready within {READY_S} s")
            ) from None
        except TurnwrightError as error:
            raise self._blame_reused(error) from None

    def _blame_reused(self, error: TurnwrightError) -> TurnwrightError:
        """Return `error`. If it names no seats, add the seats whose processes had played an earlier
        battle.
        """
        error.seats = error.seats or tuple(sorted(self.reused))
        return error

    async def _end_others(self, server: LiveServer, host: Host) -> None:
        """End the connections and processes that belong only to this battle."""
        assert self._bots is not None
        listeners = {bot.listener for bot in self._bots.bots}
        for number, client in list(host.lobby.clients.items()):
            stays = client.origin.listener in listeners or (
                self._address and client.origin.host != LOCAL_HOST
            )
            if not stays and number in server.loop.connections:
                server.loop.connections[number].close(1000, "the battle is over")
        kept = {bot.process for bot in self._bots.bots}
        others = [process for process in self._processes.all if process not in kept]
        await self._processes.end(others, leave_s=LEAVE_S)

    async def _settle(self, summary: BattleSummary | None, owing: Set[Seat]) -> None:
        """Decide which bots' processes stay for the next battle.

        If the battle did not reach its end, end all processes that played it.

        Args:
            owing: seats that had not answered when the battle was stopped.
        """
        assert self._bots is not None
        now_s = monotonic()
        if summary is None:
            reasons: Mapping[KeptBot, str] = dict.fromkeys(self._players.values(), "it did not end")
        else:
            seats = summary.seats
            reasons = {
                bot: why_not_kept(bot, replace(seats[seat], owes=seats[seat].owes or seat in owing))
                for seat, bot in self._players.items()
            }
        for bot, why in reasons.items():
            if why:
                _log.info("%s is restarted: %s", bot.process.name, why)
        await self._bots.settle(reasons, now_s - self._over_s)
        self._over_s = now_s
