"""Starts bots for seats of a record, and plays a branch with them in a room."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from turnwright._version import __version__
from turnwright.app.battle_server import HOST_NAME, end_battle, new_secret
from turnwright.app.branch.choice import PlayedRecord
from turnwright.app.game.playable import PlayableGame
from turnwright.errors import ParticipantStartError, SetupError, VoidBattleError
from turnwright.host.config import HostConfig
from turnwright.host.host import Host
from turnwright.host.protocol import BattleSetup, HelloMessage, RecordedSeats
from turnwright.host.summary import BattleSummary
from turnwright.kernel.branch import BranchBattle, OnBranchTurn, branch_battle
from turnwright.kernel.game import Seat
from turnwright.kernel.rng import bot_seed
from turnwright.net import loop as loops
from turnwright.net.files.battle_record import BattleRecord
from turnwright.net.http.ports import ListenAddress
from turnwright.net.participants.in_process import LocalBot
from turnwright.net.participants.seating import Entrant, entrants_of, seat_secret
from turnwright.net.participants.start_bots import Gathering, Operator
from turnwright.net.processes.bot_process import BotProcesses
from turnwright.net.rules_watchdog import watchdog_of, watchdog_with_signals
from turnwright.net.server import LiveServer

TURN_TIMEOUT_S = 10.0
"""A bot's default time limit for one turn, in seconds. To debug a bot, set a longer time."""
_LOOK_S = 0.05


@dataclass(frozen=True, slots=True)
class LiveSeats:
    """The bots for the live seats (the seats that bots play instead of the record), and their time limit for
    a turn.

    Attributes:
        connect_timeout_s: the longest wait for a bot to connect, and then for all bots to get ready.
        stop_after: the number of turns after which the battle ends, or None.

    Raises:
        SetupError: the time for a turn is not above 0.
    """

    places: Mapping[Seat, Entrant]
    turn_timeout_s: float = TURN_TIMEOUT_S
    connect_timeout_s: float = 30.0
    stop_after: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.turn_timeout_s < math.inf:
            raise SetupError(f"--turn-timeout is {self.turn_timeout_s:g}s: give more than 0s")


def cast_of(
    game: PlayableGame, seats: Sequence[Seat], bots: Sequence[str], python: str | None
) -> dict[Seat, Entrant]:
    """Return, by seat, the bot that plays it. The first bot plays the first seat, and so on.

    Raises:
        SetupError: the numbers of bots and seats differ, a bot is a team, or a seat is named twice.
    """
    if len(seats) != len(bots):
        raise SetupError(
            f"the numbers of seats ({len(seats)}) and bots ({len(bots)}) differ: give one bot for each seat"
        )
    if len(set(seats)) != len(seats):
        raise SetupError("a seat is given twice: give one bot for each seat")
    cast = {}
    for seat, bot in zip(seats, bots, strict=True):
        places = entrants_of([bot], game.bots, python)
        if len(places) != 1:
            raise SetupError(f"{bot} is a team: give the directory of one of its bots")
        cast[seat] = places[0]
    return cast


@dataclass(frozen=True, slots=True)
class BranchPlan:
    """A branch of a record that will be played.

    Attributes:
        until: the number of turns that stay as recorded. None means all turns of the record.
        cast: the bots of the live seats.
        on_turn: called after every turn, with the answers of the live seats.
        kept: the writer of the branch's own record. None means that the branch is not recorded.
    """

    played: PlayedRecord
    cast: LiveSeats
    on_turn: OnBranchTurn
    until: int | None = None
    kept: BattleRecord | None = None

    def battle(self) -> BranchBattle:
        """Return the battle before its first turn.

        Raises:
            RecordError: the record is of another game or another version of its rules.
            SetupError: a live seat does not exist, or it had left or was disqualified.
        """
        return branch_battle(
            self.played.record,
            self.played.rules,
            self.cast.places,
            self.until,
            patience_ns=round(self.cast.turn_timeout_s * 1e9),
            on_turn=self.on_turn,
            keep_checks=self.kept is not None,
            made_by=f"turnwright {__version__}",
        )


