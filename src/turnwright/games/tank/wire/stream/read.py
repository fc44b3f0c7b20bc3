"""Reads stream messages as turns, for programs and tests.

The browser does the same in games/tank/view/stream.js.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Any

from turnwright.games.tank import observation as view
from turnwright.games.tank.rules.constants import bullet_speed
from turnwright.games.tank.wire.stream.delta_tables import (
    BULLET_DIRECTION_PER_DEGREE,
    BULLET_PLACE_PER_UNIT,
    BULLET_POWER_PER_UNIT,
    ENERGY_PER_UNIT,
    PLACE_PER_UNIT,
    SEAT_COLUMNS,
    TANK_COLUMNS,
    TIME_STEP_US,
    SeatStatus,
    TableReader,
)
from turnwright.games.tank.wire.stream.messages import BulletTrack, Delta, EventCode, Keyframe, Texts
from turnwright.games.tank.wire.stream.write import BotStanding


@dataclass(frozen=True, slots=True)
class KnownBot:
    """Fields of a bot that are not in the stream but in GameStartedEventForObserver."""

    name: str = ""
    version: str = ""
    session_id: str = ""
    is_droid: bool = False


@dataclass(frozen=True, slots=True)
class SeatTimes:
    """Times of one bot in a turn, in µs; None: unknown, or not late.

    status: at its end.
    """

    skipped: bool = False
    late_us: int | None = None
    answer_us: int | None = None
    rtt_us: int | None = None
    status: SeatStatus = SeatStatus.RUNNING


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as spectators see it.

    number: in the game; left_out: texts that were too much.

    times, standings: by bot id.
    """

    number: int
    frame: view.Frame
    times: Mapping[int, SeatTimes] = field(default_factory=dict)
    standings: Mapping[int, BotStanding] = field(default_factory=dict)
    lag_us: int | None = None
    left_out: int = 0


class FrameReader:
    """Reads the stream of one battle. who: the bots by id."""

    def __init__(self, who: Mapping[int, KnownBot]) -> None:
        self.number = 0
        self._who = who
        self._tanks = TableReader(TANK_COLUMNS)
        self._seats = TableReader(SEAT_COLUMNS)
        self._round = self._turn = 0
        self._bullets: dict[int, tuple[BulletTrack, int]] = {}
        self._looks: dict[int, list[str | None]] = {}
        self._texts: dict[int, Texts] = {}
        self._debugging: list[int] = []

    def read(self, message: Keyframe | Delta) -> Turn | None:
        """Take a message and return the turn.

        None for a Delta to a turn that this reader does not hold.

        Raises ValueError for what does not fit together.
        """
        if isinstance(message, Keyframe):
            self._begin(message)
        elif not self.number or message.frame != self.number + 1:
            return None
        else:
            self._turn += 1
            self._tanks.read(message.tanks)
            self._seats.read(message.seats)
        self.number = message.frame
        self._take(message)
        bullets = {i: self._flown(i) for i in self._bullets}
        gone = set(message.gone)
        tanks = self._tank_frames()
        events = list(self._events(message.events, bullets, tanks))
        for number in gone:
            self._bullets.pop(number, None)
        flying = [bullet for number, bullet in bullets.items() if number not in gone]
        frame = view.Frame(self._round, self._turn, tanks, flying, events)
        times, standings = self._times(message), self._standings()
        return Turn(message.frame, frame, times, standings, message.lag_us, message.left_out)

    def _begin(self, message: Keyframe) -> None:
        self._round, self._turn = message.round_number, message.turn_number
        self._tanks.begin(message.tanks)
        self._seats.begin(message.seats)
        self._bullets, self._looks, self._texts = {}, {}, {}

    def _take(self, message: Keyframe | Delta) -> None:
        for bullet in message.bullets:
            self._bullets[bullet.id] = bullet, self.number - bullet.age
        self._looks.update((looks.id, looks.colors) for looks in message.looks)
        self._texts.update((texts.id, texts) for texts in message.texts)
        if message.debugging is not None:
            self._debugging = message.debugging

    def _flown(self, number: int, back: int = 0) -> view.BulletState:
        """Return a bullet where it is now, or was some turns back."""
        bullet, since = self._bullets[number]
        power = bullet.power / BULLET_POWER_PER_UNIT
        direction = bullet.direction / BULLET_DIRECTION_PER_DEGREE
        way, angle = (self.number - since - back) * bullet_speed(power), direction * pi / 180
        x = bullet.x / BULLET_PLACE_PER_UNIT + way * cos(angle)
        y = bullet.y / BULLET_PLACE_PER_UNIT + way * sin(angle)
        return view.BulletState(bullet.id, bullet.owner, power, x, y, direction, bullet.color)

    def _tank_frames(self) -> list[view.TankFrame]:
        rows = zip(*self._tanks.values, strict=True)
        shown = []
        for number, row in zip(self._tanks.ids, rows, strict=True):
            who = self._who.get(number, KnownBot())
            values = {
                _FIELDS[column.name]: value / column.per_unit if column.per_unit > 1 else value
                for column, value in zip(TANK_COLUMNS, row, strict=True)
            }
            tank = view.TankFrame(
                id=number,
                session_id=who.session_id,
                name=who.name,
                version=who.version,
                is_droid=who.is_droid,
                is_debugging_enabled=number in self._debugging,
                **values,
            )
            self._dress(tank)
            shown.append(tank)
        return shown

    def _dress(self, tank: view.TankFrame) -> None:
        colors = self._looks.get(tank.id)
        if colors is not None:
            for name, color in zip(_COLORS, colors, strict=True):
                setattr(tank, name, color)
        texts = self._texts.get(tank.id)
        if texts is not None:
            tank.std_out, tank.std_err = texts.std_out, texts.std_err
            tank.debug_graphics = texts.debug_graphics

    def _times(self, message: Keyframe | Delta) -> dict[int, SeatTimes]:
        late, skipped = dict(message.late), set(message.skipped)
        rows = zip(self._seats.ids, *self._seats.values, strict=True)
        return {
            i: SeatTimes(i in skipped, _us(late.get(i, -1)), _us(answer), _us(rtt), SeatStatus(status))
            for i, answer, rtt, status, *_ in rows
        }

    def _standings(self) -> dict[int, BotStanding]:
        rows = zip(self._seats.ids, *self._seats.values[3:], strict=True)
        return {i: BotStanding(points, team, place, missed) for i, missed, points, team, place in rows}

    def _events(
        self, told: Sequence[Any], bullets: Mapping[int, view.BulletState], tanks: Sequence[view.TankFrame]
    ) -> Iterator[view.Event]:
        for code, *rest in told:
            if code == EventCode.SCAN:
                yield from _scans(self._turn, tanks, *rest)
            elif code == EventCode.FIRED:
                yield view.BulletFiredEvent(self._turn, self._flown(rest[0], back=1))
            else:
                yield _event(self._turn, code, rest, bullets)


