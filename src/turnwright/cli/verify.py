"""`turnwright verify FILE …`: play records again and compare them turn by turn."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.cli.bar import Bar
from turnwright.cli.output import Style, clean, count, print_json
from turnwright.cli.parser import Subparsers, add_command
from turnwright.errors import EXIT_BAD_INPUT, EXIT_MISMATCH, EXIT_OK

if TYPE_CHECKING:
    from turnwright.kernel.replay import Mismatch
    from turnwright.net.verifying import Verified

__all__ = ["add_parser", "run"]

_NAMES_MAX = 4
_DESCRIPTION = """\
Nobody needs to be there: a record holds what every bot did. Exit code 0 when every byte of every record is as
it was written and every turn comes out as it was recorded; 4 when one does not: the line that was changed is
named, or the first turn that differs, with the tank and the field of its state; 2 when one cannot be read, or
was cut off (what is there is verified all the same).

--json prints {"ok": ..., "files": [...]}. A file has file, ok, game, seed, turns and rounds (that came out as
recorded), ending ("over", "aborted", "void", or null when it is cut off), truncated, as_packed (false: packed
anew by another program), error (null, or why it cannot be read) and mismatch: null, or turn, field, recorded
and replayed of the first difference, seat and name of the tank where it is one's (else null), also: other
fields that differ, seen: the turn in which the fields were compared (in few cases a later one), line: the
line of the file that was changed."""


def add_parser(subparsers: Subparsers[Any]) -> None:
    """Add the command's options."""
    parser = add_command(subparsers, "verify", _DESCRIPTION)
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="records, e.g. battle.twr")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--accept-truncated",
        action="store_true",
        help="a record that was cut off counts as verified when what is there comes out as recorded",
    )
    parser.add_argument(
        "--contents",
        metavar="FOLDER",
        type=Path,
        help="for records of a world: where its server kept the contents, e.g. world-data/contents; their"
        " verbs are run",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Verify the records, one after the other; what is wrong with one keeps no other from its turn."""
    from turnwright.net.verifying import verify_file

    done, codes = [], []
    for path in arguments.files:
        with Bar(clean(path.name), wanted=not arguments.json) as bar:
            one = verify_file(path, arguments.contents, bar.reach)
        done.append(one)
        codes.append(_code(one, accept_truncated=arguments.accept_truncated))
        if not arguments.json:
            stream = sys.stdout if one.error is None else sys.stderr
            print(_line(one, codes[-1], Style(stream)), file=stream, flush=True)
    if arguments.json:
        files = [{**one.to_data(), "ok": code == EXIT_OK} for one, code in zip(done, codes, strict=True)]
        print_json({"ok": not any(codes), "files": files})
    return max(codes)


def _code(one: Verified, *, accept_truncated: bool) -> int:
    if one.differs:
        return EXIT_MISMATCH
    if one.error is not None or (one.truncated and not accept_truncated):
        return EXIT_BAD_INPUT
    return EXIT_OK


def _line(one: Verified, code: int, style: Style) -> str:
    if one.error is not None or one.found is None or one.record is None:
        return f"turnwright: {clean(str(one.error))}"
    name = clean(str(one.path))
    if one.differs:
        return f"{name}: {style.paint('differs', 'red')} {_difference(one)}"
    played = _number(one.found.turns, "turn")
    if one.found.rounds:  # a world has none
        played += f", {_number(one.found.rounds, 'round')}"
    if code != EXIT_OK:
        advice = "what is there comes out as recorded; --accept-truncated takes it for verified"
        return f"{name}: {style.paint('cut off', 'yellow')} after {played}: {advice}"
    footer = one.record.footer
    notes = [] if footer is None or footer.ending == "over" else [footer.ending]
    notes += ["cut off"] * one.truncated + ["packed anew by another program"] * (not one.as_packed)
    return ", ".join([f"{name}: {style.paint('verified', 'green')}, {played}", *map(clean, notes)])


def _number(number: int, what: str) -> str:
    return f"{count(number)} {what}" if number == 1 else f"{count(number)} {what}s"


def _difference(one: Verified) -> str:
    """Return where a file or its battle differs, and how."""
    assert one.found is not None
    assert one.record is not None
    found = one.found.mismatch
    assert found is not None
    said = clean(f"recorded {found.recorded}, replayed {found.replayed}")
    if found.line is not None:
        part = {None: "the end", 0: "the header"}.get(found.turn, f"turn {found.turn}")
        wrong = "it was changed, or a line before it is missing"
        says = f"says that its hash is {clean(found.recorded)}" if found.recorded else "has no hash"
        changed = f"in line {found.line}, {part}: {wrong}; it {says}, but it is {found.replayed}"
        return changed if found.field == "line" else f"{changed}; as it stands it differs{_place(one, found)}"
    if found.turn is None:
        return f"at the end, in {found.field}: {said}"
    return f"in turn {found.turn}{_place(one, found)}: {said}"


def _place(one: Verified, found: Mismatch) -> str:
    """Return whose state differs, and in what."""
    assert one.record is not None
    whose = ""
    if found.seat is not None:
        what = "tank" if one.record.header.game == "tank" else "seat"
        number = found.seat + (what == "tank")
        whose = f", {what} {number} ({clean(one.record.header.seats[found.seat].name)})"
    later = f" (by turn {found.seen})" if found.seen not in (None, found.turn) else ""
    if found.field == "state" and found.seat is not None:
        return f"{whose}, in something that is the same again later"
    also = f", also {_some(found.also)}" if found.also else ""
    return f"{whose}, first in {clean(found.field)}{also}{later}"


def _some(names: Sequence[str]) -> str:
    """Return names in a row, not too many."""
    shown = ", ".join(map(clean, names[:_NAMES_MAX]))
    return shown if len(names) <= _NAMES_MAX else f"{shown} and {len(names) - _NAMES_MAX} more"
