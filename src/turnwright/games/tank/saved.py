"""A battle written down between two turns, as JSON, and put back: what a keyframe of a record holds.

The tables' rows are lists of numbers in the order of `world`, up to where the scratch begins; what is worked
out anew each turn, or follows from the setup, is left out. Keyframes come from files of strangers, and the
compiled rules check no index: whatever a row says is checked before it is believed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import msgspec

from turnwright.games.tank.results import SCORE_FIELDS, score_values
from turnwright.games.tank.rules import FIREPOWER_MAX, FIREPOWER_MIN, SPEED_MAX, bullet_speed
from turnwright.games.tank.texts import Texts
from turnwright.games.tank.trig import sincos
from turnwright.games.tank.world import ARENA, BULLET, DUEL, TANK, Arena, Bullet, Duel, RowKind, Tank

if TYPE_CHECKING:
    from turnwright.games.tank.state import TankState

__all__ = ["restore_state", "save_state"]

_COUNT_MAX = 2**53
"""No counter gets there."""
_COLOR_MAX = 0xFFFFFF
_POINT_FIELDS = 6
"""So many of the fields of a score are points, the rest are counts."""

Row = list[float | int]


class _Saved(msgspec.Struct, omit_defaults=True):
    """tanks, scores, texts: by seat. order: see `results.Standings`."""

    arena: Row
    tanks: list[Row]
    bullets: list[Row] = []
    duels: list[Row] = []
    scores: list[Row] = []
    order: list[int] = []
    texts: list[Texts | None] = []


_decoder = msgspec.json.Decoder(_Saved)


def save_state(state: TankState) -> bytes:
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
        texts=state.texts if state.texting else [],
    )
    return msgspec.json.encode(saved)


def restore_state(state: TankState, data: bytes) -> None:
    """Put a saved battle into a fresh state of the same setup. Raises: ValueError for what is none."""
    saved = _decoder.decode(data)
    seats = len(state.seats)
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
    state.game_over = state.round_over and arena.round >= state.settings.number_of_rounds
    state.alive = state.started = tuple(seat for seat, tank in enumerate(tanks) if tank.alive)
    state.retired = [bool(tank.retired) for tank in tanks]
    state.said_colors = [None] * seats
    state.seen_colors = [((-1,) * 7, (None,) * 7)] * seats


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"its {what} cannot be")


def _just(rows: Sequence[Any], count: int, what: str) -> Sequence[Any]:
    _check(len(rows) == count, f"number of {what}")
    return rows


def _values(kind: RowKind, row: Row, what: str) -> list[Any]:
    """Return the values of a row as its kind has them: finite floats, and integers within 53 bits."""
    _just(row, kind.state_count, f"numbers in {what}")
    return [_number(value, code == "d", what) for value, code in zip(row, kind.codes, strict=False)]


def _number(value: float | int, is_float: bool, what: str) -> float | int:
    if is_float:
        number = float(value)
        _check(number - number == 0.0, what)
        return number
    _check(type(value) is int and -_COUNT_MAX <= value <= _COUNT_MAX, what)
    return value


def _arena(state: TankState, saved: _Saved) -> Arena:
    arena = Arena(*_values(ARENA, saved.arena, "arena"))
    _check(1 <= arena.round <= state.settings.number_of_rounds, "round")
    _check(arena.turn >= 1 and arena.inactive_turns >= 0, "turn")
    _check(arena.bullets == len(saved.bullets) and arena.duels == len(saved.duels), "number of rows")
    return arena


def _tank(state: TankState, seat: int, row: Row) -> Tank:
    tank = Tank(*_values(TANK, row, "tanks"))
    _check(tank.alive in (0, 1), "tanks")
    _check(_is_inside(state, tank.x, tank.y) and -SPEED_MAX <= tank.speed <= SPEED_MAX, "place of a tank")
    _check(tank.gun_heat >= 0.0, "gun heat")
    _check(all(-1 <= getattr(tank, name) <= _COLOR_MAX for name in _COLORS), "colours")
    tank.seat, tank.team, tank.droid = seat, state.teams[seat], int(state.droids[seat])
    return tank


_COLORS = tuple(f.name for f in fields(Tank) if f.name.endswith("_color"))


def _is_inside(state: TankState, x: float, y: float) -> bool:
    return 0.0 <= x <= state.settings.arena_width and 0.0 <= y <= state.settings.arena_height


def _bullet(state: TankState, row: Row) -> Bullet:
    """Return a bullet with what follows from its state; it must be where it has flown to."""
    bullet = Bullet(*_values(BULLET, row, "bullets"))
    _check(0 <= bullet.owner < len(state.seats) and -1 <= bullet.color <= _COLOR_MAX, "bullets")
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


def _take_scores(state: TankState, saved: _Saved) -> None:
    standings, seats = state.standings, range(len(state.seats))
    for seat, row in zip(seats, _just(saved.scores, len(seats), "scores"), strict=True):
        _just(row, len(SCORE_FIELDS), "scores")
        values = [_number(value, k < _POINT_FIELDS, "scores") for k, value in enumerate(row)]
        said: dict[str, Any] = dict(zip(SCORE_FIELDS, values, strict=True))
        standings.seats[seat] = replace(standings.seats[seat], **said)
    _check(not saved.order or sorted(saved.order) == list(seats), "order")
    standings.order = saved.order


def _take_texts(state: TankState, saved: _Saved) -> None:
    seats = len(state.seats)
    state.texting = bool(saved.texts)
    state.texts = list(_just(saved.texts, seats, "texts")) if saved.texts else [None] * seats
