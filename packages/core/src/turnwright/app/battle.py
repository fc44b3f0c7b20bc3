"""Plays one battle of any game, from options to a result. The entry point is `run_battle`."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.app.game.playable import PlayableGame, find_game
from turnwright.app.options import BattleOptions, GenericBattleOptions, short_timeout
from turnwright.app.prepared_battle import PreparedBattle, Report
from turnwright.app.results import BattleResult, Progress, result_of
from turnwright.app.times import microseconds_of
from turnwright.catalog import default_game
from turnwright.errors import SetupError
from turnwright.host.summary import BattleSummary
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.printed import BATTLE_CHARS_MAX
from turnwright.net import loop as loops
from turnwright.net.files.battle_record import BattleRecord
from turnwright.net.participants.forked import Copy, can_copy, copy_of
from turnwright.net.participants.seating import entrants_of
from turnwright.net.rules_watchdog import watchdog_of
from turnwright.net.sandbox.level import level_of

if TYPE_CHECKING:
    from turnwright.app.watch import HandedSpectators, Watching

_SEED_BITS = 48
PlayPrograms = Callable[[PreparedBattle, Report], BattleSummary]
"""Plays a prepared battle to its end."""

_log = logging.getLogger("turnwright")


def run_battle(
    *bots: Any, game: str | None = None, record: Any = None, settings: Any = None, **options: Any
) -> BattleResult:
    """Play one battle and return its result.

    The call returns when the battle is over and all processes of the battle have ended. You can call the
    function while an event loop is running, for example in a notebook.

    If all bots are Python objects of this process, they have no time limit unless `turn_timeout` is given. In
    a battle with other bots, each Python object plays in a separate process. If the system cannot copy
    processes, built-in bots stay in this process, and other Python objects raise SetupError.

    Args:
        bots: the bots, usually two or more. Each is a bot directory, a team directory, the name of a built-in
            bot, a Bot class, or a function of one observation.
        game: the name of a game, or the path of its folder. None means the default game.
        record: a file to write, x.twr or x.battle.gz, or one of each.
        options: fields of the game's options (`turnwright.app.options.BattleOptions`, or the game's own
            class), e.g. rounds=3, seed=7, game_type="1v1". turn_timeout="30ms" is each bot's time limit for a
            turn. If the game has no options class, other names are its settings, e.g. width=40.
        settings: a dictionary of settings of the game. You need it only for settings whose names are also
            names of options.

    Raises:
        SetupError: the battle cannot be played.
        ParticipantStartError: a bot does not start, or all bots fail or leave before the battle is over.
        VoidBattleError: the rules failed. The function writes a crash bundle into the current directory.
        KeyboardInterrupt: Ctrl-C or an operator stopped the battle.
    """
    game = game or default_game()
    played = find_game(game)
    kind = played.options
    own = {one.name for one in fields(kind)} - {"bots", "game", "settings"}
    given = {name: value for name, value in options.items() if name in own}
    others = {name: value for name, value in options.items() if name not in own and name != "turn_timeout"}
    if issubclass(kind, GenericBattleOptions):
        given["settings"] = tuple({**(settings or {}), **others}.items())
        given["game"] = game
    elif others or settings:
        known = [*(one.name for one in fields(kind) if one.name in own), "turn_timeout"]
        name = next(iter({**(settings or {}), **others}))
        close = get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
        raise SetupError(f"there is no setting {name!r}: {hint}")
    if (limit := options.get("turn_timeout")) is not None:
        given["turn_timeout_us"] = microseconds_of(limit)
    return run(kind(bots=bots, **{**kind.sort_records(_paths(record)), **given}), game=played)


def _paths(record: Any) -> list[Path]:
    files = [record] if isinstance(record, str | Path) else record or ()
    try:
        return list(map(Path, files))
    except TypeError:
        raise SetupError(f"record is {record!r:.40}: give a path, or a list of paths") from None


def run(
    options: BattleOptions,
    on_progress: Callable[[Progress], None] | None = None,
    on_notice: Callable[[str], None] | None = None,
    watching: Watching | None = None,
    on_spectator_message: Callable[[bytes], None] | None = None,
    play_programs: PlayPrograms | None = None,
    spectators: HandedSpectators | None = None,
    *,
    errors_public: bool = True,
    prints_max: int = BATTLE_CHARS_MAX,
    game: PlayableGame | None = None,
) -> BattleResult:
    """Play one battle. See `run_battle`, which also lists the errors.

    While an event loop is running, another thread may play the battle and call the functions.

    Args:
        on_progress: called about ten times per second with the progress of the battle.
        on_notice: called with a line of text before each step that takes long.
        watching: how people watch the battle in a browser, or None.
        on_spectator_message: called with every message for observers, or None. It must return immediately.
        play_programs: plays a battle of programs if they need no sandbox, there are no spectators, and no
            recording is written. None means that a new server plays the battle.
        spectators: spectators that another process passes on, or None.
        errors_public: whether the errors of failed bots, and the output of bots, are recorded and shown to
            spectators. The result contains both in any case.
        prints_max: the number of characters of each bot's output that are kept.
        game: the game of the options, if the caller has already found it.
    """
    game = game or find_game(options.game)
    rules = game.rules()  # first, so that an error in the game is reported before errors in its bots
    places = entrants_of(options.bots, game.bots, options.python)
    with watchdog_of(game):
        setup = game.battles.setup(options, [SeatInfo(place.name) for place in places])
    new_game = game.battles.new_game(options)
    for name in ("turn_timeout_us", "opening_timeout_us"):
        if short := short_timeout(name, getattr(options, name)):
            (on_notice or _log.warning)(short)
    level = level_of(options.sandbox, on_notice or _log.warning)
    seed = secrets.randbits(_SEED_BITS) if options.seed is None else options.seed
    recording = options.recording
    shown = None if recording is None else game.records.writer(recording)
    record_files = BattleRecord(rules, options.record, recording, shown, required=options.record_required)
    timeout_us = setup.turn_timeout_us

    def result_from(summary: BattleSummary, record: Path | None) -> BattleResult:
        found = result_of(
            summary, game.results.ranking(summary), record, record_files.recorded, record_files.trouble
        )
        limit_us = None if _has_no_deadline(battle) else timeout_us
        return replace(found, turn_timeout_us=limit_us, sandbox=level)

    def over(summary: BattleSummary, is_watched: bool) -> float | None:
        assert watching is not None
        return watching.on_over(result_from(summary, record_files.close()), is_watched)

    record = None
    try:
        prepared = game.prepared(options, setup, places, seed, record_files, new_game, on_spectator_message)
        battle = replace(prepared, sandbox=level, spectators=spectators, errors_public=errors_public)
        battle = replace(battle, prints_max=prints_max, on_over=over)
        summary = _play(game, battle, on_progress or _ignore_progress, watching, play_programs)
        if summary.ending == "void":
            raise record_files.void(summary, Path.cwd())
    finally:
        record = record_files.finish()
    return result_from(summary, record)


def _play(
    game: PlayableGame,
    battle: PreparedBattle,
    report: Report,
    watching: Watching | None,
    play_programs: PlayPrograms | None,
) -> BattleSummary:
    seen = any(one is not None for one in (watching, battle.on_spectator_message, battle.spectators))
    if _has_no_deadline(battle):
        if seen:
            return _play_seen(battle, report, watching)
        with watchdog_of(game):
            return game.battles.in_process(battle, report).play()
    with _copies_of(game, battle) as copies:
        unseen = not seen and battle.record_files.shown is None
        if play_programs is not None and unseen and battle.sandbox == "none":
            return play_programs(replace(battle, copies=copies), report)
        return _play_seen(replace(battle, copies=copies), report, watching)


def _has_no_deadline(battle: PreparedBattle) -> bool:
    """Return whether the bots have no deadline. This is so if all of them run in this process and no time
    limit was set.
    """
    return not battle.options.has_deadline and all(place.entry is None for place in battle.places)


@contextmanager
def _copies_of(game: PlayableGame, battle: PreparedBattle) -> Iterator[dict[int, Copy]]:
    """Yield, by seat, a process for each bot that is a Python object of this program. If the system cannot
    copy processes, built-in bots get none. At the end, stop the processes that never played.
    """
    copies: dict[int, Copy] = {}
    try:
        for seat, place in enumerate(battle.places):
            if place.entry is None and (can_copy() or place.given not in game.bots.built_in.values()):
                copies[seat] = copy_of(place, battle.seed)
        yield copies
    finally:
        for copy in copies.values():
            copy.discard()


def _play_seen(battle: PreparedBattle, report: Report, watching: Watching | None) -> BattleSummary:
    if _loop_runs():
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(_play_live, battle, report, watching).result()
    return _play_live(battle, report, watching)


def _play_live(battle: PreparedBattle, report: Report, watching: Watching | None) -> BattleSummary:
    from turnwright.app.battle_server import play_live  # a battle in this process needs no server

    try:
        return loops.run(play_live(battle, report, watching))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def _loop_runs() -> bool:
    """Return whether an event loop is running, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _ignore_progress(progress: Progress) -> None:
    """Ignore the progress of a battle."""
