"""`turnwright world demo`: a town, a wood and a mine, to be played at once."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from turnwright.cli.fronting import add_fronting, fronting_of
from turnwright.cli.opening import add_open, open_or_print
from turnwright.cli.parser import record_path, whole_number
from turnwright.cli.times import milliseconds
from turnwright.errors import EXIT_OK
from turnwright.games.world.index import FAR_TURNS
from turnwright.net.world_serving import (
    DATA,
    PLAN_MS,
    SLOTS,
    TELNET_PORT,
    TURN_MS_MAX,
    TURN_MS_MIN,
    TURN_MS_SLOW,
    WorldOptions,
)

__all__ = ["DESCRIPTION", "NAME", "SUMMARY", "add_options", "run"]

NAME = "demo"
SUMMARY = "run a world that people and programs can play in at once"
DESCRIPTION = f"""\
Asks nothing. Prints where to play: for browsers, telnet and programs; the log goes to stderr. The first line
typed is a name, or `guest`. The world is kept in {DATA} below this directory, a transaction a turn: killed
and started again it goes on, at most one turn back. Ctrl-C or SIGTERM stop it; nothing is lost.

Its content can be changed while it runs: copy it, name the copy with --content, edit; what is wrong in it is
told with file and line, and the old content goes on."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "-p",
        "--port",
        type=whole_number,
        default=7654,
        metavar="N",
        help="for browsers and programs, 0 = a free one (default: %(default)s)",
    )
    parser.add_argument(
        "--telnet-port",
        type=whole_number,
        default=TELNET_PORT,
        metavar="N",
        help="0 = a free one (default: %(default)s)",
    )
    parser.add_argument(
        "--host", default="localhost", metavar="NAME", help="address to listen on (default: %(default)s)"
    )
    add_fronting(parser)
    parser.add_argument(
        "--data",
        default=str(DATA),
        metavar="WHERE",
        help="a file, or postgresql://USER:PASSWORD@HOST/DATABASE (default: %(default)s)",
    )
    parser.add_argument(
        "--content", type=Path, metavar="DIR", help="*.toml, verbs/*.py, minds/*.py (default: the demo's)"
    )
    add_open(parser)
    parser.add_argument(
        "--turn",
        type=milliseconds,
        default=250,
        metavar="MS",
        help=f"how long a turn takes, {TURN_MS_SLOW} to {TURN_MS_MAX} ms; the game runs as much faster or"
        " slower (default: %(default)s)",
    )
    parser.add_argument(
        "--fast",
        action="store_true",
        help=f"let turns be shorter than {TURN_MS_SLOW} ms, down to {TURN_MS_MIN}: for programs and tests;"
        " people cannot follow",
    )
    for bound, how in (("min", "shorter while it is calm"), ("max", "longer while it has too much to do")):
        parser.add_argument(
            f"--turn-{bound}",
            type=milliseconds,
            metavar="MS",
            help=f"let turns and the time for plans follow the machine, {how}, to this (default: --turn)",
        )
    _add_planning(parser)
    _add_operators(parser)
    parser.add_argument(
        "--record", type=record_path, metavar="FILE.twr", help="write a record of this run, too"
    )
    parser.add_argument(
        "-s", "--seed", type=whole_number, metavar="N", help="of a new world (default: drawn)"
    )


def _add_planning(parser: argparse.ArgumentParser) -> None:
    """Add what creatures may use for their plans, and when those far away plan."""
    parser.add_argument(
        "--plan",
        type=milliseconds,
        default=PLAN_MS,
        metavar="MS",
        help="what a creature's plan may use of a usual processor; half of the time for all plans at most"
        " (default: %(default)s)",
    )
    for bound, how, amount, default in (
        ("min", "quicker", "less", "--plan"),
        ("max", "slower", "more", "4 times --plan"),
    ):
        parser.add_argument(
            f"--plan-{bound}",
            type=milliseconds,
            metavar="MS",
            help=f"on a {how} processor, which is measured, a plan may use as much {amount}, to this"
            f" (default: {default})",
        )
    parser.add_argument(
        "--slots",
        type=whole_number,
        metavar="N",
        help=f"plans that run at once (default: as many as this process has processors, {SLOTS} at most)",
    )
    parser.add_argument(
        "--when-empty",
        choices=("rest", "run"),
        default="rest",
        help="whether the world stands still while nobody is there, or goes on; then creatures far from"
        f" everybody plan, too, once in {FAR_TURNS} turns (default: %(default)s)",
    )


def _add_operators(parser: argparse.ArgumentParser) -> None:
    """Add who may steer time."""
    parser.add_argument(
        "--operator",
        action="append",
        default=[],
        metavar="NAME",
        help="a kept character that may type pause, resume, step and speed; may be given several times",
    )
    parser.add_argument(
        "--operator-secret",
        default="",
        metavar="TEXT",
        help="programs that know it may do the same, without a character",
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve the world until told to stop."""
    from turnwright.net.logs import log_to_stderr
    from turnwright.net.world_serving import serve_world

    log_to_stderr(logging.INFO)

    def announce(here: str, telnet_port: int) -> None:
        host = here.rpartition(":")[0].strip("[]")
        page = f"http://{here}/"
        print(f"browser:  {page}")
        print(f"telnet:   telnet {host} {telnet_port}")
        print(f"programs: ws://{here} (turnwright world bot new wolf.py)", flush=True)
        open_or_print(page, wanted=arguments.open, said=True)

    serve_world(_options(arguments), announce)
    return EXIT_OK


def _options(arguments: argparse.Namespace) -> WorldOptions:
    """Return what the command line asks for. Raises: SetupError when it cannot be served."""
    given = WorldOptions()
    return WorldOptions(
        port=arguments.port,
        telnet_port=arguments.telnet_port,
        host_name=arguments.host,
        data=arguments.data,
        content=arguments.content or given.content,
        turn_ms=arguments.turn,
        turn_min_ms=arguments.turn_min,
        turn_max_ms=arguments.turn_max,
        fast=arguments.fast,
        plan_ms=arguments.plan,
        plan_min_ms=arguments.plan_min,
        plan_max_ms=arguments.plan_max,
        slots=arguments.slots,
        when_empty=arguments.when_empty,
        seed=arguments.seed,
        record=arguments.record,
        operators=tuple(arguments.operator),
        operator_secret=arguments.operator_secret,
        **fronting_of(arguments),
    )
