"""`turnwright branch`: plays on from a turn of a record with other bots."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.app.option_fields import argument, option
from turnwright.app.options import record_path
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.replay import LiveBotOptions
from turnwright.cli.terminal import Bar, Style, clean, count, print_json
from turnwright.errors import EXIT_OK, SetupError
from turnwright.games.tank.cli.replay_bot import load, seat_of, turns_until

if TYPE_CHECKING:
    from turnwright.app.results import BattleResult
    from turnwright.host.summary import BattleSummary
    from turnwright.kernel.battle import Closed
    from turnwright.kernel.branch import BranchAnswer
    from turnwright.kernel.record import Record

__all__ = ["COMMAND", "run"]

_DESCRIPTION = """\
The battle is replayed up to the turn; the new bot gets every observation of the recorded one. From then on
its own answers count. The other bots are ghosts: they repeat their recorded intents of the same round and
turn, and stand idle where the record has none. Give --seat and --with several times to replace several
bots. There are no deadlines.

--json prints one object: file, turn, seats (the replaced ones), ghosts (names), result (as `battle --json`
prints it) and recorded (the results in the record, or null)."""


@dataclass(frozen=True)
class BranchOptions:
    """The turn at which a branch leaves its record, and the bots that play its seats."""

    file: Path = argument("FILE", "a record, e.g. battle.twr")
    turn: str = option("", "the last recorded turn, e.g. 2.140", metavar="ROUND.TURN", required=True)
    seats: tuple[str, ...] = option(
        (),
        "the seat to replace: the bot's id (1, 2 …) or its name (may be repeated)",
        "--seat",
        metavar="N",
        many=True,
        required=True,
    )
    with_bots: tuple[str, ...] = option(
        (),
        "a bot directory or a house bot's name, to play the seat (may be repeated)",
        "--with",
        metavar="BOT",
        many=True,
        required=True,
    )
    record: Path | None = option(
        None, "write a record of the new battle", metavar="OUT.twr", read=record_path
    )
    json: bool = option(False, "print one JSON object")


def run(given: GivenOptions) -> int:
    """Play the branch and print both results."""
    from turnwright.games.tank.app.branch import BranchPlan, Cast, cast_of, play_branch
    from turnwright.net.files.battle_record import BattleRecord

    arguments, settings = given.make(BranchOptions), given.make(LiveBotOptions)
    with Bar(wanted=not arguments.json) as bar:
        record, game = load(arguments.file, bar)
    if arguments.record is not None and arguments.record.exists():
        raise SetupError(f"{arguments.record} is there already: give another name to --record")
    seats = [seat_of(record, said) for said in arguments.seats]
    cast = Cast(cast_of(seats, arguments.with_bots, settings.python), settings.patience)
    until = turns_until(record, game, arguments.turn)
    battle_record = BattleRecord(game, arguments.record)
    kept = None
    try:
        with Bar(wanted=not arguments.json) as bar:

            def on_turn(closed: Closed, _answers: Sequence[BranchAnswer]) -> None:
                bar.reach(closed.entry.turn, len(record.turns), "turns")

            summary = play_branch(BranchPlan(record, game, cast, on_turn, until, battle_record))
    finally:
        kept = battle_record.finish()
    _print(arguments, record, summary, kept, seats)
    return EXIT_OK


def _print(
    arguments: BranchOptions, record: Record, summary: BattleSummary, kept: Path | None, seats: list[int]
) -> None:
    from turnwright.app.results import result_of
    from turnwright.games.tank.app.results import ranking_of

    # Of seats that are answered from the record it is not known whether anybody ever answered.
    summary = replace(summary, seats=tuple(replace(seat, never_answered=False) for seat in summary.seats))
    result: BattleResult = result_of(summary, ranking_of(summary), kept)
    ghosts = [info.name for seat, info in enumerate(record.header.seats) if seat not in seats]
    if arguments.json:
        said = {
            "file": str(arguments.file),
            "turn": arguments.turn,
            "seats": [seat + 1 for seat in seats],
            "ghosts": ghosts,
            "result": result.to_data(),
            "recorded": None if record.footer is None else record.footer.results,
        }
        print_json(said)
        return
    print("\n".join(_report(arguments, record, result, seats, ghosts)))


def _report(
    arguments: BranchOptions,
    record: Record,
    result: BattleResult,
    seats: list[int],
    ghosts: list[str],
) -> list[str]:
    from turnwright.cli.terminal import result_table
    from turnwright.games.tank.app.results import COLUMNS

    style = Style(sys.stdout)
    lines = [*result_table(result, style, COLUMNS), ""]
    lines.append(f"played anew after turn {arguments.turn} of {arguments.file}: {count(result.turns)} turns")
    for seat, bot in zip(seats, arguments.with_bots, strict=True):
        lines.append(f"in the seat of {clean(record.header.seats[seat].name)}: {clean(bot)}")
    if ghosts:
        lines.append(f"ghosts that did as recorded: {clean(', '.join(ghosts))}")
    if record.footer is not None and record.footer.results:
        was = ", ".join(f"{row['name']} {row['total_score']}" for row in record.footer.results)
        lines.append(f"as it was recorded: {clean(was)}")
    if result.record is not None:
        lines.append(f"record: {result.record}")
    return lines


COMMAND = CommandSpec(run, _DESCRIPTION, (BranchOptions, LiveBotOptions))
