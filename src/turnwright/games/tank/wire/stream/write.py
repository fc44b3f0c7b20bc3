"""Writes turns as stream messages: one writer a battle, one message a turn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, radians, sin
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from turnwright.games.tank import observation as view
from turnwright.games.tank.results import TankResults
from turnwright.games.tank.rules.constants import DISABLED_BELOW, bullet_speed
from turnwright.games.tank.wire.royale.results import half_up
from turnwright.games.tank.wire.stream.delta_tables import (
    ANGLE_PER_DEGREE,
    BULLET_DIRECTION_PER_DEGREE,
    BULLET_PLACE_PER_UNIT,
    BULLET_POWER_PER_UNIT,
    ENERGY_PER_UNIT,
    FULL_CIRCLE,
    PLACE_PER_UNIT,
    SEAT_COLUMNS,
    SPEED_PER_UNIT,
    TANK_COLUMNS,
    TIME_STEP_US,
    UNKNOWN,
    SeatStatus,
    TableWriter,
)
from turnwright.games.tank.wire.stream.messages import (
    TEXT_CHARS_MAX,
    BulletTrack,
    Delta,
    EventCode,
    Keyframe,
    TankColors,
    Texts,
)
from turnwright.kernel.game import Seat
from turnwright.kernel.printed import TurnPrints

_NS_PER_STEP = TIME_STEP_US * 1_000
_NOTICED = 8
"""A time is sent again when it has changed by the eighth part."""
_colors = attrgetter(
    "body_color", "turret_color", "radar_color", "bullet_color", "scan_color", "tracks_color", "gun_color"
)
_NO_COLORS = (None,) * 7
_NOTHING: Mapping[Seat, TurnPrints] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class BotTimes:
    """Times of a turn by bot id, ns; a bot that is missing: unknown.

    lag_ns: see Keyframe.lag_us.

    disconnected, disqualified: bots to which that has happened in this battle.
    """

    skipped: Sequence[int] = ()
    late_ns: Mapping[int, int] = field(default_factory=dict)
    answer_ns: Mapping[int, int] = field(default_factory=dict)
    rtt_ns: Mapping[int, int] = field(default_factory=dict)
    lag_ns: int | None = None
    disconnected: Collection[int] = ()
    disqualified: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class BotStanding:
    """The standing of a bot after a turn.

    points: of all rounds so far, rounded as in results.

    team_points: those of its team, 0: it plays alone. place: its own or its team's by the results as they
    would be if the round ended now; ties share it, 0: no bot has points. missed: turns.
    """

    points: int = 0
    team_points: int = 0
    place: int = 0
    missed: int = 0


def bot_standings(
    results: TankResults, teams: Sequence[int | None], missed: Sequence[int]
) -> list[BotStanding]:
    """Return the standing of each seat. teams: of each seat, its team's id."""
    of = {(row.is_team, row.id): row for row in results.rows}
    standings = []
    for row, team, turns in zip(results.seats, teams, missed, strict=True):
        side = of[(False, row.id) if team is None else (True, team)]
        of_team = 0 if team is None else half_up(side.total)
        standings.append(BotStanding(half_up(row.total), of_team, side.rank, turns))
    return standings


