"""`turnwright convert IN OUT`: from one kind of file of a battle to another."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from turnwright.cli.bar import Bar
from turnwright.cli.output import clean, count, print_json
from turnwright.cli.parser import Subparsers, add_command
from turnwright.errors import EXIT_OK

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
IN is a record (.twr) or a recording of Tank Royale (.battle.gz, .battle). The ending of OUT's name says what
is written:

  .battle.gz     what observers saw, as official recorders write it and official viewers read it
  .battle, .jsonl     the same lines as plain text

A record is played again for it, without its bots; one that comes out differently is refused, with exit
code 4. A recording is written anew, as far as it can be read. No .twr can be made of it: it does not hold
what the bots intended.

--json prints one object: source, kind ("record" or "royale"), target, lines, size (bytes), ending ("over",
"aborted", or null when it has none), notes (what was skipped or is missing)."""


def add_parser(subparsers: Subparsers[Any]) -> None:
    """Add the command's options."""
    parser = add_command(subparsers, "convert", _DESCRIPTION)
    parser.add_argument("source", metavar="IN", type=Path, help="what is read, e.g. battle.twr")
    parser.add_argument("target", metavar="OUT", type=Path, help="what is written, e.g. battle.battle.gz")
    parser.add_argument("--force", action="store_true", help="replace OUT if it is there")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Convert the file. Raises: SetupError, RecordError, MismatchError."""
    from turnwright.net.converting import convert

    with Bar(wanted=not arguments.json) as bar:
        done = convert(arguments.source, arguments.target, force=arguments.force, on_progress=bar.reach)
    for note in done.notes:
        print(f"turnwright: {clean(note)}", file=sys.stderr)
    if arguments.json:
        told = asdict(done) | {"source": str(done.source), "target": str(done.target)}
        print_json(told)
    else:
        ending = "without an end" if done.ending is None else done.ending
        print(f"{done.target}: {count(done.lines)} lines, {count(done.size)} bytes, {ending}")
    return EXIT_OK
