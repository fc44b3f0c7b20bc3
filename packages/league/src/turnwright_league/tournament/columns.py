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
"""How the cells of a column are written. "mistakes" is a count that the terminal leaves empty if it is 0."""


@dataclass(frozen=True, slots=True)
class EntryStanding:
    """One entry of the standings. Its JSON has these fields.

    Attributes:
        rank: the rank. 1 is best. Entries with equal APS share it, and entries without a battle come last.
            Some formats have another rank, because opponents differ there: the order of a ladder, the points
            of a Swiss tournament, or the round that an entry has reached in a knockout.
        entry: its id.
        aps: average percentage of score, 0 to 100. None without battles.
        aps_low, aps_high: its 95 % interval. None if there are too few battles.
        win_share, survival: percentages computed like the APS. survival is None in games without it.
        battles: the battles that count.
        failures: the battles that it forfeited.
        points: the points in a Swiss tournament, and None in other formats.
        ratings: the ratings by name.
        cannot_be_told_apart_from: the labels (`entry_labels`) of entries that may be equally strong.
        why_not: why none of its battles counts, in one line, if it has any.
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
        name: the field of `EntryStanding` or the rating that it shows. "interval" shows `aps_low` and
            `aps_high`, and "alike" shows ranks.
        kind: how its cells are written.
        heading: the heading in the terminal. None means that the terminal does not show the column.
        title: the heading on the page. None means that the page does not show the column.
        hint: a sentence about it on the page.
        digits: the number of decimals on the page.
        spread: the name of the rating that the page shows as the ± of this column.
        is_optional: whether the page leaves the column out if no entry has a value.
        is_small: whether the page leaves the column out on a projector.
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
    Column("rank", "rank", "", "#", "Rank. Entries with equal APS share it"),
    Column("name", "name", "Name", "Entry"),
    Column("version", "version", "Version", None),
    Column(
        "points",
        "points",
        None,
        "Points",
        "1 for a won pairing, ½ for a draw, 1 for a bye",
        is_optional=True,
    ),
    Column("aps", "percent", "APS", "APS", "Average percentage of score, over all opponents"),
    Column("interval", "interval", "95 %", "95 % interval", "Sorted by width", is_optional=True),
    Column(
        "alike",
        "alike",
        "Alike",
        "Alike",
        "Ranks of the entries that may be equally strong: the difference may be chance",
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
    Column("battles", "count", "Battles", "Battles", "Battles that count", is_small=True),
    Column("failures", "mistakes", "Forfeits", "Forfeits", "Battles that it forfeited", is_small=True),
)
"""The columns in the order of the page. The terminal shows the ratings last."""
