"""The columns of the standings, each declared once.

The terminal, the JSON and the page are made from `EntryStanding` and `COLUMNS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Literal

ColumnKind = Literal[
    "rank", "name", "version", "points", "percent", "interval", "alike", "rating", "count", "mistakes"
]
"""How the cells of a column are written. mistakes: a count that the terminal leaves empty if it is 0."""


@dataclass(frozen=True, slots=True)
class EntryStanding:
    """One entry of the standings. Its JSON has these fields under these names.

    Attributes:
        rank: 1 is best. It follows the APS, equal ones share it, entries without a battle come last. In a
            ladder it follows the ladder, in a Swiss tournament the points, in a knockout the round that an
            entry has reached, since opponents are not the same there.
        entry: its id.
        aps: average percentage of score, 0 to 100. None without battles.
        aps_low, aps_high: its 95 % interval. None without battles, and where there are too few.
        win_share, survival: percent in the same way. survival is None in games without it.
        battles: those that count.
        failures: battles that it forfeited.
        points: of a Swiss tournament.
        ratings: by name of the rating.
        cannot_be_told_apart_from: labels (`entry_labels`) of entries that may be as strong.
        why_not: where it has battles and none counts, why, in a line.
    """

    rank: int
    entry: str
    name: str
    version: str
    aps: float | None = None
    aps_low: float | None = None
    aps_high: float | None = None
    win_share: float | None = None
    survival: float | None = None
    battles: int = 0
    failures: int = 0
    points: float | None = None
    ratings: Mapping[str, float] = field(default_factory=dict)
    cannot_be_told_apart_from: tuple[str, ...] = ()
    why_not: str = ""


STANDING_FIELDS = tuple(one.name for one in fields(EntryStanding))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the standings.

    Attributes:
        name: the field of `EntryStanding` that it shows, or the rating.
        kind: how its cells are written.
        heading: above it in the terminal. None: it is not shown there.
        title: above it on the page. None: it is not shown there.
        hint: one sentence for the page.
        digits: decimals on the page.
        spread: the rating that is this one's ± on the page.
        is_optional: the page leaves the column out if no entry has a value.
        is_small: a projector leaves it out.
    """

    name: str
    kind: ColumnKind
    heading: str | None
    title: str | None
    hint: str = ""
    digits: int = 1
    spread: str = ""
    is_optional: bool = False
    is_small: bool = False


COLUMNS = (
    Column("rank", "rank", "", "#", "Rank; equal APS share it"),
    Column("name", "name", "Name", "Entry"),
    Column("version", "version", "Version", None),
    Column(
        "points",
        "points",
        None,
        "Points",
        "1 for a pairing won, ½ for a draw, 1 for a bye",
        is_optional=True,
    ),
    Column("aps", "percent", "APS", "APS", "Average percentage of score, over all opponents"),
    Column("interval", "interval", "95 %", "95 % interval", "Sorted by width", is_optional=True),
    Column(
        "alike",
        "alike",
        "Alike",
        "Alike",
        "Ranks of those that it cannot be told apart from: the difference may be chance",
        is_optional=True,
        is_small=True,
    ),
    Column("win_share", "percent", "Wins", "Wins", "Percent of battles won"),
    Column(
        "survival",
        "percent",
        "Survival",
        "Survival",
        "Share of the points for survival, percent",
        is_optional=True,
        is_small=True,
    ),
    Column(
        "glicko2",
        "rating",
        "Glicko2",
        "Glicko-2",
        "Rating ± deviation",
        digits=0,
        spread="glicko2_deviation",
        is_optional=True,
        is_small=True,
    ),
    Column(
        "openskill",
        "rating",
        "Openskill",
        "OpenSkill",
        "Mean ± sigma",
        spread="openskill_sigma",
        is_optional=True,
        is_small=True,
    ),
    Column("battles", "count", "Battles", "Battles", "Those that count", is_small=True),
    Column("failures", "mistakes", "Forfeits", "Forfeits", "Battles that it forfeited", is_small=True),
)
"""In the order of the page. The terminal has the ratings last."""
