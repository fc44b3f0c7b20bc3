"""`turnwright verify FILE …`: replays records and compares them turn by turn."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.app.option_fields import argument, option
from turnwright.cli.choice import JsonChoice, RecordGameChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.terminal import Bar, Style, clean, count, print_json
from turnwright.errors import EXIT_BAD_INPUT, EXIT_MISMATCH, EXIT_OK

if TYPE_CHECKING:
    from turnwright.app.verify import Verified
    from turnwright.kernel.verify import Mismatch

_NAMES_MAX = 4
_CHANCE = (
    "; two replays differ, too: the game is not deterministic. Take random numbers only from"
    " streams.stream(), not from random or time, nor from the order of a set"
)
_OTHER_PROCESS = (
    "; two replays are alike: either the rules have changed since, or they depend on the order of a set or on"
    " hash(), which differ from process to process"
)
_HINTS: Mapping[bool | None, str] = {False: _CHANCE, True: _OTHER_PROCESS, None: ""}
"""The hint that follows a difference, by `Verified.alike`."""
_DESCRIPTION = """\
A record contains every intent, so the replay starts no bot. The exit code is 0 if no record was changed and
every turn matches. The exit code is 2 if a record cannot be read or is truncated. If a record is truncated,
the command verifies the part that exists.

The exit code is 4 if a record was changed or plays differently. The command then names the changed line of
the file, or the first turn that differs. A record has a full check of the state at least every 64 turns. From
the next full check, the command also names the seats and fields that differ."""
_JSON = """\
`ok` is true if every file is ok. `files` is a list with an object for each file:

| Key | Value |
|---|---|
| `file`, `game`, `seed` | the path of the file, and the game and seed of the record |
| `ok` | whether the record matches its replay |
| `turns`, `rounds` | how many turns and rounds match |
| `ending` | "over", "aborted", "void", or null if the record is truncated |
| `truncated` | whether the record is truncated |
| `as_packed` | false if another program compressed the file again |
| `deterministic` | false if two replays of the record differ from each other |
| `error` | why the file cannot be read, or null |
| `mismatch` | the first difference, or null |

| Key in `mismatch` | Value |
|---|---|
| `turn`, `what` | the turn, and what differs: "state", "line", "results" … |
| `recorded`, `replayed` | the value in the record and the value in the replay |
| `line` | the changed line of the file, or null |
| `seats`, `names`, `fields` | the seats (from 0), bots and fields of the state that differ |
| `seen` | the turn of the full check that found these seats and fields, or null |"""


@dataclass(frozen=True)
class VerifyOptions:
    """The records to verify. accept_truncated: whether a truncated record is accepted."""

    files: tuple[Path, ...] = argument("FILE", "records, e.g. battle.twr", many=True, read=Path)
    accept_truncated: bool = option(False, "accept a truncated record if the part that exists matches")
    contents: Path | None = option(
        None,
        "for records of a world: the folder in which the server stored the world's content, e.g."
        " world-data/contents. The command runs the code of the world's verbs, which is in this folder",
        metavar="FOLDER",
    )


def run(given: GivenOptions) -> int:
    """Verify the records, one after the other, and return the highest of their exit codes.

    An error in one record does not stop the others.
    """
    from turnwright.app.verify import verify_file

    options, game = given.make(VerifyOptions), given.make(RecordGameChoice).game
    as_json = given.make(JsonChoice).json
    done, codes = [], []
    for path in options.files:
        with Bar(clean(path.name), wanted=not as_json) as bar:
            one = verify_file(path, options.contents, bar.reach, game)
        done.append(one)
        codes.append(_code(one, accept_truncated=options.accept_truncated))
        if not as_json:
            stream = sys.stdout if one.error is None else sys.stderr
            print(_line(one, codes[-1], Style(stream)), file=stream, flush=True)
    if as_json:
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
    if one.found.rounds:  # a world has no rounds
        played += f", {_number(one.found.rounds, 'round')}"
    if code != EXIT_OK:
        advice = "the existing part matches; --accept-truncated accepts it"
        return f"{name}: {style.paint('truncated', 'yellow')} after {played}: {advice}"
    footer = one.record.footer
    notes = [] if footer is None or footer.ending == "over" else [footer.ending]
    notes += ["truncated"] * one.truncated + ["recompressed by another program"] * (not one.as_packed)
    return ", ".join([f"{name}: {style.paint('verified', 'green')}, {played}", *map(clean, notes)])


def _number(number: int, what: str) -> str:
    return f"{count(number)} {what}" if number == 1 else f"{count(number)} {what}s"


def _difference(one: Verified) -> str:
    """Return the text that describes where and how the file or its replay differs."""
    assert one.found is not None
    found = one.found.mismatch
    assert found is not None
    said = clean(f"recorded {found.recorded}, replayed {found.replayed}")
    if found.line is not None:
        part = {None: "the end", 0: "the header"}.get(found.turn, f"turn {found.turn}")
        wrong = "the line was changed, or a line before it is missing"
        says = f"hash {clean(found.recorded)}" if found.recorded else "no hash"
        changed = f"in line {found.line}, {part}: {wrong} ({says}, computed {found.replayed})"
        return f"{changed}; in the replay,{_place(one, found)}" if found.fields else changed
    if found.turn is None:
        return f"at the end, in {found.what}: {said}"
    what = "" if found.what == "state" else f", in {clean(found.what)}"
    place = f";{_place(one, found)}" if found.fields else ""
    return f"in turn {found.turn}{what}: {said}{place}{_HINTS[one.alike]}"


def _place(one: Verified, found: Mismatch) -> str:
    """Return the text that names the seats and fields that differ, and the turn in which the difference was
    found.
    """

    assert one.record is not None
    seats = one.record.header.seats
    unit, first = one.seat_word
    names = [f"{k + first} ({seats[k].name})" if k < len(seats) else str(k) for k in found.seats]
    later = "" if found.seen == found.turn else f" by turn {found.seen}"
    if not names:
        return f"{later} it differs in {_some(found.fields)}"
    units, verb = (unit, "differs") if len(names) == 1 else (f"{unit}s", "differ")
    return f"{later} {units} {_some(names)} {verb} in {_some(found.fields)}"


def _some(names: Sequence[str]) -> str:
    """Return the first few names in one text."""
    shown = ", ".join(map(clean, names[:_NAMES_MAX]))
    return shown if len(names) <= _NAMES_MAX else f"{shown} and {len(names) - _NAMES_MAX} more"


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (VerifyOptions, RecordGameChoice, JsonChoice),
    examples={
        "battle.twr": "replay it and compare every turn",
        "records/*.twr --json": "one object for a program",
    },
    json=_JSON,
)
