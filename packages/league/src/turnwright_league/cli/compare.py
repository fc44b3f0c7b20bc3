"""`turnwright compare OLD NEW`: tests whether the new version is better."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from turnwright.cli.choice import GameChoice, JsonChoice, battle_options_of, game_in
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.terminal import InPlace, Style, clean, cut, print_json, table
from turnwright.errors import EXIT_INTERRUPTED, EXIT_OK
from turnwright_league.app.compare_options import CompareOptions
from turnwright_league.app.options import battle_settings_of
from turnwright_league.cli.choice import given_settings

if TYPE_CHECKING:
    from turnwright_league.app.compare import ComparisonProgress, ComparisonResult

_DESCRIPTION = """\
Without --against, OLD and NEW play each other. With --against, each of them plays the same battles against
these opponents. Battles are played in blocks of 10 rounds with exchanged seats. With the same seed, the
command plays the same battles.

The test ends as soon as its verdict is certain: "better", "worse" or "no difference above X points". The test
takes at least 100 rounds. The verdict "no difference" takes at least 320 rounds (with X = 2). If OLD and NEW
are equal, at most 5 % of comparisons say "better" or "worse". If they differ by X, at most 5 % say "no
difference" or the opposite.

A point is one hundredth of the score of a battle. If OLD and NEW play each other, a difference of 0 means
that each has half of the score. Against opponents, the difference is the share of NEW minus the share of OLD.
If OLD and NEW are similar, a test with --against needs fewer rounds.

If the machine was too slow for a battle, the battle is played again, up to 3 times. If a bot fails in its
first battle, the comparison ends with exit code 3. A bot that fails later loses that battle. If OLD and NEW
fail in the same battle, each has half of the score.

Two directories with the same name and version cannot play each other. Change the "version" in one of their
JSON files. Ctrl-C prints the result so far. Progress goes to stderr and the result to stdout. The exit code
does not depend on the verdict."""
_JSON = """\
| Key | Value |
|---|---|
| `verdict` | "better", "worse", "no difference" or "undecided" |
| `difference`, `low`, `high` | the difference in points, and the bounds of its 95 % interval. Null if the \
interval is wider than the scale of scores |
| `points` | X, the value of `--points` |
| `rounds` | the number of rounds that NEW played |
| `blocks` | the number of blocks |
| `old`, `new` | the name and version of each bot |
| `shares` | a list with `opponent` (null if OLD and NEW played each other), `old` and `new` (score \
shares, 0 to 100) and `battles` |
| `seed` | the seed of the comparison |
| `failures` | the number of battles in which a program failed, by name |
| `not_counted` | the number of battles that were void, or for which the machine was too slow |
| `interrupted` | whether Ctrl-C ended the comparison |"""

_PLAIN_EVERY_S = 10.0
_REDRAW_S = 0.1


def run(given: GivenOptions) -> int:
    """Compare the bots, and print the result.

    The exit code is EXIT_INTERRUPTED if a signal ended it before the verdict.
    """
    from turnwright_league.app.compare import play_comparison

    options = given.make(CompareOptions)
    game = given.make(GameChoice).game
    display = CompareDisplay(sys.stderr)
    try:
        settings = given_settings(given, _battle_settings(game))
        result = play_comparison(options, game, settings, display.show, display.note)
    finally:
        display.close()
    if given.make(JsonChoice).json:
        print_json(result.to_data())
    else:
        print("\n".join(result_lines(result, Style(sys.stdout))), flush=True)
    return EXIT_INTERRUPTED if result.interrupted else EXIT_OK


class CompareDisplay(InPlace):
    """Shows the progress of a comparison on a stream."""

    _told_at: float | None = None

    def show(self, progress: ComparisonProgress) -> None:
        """Show the estimate so far. Without a terminal, this prints a line every ten seconds."""
        now, terminal = time.monotonic(), self._style.terminal
        if self._told_at is not None:
            if now - self._told_at < (_REDRAW_S if terminal else _PLAIN_EVERY_S):
                return
        elif not terminal:
            self._told_at = now
            return
        self._told_at = now
        if terminal:
            self.draw([cut(progress_line(progress), self.columns)])
        else:
            print(progress_line(progress), file=self._stream, flush=True)

    def note(self, text: str) -> None:
        """Print a line that stays."""
        super().note(clean(text))


def progress_line(progress: ComparisonProgress) -> str:
    """Return the progress of a comparison, in at most 79 columns."""
    found = progress.comparison
    parts = [f"{progress.rounds:,} rounds"]
    if found.difference is not None:
        has_ends = found.low is not None and found.high is not None
        interval = f"{found.low:+.1f} … {found.high:+.1f}" if has_ends else "–"
        parts.append(f"{found.difference:+.1f} points ({interval})")
    parts.append(f"{progress.played:,} battles, {progress.jobs} at once")
    return cut(", ".join(parts), 79)


def result_lines(result: ComparisonResult, style: Style) -> list[str]:
    """Return the result: a sentence, the shares as a table, and a line of remarks if there are any."""
    lines = [style.paint(clean(result.to_line()), "bold")]
    if result.shares and result.shares[0].opponent is None:
        one = result.shares[0]
        rows = [("OLD", clean(result.old), f"{one.old:.2f}"), ("NEW", clean(result.new), f"{one.new:.2f}")]
        lines += ["", *table(("", "Name", "Share"), rows, "<<>", style)]
    elif result.shares:
        body = [
            (clean(one.opponent or ""), f"{one.old:.2f}", f"{one.new:.2f}", f"{one.new - one.old:+.2f}")
            for one in result.shares
        ]
        lines += ["", *table(("Against", "OLD", "NEW", "Difference"), body, "<>>>", style)]
    remarks = [f"{clean(name)} failed in {number:,}" for name, number in result.failures.items()]
    if result.not_counted:
        remarks.append(f"{result.not_counted:,} were void or too slow. Their blocks are not used")
    if remarks:
        lines += ["", f"battles: {'; '.join(remarks)}"]
    return lines


def _battle_settings(game: str) -> type:
    """Return a dataclass with the settings of battles, without `rounds`, which a comparison sets."""
    from dataclasses import field, make_dataclass

    kind = battle_settings_of(battle_options_of(game))
    rows = [
        (one.name, one.type, field(default=one.default, metadata=one.metadata))
        for one in fields(kind)
        if one.name != "rounds"
    ]
    return make_dataclass("ComparedBattles", rows, frozen=True, kw_only=True)


def _takes(words: Sequence[str]) -> tuple[type, ...]:
    return (CompareOptions, JsonChoice, GameChoice, _battle_settings(game_in(words)))


_ELSEWHERE = {
    "--rounds": "a block has 10 rounds. --max-rounds sets when the comparison ends undecided",
    "--alpha": "the error rates are at most 5 %, as measured. --points sets the difference that matters",
    "--beta": "the error rates are at most 5 %, as measured. --points sets the difference that matters",
}

COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    _takes,
    _ELSEWHERE,
    examples={
        "./MyBot ./MyBot2": "let the versions play each other",
        "./MyBot ./MyBot2 --against ./others": "let each play against the bots in a directory",
    },
    json=_JSON,
)
