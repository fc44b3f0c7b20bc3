"""`turnwright battle BOT BOT …`: one battle, from bot directories to ranked results."""

from __future__ import annotations

import argparse
import logging
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.cli.parser import Parser, Subparsers, add_command, number, whole_number
from turnwright.cli.policies import add_failing, add_missing, add_positions
from turnwright.cli.times import microseconds, seconds
from turnwright.cli.watching import Watched, add_watch, watched_as
from turnwright.errors import EXIT_OK, EXIT_PARTICIPANT, EXIT_RECORD, SetupError

if TYPE_CHECKING:
    from turnwright.options import BattleOptions
    from turnwright.results import BattleResult

__all__ = ["add_parser", "add_settings", "options_of", "play", "run"]

_DESCRIPTION = """\
A BOT is a bot directory, a team directory or the name of a house bot (see `turnwright bots`). A house bot's
name wins over a directory of that name here; write ./Spinner for the directory. Results go to stdout; the
live display and everything else to stderr.

--json prints one object: seed, game_type, rounds, turns, results, latency, server_late_turns, record and
recording (paths or null), record_error (why one of them is not whole, or null), turn_timeout_us
(null: no limit, all bots were house bots), last_lines (by name of each bot that never answered a turn: what
its process printed last). results: a list, best first, of rank, name,
version, total_score, survival, last_survivor_bonus, bullet_damage, bullet_kill_bonus, ram_damage,
ram_kill_bonus, first_places, second_places, third_places, disqualified, never_answered; one row a team; a
second bot of the same name gets " (2)". latency: by name, p50_us, p95_us, p99_us, max_us (from the moment its
observation left until its answer came), skipped, late (answers after their deadline), late_p50_us and
late_max_us (by how much), malformed.

A record grows while the battle is played. An older file of its name is replaced once the first lines are on
the disk. A disk that fails never stops the battle: what was written stays, cut off."""


def add_parser(subparsers: Subparsers[Any]) -> None:
    """Add the command's options."""
    parser = add_command(subparsers, "battle", _DESCRIPTION)
    parser.add_argument("bots", metavar="BOT", nargs="*", help="two or more; one may be named twice")
    parser.add_argument("-n", "--rounds", type=whole_number, metavar="N", help="default: the game type's")
    add_settings(parser)
    add_watch(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--record",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="x.twr: a record that `verify` checks; x.battle.gz: one for official viewers (may be repeated)",
    )
    parser.add_argument(
        "--record-required",
        action="store_true",
        help="play only if the records can be written; exit code 5 when the disk fails later",
    )
    parser.set_defaults(run=run)


def add_settings(parser: Parser) -> None:
    """Add the options that every command has that plays a battle."""
    game = parser.add_argument_group("game")
    game.add_argument("-s", "--seed", type=whole_number, metavar="N", help="default: drawn, and printed")
    game.add_argument(
        "-g",
        "--game-type",
        default="classic",
        metavar="TYPE",
        help="classic, 1v1, melee, twinduel or custom (default: %(default)s)",
    )
    game.add_argument("--arena", type=_arena, metavar="WxH", help="size in units; default: the game type's")
    game.add_argument("--gun-cooling-rate", type=number, metavar="X", help="default: the game type's")
    game.add_argument(
        "--max-inactivity-turns", type=whole_number, metavar="N", help="default: the game type's"
    )
    add_positions(game)
    add_failing(game)
    _add_time(parser)
    bots = parser.add_argument_group("bots")
    bots.add_argument(
        "--python",
        metavar="PATH",
        help="for Python bots; default: the first of python, python3 and this one"
        " (for a bot that imports turnwright: the first that has it)",
    )
    bots.add_argument(
        "--connect-timeout",
        type=seconds,
        default=30.0,
        metavar="S",
        help="seconds until the first bot has connected, and from each to the next (default: %(default)s)",
    )
    bots.add_argument(
        "--ready-timeout",
        type=microseconds,
        default=10_000_000,
        metavar="TIME",
        help="until a bot must be ready for the game, e.g. 5s; a bare number is in µs (default: 10s)",
    )


