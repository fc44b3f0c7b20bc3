"""`turnwright trace FILE`: reports a battle in words and numbers."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from turnwright.app.option_fields import option
from turnwright.cli.choice import BattleFileChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.terminal import Bar, clean
from turnwright.errors import EXIT_MISMATCH, EXIT_OK, SetupError

if TYPE_CHECKING:
    from turnwright_tank.analysis.battle import Analysis
    from turnwright_tank.analysis.facts import Fact

_DESCRIPTION = """\
The command prints Markdown, about one page for a duel of ten rounds. The page lists results, shots, energy
gains and losses, findings about each bot and missed turns. It describes the course of each round and the
cause of each death. FILE is a record (.twr), which the command replays, or a Tank Royale recording
(.battle.gz). All figures are computed from the frames that spectators see, and from the missed turns.

--format jsonl writes JSON lines instead, one object for each hit, death and other event. --format json writes
these objects as a list "lines" in one object. The page "The trace" of `turnwright docs` describes them. If
the replay of a record does not match its digests, the command writes the part before the difference, and ends
with exit code 4."""

Format = Literal["md", "jsonl", "json"]


@dataclass(frozen=True)
class TraceOptions:
    """The settings of `turnwright trace`. `round` and `bot` limit the report."""

    format: Format = option("md", "Markdown, JSON lines or JSON (default: {default})")
    out: Path | None = option(
        None, "write the trace to a file (default: print it)", "-o", "--out", metavar="FILE"
    )
    round: int | None = option(None, "report only this round, with all its events", metavar="N")
    bot: str | None = option(
        None, "report only the bot with this name or id (1, 2 …)", "--seat", metavar="NAME"
    )
    no_events: bool = option(
        False,
        "with JSON: leave out the lines for single events, which are hits, deaths, walls, rams, leads,"
        " missed turns and late answers",
    )


def run(given: GivenOptions) -> int:
    """Write the trace. The exit code is EXIT_MISMATCH if the replay differs from the record.

    Raises:
        RecordError: the file cannot be read.
        SetupError: the battle has no such bot or round, or the trace cannot be written.
    """
    from turnwright_tank.analysis.report import page

    arguments, file = given.make(TraceOptions), given.make(BattleFileChoice).file
    analysis = _told(file)
    bot = None if arguments.bot is None else _bot(analysis, arguments.bot)
    if arguments.round is not None:
        _check_round(analysis, arguments.round)
    if arguments.format == "md":
        text = page(analysis, file.name, bot=bot, round_number=arguments.round)
    else:
        facts = _chosen(analysis, bot, arguments.round, events=not arguments.no_events)
        text = _lines(facts, arguments.format)
    _write(text, arguments.out)
    return EXIT_OK if analysis.battle.differs is None else EXIT_MISMATCH


def _told(path: Path) -> Analysis:
    """Return the analysis of the battle in a file, and print problems of the file on stderr."""
    from turnwright_tank.analysis.battle import Analysis, results_of
    from turnwright_tank.app.battle_files import open_battle_file

    with Bar() as bar:
        file = open_battle_file(path, bar.reach)
        analysis = Analysis(file.setting)
        for turn, seen in enumerate(file.turns(), start=1):
            analysis.take(seen)
            bar.reach(turn, file.length, "turns")
    analysis.finish(file.ending, results_of(file.results), file.differs)
    for note in file.notes:
        print(f"turnwright: {clean(f'{path}: {note}')}", file=sys.stderr)
    if file.differs is not None:
        said = f"the replay differs from {file.differs} on; `turnwright verify` says what differs"
        print(f"turnwright: {path}: {said}", file=sys.stderr)
    return analysis


def _bot(analysis: Analysis, wanted: str) -> int:
    """Return the bot id for a name or number.

    Raises:
        SetupError: the battle has no such bot.
    """
    fighters = analysis.setting.fighters
    for one in fighters:
        if one.name == wanted:
            return one.id
    alike = [one.id for one in fighters if one.name.lower() == wanted.lower() or str(one.id) == wanted]
    if len(alike) == 1:
        return alike[0]
    names = ", ".join(one.name for one in fighters[:10])
    more = f" and {len(fighters) - 10} more" if len(fighters) > 10 else ""
    raise SetupError(f"there is no bot {wanted[:40]!r} in this battle: give one of {names}{more}")


def _check_round(analysis: Analysis, wanted: int) -> None:
    rounds = [told.fact.round for told in analysis.rounds]
    if wanted not in rounds:
        there = f"there are rounds {rounds[0]} to {rounds[-1]}" if rounds else "there is none"
        raise SetupError(f"there is no round {wanted} in this file: {there}")


def _chosen(analysis: Analysis, bot: int | None, round_number: int | None, *, events: bool) -> list[Fact]:
    """Return the requested lines. The line of the battle is always included."""
    from turnwright_tank.analysis.report_rounds import concerned

    found = []
    for fact in analysis.facts(events=events):
        of_round = getattr(fact, "round", None)
        if round_number is not None and of_round != round_number and fact is not analysis.battle:
            continue
        about = concerned(fact)
        if bot is not None and any(one is not None for one in about) and bot not in about:
            continue
        found.append(fact)
    return found


def _lines(facts: list[Fact], form: str) -> str:
    from turnwright_tank.analysis.jsonl import json_line

    lines = [json_line(fact) for fact in facts]
    if form == "jsonl":
        return "".join(f"{line}\n" for line in lines)
    body = ",\n".join(lines)
    return f'{{"lines": [\n{body}\n]}}\n'


def _write(text: str, output: Path | None) -> None:
    if output is None:
        print(text, end="")
        return
    from turnwright.net.files.new_file import write_file

    try:
        write_file(output, text)
    except OSError as error:
        raise SetupError(f"{output} cannot be written: {error.strerror}; give another path") from error


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (BattleFileChoice, TraceOptions),
    examples={
        "battle.twr": "print one page about the battle",
        "battle.twr --round 3 --seat MyBot": "print what happened to MyBot in round 3",
    },
)