class FrameWriter:
    """Writes the turns of one battle.

    bots: how many play. number: of the turn written last, 0: none.
    """

    def __init__(self, bots: int) -> None:
        self.number = 0
        self._ids = list(range(1, bots + 1))
        self._tanks = TableWriter(TANK_COLUMNS)
        self._seats = TableWriter(SEAT_COLUMNS)
        self._round = self._turn = 0
        self._bullets: dict[int, tuple[BulletTrack, int]] = {}
        """Those in the air, by id: as they were first told, and in which turn."""
        self._ended: list[tuple[BulletTrack, int]] = []
        """Those that have gone in this turn."""
        self._looks: dict[int, tuple[str | None, ...]] = {}
        self._texts: dict[int, Texts] = {}
        self._debugging: list[int] = []
        self._said: dict[str, Any] = {}
        """The parts of this turn's messages that are in the same words, whole or not."""

    def write(
        self,
        number: int,
        frame: view.Frame,
        times: BotTimes,
        standings: Sequence[BotStanding] = (),
        printed: Mapping[Seat, TurnPrints] = _NOTHING,
    ) -> Delta | Keyframe:
        """Return the next turn.

        A delta to the one before, or a keyframe where a delta is not enough.

        standings: of all bots, in order of id; none: no bot has any score. printed: what bots printed. The
        frame has that of bots with a tank.
        """
        if number != self.number + 1 or frame.round_number != self._round or not self.number:
            self.begin(number, frame, times, standings, printed)
            return self.key()
        self.number, self._turn = number, frame.turn_number
        tanks = self._tanks.write([t.id for t in frame.bot_states], _tank_values(frame.bot_states))
        self._say(frame, times)
        return Delta(
            **self._said,
            tanks=tanks,
            seats=self._seats.write(self._ids, self._seat_values(frame, times, standings)),
            bullets=self._follow(frame),
            gone=[bullet.id for bullet, _ in self._ended],
            looks=self._repainted(frame.bot_states),
            texts=self._texts_said(frame.bot_states, printed),
            debugging=self._debugged(frame.bot_states),
            left_out=self._said_too_much,
        )

    def begin(
        self,
        number: int,
        frame: view.Frame,
        times: BotTimes,
        standings: Sequence[BotStanding] = (),
        printed: Mapping[Seat, TurnPrints] = _NOTHING,
    ) -> None:
        """Take a turn as if nothing had been before it."""
        self.number, self._round, self._turn = number, frame.round_number, frame.turn_number
        self._bullets, self._looks, self._texts, self._debugging = {}, {}, {}, []
        self._tanks.begin([t.id for t in frame.bot_states], _tank_values(frame.bot_states))
        unknown = [UNKNOWN] * len(self._ids)
        self._seats.begin(self._ids, [unknown] * len(SEAT_COLUMNS))
        self._seats.begin(self._ids, self._seat_values(frame, times, standings))
        self._say(frame, times)
        self._follow(frame)
        self._repainted(frame.bot_states)
        self._texts_said(frame.bot_states, printed)
        self._debugged(frame.bot_states)

    def key(self) -> Keyframe:
        """Return the whole turn that was taken last."""
        bullets = [*self._bullets.values(), *self._ended]
        return Keyframe(
            **self._said,
            round_number=self._round,
            turn_number=self._turn,
            tanks=self._tanks.key(),
            seats=self._seats.key(),
            bullets=[_aged(bullet, self.number - since) for bullet, since in bullets],
            gone=[bullet.id for bullet, _ in self._ended],
            looks=[TankColors(number, list(colors)) for number, colors in self._looks.items()],
            texts=list(self._texts.values()),
            debugging=self._debugging,
            left_out=self._said_too_much,
        )

    def _say(self, frame: view.Frame, times: BotTimes) -> None:
        self._said = {
            "frame": self.number,
            "events": list(_events(frame)),
            "skipped": list(times.skipped),
            "late": [(i, ns // _NS_PER_STEP) for i, ns in sorted(times.late_ns.items())],
            "lag_us": None if times.lag_ns is None else times.lag_ns // 1_000,
        }

    # ---- seats -------------------------------------------------------------------------------------------

    def _seat_values(
        self, frame: view.Frame, times: BotTimes, standings: Sequence[BotStanding]
    ) -> list[list[int]]:
        """Return the columns of SEAT_COLUMNS."""
        answers, trips, *_ = self._seats.values
        standings = standings or [BotStanding()] * len(self._ids)
        energies = {tank.id: tank.energy for tank in frame.bot_states}
        return [
            [_noticed(before, times.answer_ns.get(i)) for i, before in zip(self._ids, answers, strict=True)],
            [_noticed(before, times.rtt_ns.get(i)) for i, before in zip(self._ids, trips, strict=True)],
            [_status(i, energies.get(i), times) for i in self._ids],
            [one.missed for one in standings],
            [one.points for one in standings],
            [one.team_points for one in standings],
            [one.place for one in standings],
        ]

    # ---- bullets -----------------------------------------------------------------------------------------

    def _follow(self, frame: view.Frame) -> list[BulletTrack]:
        """Note which bullets are in the air and which have gone; return those that were not sent yet."""
        known, number = self._bullets, self.number
        new = {b.bullet_id: b for b in frame.bullet_states if b.bullet_id not in known}
        for event in frame.events:
            kind = type(event)
            if kind is not view.ScannedBotEvent and kind in _OF_BULLETS:
                for bullet in _OF_BULLETS[kind](event):
                    if bullet.bullet_id not in known:
                        new.setdefault(bullet.bullet_id, bullet)
        told = [_bullet(b) for b in new.values()]
        known.update((bullet.id, (bullet, number)) for bullet in told)
        ended = known.keys() - {b.bullet_id for b in frame.bullet_states}
        self._ended = [known.pop(i) for i in sorted(ended)]
        return told

    # ---- what seldom changes -----------------------------------------------------------------------------

    def _repainted(self, tanks: Sequence[view.TankFrame]) -> list[TankColors]:
        seen = self._looks
        changed = [t for t in tanks if seen.get(t.id, _NO_COLORS) != _colors(t)]
        for tank in changed:
            seen[tank.id] = _colors(tank)
        return [TankColors(tank.id, list(_colors(tank))) for tank in changed]

    def _texts_said(self, tanks: Sequence[view.TankFrame], printed: Mapping[Seat, TurnPrints]) -> list[Texts]:
        """Note the texts shown now, and return those that are new or gone."""
        before, self._texts = self._texts, {}
        self._said_too_much = 0
        room = TEXT_CHARS_MAX
        shown = [Texts(tank.id, tank.std_out, tank.std_err, tank.debug_graphics) for tank in tanks]
        if printed:
            there = {tank.id for tank in tanks}
            gone = sorted(seat for seat in printed if seat + 1 not in there)
            shown += [Texts(seat + 1, printed[seat].out or None, printed[seat].err or None) for seat in gone]
        for texts in shown:
            out, err, graphics = texts.std_out, texts.std_err, texts.debug_graphics
            if not (out or err or graphics):
                continue
            size = len(out or "") + len(err or "") + len(graphics or "")
            if size > room:
                self._said_too_much += 1
                continue
            room -= size
            self._texts[texts.id] = texts
        told = [texts for i, texts in self._texts.items() if before.get(i) != texts]
        return told + [Texts(i) for i in before if i not in self._texts]

    def _debugged(self, tanks: Iterable[view.TankFrame]) -> list[int] | None:
        now = [t.id for t in tanks if t.is_debugging_enabled]
        if now == self._debugging:
            return None
        self._debugging = now
        return now


def _noticed(before: int, given_ns: int | None) -> int:
    """Return the number to write for a time: the one before if it is near enough."""
    if given_ns is None:
        return UNKNOWN
    now = given_ns // _NS_PER_STEP
    return before if before >= 0 and abs(now - before) <= max(before, 0) // _NOTICED else now


def _status(bot: int, energy: float | None, times: BotTimes) -> int:
    """Return the SeatStatus of a bot; energy: of its tank, None: it has died before."""
    if bot in times.disqualified:
        return SeatStatus.DISQUALIFIED
    if bot in times.disconnected:
        return SeatStatus.DISCONNECTED
    if energy is None or energy < 0:
        return SeatStatus.DEAD
    return SeatStatus.DISABLED if energy < DISABLED_BELOW else SeatStatus.RUNNING


def _tank_values(tanks: Sequence[view.TankFrame]) -> list[list[int]]:
    """Return the columns of TANK_COLUMNS."""
    place, angle, circle, speed, energy = (
        PLACE_PER_UNIT,
        ANGLE_PER_DEGREE,
        FULL_CIRCLE,
        SPEED_PER_UNIT,
        ENERGY_PER_UNIT,
    )
    return [
        [round(t.x * place) for t in tanks],
        [round(t.y * place) for t in tanks],
        [round(t.direction * angle) % circle for t in tanks],
        [round(t.gun_direction * angle) % circle for t in tanks],
        [round(t.radar_direction * angle) % circle for t in tanks],
        [round(t.radar_sweep * angle) for t in tanks],
        [round(t.turn_rate * angle) for t in tanks],
        [round(t.gun_turn_rate * angle) for t in tanks],
        [round(t.radar_turn_rate * angle) for t in tanks],
        [round(t.speed * speed) for t in tanks],
        [round(t.energy * energy) or (t.energy > 0) - (t.energy < 0) for t in tanks],
        [round(t.gun_heat * energy) or int(t.gun_heat > 0) for t in tanks],
        [t.enemy_count for t in tanks],
    ]


# ---- bullets --------------------------------------------------------------------------------------------


def _bullet(bullet: view.BulletState) -> BulletTrack:
    return BulletTrack(
        bullet.bullet_id,
        bullet.owner_id,
        round(bullet.power * BULLET_POWER_PER_UNIT),
        round(bullet.direction * BULLET_DIRECTION_PER_DEGREE),
        round(bullet.x * BULLET_PLACE_PER_UNIT),
        round(bullet.y * BULLET_PLACE_PER_UNIT),
        bullet.color,
    )


def _aged(bullet: BulletTrack, age: int) -> BulletTrack:
    return BulletTrack(
        bullet.id, bullet.owner, bullet.power, bullet.direction, bullet.x, bullet.y, bullet.color, age
    )


def _flown(muzzle: view.BulletState) -> view.BulletState:
    """Return a bullet that was just fired where it is at the end of the turn."""
    step, direction = bullet_speed(muzzle.power), radians(muzzle.direction)
    x, y = muzzle.x + step * cos(direction), muzzle.y + step * sin(direction)
    number, owner, color = muzzle.bullet_id, muzzle.owner_id, muzzle.color
    return view.BulletState(number, owner, muzzle.power, x, y, muzzle.direction, color)


_OF_BULLETS: dict[type, Callable[[Any], tuple[view.BulletState, ...]]] = {
    view.BulletFiredEvent: lambda e: (_flown(e.bullet),),
    view.BulletHitBotEvent: lambda e: (e.bullet,),
    view.BulletHitBulletEvent: lambda e: (e.bullet, e.hit_bullet),
    view.BulletHitWallEvent: lambda e: (e.bullet,),
}

# ---- events ---------------------------------------------------------------------------------------------


def _energy(value: float) -> int:
    return round(value * ENERGY_PER_UNIT)


_SAY: dict[type, Callable[[Any], list[Any]]] = {
    view.BotDeathEvent: lambda e: [EventCode.DEATH, e.victim_id],
    view.BotHitWallEvent: lambda e: [EventCode.WALL, e.victim_id],
    view.BotHitBotEvent: lambda e: [
        EventCode.BOT,
        e.bot_id,
        e.victim_id,
        int(e.rammed),
        _energy(e.energy),
        round(e.x * PLACE_PER_UNIT),
        round(e.y * PLACE_PER_UNIT),
    ],
    view.BulletFiredEvent: lambda e: [EventCode.FIRED, e.bullet.bullet_id],
    view.BulletHitBotEvent: lambda e: [
        EventCode.BULLET_BOT,
        e.victim_id,
        e.bullet.bullet_id,
        _energy(e.damage),
        _energy(e.energy),
    ],
    view.BulletHitBulletEvent: lambda e: [
        EventCode.BULLET_BULLET,
        e.bullet.bullet_id,
        e.hit_bullet.bullet_id,
    ],
    view.BulletHitWallEvent: lambda e: [EventCode.BULLET_WALL, e.bullet.bullet_id],
}


def _events(frame: view.Frame) -> Iterator[list[Any]]:
    """Yield the events as they are written; scans that follow each other are one."""
    scans: list[view.ScannedBotEvent] = []
    for event in frame.events:
        if type(event) is view.ScannedBotEvent:
            scans.append(event)
            continue
        if scans:
            yield _scanned(frame.bot_states, scans)
            scans = []
        say = _SAY.get(type(event))
        if say is not None:
            yield say(event)
    if scans:
        yield _scanned(frame.bot_states, scans)


def _scanned(tanks: Sequence[view.TankFrame], scans: Sequence[view.ScannedBotEvent]) -> list[Any]:
    """Return one event for all scans: who saw whom as one number, each less the one before."""
    row_of = {tank.id: row for row, tank in enumerate(tanks)}
    count, last = len(tanks), 0
    pairs, energies = [], {}
    for scan in scans:
        target = row_of[scan.scanned_bot_id]
        pair = row_of[scan.scanned_by_bot_id] * count + target
        pairs.append(pair - last)
        last = pair
        if scan.energy != tanks[target].energy:
            energies[target] = _energy(scan.energy)
    if not energies:
        return [EventCode.SCAN, pairs]
    return [EventCode.SCAN, pairs, [number for item in energies.items() for number in item]]
