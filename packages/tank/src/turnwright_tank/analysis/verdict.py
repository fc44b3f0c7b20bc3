"""The fate of bots in words: in a round, in the battle, and in the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from turnwright_tank.analysis.facts import BotFact, Cause, ResultFact, RoundFact, death_place
from turnwright_tank.analysis.text import energy, ordinal, plural, short_name
from turnwright_tank.analysis.turns import Setting
from turnwright_tank.results import SCORES

CAUSES_MAX = 4
"""The number of causes of death that are named for a whole battle."""
_OVERKILL_TOLD = 0.05
"""The smallest damage beyond the victim's energy that is reported. Less would be shown as 0.0."""
GAPS_MAX = 2
"""The number of scores that are named as the reason for the gap to the best row."""

_CAUSES: Final[Mapping[Cause, str]] = {
    "bullet": "by a bullet",
    "ram": "by a collision",
    "wall": "by a wall",
    "inactivity": "by inactivity",
    "disqualified": "by disqualification",
    "left": "when its program left",
    "removed": "by being taken out of the battle",
    "unknown": "of an unknown cause",
}
_SCORES: Final = tuple((one.name, one.title.lower()) for one in SCORES if one.title)


def fate_in_round(setting: Setting, fact: RoundFact, line: BotFact) -> str:
    """Return how a round ended for a bot, e.g. "died in turn 120 (1st of 2 to die) by a bullet of Ace …"."""
    if line.died is None:
        end = "lived to the end" if fact.complete else "is alive"
        return f"{end}, with {energy(line.energy)} energy left"
    place = ordinal(death_place(fact, line.bot))
    told = f"died in turn {line.died:,} ({place} of {len(fact.openings)} to die) {_cause(setting, line)}"
    last = line.blows[-1] if line.blows else None
    if last is None or last.cause != "bullet":
        return told
    over = max(0.0, last.damage - max(0.0, last.energy_before))
    overkill = f" ({energy(over)} of it overkill)" if over >= _OVERKILL_TOLD else ""
    return f"{told} with damage {energy(last.damage)}{overkill}"


def fate_in_battle(setting: Setting, lines: Sequence[BotFact]) -> str:
    """Return how often a bot died, and the causes.

    For example: "died in 2 of 3 rounds: once by Spinner, once by a wall".

    Args:
        lines: the bot's lines of the rounds that it played.
    """
    if not lines:
        return "took part in no round"
    dead = [line for line in lines if line.died is not None]
    if not dead:
        return "survived" if len(lines) == 1 else f"survived all {len(lines):,} rounds"
    where = "all " if len(dead) == len(lines) else f"{len(dead):,} of "
    told_rounds = f"died in {where}{plural(len(lines), 'round')}"
    causes: dict[str, int] = {}
    for line in dead:
        by = _without_killer(line) if line.by is None else f"by {_name(setting, line.by)}"
        causes[by] = causes.get(by, 0) + 1
    most = sorted(causes.items(), key=lambda pair: -pair[1])
    if len(lines) == 1:
        return f"died {most[0][0]}"
    if len(most) == 1:
        return f"{told_rounds}{', each time' if len(dead) > 1 else ''} {most[0][0]}"
    told = ", ".join(f"{_times(count)} {cause}" for cause, count in most[:CAUSES_MAX])
    rest = f" and of {plural(len(most) - CAUSES_MAX, 'other cause')}" if len(most) > CAUSES_MAX else ""
    return f"{told_rounds}: {told}{rest}"


def verdict(rows: Sequence[ResultFact], row: ResultFact) -> str:
    """Return a row's gap to the best row of the results, or its lead, in words. Return "" for the only row.

    The text names the scores that make most of the difference. They and the remainder add up to the
    difference.

    Args:
        rows: the rows, best first.
    """
    best = rows[0]
    if row is best or row.total_score == best.total_score:
        return _ahead(rows, row)
    gaps = [(getattr(best, key) - getattr(row, key), key, name) for key, name in _SCORES]
    most = sorted((gap for gap in gaps if gap[0] > 0), key=lambda gap: -gap[0])[:GAPS_MAX]
    behind = f"{plural(best.total_score - row.total_score, 'point')} behind {short_name(best.name)}"
    told = f"{short_name(row.name)} came {ordinal(row.rank)}, {behind}"
    parts = [
        f"{_signed(-gap)} {name} ({getattr(row, key):,} against {getattr(best, key):,})"
        for gap, key, name in most
    ]
    if not parts:
        return f"{told}."
    rest = row.total_score - best.total_score
    for gap, _, _ in most:
        rest += gap
    parts += [f"{_signed(rest)} all other scores"] if rest else []
    return f"{told}: {', '.join(parts)}."


def _ahead(rows: Sequence[ResultFact], row: ResultFact) -> str:
    second = next((other for other in rows if other is not row), None)
    if second is None:
        return ""
    if second.total_score == row.total_score:
        return f"{short_name(row.name)} shares the best score, {row.total_score:,}."
    ahead = plural(row.total_score - second.total_score, "point")
    return f"{short_name(row.name)} won, {ahead} ahead of {short_name(second.name)}."


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _signed(points: int) -> str:
    return f"+{points:,}" if points > 0 else f"\N{MINUS SIGN}{-points:,}"


def _cause(setting: Setting, line: BotFact) -> str:
    if line.by is None:
        return _without_killer(line)
    what = {"bullet": "by a bullet of", "ram": "in a collision with"}.get(line.cause or "", "by")
    return f"{what} {_name(setting, line.by)}"


def _without_killer(line: BotFact) -> str:
    cause = _CAUSES[line.cause or "unknown"]
    return f"{cause} ({line.why_out})" if line.why_out else cause


def _name(setting: Setting, bot: int) -> str:
    return short_name(setting.fighter(bot).name)
