"""The state of a battle between two turns, and its saved form in keyframes.

Saved rows are lists of numbers in the order of `rules.rows`. Fields that are computed again each turn, or
follow from the setup, are left out. Keyframes come from untrusted files, and the compiled rules check no
index, so every row is checked before use.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol

import msgspec

from turnwright.kernel.game import Seat
from turnwright_tank.bot_output import BotOutput, RoundOutput
from turnwright_tank.intent import IntentNumbers
from turnwright_tank.results import (
    SCORE_FIELDS,
    ScoreRow,
    Standings,
    TankResults,
    round_scores,
    score_values,
)
from turnwright_tank.rules.constants import FIREPOWER_MAX, FIREPOWER_MIN, SPEED_MAX, bullet_speed
from turnwright_tank.rules.rows import ARENA, BULLET, DUEL, TANK, Arena, Bullet, Duel, RowKind, Tank
from turnwright_tank.rules.trig import sincos
from turnwright_tank.seats import Lineup
from turnwright_tank.structs import TankIntent
from turnwright_tank.turn_view import TurnView


class TankRows(Protocol):
    """The tables of one battle, interpreted or compiled.

    See `backends.python.InterpretedRows`.
    """

    faults: list[tuple[str, str]]

    def begin_round(self, round_number: int, tanks: Sequence[Tank]) -> None: ...
    def store(self, seat: int, numbers: IntentNumbers) -> None: ...
    def store_read(self, intents: Mapping[int, TankIntent]) -> Collection[int]: ...
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
class TankBattleState:
    """A battle between two turns. A host may change `debugging`. Only the game changes the other fields."""

    lineup: Lineup
    tables: TankRows
    standings: Standings
    output: RoundOutput
    retired: list[bool]
    round_number: int = 0
    turn_number: int = 0
    """The turn of the round, 0 before the first turn."""
    opened_round: bool = False
    """Whether the last turn began a round."""
    round_over: bool = False
    game_over: bool = False
    alive: tuple[Seat, ...] = ()
    started: tuple[Seat, ...] = ()
    """Seats that were alive when the turn began."""
    debugging: set[Seat] = field(default_factory=set)
    """Seats whose debug graphics spectators may see."""
    winners: tuple[Seat, ...] = ()
    """Seats that get WonRoundEvent for the round that the last turn ended."""
    view: TurnView | None = None
    """The view of this turn, None before the first observation is made."""

    @property
    def scores(self) -> tuple[ScoreRow, ...]:
        """The accumulated scores, one row for each seat, without ranks."""
        return tuple(self.standings.seats)

    @property
    def results(self) -> TankResults:
        """The accumulated results, with ranks."""
        return self.standings.results()

    @property
    def results_so_far(self) -> TankResults:
        """The results if the round ended now."""
        if self.round_over:
            return self.results
        return self.standings.with_round(round_scores(*self.tables.score_rows())).results()

    @property
    def faults(self) -> list[tuple[str, str]]:
        """(stage, error) for each stage that raised an exception and was skipped in the last turn."""
        return self.tables.faults


_COUNT_MAX = 2**53
"""A bound above all counters."""
_COLOR_MAX = 0xFFFFFF
_POINT_FIELDS = 6
"""The number of fields of a score that are points. The others are counts."""

Row = list[float | int]


class _Saved(msgspec.Struct, omit_defaults=True):
    """A saved battle. `tanks`, `scores` and `texts` are by seat. `order` is the order of the
    standings (`results.Standings`)."""

    arena: Row
    tanks: list[Row]
    bullets: list[Row] = []
    duels: list[Row] = []
    scores: list[Row] = []
    order: list[int] = []
    texts: list[BotOutput | None] = []


_decoder = msgspec.json.Decoder(_Saved)


def save_state(state: TankBattleState) -> bytes:
    """Return a battle as JSON, on one line."""
    rows = {
        name: [list(row) for row in kind.state_struct.iter_unpack(data)]
        for name, kind, data in state.tables.packed()
    }
    saved = _Saved(
        arena=rows["arena"][0],
        tanks=rows["tanks"],
        bullets=rows["bullets"],
        duels=rows["duels"],
        scores=[list(score_values(row)) for row in state.standings.seats],
        order=state.standings.order,
        texts=state.output.texts if state.output.any_texts else [],
    )
    return msgspec.json.encode(saved)


def restore_state(state: TankBattleState, data: bytes) -> None:
    """Restore a saved battle into a new state of the same setup.

    Raises:
        ValueError: the data is invalid.
    """
    saved = _decoder.decode(data)
    seats = len(state.lineup.seats)
    arena = _arena(state, saved)
    tanks = [_tank(state, seat, row) for seat, row in enumerate(_just(saved.tanks, seats, "tanks"))]
    bullets = [_bullet(state, row) for row in saved.bullets]
    ids = [bullet.id for bullet in bullets]
    _check(ids == sorted(set(ids)) and max(ids, default=0) <= arena.bullets_fired, "ids of bullets")
    duels = [_duel(seats, row) for row in saved.duels]
    _check(len({(d.attacker, d.victim) for d in duels}) == len(duels), "duels")
    _take_scores(state, saved)
    _take_texts(state, saved)
    state.tables.put_back(arena, tanks, bullets, duels)
    state.round_number, state.turn_number = arena.round, arena.turn
    state.opened_round = arena.turn == 1
    state.round_over = arena.round_over != 0
    state.game_over = state.round_over and arena.round >= state.lineup.settings.number_of_rounds
    state.alive = state.started = tuple(seat for seat, tank in enumerate(tanks) if tank.alive)
    state.retired = [bool(tank.retired) for tank in tanks]


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"its {what} is impossible")


def _just(rows: Sequence[Any], count: int, what: str) -> Sequence[Any]:
    _check(len(rows) == count, f"number of {what}")
    return rows


def _values(kind: RowKind, row: Row, what: str) -> list[Any]:
    """Return the values of a row with the types of its kind: finite floats, and integers within 53 bits."""
    _just(row, kind.state_count, f"numbers in {what}")
    return [_number(value, code == "d", what) for value, code in zip(row, kind.codes, strict=False)]


def _number(value: float | int, is_float: bool, what: str) -> float | int:
    if is_float:
        number = float(value)
        _check(number - number == 0.0, what)
        return number
    _check(type(value) is int and -_COUNT_MAX <= value <= _COUNT_MAX, what)
    return value


def _arena(state: TankBattleState, saved: _Saved) -> Arena:
    arena = Arena(*_values(ARENA, saved.arena, "arena"))
    _check(1 <= arena.round <= state.lineup.settings.number_of_rounds, "round")
    _check(arena.turn >= 1 and arena.inactive_turns >= 0, "turn")
    _check(arena.bullets == len(saved.bullets) and arena.duels == len(saved.duels), "number of rows")
    return arena


def _tank(state: TankBattleState, seat: int, row: Row) -> Tank:
    tank = Tank(*_values(TANK, row, "tanks"))
    _check(tank.alive in (0, 1), "tanks")
    _check(_is_inside(state, tank.x, tank.y) and -SPEED_MAX <= tank.speed <= SPEED_MAX, "place of a tank")
    _check(_is_inside(state, tank.scanned_x, tank.scanned_y), "place of a scan")
    _check(all(abs(getattr(tank, name)) <= _ANGLE_MAX for name in _ANGLES), "angles")
    _check(tank.gun_heat >= 0.0, "gun heat")
    _check(all(-1 <= getattr(tank, name) <= _COLOR_MAX for name in _COLORS), "colours")
    tank.seat, tank.team, tank.droid = seat, state.lineup.teams[seat], int(state.lineup.droids[seat])
    return tank


_ANGLE_MAX = 1e300
"""Degrees of an angle or of its change. The bound keeps sums finite. Seats may request any start direction.
"""
_ANGLES = tuple(f.name for f in fields(Tank) if re.search(r"(^|_)(direction|sweep|turn_rate)$", f.name))
_COLORS = tuple(f.name for f in fields(Tank) if f.name.endswith("_color"))


def _is_inside(state: TankBattleState, x: float, y: float) -> bool:
    settings = state.lineup.settings
    return 0.0 <= x <= settings.arena_width and 0.0 <= y <= settings.arena_height


def _bullet(state: TankBattleState, row: Row) -> Bullet:
    """Return a bullet with the computed fields. Its place must follow from its start, speed and number of
    steps.
    """
    bullet = Bullet(*_values(BULLET, row, "bullets"))
    _check(0 <= bullet.owner < len(state.lineup.seats) and -1 <= bullet.color <= _COLOR_MAX, "bullets")
    _check(FIREPOWER_MIN <= bullet.power <= FIREPOWER_MAX and bullet.ticks >= 0, "bullets")
    _check(_is_inside(state, bullet.x, bullet.y), "place of a bullet")
    bullet.speed = bullet_speed(bullet.power)
    bullet.sin, bullet.cos = sincos(bullet.direction)
    flown = bullet.speed * float(bullet.ticks)
    there = bullet.start_x + bullet.cos * flown, bullet.start_y + bullet.sin * flown
    _check(there == (bullet.x, bullet.y), "place of a bullet")
    ahead = bullet.speed * (bullet.ticks + 1.0)
    bullet.next_x = bullet.start_x + bullet.cos * ahead
    bullet.next_y = bullet.start_y + bullet.sin * ahead
    return bullet


def _duel(seats: int, row: Row) -> Duel:
    duel = Duel(*_values(DUEL, row, "duels"))
    _check(0 <= duel.attacker < seats and 0 <= duel.victim < seats, "duels")
    return duel


def _take_scores(state: TankBattleState, saved: _Saved) -> None:
    standings, seats = state.standings, range(len(state.lineup.seats))
    for seat, row in zip(seats, _just(saved.scores, len(seats), "scores"), strict=True):
        _just(row, len(SCORE_FIELDS), "scores")
        values = [_number(value, k < _POINT_FIELDS, "scores") for k, value in enumerate(row)]
        said: dict[str, Any] = dict(zip(SCORE_FIELDS, values, strict=True))
        standings.seats[seat] = replace(standings.seats[seat], **said)
    _check(not saved.order or sorted(saved.order) == list(seats), "order")
    standings.order = saved.order
    standings.pack()


def _take_texts(state: TankBattleState, saved: _Saved) -> None:
    seats = len(state.lineup.seats)
    state.output = RoundOutput(seats)
    if saved.texts:
        state.output.texts = list(_just(saved.texts, seats, "texts"))
        state.output.any_texts = True
