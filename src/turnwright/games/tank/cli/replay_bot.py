"""Bots fed from a record, for `replay --bot` and `branch`."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.cli.terminal import Bar, Style, clean, count, print_json
from turnwright.errors import EXIT_OK, SetupError

if TYPE_CHECKING:
    from turnwright.cli.replay import LiveBotOptions
    from turnwright.kernel.battle import Closed
    from turnwright.kernel.branch import BranchAnswer
    from turnwright.kernel.game import Game
    from turnwright.kernel.record import Record

__all__ = [
    "DIFFERENCES_MAX",
    "AnswerComparison",
    "compare_answers",
    "load",
    "seat_of",
    "turns_until",
]

DIFFERENCES_MAX = 1_000
"""Turns with a difference that --json lists; all are counted."""
SHOWN_MAX = 10
_TURN = re.compile(r"([1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")


def load(path: Path, bar: Bar) -> tuple[Record, Game]:
    """Return a record of the arena and its rules.

    bar: shows its reading. Raises: RecordError.
    """
    from turnwright.errors import RecordError
    from turnwright.games.tank.speed.warm_up import new_game
    from turnwright.net.files.reader import read_record

    record = read_record(path, on_progress=bar.reach)
    if record.header.game != "tank":
        raise RecordError(f"{path} is of the game {record.header.game!r}: bots play in those of 'tank' alone")
    return record, new_game(record.header.tolerant)


def seat_of(record: Record, said: str) -> int:
    """Return the seat with a bot id (1, 2 …) or name. Raises: SetupError."""
    names = [info.name for info in record.header.seats]
    if said.isdecimal():
        if 1 <= int(said) <= len(names):
            return int(said) - 1
    elif names.count(said) == 1:
        return names.index(said)
    there = ", ".join(f"{k} {clean(name)}" for k, name in enumerate(names[:12], start=1))
    more = ", …" if len(names) > 12 else ""
    found = "more than one bot is called" if said in names else "there is no bot"
    raise SetupError(f"{found} {said[:40]!r} in this record: give a number; it has {there}{more}")


def turns_until(record: Record, game: Game, said: str) -> int:
    """Return how many turns are over after ROUND.TURN.

    Raises: SetupError when there is no such turn.
    """
    from turnwright.kernel.branch import round_starts

    matched = _TURN.fullmatch(said)
    if matched is None:
        raise SetupError(f"{said[:40]!r} is no turn: give ROUND.TURN, e.g. 2.140")
    number_of_round, turn = int(matched[1]), int(matched[2])
    bounds = [*round_starts(record), len(record.turns)]
    if number_of_round >= len(bounds):
        raise SetupError(f"there is no turn {said}: the last round of the record is {len(bounds) - 1}")
    turns = bounds[number_of_round] - bounds[number_of_round - 1]
    if turn > turns:
        raise SetupError(f"there is no turn {said}: the last one of round {number_of_round} is {turns}")
    return bounds[number_of_round - 1] + turn


class AnswerComparison:
    """Compares a bot's answers with the recorded ones."""

    def __init__(self) -> None:
        self.same = self.unanswered = self.different = 0
        self.differences: list[dict[str, Any]] = []
        self.last: BranchAnswer | None = None

    def note(self, closed: Closed, answers: Sequence[BranchAnswer]) -> None:
        """Take the answers of one turn."""
        from turnwright.games.tank.intent_rows import differences

        for answer in answers:
            self.last = answer
            if answer.intent is None:
                self.unanswered += 1
            elif answer.recorded is None:
                self._differ(answer, None)
            elif fields := differences(answer.recorded, answer.intent):
                self._differ(answer, {name: [one, two] for name, one, two in fields})
            else:
                self.same += 1

    def _differ(self, answer: BranchAnswer, fields: dict[str, list[Any]] | None) -> None:
        self.different += 1
        if len(self.differences) < DIFFERENCES_MAX:
            self.differences.append({"round": answer.round, "turn": answer.turn, "fields": fields})

    @property
    def data(self) -> dict[str, Any]:
        """The findings, as JSON values."""
        return {
            "same": self.same,
            "different": self.different,
            "unanswered": self.unanswered,
            "differences": self.differences,
            "last": None if self.last is None else _last(self.last),
        }


def _last(answer: BranchAnswer) -> dict[str, Any]:
    recorded, live = _said_by(answer.recorded), _said_by(answer.intent)
    return {"round": answer.round, "turn": answer.turn, "recorded": recorded, "live": live}


def _said_by(intent: Any) -> dict[str, Any] | None:
    """Return what an intent says as JSON values, without what it answers."""
    import msgspec

    if intent is None:
        return None
    data: dict[str, Any] = msgspec.to_builtins(intent)
    return {name: value for name, value in data.items() if name not in ("type", "turnNumber")}


def compare_answers(
    path: Path, bot: str, with_bot: str, settings: LiveBotOptions, turn: str | None, *, as_json: bool
) -> int:
    """Show a bot what another one saw in a record, and print where its answers differ.

    bot: id or name in the record; with_bot: the one that is started; turn: the last one, None: all.
    """
    from turnwright.games.tank.app.branch import BranchPlan, Cast, cast_of, play_branch

    with Bar(wanted=not as_json) as bar:
        record, game = load(path, bar)
    seat = seat_of(record, bot)
    stop_after = None if turn is None else turns_until(record, game, turn)
    places = cast_of([seat], [with_bot], settings.python)
    comparison = AnswerComparison()
    whole = len(record.turns) if stop_after is None else stop_after
    with Bar(wanted=not as_json) as bar:

        def on_turn(closed: Closed, answers: Sequence[BranchAnswer]) -> None:
            comparison.note(closed, answers)
            bar.reach(closed.entry.turn, whole, "turns")

        cast = Cast(places, settings.patience, stop_after=stop_after)
        play_branch(BranchPlan(record, game, cast, on_turn))
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
        lines.append(f"… and in {count(comparison.different - SHOWN_MAX)} more turns")
    asked = comparison.same + comparison.different + comparison.unanswered
    lines.append(
        f"{name}: {count(asked)} turns: {count(comparison.same)} answered as recorded,"
        f" {count(comparison.different)} otherwise, {count(comparison.unanswered)} not at all"
    )
    if comparison.last is not None:
        last = _last(comparison.last)
        lines.append(f"the last one, round {last['round']} turn {last['turn']}:")
        lines += [f"  recorded  {_intent(last['recorded'])}", f"  now       {_intent(last['live'])}"]
    return lines


def _said(fields: dict[str, list[Any]] | None) -> str:
    if fields is None:
        return "an answer, where the record has none"
    return ", ".join(f"{name} {_value(one)} → {_value(two)}" for name, (one, two) in fields.items())


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}"


def _intent(data: dict[str, Any] | None) -> str:
    if data is None:
        return "no answer"
    return clean(json.dumps(data, ensure_ascii=False))[:1000]