def play_branch(plan: BranchPlan) -> BattleSummary:
    """Play a branch with live bots to its end, and return its outcome.

    Raises:
        ParticipantStartError: a bot does not start, or it leaves the battle.
        SetupError: a bot does not connect or get ready, or the branch cannot begin.
        RecordError: the record is of another game or another version of its rules.
        VoidBattleError: the rules failed.
    """
    with watchdog_of(plan.played.game):
        battle = plan.battle()
    try:
        return loops.run(_play(plan, battle))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _play(plan: BranchPlan, battle: BranchBattle) -> BattleSummary:
    with watchdog_with_signals(plan.played.game):
        return await _play_watched(plan, battle)


async def _play_watched(plan: BranchPlan, battle: BranchBattle) -> BattleSummary:
    secret, cast = new_secret(), plan.cast
    ended: list[BattleSummary] = []
    record, records = plan.played.record, plan.played.game.records
    host = Host(_config(plan, secret))
    server = LiveServer(
        host,
        ListenAddress(HOST_NAME),
        archive=None if plan.kept is None else plan.kept.recorder,
        on_battle_over=lambda _number, summary: ended.append(summary),
    )
    await server.start()
    processes = BotProcesses()
    try:
        operator = Operator(server, host)
        places = [
            replace(place, team=records.team(record.header.seats[seat]))
            for seat, place in sorted(cast.places.items())
        ]
        gathering = Gathering(places, operator, lambda _names: None)
        live = sorted(cast.places)
        gathering.watch_output(lambda at, text, is_error: host.take_output(live[at], text, is_error))
        seed = record.header.seed
        for at, place in enumerate(places):
            if place.entry is None:
                gathering.take_in(at, LocalBot(server.connect_local, place, secret, seed))
        seeds = [bot_seed(seed, seat) for seat in live]
        await gathering.start(processes, f"ws://{HOST_NAME}:{server.port}", secret, seeds)
        await gathering.connected(cast.connect_timeout_s)
        setup = _setup(plan, battle, gathering, host)
        await gathering.ready(setup)
        if operator.started is None:
            await asyncio.sleep(0)
            raise gathering.never_ready(operator.ended or "", setup.ready_timeout_us)
        while not ended:
            await asyncio.sleep(_LOOK_S)
            if battle.left and not ended:
                server.command(lambda _now_ns: host.abort("a bot has left"))
        await _check_ended(ended[0], battle, gathering)
        await end_battle(server, processes, host, is_over=True)
        return replace(ended[0], printed=tuple(host.room.printed))
    finally:
        await asyncio.shield(end_battle(server, processes, host, is_over=False))


async def _check_ended(summary: BattleSummary, battle: BranchBattle, gathering: Gathering) -> None:
    """Check that the branch did not end too early.

    Raises:
        VoidBattleError: the rules failed.
        ParticipantStartError: a bot left.
    """
    if summary.ending == "void":
        raise VoidBattleError(summary.why)
    if battle.left:
        seat, turn = battle.left[0]
        words = await gathering.last_words()
        raise ParticipantStartError(f"{battle.header.seats[seat].name} left in turn {turn}{words}")


def _config(plan: BranchPlan, secret: str) -> HostConfig:
    played = plan.played
    recorded = len(played.record.turns) if plan.until is None else None
    stops = [turns for turns in (plan.cast.stop_after, recorded) if turns is not None]
    return HostConfig(
        new_game=lambda _tolerant: played.rules,
        protocol=played.game.protocol(),
        random_bytes=os.urandom,
        version=__version__,
        bot_secrets=frozenset({secret, *(seat_secret(secret, at) for at in range(len(plan.cast.places)))}),
        controller_secrets=frozenset({new_secret()}),
        tps=-1,
        record=True,
        turns_max=min(stops, default=None),
        footer_later=True,
    )


def _setup(plan: BranchPlan, battle: BranchBattle, gathering: Gathering, host: Host) -> BattleSetup:
    """Return the settings of the battle, with the seats whose intents come from the record."""
    live = tuple(sorted(plan.cast.places))
    there = {(one.origin.address.host, one.origin.address.port): one.hello for one in host.lobby.bots()}
    now: dict[Seat, HelloMessage | None] = {
        seat: there.get((bot.host, bot.port)) for seat, bot in zip(live, gathering.found, strict=True)
    }
    header, records = plan.played.record.header, plan.played.game.records
    hellos = [records.hello(info, now.get(seat)) for seat, info in enumerate(header.seats)]
    setup = records.setup(header)
    setup.ready_timeout_us = round(plan.cast.connect_timeout_s * 1e6)
    setup.bots_min = len(header.seats)
    setup.recorded = RecordedSeats(live, hellos, lambda: battle)
    return setup
