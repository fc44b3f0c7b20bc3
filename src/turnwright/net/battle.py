"""Play one battle, from options to a result: what `turnwright battle` and `run_battle` call."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from turnwright.bots.house import HOUSE
from turnwright.errors import SetupError
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.settings import check_seats as check_room
from turnwright.games.tank.settings import read_settings
from turnwright.host.summary import BattleSummary
from turnwright.kernel.game import SeatInfo
from turnwright.net import loops
from turnwright.net.contestants import places_of
from turnwright.net.forked import Copy, can_copy, copy_of
from turnwright.net.inprocess import play_in_process
from turnwright.net.live_battle import LiveBattle, play_live
from turnwright.net.outcome import result_of
from turnwright.net.spool import Spool
from turnwright.net.warmup import Warmth, warm_up
from turnwright.net.watching import Watching
from turnwright.options import (
    BattleOptions,
    Contestant,
    check_seats,
    game_setup,
    microseconds_of,
    short_timeout,
    sort_records,
)
from turnwright.results import BattleResult, Progress
from turnwright.wire.royale.setup import tank_setup

__all__ = ["run", "run_battle"]

_SEED_BITS = 48

_log = logging.getLogger("turnwright")


def run_battle(
    *bots: Contestant, record: str | Path | Sequence[str | Path] | None = None, **settings: Any
) -> BattleResult:
    """Play one battle and return its result; all processes that it started are gone then.

    bots: two or more bot directories, team directories, names of house bots, Bot classes, or functions of
    one observation. record: a file to write, x.twr or x.battle.gz, or one of each. settings: the fields of
    `options.BattleOptions`, e.g. rounds=3, seed=7, game_type="1v1"; and turn_timeout="30ms", a limit
    for each turn of every bot. Bots that are all of this process have none unless it is given; beside others
    they play in processes of their own.
    Raises: SetupError for what cannot be played; ParticipantStartError when a bot does not start;
    VoidBattleError when the rules fail. It returns when the battle is over, also within an event loop.
    """
    known = [field.name for field in fields(BattleOptions) if field.name != "bots"] + ["turn_timeout"]
    for name in settings:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
            raise SetupError(f"there is no setting {name!r}: {hint}")
    files = [record] if isinstance(record, str | Path) else record or ()
    try:
        paths = list(map(Path, files))
    except TypeError:
        raise SetupError(f"record is {record!r:.40}: expected a path, or a list of paths") from None
    given: dict[str, Any] = {**sort_records(paths), **settings}
    if (limit := given.pop("turn_timeout", None)) is not None:
        given["turn_timeout_us"] = microseconds_of(limit)
    return run(BattleOptions(bots=bots, **given))


def run(
    options: BattleOptions,
    on_progress: Callable[[Progress], None] | None = None,
    on_notice: Callable[[str], None] | None = None,
    watching: Watching | None = None,
    onlook: Callable[[bytes], None] | None = None,
) -> BattleResult:
    """Play one battle. See `run_battle`.

    on_progress: told about ten times a second how far it has come. on_notice: told what takes long.
    watching: how it is watched in a browser, or None. onlook: gets every message that observers are sent, and
    must return at once; or None.
    """
    setup = game_setup(options)
    places = places_of(options.bots, options.python)
    check_seats(setup, len(places))
    check_room(read_settings(tank_setup(setup)), [SeatInfo(place.name) for place in places])
    warmth = None
    if watching is not None or onlook is not None:  # who watches is shown something at once
        warmth = Warmth("auto", options.on_rules_error, on_notice or _log.info, between_rounds=True)
        warmth.load_cached()
    else:
        warm_up(options.on_rules_error, on_notice or _log.info)
    for name in ("turn_timeout_us", "opening_timeout_us"):
        if short := short_timeout(name, getattr(options, name)):
            (on_notice or _log.warning)(short)
    seed = secrets.randbits(_SEED_BITS) if options.seed is None else options.seed
    spool = Spool(TankGame("python"), options.record, options.recording, required=options.record_required)
    kept = None
    try:
        battle = LiveBattle(options, places, seed, spool, onlook, warmth)
        summary = _play(battle, on_progress or _nobody, watching)
        if summary.ending == "void":
            raise spool.void(summary, Path.cwd())
    finally:
        kept = spool.finish()
    result = result_of(summary, kept, spool.recorded, spool.trouble)
    return replace(result, turn_timeout_us=None if _has_no_deadline(battle) else setup.turn_timeout)


def _play(battle: LiveBattle, report: Callable[[Progress], None], watching: Watching | None) -> BattleSummary:
    seen = watching is not None or battle.onlook is not None
    if _has_no_deadline(battle):
        return _play_seen(battle, report, watching) if seen else play_in_process(battle, report)
    with _copies_of(battle) as copies:
        return _play_seen(replace(battle, copies=copies), report, watching)


def _has_no_deadline(battle: LiveBattle) -> bool:
    """Return whether nobody can be late: all bots are of this process, and no limit was asked for."""
    return battle.options.turn_timeout_us is None and all(place.entry is None for place in battle.places)


@contextmanager
def _copies_of(battle: LiveBattle) -> Iterator[dict[int, Copy]]:
    """Yield, by seat, a process for each bot of this program; those that never played are ended."""
    copies: dict[int, Copy] = {}
    try:
        for seat, place in enumerate(battle.places):
            if place.entry is None and (can_copy() or place.given not in HOUSE.values()):
                copies[seat] = copy_of(place, battle.seed)
        yield copies
    finally:
        for copy in copies.values():
            copy.discard()


def _play_seen(
    battle: LiveBattle, report: Callable[[Progress], None], watching: Watching | None
) -> BattleSummary:
    if _loop_runs():
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(_play_live, battle, report, watching).result()
    return _play_live(battle, report, watching)


def _play_live(
    battle: LiveBattle, report: Callable[[Progress], None], watching: Watching | None
) -> BattleSummary:
    try:
        return loops.run(play_live(battle, report, watching))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def _loop_runs() -> bool:
    """Return whether we are called from an event loop, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _nobody(progress: Progress) -> None:
    """Nobody wants to know."""
