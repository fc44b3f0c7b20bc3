"""The state of a battle: the tables, and what is not a number in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from turnwright.games.tank.look import Sight
from turnwright.games.tank.orders import Numbers
from turnwright.games.tank.results import ScoreRow, Standings, TankResults
from turnwright.games.tank.settings import TankSettings
from turnwright.games.tank.texts import Texts
from turnwright.games.tank.view import Event
from turnwright.games.tank.world import Arena, Bullet, Duel, RowKind, Tank
from turnwright.kernel.game import Seat, SeatInfo

__all__ = ["Tables", "TankState"]


class Tables(Protocol):
    """The tables of one battle, at either speed. See `interpreted.InterpretedTables`."""

    faults: list[tuple[str, str]]

    def begin_round(self, round_number: int, tanks: Sequence[Tank]) -> None: ...
    def store(self, seat: int, numbers: Numbers) -> None: ...
    def stored_colors(self, seat: int) -> tuple[int, ...]: ...
    def store_colors(self, seat: int, colors: Sequence[int]) -> None: ...
    def retire(self, seat: int) -> None: ...
    def step(self) -> tuple[bool, bool]: ...
    def shown(self) -> list[tuple[Any, ...]]: ...
    def executed(self, seat: int) -> bool: ...
    def bullets(self) -> tuple[list[tuple[Any, ...]], int]: ...
    def events(self) -> list[tuple[Any, ...]]: ...
    def alive(self) -> tuple[int, ...]: ...
    def score_rows(self) -> tuple[Sequence[Tank], Sequence[Duel]]: ...
    def snapshot(self) -> bytes: ...
    def packed(self) -> Iterator[tuple[str, RowKind, bytes]]: ...
    def put_back(
        self, arena: Arena, tanks: Sequence[Tank], bullets: Sequence[Bullet], duels: Sequence[Duel]
    ) -> None: ...


@dataclass(slots=True)
class TankState:
    """A battle between two turns. Whoever shows it may write `debugging`; everything else is the game's."""

    settings: TankSettings
    seats: tuple[SeatInfo, ...]
    teams: tuple[int, ...]
    """Of each seat, the lowest seat of its team."""
    has_teams: bool
    odd_directions: bool
    """Whether a seat wishes a start direction outside [0, 360)."""
    droids: tuple[bool, ...]
    session_ids: tuple[str, ...]
    tables: Tables
    standings: Standings
    round_number: int = 0
    turn_number: int = 0
    """Of the round; 0 before the first."""
    opened_round: bool = False
    """Whether the last resolve began a round."""
    round_over: bool = False
    game_over: bool = False
    alive: tuple[Seat, ...] = ()
    started: tuple[Seat, ...] = ()
    """Who was alive when the turn began."""
    retired: list[bool] = field(default_factory=list)
    debugging: set[Seat] = field(default_factory=set)
    """Seats whose debug graphics spectators may see."""
    texts: list[Texts | None] = field(default_factory=list)
    texting: bool = False
    """Whether any seat has said a text in this round."""
    said_colors: list[Any] = field(default_factory=list)
    """Of each seat, the colour texts last taken, so that the same ones are not read again."""
    seen_colors: list[tuple[Any, tuple[str | None, ...]]] = field(default_factory=list)
    """Of each seat, the colours last shown, as numbers and as texts."""
    messages: list[tuple[Seat, Event]] = field(default_factory=list)
    """Team messages of this turn: receiver and event, in the order sent."""
    winners: tuple[Seat, ...] = ()
    """Who is told that it won the round that the last turn ended."""
    score_bytes: bytes = b""
    """The accumulated scores as they are in the snapshot."""
    sight: Sight | None = None
    """What can be seen of this turn; None until somebody looks."""

    @property
    def scores(self) -> tuple[ScoreRow, ...]:
        """The accumulated scores, one row a seat, without ranks."""
        return tuple(self.standings.seats)

    @property
    def results(self) -> TankResults:
        """The accumulated results, with ranks."""
        return self.standings.results()

    @property
    def faults(self) -> list[tuple[str, str]]:
        """Stages that raised and were skipped in the last turn: (stage, what it raised)."""
        return self.tables.faults
