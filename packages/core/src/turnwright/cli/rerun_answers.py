"""`rerun` without --from: compares the answers of a bot with the recorded answers of another bot."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.app.option_fields import option
from turnwright.app.times import seconds
from turnwright.cli.terminal import Bar, Style, clean, count, print_json
from turnwright.errors import EXIT_OK

if TYPE_CHECKING:
    from turnwright.app.branch.answers import AnswerComparison
    from turnwright.kernel.battle import Closed
    from turnwright.kernel.branch import BranchAnswer

SHOWN_MAX = 10
"""The largest number of different answers that are printed."""
_VALUE_CHARS, _INTENT_CHARS = 100, 1_000


@dataclass(frozen=True)
class LiveBotOptions:
    """The settings of bots that play a seat of a record."""

    python: str | None = option(None, "interpreter for Python bots, as for `battle`", metavar="PATH")
    turn_timeout_s: float = option(
        10.0,
        "the bot's time for each turn, e.g. 500ms (default: 10s)",
        "--turn-timeout",
        metavar="TIME",
        read=seconds,
    )


def compare_answers(
    path: Path,
    bot: str,
    with_bot: str,
    settings: LiveBotOptions,
    turn: str | None,
    *,
    game: str | None = None,
    as_json: bool,
) -> int:
    """Send the observations of a recorded bot to the bot `with_bot`, and print where the answers of the two
    differ. Return the exit code.

    Args:
        bot: the id or name of the recorded bot.
        with_bot: the bot that the command starts.
        turn: the last turn to compare, as "ROUND.TURN". None means the last turn of the record.
        game: the name of the record's game, or the path of its folder, if the name in the header does not
            lead to the game.

    Raises:
        RecordError, SetupError: the record, its game, the turn or one of the bots cannot be used.
        ParticipantStartError: the bot does not start, or leaves.
        VoidBattleError: the rules failed.
    """
    from turnwright.app.branch.answers import AnswerComparison
    from turnwright.app.branch.choice import load_played, seat_of, turns_until
    from turnwright.app.branch.play import BranchPlan, LiveSeats, cast_of, play_branch

    with Bar(wanted=not as_json) as bar:
        played = load_played(path, game, bar.reach)
    record = played.record
    seat = seat_of(record, bot)
    stop_after = None if turn is None else turns_until(record, turn)
    places = cast_of(played.game, [seat], [with_bot], settings.python)
    comparison = AnswerComparison(played)
    whole = len(record.turns) if stop_after is None else stop_after
    with Bar(wanted=not as_json) as bar:

        def on_turn(closed: Closed, answers: Sequence[BranchAnswer]) -> None:
            comparison.note(answers)
            bar.reach(closed.entry.turn, whole, "turns")

        cast = LiveSeats(places, settings.turn_timeout_s, stop_after=stop_after)
        play_branch(BranchPlan(played, cast, on_turn))
    name = record.header.seats[seat].name
    if as_json:
        print_json({"file": str(path), "bot": seat + 1, "name": name, "with": with_bot, **comparison.data})
    else:
        print("\n".join(_report(comparison, clean(name), Style(sys.stdout))))
    return EXIT_OK


def _report(comparison: AnswerComparison, name: str, style: Style) -> list[str]:
    lines = []
    for one in comparison.differences[:SHOWN_MAX]:
        where = f"round {one['round']} turn {one['turn']}"
        lines.append(f"{style.paint(where, 'bold')}: {_said(one['fields'])}")
    if comparison.different > SHOWN_MAX:
        lines.append(f"… and {count(comparison.different - SHOWN_MAX)} more turns differ")
    asked = comparison.same + comparison.different + comparison.unanswered
    lines.append(
        f"{name}: {count(asked)} turns compared: {count(comparison.same)} identical,"
        f" {count(comparison.different)} different, {count(comparison.unanswered)} unanswered"
    )
    if (last := comparison.last_data) is not None:
        lines.append(f"last turn compared: round {last['round']} turn {last['turn']}:")
        lines += [f"  recorded  {_intent(last['recorded'])}", f"  now       {_intent(last['live'])}"]
    return lines


def _said(fields: dict[str, list[Any]] | None) -> str:
    if fields is None:
        return "answered; the record has no answer"
    return ", ".join(f"{name} {_value(one)} → {_value(two)}" for name, (one, two) in fields.items())


def _value(value: Any) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:g}" if is_number else _shown(value)[:_VALUE_CHARS]


def _intent(data: Any) -> str:
    return "no answer" if data is None else _shown(data)[:_INTENT_CHARS]


def _shown(data: Any) -> str:
    return clean(json.dumps(data, ensure_ascii=False))
