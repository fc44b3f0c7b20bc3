"""Bots that rehearse with a record: started, seated, shown the battle, stopped whatever happens."""

from __future__ import annotations

import asyncio
import math
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from turnwright.errors import ParticipantStartError, SetupError
from turnwright.host.rehearsal import Answer, Ended, Rehearsal
from turnwright.kernel.battle import Closed
from turnwright.kernel.game import Seat
from turnwright.kernel.rerun import Rerun
from turnwright.net import loops
from turnwright.net.botstart import Team, environment
from turnwright.net.contestants import Place, places_of
from turnwright.net.gathering import words_of
from turnwright.net.live import LiveServer
from turnwright.net.local_bots import LocalBot
from turnwright.net.process import LEAVE_S, BotProcess, BotProcesses
from turnwright.wire.record.shown import opening_of
from turnwright.wire.royale import messages as m

__all__ = ["PATIENCE_S", "Cast", "cast_of", "rehearse"]

PATIENCE_S = 10.0
"""How long a bot may think about one turn; who debugs it gives more."""
_HOST_NAME = "127.0.0.1"
_SECRET_BYTES = 16
_LOOK_S = 0.05
_ENDING_S = 1.0


@dataclass(frozen=True, slots=True)
class Cast:
    """Who plays which seat anew, and with how much patience.

    connect_timeout_s: until all bots have connected and are ready. stop_after: end after that many turns.
    Raises: SetupError for no patience at all.
    """

    places: Mapping[Seat, Place]
    patience_s: float = PATIENCE_S
    connect_timeout_s: float = 30.0
    stop_after: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.patience_s < math.inf:
            raise SetupError(f"patience is {self.patience_s:g}: give a number of seconds above 0")


def cast_of(seats: Sequence[Seat], bots: Sequence[str], python: str | None) -> dict[Seat, Place]:
    """Return which bot takes which seat, in the order given.

    Raises: SetupError when there are not as many bots as seats, a bot is a team, or a seat is named twice.
    """
    if len(seats) != len(bots):
        raise SetupError(f"seats given: {len(seats)}, bots: {len(bots)}; give one bot for each seat")
    if len(set(seats)) != len(seats):
        raise SetupError("a seat is given twice: each one is played by one bot")
    cast = {}
    for seat, bot in zip(seats, bots, strict=True):
        places = places_of([bot], python)
        if len(places) != 1:
            raise SetupError(f"{bot} is a team: give the directory of one of its bots")
        cast[seat] = places[0]
    return cast


def rehearse(rerun: Rerun, cast: Cast, on_turn: Callable[[Closed, Sequence[Answer]], None]) -> None:
    """Play a rerun with live bots to its end. on_turn: told every turn, and what was answered before it.

    Raises: ParticipantStartError when a bot does not come or leaves; SetupError; VoidBattleError.
    """
    try:
        loops.run(_rehearse(rerun, cast, on_turn))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _rehearse(rerun: Rerun, cast: Cast, on_turn: Callable[[Closed, Sequence[Answer]], None]) -> None:
    keys = {seat: secrets.token_urlsafe(_SECRET_BYTES) for seat in cast.places}
    host = Rehearsal(
        rerun,
        _started(rerun, cast.places),
        keys,
        random_bytes=os.urandom,
        patience_ns=round(cast.patience_s * 1e9),
        on_turn=on_turn,
        stop_after=cast.stop_after,
    )
    server = LiveServer(host, host_name=_HOST_NAME)
    await server.start()
    try:
        async with BotProcesses() as processes:
            started = await _start(rerun, cast, keys, server, processes)
            await _until_running(host, cast, started)
            while host.ended is None:
                await asyncio.sleep(_LOOK_S)
            ended: Ended = host.ended
            if ended.error is not None:
                raise ended.error
            if ended.why:
                raise ParticipantStartError(f"{ended.why}{await _last_words(started)}")
            await asyncio.gather(server.stop(1000, "the rehearsal is over"), processes.stop(leave_s=LEAVE_S))
    finally:
        await asyncio.shield(server.stop())


def _started(rerun: Rerun, places: Mapping[Seat, Place]) -> dict[Seat, m.GameStartedEventForBot]:
    setup = opening_of(rerun.record.header).game_setup
    teams = [info.team for info in rerun.record.header.seats]
    told = {}
    for seat in places:
        mates = [s + 1 for s, team in enumerate(teams) if team is not None and team == teams[seat]]
        ids = tuple(i for i in mates if i != seat + 1)
        told[seat] = m.GameStartedEventForBot(my_id=seat + 1, teammate_ids=ids, game_setup=setup)
    return told


async def _start(
    rerun: Rerun, cast: Cast, keys: Mapping[Seat, str], server: LiveServer, processes: BotProcesses
) -> list[BotProcess]:
    header, url = rerun.record.header, f"ws://{_HOST_NAME}:{server.port}"
    started = []
    for seat, place in cast.places.items():
        if place.entry is None:
            LocalBot(server, place, keys[seat], header.seed)
            continue
        info = header.seats[seat]
        team = None
        if info.team is not None:
            name, version = (str(info.options.get(key, "")) for key in ("team_name", "team_version"))
            team = Team(info.team, name, version)
        environ = environment(place.entry, server_url=url, secret=keys[seat], seed=header.seed, team=team)
        started.append(await processes.start(place.name, place.argv, place.entry.directory, environ))
    return started


async def _until_running(host: Rehearsal, cast: Cast, started: Sequence[BotProcess]) -> None:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + cast.connect_timeout_s
    while not host.running and host.ended is None:
        await asyncio.sleep(_LOOK_S)
        if host.running:
            return
        for process in started:
            if process.exited.is_set() and not process.alive:
                words = await _last_words(started)
                raise ParticipantStartError(f"{process.name} ended ({process.exit_text()}){words}")
        if loop.time() > deadline:
            late = [place.name for seat, place in cast.places.items() if seat not in host.seated]
            what = "did not connect" if late else "connected, but was not ready"
            names = ", ".join(late or [place.name for place in cast.places.values()])
            raise SetupError(f"{names} {what} within {cast.connect_timeout_s:g} s: give it more time")


async def _last_words(started: Sequence[BotProcess]) -> str:
    """Return what the bots wrote to stderr last, to be put behind a message."""
    waiting = [asyncio.create_task(process.exited.wait()) for process in started]
    if waiting:
        await asyncio.wait(waiting, timeout=_ENDING_S)
    for task in waiting:
        task.cancel()
    for process in started:
        await process.settle()
    return "".join(words_of(process) for process in started)
