"""`turnwright convert IN OUT`: converts a battle's file to another kind."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from turnwright.app.option_fields import argument, option
from turnwright.cli.choice import JsonChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.terminal import Bar, clean, count, print_json
from turnwright.errors import EXIT_OK

_DESCRIPTION = """\
IN is a record (.twr) or a Tank Royale recording (.battle.gz, .battle). The suffix of OUT selects the format.
OUT.battle.gz contains the messages to observers, in the official recording format. OUT.battle and OUT.jsonl
contain the same lines as plain text.

The command replays a record without its bots. If the replay differs from the record, the command ends with
exit code 4. If IN is a recording, the command copies the part that can be read. A recording cannot become a
record, because it does not contain the bots' intents."""
_JSON = """\
| Key | Value |
|---|---|
| `source`, `target` | the paths of both files |
| `kind` | the kind of the source: "record" or "royale" |
| `lines`, `size` | lines and bytes that were written |
| `ending` | "over", "aborted", or null if the battle has no end |
| `notes` | parts that were skipped or missing |"""


@dataclass(frozen=True)
class ConvertOptions:
    """The file to read and the file to write. `force` allows replacing an existing file."""

    source: Path = argument("IN", "the file to read, e.g. battle.twr")
    target: Path = argument("OUT", "the file to write, e.g. battle.battle.gz")
    force: bool = option(False, "replace OUT if it exists")


def run(given: GivenOptions) -> int:
    """Convert the file, print the size of the new file, and return the exit code.

    Raises:
        SetupError: the source cannot be converted to the kind of the target, or the target cannot be written.
        RecordError: the source cannot be read, or has no turn of a battle.
        MismatchError: the replay of the record differs from it.
    """
    from turnwright_tank.app.convert import convert

    arguments, as_json = given.make(ConvertOptions), given.make(JsonChoice).json
    with Bar(wanted=not as_json) as bar:
        done = convert(arguments.source, arguments.target, force=arguments.force, on_progress=bar.reach)
    for note in done.notes:
        print(f"turnwright: {clean(note)}", file=sys.stderr)
    if as_json:
        told = asdict(done) | {"source": str(done.source), "target": str(done.target)}
        print_json(told)
    else:
        ending = "without an end" if done.ending is None else done.ending
        print(f"{done.target}: {count(done.lines)} lines, {count(done.size)} bytes, {ending}")
    return EXIT_OK


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (ConvertOptions, JsonChoice),
    examples={
        "battle.twr battle.battle.gz": "write a recording for official viewers",
        "torn.battle.gz whole.battle.gz": "repair a recording",
    },
    json=_JSON,
)
