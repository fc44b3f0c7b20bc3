"""`turnwright trace FILE`: what happened in a battle, in words and numbers."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.cli.bar import Bar
from turnwright.cli.output import clean
from turnwright.cli.parser import Subparsers, add_command, whole_number
from turnwright.errors import EXIT_MISMATCH, EXIT_OK, SetupError

if TYPE_CHECKING:
    from turnwright.games.tank.story.facts import Fact
    from turnwright.games.tank.story.story import Story

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
One page of Markdown for a duel of ten rounds, for people and for programs that read: results, shots, where
the energy went, what is worth noting about each bot, who missed turns, and for each round its course and why
each tank died. FILE is a record (.twr), which is played again for this, or a recording of Tank Royale
(.battle.gz). Everything is counted from what spectators could see and from who missed turns; nothing is
guessed.

--format jsonl writes one JSON object a line instead, with every hit and death; --format json one object with
a list "lines" of the same. docs/reference/trace.md describes them. Exit code 4 when a record plays
differently from what it says: what came before is written."""

_FORMATS = ("md", "jsonl", "json")


def add_parser(subparsers: Subparsers[Any]) -> None:
    """Add the command's options."""
    parser = add_command(subparsers, "trace", _DESCRIPTION)
    parser.add_argument("file", metavar="FILE", type=Path, help="a record, e.g. battle.twr or x.battle.gz")
    parser.add_argument(
        "--format", choices=_FORMATS, default="md", help="Markdown, JSON lines or JSON (default: %(default)s)"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="write a file (default: print)")
    parser.add_argument("--round", type=whole_number, metavar="N", help="tell of this round, with all events")
    parser.add_argument("--bot", metavar="NAME", help="tell of this bot: its name, or its id (1, 2 …)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the trace. Raises: RecordError for a file that cannot be read; SetupError for a bad choice."""
    from turnwright.games.tank.story.page import page

    story = _told(arguments.file)
    bot = None if arguments.bot is None else _bot(story, arguments.bot)
    if arguments.round is not None:
        _check_round(story, arguments.round)
    if arguments.format == "md":
        text = page(story, arguments.file.name, bot=bot, round_number=arguments.round)
    else:
        text = _lines(_chosen(story, bot, arguments.round), arguments.format)
    _write(text, arguments.output)
    return EXIT_OK if story.battle.differs is None else EXIT_MISMATCH


def _told(path: Path) -> Story:
    """Return the story of the battle in a file; say on stderr what is wrong with it."""
    from turnwright.games.tank.story.story import Story, results_of
    from turnwright.net.tape import open_tape

    with Bar() as bar:
        tape = open_tape(path, bar.reach)
        story = Story(tape.setting)
        for turn, moment in enumerate(tape.moments(), start=1):
            story.take(moment)
            bar.reach(turn, tape.turns, "turns")
    story.finish(tape.ending, results_of(tape.results), tape.differs)
    for note in tape.notes:
        print(f"turnwright: {clean(f'{path}: {note}')}", file=sys.stderr)
    if tape.differs is not None:
        said = f"it plays differently from {tape.differs} on; `turnwright verify` says what differs"
        print(f"turnwright: {path}: {said}", file=sys.stderr)
    return story


def _bot(story: Story, wanted: str) -> int:
    """Return the bot id that a name or number stands for. Raises: SetupError."""
    fighters = story.setting.fighters
    for one in fighters:
        if one.name == wanted:
            return one.id
    alike = [one.id for one in fighters if one.name.lower() == wanted.lower() or str(one.id) == wanted]
    if len(alike) == 1:
        return alike[0]
    names = ", ".join(one.name for one in fighters[:10])
    more = f" and {len(fighters) - 10} more" if len(fighters) > 10 else ""
    raise SetupError(f"there is no bot {wanted[:40]!r} in this battle; give one of {names}{more}")


def _check_round(story: Story, wanted: int) -> None:
    rounds = [told.fact.round for told in story.rounds]
    if wanted not in rounds:
        there = f"there are rounds {rounds[0]} to {rounds[-1]}" if rounds else "there is none"
        raise SetupError(f"there is no round {wanted} in this file: {there}")


def _chosen(story: Story, bot: int | None, round_number: int | None) -> list[Fact]:
    """Return the lines that are asked for; the battle's own is always among them."""
    from turnwright.games.tank.story.page_rounds import concerned

    found = []
    for fact in story.lines():
        of_round = getattr(fact, "round", None)
        if round_number is not None and of_round != round_number and fact is not story.battle:
            continue
        about = concerned(fact)
        if bot is not None and any(one is not None for one in about) and bot not in about:
            continue
        found.append(fact)
    return found


def _lines(facts: list[Fact], form: str) -> str:
    from turnwright.games.tank.story.lines import json_line

    lines = [json_line(fact) for fact in facts]
    if form == "jsonl":
        return "".join(f"{line}\n" for line in lines)
    body = ",\n".join(lines)
    return f'{{"lines": [\n{body}\n]}}\n'


def _write(text: str, output: Path | None) -> None:
    if output is None:
        print(text, end="")
        return
    from turnwright.net.newfile import write_file

    try:
        write_file(output, text)
    except OSError as error:
        raise SetupError(f"{output} cannot be written: {error.strerror}; give a path that can") from error
