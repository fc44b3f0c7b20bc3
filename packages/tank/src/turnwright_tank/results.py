"""Scores and ranks, each declared once. Source: tank-rules.md#scores.

Results in messages, traces, terminals and pages are made from `ScoreRow` and `SCORES`.

A row belongs to a seat. In the results for spectators it can belong to a team. Scores are added in the same
order as on the official server, so that equal scores are equal bit for bit.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Any, NamedTuple

from turnwright_tank.rules.constants import (
    BULLET_KILL_BONUS,
    LAST_SURVIVOR_BONUS,
    RAM_DAMAGE,
    RAM_DAMAGE_SCORE,
    RAM_KILL_BONUS,
    SURVIVAL_SCORE,
)
from turnwright_tank.rules.rows import Duel, Tank


class ScoreColumn(NamedTuple):
    """A column of the results, with headings for terminal and page. Parts of the total have a title."""

    name: str
    heading: str
    title: str = ""


def _score(heading: str, title: str = "") -> Any:
    return field(default=0.0 if title else 0, metadata={"heading": heading, "title": title})


@dataclass(slots=True)
class ScoreRow:
    """Unrounded points and places of a seat or a team.

    No code changes a row. The class is not frozen because many rows are made each turn, and a frozen class
    would take 8 times as long.

    Attributes:
        id: bot id (seat + 1) or team id.
        rank: 1 is best, and ties share a rank. While the best total is 0, the rank is 0, as in the original.
    """

    id: int
    name: str = ""
    version: str = ""
    is_team: bool = False
    rank: int = 0
    survival: float = _score("Survival", "Survival")
    last_survivor_bonus: float = _score("Last", "Last survivor")
    bullet_damage: float = _score("Bullets", "Bullet damage")
    bullet_kill_bonus: float = _score("Bullet kills", "Bullet kills")
    ram_damage: float = _score("Rams", "Ram damage")
    ram_kill_bonus: float = _score("Ram kills", "Ram kills")
    first_places: int = _score("1st")
    second_places: int = _score("2nd")
    third_places: int = _score("3rd")

    @property
    def total(self) -> float:
        """The sum of all six terms."""
        return (
            self.bullet_damage
            + self.bullet_kill_bonus
            + self.ram_damage
            + self.ram_kill_bonus
            + self.survival
            + self.last_survivor_bonus
        )


TOTAL = ScoreColumn("total_score", "Total")
SCORES = tuple(ScoreColumn(f.name, **f.metadata) for f in fields(ScoreRow) if f.metadata)
"""The columns that are added up over rounds: six parts of the total, and three counts of places."""
SCORE_FIELDS = tuple(column.name for column in SCORES)
score_values = attrgetter(*SCORE_FIELDS)
"""Returns the values of SCORE_FIELDS of a row."""
_SCORES = struct.Struct(f"<{len(SCORE_FIELDS)}d")


@dataclass(frozen=True, slots=True)
class TankResults:
    """The results so far.

    Attributes:
        seats: one row for each seat, in order of seat, with the rank that its bot receives.
        rows: one row for each solo seat and each team, best first, as spectators get them.
    """

    seats: tuple[ScoreRow, ...]
    rows: tuple[ScoreRow, ...]


def add(one: ScoreRow, two: ScoreRow) -> ScoreRow:
    """Return `one` with the points and places of `two` added."""
    return ScoreRow(
        one.id,
        one.name,
        one.version,
        one.is_team,
        one.rank,
        one.survival + two.survival,
        one.last_survivor_bonus + two.last_survivor_bonus,
        one.bullet_damage + two.bullet_damage,
        one.bullet_kill_bonus + two.bullet_kill_bonus,
        one.ram_damage + two.ram_damage,
        one.ram_kill_bonus + two.ram_kill_bonus,
        one.first_places + two.first_places,
        one.second_places + two.second_places,
        one.third_places + two.third_places,
    )


def with_rank(row: ScoreRow, rank: int) -> ScoreRow:
    """Return a copy of a row with another rank."""
    return ScoreRow(row.id, row.name, row.version, row.is_team, rank, *score_values(row))


def ranked(rows: Sequence[ScoreRow]) -> list[ScoreRow]:
    """Return rows with their ranks. The given rows must be sorted, best first.

    Ties share a rank, and the ranks after a tie are skipped (1, 2, 2, 4). If the best total is 0, its rank is
    0.
    """
    last, rank, result = 0.0, 0, []
    for place, row in enumerate(rows, start=1):
        if row.total != last:
            last, rank = row.total, place
        result.append(with_rank(row, rank))
    return result


def best_first(rows: Sequence[ScoreRow]) -> list[ScoreRow]:
    """Return rows sorted by total, best first. Rows with equal totals keep their order."""
    return sorted(rows, key=lambda row: -row.total)


def _round_score(tank: Tank, mine: Sequence[Duel]) -> ScoreRow:
    """Return the score of a tank.

    Args:
        mine: the duels in which the tank attacked.
    """
    damage = bonus = ram_bonus = 0.0
    for duel in mine:
        damage += duel.bullet_damage
    for duel in sorted((d for d in mine if d.bullet_kill), key=lambda d: d.bullet_kill):
        bonus += duel.bullet_damage + duel.ram_hits * RAM_DAMAGE
    for duel in sorted((d for d in mine if d.ram_kill), key=lambda d: d.ram_kill):
        ram_bonus += duel.bullet_damage + duel.ram_hits * RAM_DAMAGE
    ram_hits = 0
    for duel in mine:
        ram_hits += duel.ram_hits
    return ScoreRow(
        tank.seat + 1,
        survival=SURVIVAL_SCORE * tank.deaths_survived,
        last_survivor_bonus=LAST_SURVIVOR_BONUS * tank.deaths_before,
        bullet_damage=damage,
        bullet_kill_bonus=BULLET_KILL_BONUS * bonus,
        ram_damage=RAM_DAMAGE_SCORE * (ram_hits * RAM_DAMAGE),
        ram_kill_bonus=RAM_KILL_BONUS * ram_bonus,
    )


def round_scores(tanks: Sequence[Tank], duels: Sequence[Duel]) -> list[ScoreRow]:
    """Return the scores of a round as if it ended now, with ranks and places, best first."""
    attacks: list[list[Duel]] = [[] for _ in tanks]
    for duel in duels:
        attacks[duel.attacker].append(duel)
    rows = ranked(best_first([_round_score(tank, attacks[tank.seat]) for tank in tanks]))
    places = {1: "first_places", 2: "second_places", 3: "third_places"}
    return [replace(r, **{places[r.rank]: 1}) if r.rank in places else r for r in rows]  # type: ignore[arg-type]


@dataclass(slots=True)
class Standings:
    """The accumulated scores of a battle.

    The original sends each bot its place in `order`, also after later rounds. turnwright does the same,
    because other projects' bots and tools compare these places.

    Attributes:
        order: the seats in the order of their ranks in the first round. It is empty before.
        packed: the bytes of `seats` in the snapshot.
    """

    names: Sequence[tuple[str, str]]
    """For each seat, name and version."""
    teams: Sequence[tuple[int, str, str] | None]
    """For each seat, id, name and version of its team."""
    seats: list[ScoreRow] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    packed: bytes = b""

    def __post_init__(self) -> None:
        if not self.seats:
            self.seats = [ScoreRow(s + 1, name, version) for s, (name, version) in enumerate(self.names)]
            self.pack()

    def pack(self) -> None:
        """Update `packed` from `seats`."""
        self.packed = b"".join([_SCORES.pack(*score_values(row)) for row in self.seats])

    def add_round(self, rows: Sequence[ScoreRow]) -> None:
        """Add the scores of a round (best first, as `round_scores` returns them)."""
        self._add(rows)
        self.pack()

    def _add(self, rows: Sequence[ScoreRow]) -> None:
        if not self.order:
            self.order = [row.id - 1 for row in rows]
        for row in rows:
            self.seats[row.id - 1] = add(self.seats[row.id - 1], row)

    def with_round(self, rows: Sequence[ScoreRow]) -> Standings:
        """Return new standings with the scores of one more round (best first). Their `packed` is empty."""
        after = Standings(self.names, self.teams, self.seats[:], self.order[:])
        after._add(rows)
        return after

    def results(self) -> TankResults:
        """Return the results so far. All ranks are 0 before the first round is added."""
        told = {seat: place for place, seat in enumerate(self.order, start=1)}
        seats = tuple([with_rank(row, told.get(s, 0)) for s, row in enumerate(self.seats)])
        groups: dict[tuple[bool, int], ScoreRow] = {}
        for seat, row in enumerate(self.seats):
            team = self.teams[seat]
            key = (False, seat) if team is None else (True, team[0])
            if key in groups:
                groups[key] = add(groups[key], row)
            elif team is None:
                groups[key] = row
            else:
                groups[key] = replace(row, id=team[0], name=team[1], version=team[2], is_team=True)
        rows = ranked(sorted(groups.values(), key=lambda row: (-row.total, row.id)))
        return TankResults(seats, tuple(rows))
