"""`turnwright rerun`: lets other bots play the seats of a record."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.app.option_fields import argument, option
from turnwright.app.options import record_path
from turnwright.cli.choice import JsonChoice, RecordGameChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.rerun_answers import LiveBotOptions, compare_answers
from turnwright.cli.terminal import Bar, Style, clean, count, join_some, print_json
from turnwright.errors import EXIT_OK, SetupError

if TYPE_CHECKING:
    from turnwright.app.branch.choice import PlayedRecord
    from turnwright.app.results import BattleResult
    from turnwright.host.summary import BattleSummary
    from turnwright.kernel.battle import Closed
    from turnwright.kernel.branch import BranchAnswer

_ADVICE_MAX = 4
"""The largest number of ghosts for which the advice names options. A ghost is a seat whose intents come from
the record.
"""

_DESCRIPTION = """\
The new bot receives every observation that the recorded bot received, turn by turn. The new bot's answers do
not change the battle. The command compares the new answers with the recorded answers, and prints the turns in
which they differ.

With --from ROUND.TURN, the new bot's answers count after the given turn. The other bots are then ghosts. A
ghost does not react to the new bot. It repeats its recorded intents, and does nothing in a turn for which the
record has none. On stderr the command prints the names of the ghosts, and the options with which the real
bots play in place of the ghosts. Give --seat and --with several times to replace several bots.

The command works for any game. Only --turn-timeout limits a bot's time. In a game without rounds, ROUND
is 1."""
_JSON = """\
| Key without `--from` | Value |
|---|---|
| `file` | the record |
| `bot`, `name` | the seat, and the name of its recorded bot |
| `with` | the new bot |
| `same`, `different`, `unanswered` | numbers of turns |
| `differences` | a list with `round`, `turn` and `fields`: the recorded and the new value, by name |
| `last` | the last turn: `round`, `turn`, `recorded` and `live` (intents) |

`fields` is null if the record contains no answer for the turn.