def _add_time(parser: Parser) -> None:
    time = parser.add_argument_group("time")
    time.add_argument(
        "-t",
        "--tps",
        type=whole_number,
        metavar="N",
        help="turns a second: 1 to 1000, -1 = no waiting, or with --watch 0 = paused until somebody goes on"
        " (default: -1; with --watch 30)",
    )
    time.add_argument(
        "--turn-timeout",
        type=microseconds,
        metavar="TIME",
        help="that a bot has for each turn, e.g. 30ms, 500us or 1s; a bare number is in µs (default: 30ms;"
        " house bots alone have no limit unless one is given)",
    )
    time.add_argument(
        "--opening-timeout",
        type=microseconds,
        default=1_000_000,
        metavar="TIME",
        help="for the first turn of a round, if that is longer: bots wake up then (default: 1s)",
    )
    add_missing(time)


def run(arguments: argparse.Namespace) -> int:
    """Play the battle and print its results."""
    from turnwright.options import sort_records

    files = sort_records(arguments.record)
    options = options_of(arguments, tuple(arguments.bots), arguments.rounds, files.get("record"))
    options = replace(options, recording=files.get("recording"), record_required=arguments.record_required)
    in_text = arguments.watch == "text"
    return play(options, as_json=arguments.json, watched=watched_as(arguments), in_text=in_text)


def options_of(
    arguments: argparse.Namespace, bots: tuple[str, ...], rounds: int | None, record: Path | None
) -> BattleOptions:
    """Return what the command line asks for. Raises: SetupError when it cannot be played."""
    from turnwright.options import BattleOptions

    width, height = arguments.arena or (None, None)
    if arguments.tps == 0 and arguments.watch != "browser":
        raise SetupError("--tps 0 begins paused, and nobody could resume: add --watch, or give another speed")
    return BattleOptions(
        bots=bots,
        rounds=rounds,
        seed=arguments.seed,
        game_type=arguments.game_type,
        tps=arguments.tps,
        turn_timeout_us=arguments.turn_timeout,
        opening_timeout_us=arguments.opening_timeout,
        ready_timeout_us=arguments.ready_timeout,
        connect_timeout_s=arguments.connect_timeout,
        on_late=arguments.on_late,
        on_skip=arguments.on_skip,
        max_skipped=arguments.max_skipped,
        on_disconnect=arguments.on_disconnect,
        on_rules_error=arguments.on_rules_error,
        arena_width=width,
        arena_height=height,
        gun_cooling_rate=arguments.gun_cooling_rate,
        max_inactivity_turns=arguments.max_inactivity_turns,
        initial_positions=arguments.enable_initial_position,
        python=arguments.python,
        record=record,
        watched=arguments.watch is not None,
    )


def play(
    options: BattleOptions, *, as_json: bool, watched: Watched | None = None, in_text: bool = False
) -> int:
    """Play a battle, show it while it lasts, and print its results to stdout.

    in_text: show the arena in characters, if there is a terminal.
    """
    if watched is None:
        result = _play(options, None, in_text=in_text and sys.stderr.isatty())
        _print(result, as_json)
        return _code(options, result)
    with watched.keeping(options) as kept:
        result = _play(kept, watched)
        asked = options.record is not None
        _print(result if asked else replace(result, record=None, record_error=None), as_json)
        watched.stay(result, lambda text: print(text, file=sys.stderr, flush=True))
    return _code(options, result)


def _code(options: BattleOptions, result: BattleResult) -> int:
    if result.nobody_answered:
        return EXIT_PARTICIPANT
    return EXIT_RECORD if options.record_required and result.record_error is not None else EXIT_OK


def _play(options: BattleOptions, watched: Watched | None, *, in_text: bool = False) -> BattleResult:
    from turnwright.cli.arena_live import ArenaDisplay
    from turnwright.cli.display import DisplayHandler, LiveDisplay
    from turnwright.net import battle

    arena = ArenaDisplay(sys.stderr) if in_text else None
    display = arena or LiveDisplay(sys.stderr)
    handler = DisplayHandler(display)
    log = logging.getLogger("turnwright")
    log.addHandler(handler)
    log.propagate = False
    watching = None if watched is None else watched.begin(display.note)
    try:
        return battle.run(
            options, display.show, display.note, watching, None if arena is None else arena.take
        )
    finally:
        display.close()
        log.removeHandler(handler)


def _print(result: BattleResult, as_json: bool) -> None:
    from turnwright.cli.output import Style, print_json
    from turnwright.cli.render import battle_report

    if as_json:
        print_json(result.to_data())
    else:
        print("\n".join(battle_report(result, Style(sys.stdout))), flush=True)


def _arena(text: str) -> tuple[int, int]:
    """Return the sides in "800x600", for argparse."""
    width, _, height = text.lower().partition("x")
    try:
        return int(width), int(height)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no size such as 800x600") from None
