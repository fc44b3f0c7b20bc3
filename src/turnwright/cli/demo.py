"""`turnwright demo`: the house bots fight, live in the terminal."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path
from typing import Any

from turnwright.cli.parser import Subparsers, add_command, whole_number
from turnwright.errors import SetupError

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Plays a battle of house bots, shows it while it lasts, prints the results and where the record lies."""

DEMO_BOTS = ("Spinner", "Rammer", "Crawler", "Tracker", "Dodger", "Ace")
DEMO_ROUNDS = 3
DEMO_TPS = 250
"""Quick enough not to bore, slow enough to follow the scores."""
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
        default=DEMO_TPS,
        metavar="N",
        help="turns a second, -1 = no waiting (default: %(default)s)",
    )
    parser.add_argument(
        "--record", type=Path, metavar="FILE.twr", help="default: demo-SEED.twr in the folder `records` here"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, as `battle` does")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the demo."""
    from turnwright.cli.battle import play
    from turnwright.options import BattleOptions

    seed = secrets.randbits(_SEED_BITS) if arguments.seed is None else arguments.seed
    options = BattleOptions(
        bots=DEMO_BOTS,
        rounds=arguments.rounds,
        seed=seed,
        tps=arguments.tps,
        record=arguments.record or _own_record(seed),
        watched=True,
    )
    return play(options, as_json=arguments.json)


def _own_record(seed: int) -> Path:
    """Return where the record of a demo goes; makes the folder."""
    folder = Path("records")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise SetupError(f"cannot make {folder.absolute()}: {error.strerror}: give --record FILE") from error
    return folder / f"demo-{seed}.twr"
