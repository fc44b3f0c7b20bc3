"""`turnwright branch FILE --turn R.T --seat N --with BOT`: what if that bot had played otherwise?"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.cli.bar import Bar
from turnwright.cli.output import Style, clean, count, print_json
from turnwright.cli.parser import Subparsers, add_command, record_path
from turnwright.cli.rehearse import add_bot_settings, load, seat_of, turns_until
from turnwright.errors import EXIT_OK, SetupError

if TYPE_CHECKING:
    from turnwright.host.rehearsal import Answer
    from turnwright.kernel.battle import Closed
    from turnwright.kernel.record import Record
    from turnwright.kernel.rerun import Rerun
    from turnwright.results import BattleResult

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
The battle is played as it was recorded up to the turn; the bot sees it all, as its predecessor did. From
there on its own answers count. The other bots are ghosts: they do what they did in the same round and turn of
the record, whatever happens now, and stand idle where the record has nothing. Give --seat and --with several
times to play several seats anew. Nobody has a deadline.

--json prints one object: file, turn, seats (those played anew), ghosts (names), result (as `battle --json`
prints it) and recorded (the results in the record, or null)."""


def add_parser(subparsers: Subparsers[Any]) -> None:
    """Add the command's options."""
    parser = add_command(subparsers, "branch", _DESCRIPTION)
    parser.add_argument("file", metavar="FILE", type=Path, help="a record, e.g. battle.twr")
    parser.add_argument(
        "--turn", metavar="ROUND.TURN", required=True, help="the last turn that stays as it was, e.g. 2.140"
    )
    parser.add_argument(
        "--seat",
        metavar="N",
        action="append",
        required=True,
        help="whose seat: the bot's id (1, 2 …) or its name",
    )
    parser.add_argument(
        "--with",
        dest="with_bots",
        metavar="BOT",
        action="append",
        required=True,
        help="a bot directory or a house bot's name, to play the seat",
    )
    parser.add_argument(
        "--record", type=record_path, metavar="OUT.twr", help="write a record of the new battle"
    )
    add_bot_settings(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the branch and print both results."""
    from turnwright.kernel.rerun import Rerun
    from turnwright.net.rehearsing import Cast, cast_of, rehearse
    from turnwright.net.spool import Spool

    with Bar(wanted=not arguments.json) as bar:
        record, game = load(arguments.file, bar)
    if arguments.record is not None and arguments.record.exists():
        raise SetupError(f"{arguments.record} is there already: give another name to --record")
    seats = [seat_of(record, said) for said in arguments.seat]
    rerun = Rerun(record, game, seats, turns_until(record, game, arguments.turn))
    places = cast_of(seats, arguments.with_bots, arguments.python)
    spool = Spool(game, arguments.record)
    kept = None
    try:
        spool.recorder.open(1, rerun.battle.header)
        with Bar(wanted=not arguments.json) as bar:

            def on_turn(closed: Closed, answers: Sequence[Answer]) -> None:
                spool.recorder.turn(1, closed.entry)
                bar.reach(rerun.battle.turn, len(record.turns), "turns")

            rehearse(rerun, Cast(places, arguments.patience), on_turn)
        spool.recorder.close(1, _footer(rerun))
    finally:
        kept = spool.finish()
    _print(arguments, record, rerun, seats, kept)
    return EXIT_OK


def _summary(rerun: Rerun) -> Any:
    from turnwright.host.latency import SeatTiming
    from turnwright.host.summarize import summarize
    from turnwright.wire.royale.results import results_for_observers

    battle = rerun.battle
    summary = summarize(
        battle,
        "over",
        results_for_observers(battle.state.results),
        [SeatTiming() for _ in range(battle.seats)],
        game_type=str(battle.header.setup.get("game_type", "")),
        server_late_turns=0,
        why="",
        error=None,
    )
    # How fast anybody answered is not known here, nor whether at all.
    return replace(summary, seats=tuple(replace(seat, never_answered=False) for seat in summary.seats))


def _footer(rerun: Rerun) -> Any:
    from turnwright.host.summarize import footer

    return footer(_summary(rerun))


def _print(
    arguments: argparse.Namespace, record: Record, rerun: Rerun, seats: list[int], kept: Path | None
) -> None:
    from turnwright.net.outcome import result_of

    result: BattleResult = result_of(_summary(rerun), kept)
    ghosts = [info.name for seat, info in enumerate(record.header.seats) if seat not in rerun.live]
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
    arguments: argparse.Namespace,
    record: Record,
    result: BattleResult,
    seats: list[int],
    ghosts: list[str],
) -> list[str]:
    from turnwright.cli.render import result_table

    style = Style(sys.stdout)
    lines = [*result_table(result, style), ""]
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