| Key with `--from` | Value |
|---|---|
| `file`, `turn` | the record, and the turn after which the new answers counted |
| `seats` | the seats that were replaced |
| `ghosts` | the names of the ghosts |
| `result` | the result of the new battle, as `battle --json` prints it |
| `recorded` | the results in the record, or null |"""


@dataclass(frozen=True)
class RerunOptions:
    """The seats of a record, the bots that play them, and the turn after which their answers count."""

    file: Path = argument("FILE", "a record, e.g. battle.twr")
    seats: tuple[str, ...] = option(
        (),
        "the seat to replace: the bot's id (1, 2 …) or its name (the option may be repeated)",
        "--seat",
        metavar="NAME",
        many=True,
        required=True,
    )
    with_bots: tuple[str, ...] = option(
        (),
        "the bot that plays the seat: a bot directory or a built-in bot's name (the option may be repeated)",
        "--with",
        metavar="BOT",
        many=True,
        required=True,
    )
    turn: str | None = option(
        None,
        "use the new bot's answers after this turn, e.g. 2.140 (default: only compare the answers)",
        "--from",
        metavar="ROUND.TURN",
    )
    until: str | None = option(
        None, "without --from: the last turn to compare (default: the record's last)", metavar="ROUND.TURN"
    )
    record: Path | None = option(
        None, "with --from: write a record of the new battle", metavar="FILE.twr", read=record_path
    )

    def __post_init__(self) -> None:
        if self.turn is not None:
            if self.until is not None:
                raise SetupError(
                    "--until ends a comparison of answers, --from begins a battle: give one of them"
                )
            return
        if self.record is not None:
            raise SetupError("--record needs a new battle: add --from ROUND.TURN, or leave --record out")
        if len(self.seats) != 1 or len(self.with_bots) != 1:
            raise SetupError(
                f"--seat is given {len(self.seats)} times, --with {len(self.with_bots)} times: give each"
                " once to compare the answers of one bot, or add --from to replace several bots"
            )


def run(given: GivenOptions) -> int:
    """Without --from, compare answers. With --from, play a new battle that begins after the given turn."""
    arguments = given.make(RerunOptions)
    if arguments.turn is not None:
        return _play_on(given, arguments, arguments.turn)
    return compare_answers(
        arguments.file,
        arguments.seats[0],
        arguments.with_bots[0],
        given.make(LiveBotOptions),
        arguments.until,
        game=given.make(RecordGameChoice).game,
        as_json=given.make(JsonChoice).json,
    )


def _play_on(given: GivenOptions, arguments: RerunOptions, turn: str) -> int:
    """Play the battle after the turn and print both results."""
    from turnwright.app.branch.choice import load_played, seat_of, turns_until
    from turnwright.app.branch.play import BranchPlan, LiveSeats, cast_of, play_branch
    from turnwright.net.files.battle_record import BattleRecord

    settings = given.make(LiveBotOptions)
    as_json = given.make(JsonChoice).json
    with Bar(wanted=not as_json) as bar:
        played = load_played(arguments.file, given.make(RecordGameChoice).game, bar.reach)
    if arguments.record is not None and arguments.record.exists():
        raise SetupError(f"{arguments.record} already exists: give another name with --record")
    record = played.record
    seats = [seat_of(record, said) for said in arguments.seats]
    bots = cast_of(played.game, seats, arguments.with_bots, settings.python)
    until = turns_until(record, turn)
    cast = LiveSeats(bots, settings.turn_timeout_s)
    if advice := _ghost_advice(played, seats):
        print(f"turnwright: {advice}", file=sys.stderr)
    battle_record = BattleRecord(played.rules, arguments.record)
    kept = None
    try:
        with Bar(wanted=not as_json) as bar:

            def on_turn(closed: Closed, _answers: Sequence[BranchAnswer]) -> None:
                bar.reach(closed.entry.turn, len(record.turns), "turns")

            summary = play_branch(BranchPlan(played, cast, on_turn, until, battle_record))
    finally:
        kept = battle_record.finish()
    _print(arguments, played, summary, kept, seats, as_json=as_json)
    return EXIT_OK


def _ghosts(played: PlayedRecord, seats: Sequence[int]) -> dict[int, str]:
    """Return the names of the bots whose intents come from the record, by seat."""
    return {n: info.name for n, info in enumerate(played.record.header.seats) if n not in seats}


def _ghost_advice(played: PlayedRecord, seats: Sequence[int]) -> str:
    """Return a warning that ghosts do not react, with advice how to replace them. "" means that there are no
    ghosts."""
    ghosts = _ghosts(played, seats)
    if not ghosts:
        return ""
    built_in = played.game.bots.built_in
    words = [f"--seat {n + 1} --with {name if name in built_in else 'BOT'}" for n, name in ghosts.items()]
    what = "; BOT is its directory" if any(name not in built_in for name in ghosts.values()) else ""
    more = " …" if len(words) > _ADVICE_MAX else ""
    return clean(
        f"ghosts repeat the record and do not react to the new bot: {join_some(list(ghosts.values()))}; to"
        f" play against the real ones add {' '.join(words[:_ADVICE_MAX])}{more}{what}"
    )


def _print(
    arguments: RerunOptions,
    played: PlayedRecord,
    summary: BattleSummary,
    kept: Path | None,
    seats: Sequence[int],
    *,
    as_json: bool,
) -> None:
    from turnwright.app.results import result_of

    # If a seat's intents come from the record, it is not known whether its bot ever answered.
    summary = replace(summary, seats=tuple(replace(seat, never_answered=False) for seat in summary.seats))
    result: BattleResult = result_of(summary, played.game.results.ranking(summary), kept)
    record = played.record
    ghosts = list(_ghosts(played, seats).values())
    if as_json:
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
    print("\n".join(_report(arguments, played, result, seats, ghosts)))


def _report(
    arguments: RerunOptions,
    played: PlayedRecord,
    result: BattleResult,
    seats: Sequence[int],
    ghosts: list[str],
) -> list[str]:
    from turnwright.cli.terminal import result_table

    style, record = Style(sys.stdout), played.record
    headings = played.game.results.headings(result.results)
    lines = [*result_table(result, style, headings), ""]
    lines.append(f"replayed from turn {arguments.turn} of {arguments.file}: {count(result.turns)} turns")
    for seat, bot in zip(seats, arguments.with_bots, strict=True):
        lines.append(f"new bot in the seat of {clean(record.header.seats[seat].name)}: {clean(bot)}")
    if ghosts:
        lines.append(f"ghosts (they repeat the record): {clean(', '.join(ghosts))}")
    if record.footer is not None and record.footer.results:
        score = next(iter(headings))  # the first column of results, as the record's own rows have it
        was = ", ".join(f"{row.get('name')} {row.get(score)}" for row in record.footer.results)
        lines.append(f"recorded results: {clean(was)}")
    if result.record is not None:
        lines.append(f"record: {result.record}")
    return lines


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (RerunOptions, RecordGameChoice, JsonChoice, LiveBotOptions),
    examples={
        "battle.twr --seat MyBot --with ./MyBot": "compare the answers of MyBot as it is now",
        "battle.twr --seat MyBot --with ./MyBot --from 2.140": "let it play on after turn 140 of round 2",
    },
    json=_JSON,
)