def _us(steps: int) -> int | None:
    return None if steps < 0 else steps * TIME_STEP_US


def _event(turn: int, code: int, rest: Sequence[Any], bullets: Mapping[int, view.BulletState]) -> view.Event:
    match code:
        case EventCode.DEATH:
            return view.BotDeathEvent(turn, rest[0])
        case EventCode.WALL:
            return view.BotHitWallEvent(turn, rest[0])
        case EventCode.BOT:
            bot, other, rammed, energy, x, y = rest
            place = x / PLACE_PER_UNIT, y / PLACE_PER_UNIT
            return view.BotHitBotEvent(turn, bot, other, energy / ENERGY_PER_UNIT, *place, bool(rammed))
        case EventCode.BULLET_BOT:
            victim, number, damage, energy = rest
            after = damage / ENERGY_PER_UNIT, energy / ENERGY_PER_UNIT
            return view.BulletHitBotEvent(turn, victim, bullets[number], *after)
        case EventCode.BULLET_BULLET:
            return view.BulletHitBulletEvent(turn, bullets[rest[0]], bullets[rest[1]])
        case EventCode.BULLET_WALL:
            return view.BulletHitWallEvent(turn, bullets[rest[0]])
    raise ValueError(f"an event of code {code}")


def _scans(
    turn: int, tanks: Sequence[view.TankFrame], pairs: Sequence[int], energies: Sequence[int] = ()
) -> Iterator[view.ScannedBotEvent]:
    other = dict(zip(energies[::2], energies[1::2], strict=True))
    pair = 0
    for step in pairs:
        pair += step
        row = pair % len(tanks)
        by, seen = tanks[pair // len(tanks)], tanks[row]
        energy = other[row] / ENERGY_PER_UNIT if row in other else seen.energy
        yield view.ScannedBotEvent(turn, by.id, seen.id, energy, seen.x, seen.y, seen.direction, seen.speed)


_COLORS = (
    *("body_color", "turret_color", "radar_color", "bullet_color"),
    *("scan_color", "tracks_color", "gun_color"),
)
_FIELDS = {
    encoded: name
    for name, encoded in zip(
        view.TankFrame.__struct_fields__, view.TankFrame.__struct_encode_fields__, strict=True
    )
}
