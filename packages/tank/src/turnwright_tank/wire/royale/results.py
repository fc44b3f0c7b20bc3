"""Scores in messages: whole numbers, rounded like the scores of the official server.

Halves are rounded up, but the bullet kill bonus is rounded down. The total is the rounded exact total, so it
can differ from the sum of the rounded parts. The rules compute ranks, rows of teams and their order
(`turnwright_tank.results`). Source: the official server's ResultsBuilder.
"""

from __future__ import annotations

import math

from turnwright_tank.results import SCORE_FIELDS, ScoreRow, TankResults, score_values
from turnwright_tank.wire.royale.message_parts import ResultsForBot, ResultsForObserver


def half_up(points: float) -> int:
    """Return the nearest whole number. Halves are rounded up."""
    whole = math.floor(points)
    return whole + 1 if points - whole >= 0.5 else whole


def _parts(row: ScoreRow) -> dict[str, int]:
    found = dict(zip(SCORE_FIELDS, map(half_up, score_values(row)), strict=True))
    found["bullet_kill_bonus"] = math.trunc(row.bullet_kill_bonus)
    return {"rank": row.rank, **found, "total_score": half_up(row.total)}


def results_for_bots(results: TankResults) -> tuple[ResultsForBot, ...]:
    """Return the results for each bot, in order of seat."""
    return tuple(ResultsForBot(**_parts(row)) for row in results.seats)


def results_for_observers(results: TankResults) -> tuple[ResultsForObserver, ...]:
    """Return the results for spectators: a row for each solo bot and each team, best first."""
    return tuple(
        ResultsForObserver(id=row.id, name=row.name, version=row.version, is_team=row.is_team, **_parts(row))
        for row in results.rows
    )
