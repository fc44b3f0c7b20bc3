"""`turnwright demo`: shows a battle of built-in bots in the terminal and in the browser."""

from __future__ import annotations

import os
import secrets
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from turnwright.app.option_fields import option
from turnwright.app.options import SeedChoice, record_path
from turnwright.cli.choice import JsonChoice, OpenChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.watch import Watched
from turnwright.errors import SetupError

_DESCRIPTION = """\
The command plays a battle of built-in bots, and shows it in this terminal and in the browser. Then it prints
the results, the path of the record, and commands for that record. It ends when the battle is over and its
page is closed."""

DEMO_BOTS = ("Spinner", "Rammer", "Crawler", "Tracker", "Dodger", "Ace")
DEMO_ROUNDS = 3
DEMO_TPS = 60
"""The default speed, at which a viewer can still follow the tanks."""
_SEED_BITS = 32


@dataclass(frozen=True)
class DemoOptions:
    """The settings of the demo."""

    rounds: int = option(
        DEMO_ROUNDS, "rounds of the battle (default: {default})", "-n", "--rounds", metavar="N"
    )
    tps: int = option(
        DEMO_TPS,
        "turns per second at which the page starts. -1 = as fast as possible (default: {default})",
        "-t",
        "--tps",
        metavar="N",
    )
    record: Path | None = option(
        None,
        "write the record to this file (default: records/demo-SEED.twr)",
        metavar="FILE.twr",
        read=record_path,
    )


def run(given: GivenOptions) -> int:
    """Play and show a battle of built-in bots, write its record, and return the exit code.

    Raises:
        SetupError: an option is wrong, or the record's folder cannot be made.
    """
    from turnwright.cli.battle import play
    from turnwright_tank.app.options import TankOptions

    demo, opened = given.make(DemoOptions), given.make(OpenChoice).open
    asked, as_json = given.make(SeedChoice).seed, given.make(JsonChoice).json
    seed = secrets.randbits(_SEED_BITS) if asked is None else asked
    record = demo.record or _own_record(seed)
    options = given.make(
        TankOptions,
        bots=DEMO_BOTS,
        rounds=demo.rounds,
        seed=seed,
        tps=demo.tps,
        record=record,
        watched=True,
        pacing="apart",
    )
    return play(options, as_json=as_json, watched=Watched(opened, apart=True), epilogue=next_steps(record))


def next_steps(record: Path) -> str:
    """Return a text with the commands that a user may type next for the record."""
    steps = {
        "replay": "watch it again in the browser",
        "trace": "read what happened, and why each tank died",
        "verify": "replay it and compare every turn",
    }
    commands = {f"{_program()} {name} {shlex.quote(str(record))}": text for name, text in steps.items()}
    width = max(map(len, commands))
    return "\n".join(["", "next:", *(f"  {command:<{width}}  {text}" for command, text in commands.items())])


def _program() -> str:
    """Return the command that started this program."""
    name = Path(sys.argv[0]).name
    if name != "turnwright" or shutil.which(name) == os.path.abspath(sys.argv[0]):
        return "turnwright"
    return shlex.quote(sys.argv[0])


def _own_record(seed: int) -> Path:
    """Return the path of a demo's record, and create its folder."""
    folder = Path("records")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise SetupError(f"cannot make {folder.absolute()}: {error.strerror}: give --record FILE") from error
    return folder / f"demo-{seed}.twr"


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (DemoOptions, JsonChoice, SeedChoice, OpenChoice),
    examples={"": "watch the demo", "--seed 7 --rounds 1": "watch one round, the same each time"},
)
