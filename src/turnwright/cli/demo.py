"""`turnwright demo`: the house bots fight, live in the terminal and in the browser."""

from __future__ import annotations

import argparse
import os
import secrets
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

from turnwright.cli.opening import add_open
from turnwright.cli.parser import Subparsers, add_command, record_path, whole_number
from turnwright.cli.watching import Watched
from turnwright.errors import SetupError

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Plays a battle of house bots and shows it while it lasts, here and in the browser; then prints the results,
where the record lies, and what can be done with it. It ends by itself."""

DEMO_BOTS = ("Spinner", "Rammer", "Crawler", "Tracker", "Dodger", "Ace")
DEMO_ROUNDS = 3
DEMO_TPS = 250
"""Quick enough not to bore, slow enough to follow the scores."""
WATCHED_TPS = 60
"""Slow enough to follow the tanks in the browser."""
_SEED_BITS = 32


def add_parser(subparsers: Subparsers[Any]) -> None:
    """Add the command's options."""
    parser = add_command(subparsers, "demo", _DESCRIPTION)
    parser.add_argument(
        "-n", "--rounds", type=whole_number, default=DEMO_ROUNDS, metavar="N", help="default: %(default)s"
    )
    parser.add_argument("-s", "--seed", type=whole_number, metavar="N", help="default: drawn, and printed")
    parser.add_argument(
        "-t",
        "--tps",
        type=whole_number,
        metavar="N",
        help=f"turns a second, -1 = no waiting (default: {DEMO_TPS}, {WATCHED_TPS} in a browser)",
    )
    add_open(parser)
    parser.add_argument(
        "--record",
        type=record_path,
        metavar="FILE.twr",
        help="default: demo-SEED.twr in the folder `records` here",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, as `battle` does")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the demo."""
    from turnwright.cli.battle import play
    from turnwright.options import BattleOptions

    seed = secrets.randbits(_SEED_BITS) if arguments.seed is None else arguments.seed
    record = arguments.record or _own_record(seed)
    options = BattleOptions(
        bots=DEMO_BOTS,
        rounds=arguments.rounds,
        seed=seed,
        tps=_tps(arguments.tps, arguments.open),
        record=record,
        watched=True,
    )
    code = play(options, as_json=arguments.json, watched=Watched(arguments.open))
    if not arguments.json:
        print(_next_steps(record))
    return code


def _tps(wanted: int | None, opened: bool | None) -> int:
    from turnwright.net.browser import has_display

    if wanted is not None:
        return wanted
    return WATCHED_TPS if opened or (opened is None and has_display()) else DEMO_TPS


def _next_steps(record: Path) -> str:
    """Return what can be done with the record, each with its command."""
    steps = {
        "replay": "watch it again in the browser",
        "trace": "read what happened, and why each tank died",
        "verify": "check that it comes out the same",
    }
    commands = {f"{_program()} {name} {shlex.quote(str(record))}": text for name, text in steps.items()}
    width = max(map(len, commands))
    return "\n".join(["", "next:", *(f"  {command:<{width}}  {text}" for command, text in commands.items())])


def _program() -> str:
    """Return how this program is called from here."""
    name = Path(sys.argv[0]).name
    if name != "turnwright" or shutil.which(name) == os.path.abspath(sys.argv[0]):
        return "turnwright"
    return shlex.quote(sys.argv[0])


def _own_record(seed: int) -> Path:
    """Return where the record of a demo goes; makes the folder."""
    folder = Path("records")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise SetupError(f"cannot make {folder.absolute()}: {error.strerror}: give --record FILE") from error
    return folder / f"demo-{seed}.twr"
