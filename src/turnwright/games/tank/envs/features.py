"""The numbers that a learner gets of a turn: names, units and bounds.

All of it may be known to a bot: its own tank, its own events, and what its radar saw last of each other tank.
`backends/c/features.h` writes the same numbers for many battles at once, to the bit.

    own columns | of the next seat | of the one after it | … (seats in order, after the last comes the first)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from turnwright.games.tank.observation import (
    BotDeathEvent,
    BotHitBotEvent,
    BotHitWallEvent,
    BulletFiredEvent,
    BulletHitBotEvent,
    BulletHitBulletEvent,
    BulletHitWallEvent,
    Observation,
    ScannedBotEvent,
)
from turnwright.games.tank.rules.constants import TANK_RADIUS

__all__ = ["AGE", "OTHER", "OWN", "Feature", "SeatMemory", "features_of", "write"]

AGE = 100.0
"""Turns after which a sight counts as old: `age` is 1."""
CLOCK = 1000.0
LENGTH = 1000.0
ENERGY = 100.0
SPEED = 8.0
HEAT = 3.0
DAMAGE = 16.0
POWER = 3.0
_RADIANS = 0.017453292519943295
_TEAMMATE = 16
_LOSS_AGE = 20
WALL = 200.0
SHOT_TIME = 50.0
SHOT_MIN, SHOT_MAX = 0.1, 3.0
"""A loss of energy from … to counts as a shot of that power."""
_SINE_OF_TEN = 0.17364817766693033


class Feature(NamedTuple):
    """A number of an observation. low, high: its bounds, in `unit`."""

    name: str
    low: float
    high: float
    unit: str
    means: str


def _own(side: float, seats: int) -> list[Feature]:
    many = float(seats)
    return [
        Feature("alive", 0, 1, "", "1 while the tank lives"),
        Feature("energy", 0, 1.2 * many, "100 points", "its energy; 0 when it died"),
        Feature("x", -1, 1, "half the arena's width", "its place, from the middle of the arena"),
        Feature("y", -1, 1, "half the arena's height", "its place, from the middle of the arena"),
        Feature("direction_sin", -1, 1, "", "its direction: 0° is east, counter-clockwise"),
        Feature("direction_cos", -1, 1, "", "the same"),
        Feature("gun_sin", -1, 1, "", "the gun's direction in the arena"),
        Feature("gun_cos", -1, 1, "", "the same"),
        Feature("radar_sin", -1, 1, "", "the radar's direction in the arena"),
        Feature("radar_cos", -1, 1, "", "the same"),
        Feature("speed", -1, 1, "8 units a turn", "its speed, negative backwards"),
        Feature("gun_heat", 0, 1, "3", "the gun fires at 0"),
        Feature("clock", 0, 1, "1000 turns", "turns of the round, 1 from the 1000th on"),
        Feature("arena_width", 0, side, "1000 units", "the arena's width"),
        Feature("arena_height", 0, side, "1000 units", "the arena's height"),
        Feature("enemies", 0, many, "tanks", "living tanks of other teams"),
        Feature("damage_taken", 0, 2 * many, "16 points", "damage by bullets in this turn"),
        Feature("hit_sin", -1, 1, "", "the direction of the last bullet that hit it in this turn; else 0"),
        Feature("hit_cos", -1, 1, "", "the same"),
        Feature("damage_dealt", 0, 2 * many, "16 points", "damage by its own bullets in this turn"),
        Feature("hit_wall", 0, 1, "", "1 when it drove into a wall in this turn"),
        Feature("hit_tank", 0, 1, "", "1 when it touched another tank in this turn"),
        Feature("fired", 0, 1, "3 points", "the power of the bullet that it fired in this turn"),
        Feature("bullet_missed", 0, 1, "", "1 when a bullet of it left the arena in this turn"),
        Feature("bullet_met", 0, 1, "", "1 when a bullet of it met another bullet in this turn"),
        Feature("wall_ahead", 0, 1, "200 units", "how far it can drive forwards; 1: so far, or farther"),
        Feature("wall_behind", 0, 1, "200 units", "how far it can drive backwards"),
    ]


def _other(side: float, seats: int) -> list[Feature]:
    return [
        Feature("seen", 0, 1, "", "1 when the radar has seen it in this round"),
        Feature("other_alive", 0, 1, "", "1 while it lives"),
        Feature(
            "age", 0, 1, "100 turns", "turns since it was seen; 1: longer, or never. All below is of then"
        ),
        Feature("other_energy", 0, 1.2 * seats, "100 points", "its energy"),
        Feature("dx", -side, side, "1000 units", "its place from here, to the east"),
        Feature("dy", -side, side, "1000 units", "its place from here, to the north"),
        Feature("distance", 0, 1.5 * side, "1000 units", "how far that is"),
        Feature("bearing_sin", -1, 1, "", "where that is from the tank's direction; positive: to the left"),
        Feature("bearing_cos", -1, 1, "", "the same"),
        Feature("gun_bearing_sin", -1, 1, "", "where that is from the gun's direction"),
        Feature("gun_bearing_cos", -1, 1, "", "the same"),
        Feature("radar_bearing_sin", -1, 1, "", "where that is from the radar's direction"),
        Feature("radar_bearing_cos", -1, 1, "", "the same"),
        Feature("other_direction_sin", -1, 1, "", "its direction in the arena"),
        Feature("other_direction_cos", -1, 1, "", "the same"),
        Feature("other_speed", -1, 1, "8 units a turn", "its speed"),
        Feature("teammate", 0, 1, "", "1 when it is of the same team"),
        Feature(
            "across", -1, 1, "8 units a turn", "its speed across the line from here to it; positive: left"
        ),
        Feature("closing", -1, 1, "8 units a turn", "its speed along that line, towards here"),
        Feature(
            "loss", 0, 1.2 * seats, "100 points", "the energy that it lost between two sights, the last time"
        ),
        Feature(
            "loss_age", 0, 1, "100 turns", "turns since then; 1: longer, or never. A shot costs its power"
        ),
        Feature(
            "turning", -1, 1, "10 degrees a turn", "how it turned between the last two sights; positive: left"
        ),
        Feature("speeding", -1, 1, "2 units a turn, a turn", "how its speed changed between them"),
        Feature(
            "shot_time", 0, 1, "50 turns", "turns until the bullet of its last shot is as far away as this tank"
        ),
        Feature(
            "shot_side", -1, 1, "", "where this tank is, seen from that shot: left of where it was then, or right"
        ),
    ]


OWN = len(_own(1, 2))
"""Columns of the tank itself."""
OTHER = len(_other(1, 2))
"""Columns of each other tank."""


def features_of(width: float, height: float, seats: int) -> list[Feature]:
    """Return the columns of an observation, in order.

    Names of other tanks end in their place: dx_1, dx_2 …

    width, height: of the arena, in units.
    """
    side = max(width, height) / LENGTH
    found = _own(side, seats)
    for place in range(1, seats):
        found += [feature._replace(name=f"{feature.name}_{place}") for feature in _other(side, seats)]
    return found


class SeatMemory:
    """All that a seat remembers of a round besides its last observation.

    seat: its own. teams: of each seat, equal for teammates; width, height: of the arena.
    """

    __slots__ = ("alive", "height", "round_number", "seat", "seen", "teams", "width")

    def __init__(self, seat: int, teams: Sequence[int], width: float, height: float) -> None:
        self.seat, self.teams = seat, teams
        self.width, self.height = width, height
        self.round_number = 0
        self.alive: list[bool] = []
        self.seen: list[tuple[float, ...] | None] = []
        """Of each seat: turn, x, y, sine and cosine of its direction, speed, energy; last loss of energy, its
        turn; turning, speeding; the last shot: its turn, its speed, from where (x, y), where this tank was."""

    def begin_round(self, round_number: int) -> None:
        """Forget what was seen."""
        self.round_number = round_number
        self.alive = [True] * len(self.teams)
        self.seen = [None] * len(self.teams)


def write(observation: Observation, memory: SeatMemory) -> list[float]:
    """Return the numbers of an observation, in the order of `features_of`.

    memory: gets what it tells.
    """
    if observation.round_number != memory.round_number:
        memory.begin_round(observation.round_number)
    me, turn = observation.bot_state, observation.turn_number
    heading_sin, heading_cos = _sine_cosine(me.direction)
    gun_sin, gun_cos = _sine_cosine(me.gun_direction)
    radar_sin, radar_cos = _sine_cosine(me.radar_direction)
    events = _own_events(observation, memory)
    found = [
        1.0 if memory.alive[memory.seat] else 0.0,
        max(me.energy, 0.0) / ENERGY,
        2.0 * me.x / memory.width - 1.0,
        2.0 * me.y / memory.height - 1.0,
        heading_sin,
        heading_cos,
        gun_sin,
        gun_cos,
        radar_sin,
        radar_cos,
        me.speed / SPEED,
        me.gun_heat / HEAT,
        min(turn / CLOCK, 1.0),
        memory.width / LENGTH,
        memory.height / LENGTH,
        float(_enemies(memory)),
        *events,
        _way_to_wall(me.x, me.y, heading_cos, heading_sin, memory),
        _way_to_wall(me.x, me.y, -heading_cos, -heading_sin, memory),
    ]
    turned = heading_sin, heading_cos, gun_sin, gun_cos, radar_sin, radar_cos
    seats = len(memory.teams)
    for step in range(1, seats):
        found += _other_tank(memory, (memory.seat + step) % seats, turn, me.x, me.y, turned)
    return found


def _way_to_wall(x: float, y: float, east: float, north: float, memory: SeatMemory) -> float:
    """Return how far a tank can go in a direction. east, north: its unit vector."""
    found = WALL
    if east != 0.0:
        edge = memory.width - TANK_RADIUS if east > 0.0 else TANK_RADIUS
        found = min(found, (edge - x) / east)
    if north != 0.0:
        edge = memory.height - TANK_RADIUS if north > 0.0 else TANK_RADIUS
        found = min(found, (edge - y) / north)
    return max(found, 0.0) / WALL


def _enemies(memory: SeatMemory) -> int:
    """Return how many living tanks of other teams there are."""
    own = memory.teams[memory.seat]
    return sum(alive and team != own for alive, team in zip(memory.alive, memory.teams, strict=True))


def _own_events(observation: Observation, memory: SeatMemory) -> list[float]:
    """Return the columns from damage_taken on, and remember who was seen and who died."""
    own = memory.seat + 1
    taken = dealt = hit_sin = hit_cos = wall = tank = fired = missed = met = 0.0
    for event in observation.events:
        match event:
            case ScannedBotEvent():
                seat = event.scanned_bot_id - 1
                me, turn = observation.bot_state, float(observation.turn_number)
                memory.seen[seat] = _sight(event, turn, memory.seen[seat], me.x, me.y)
            case BulletHitBotEvent(victim_id=victim) if victim == own:
                taken += event.damage
                hit_sin, hit_cos = _sine_cosine(event.bullet.direction)
            case BulletHitBotEvent():
                dealt += event.damage
            case BotHitWallEvent():
                wall = 1.0
            case BotHitBotEvent():
                tank = 1.0
            case BulletFiredEvent():
                fired = event.bullet.power / POWER
            case BulletHitWallEvent():
                missed = 1.0
            case BulletHitBulletEvent():
                met = 1.0
            case BotDeathEvent():
                memory.alive[event.victim_id - 1] = False
            case _:
                pass
    return [taken / DAMAGE, hit_sin, hit_cos, dealt / DAMAGE, wall, tank, fired, missed, met]


_NO_SHOT = (0.0,) * 6


def _sight(
    event: ScannedBotEvent, turn: float, before: tuple[float, ...] | None, x: float, y: float
) -> tuple[float, ...]:
    """Return what is remembered of a scan. before: of the one before it. x, y: the place of who scanned."""
    sine, cosine = _sine_cosine(event.direction)
    loss, loss_turn, turning, speeding = 0.0, -AGE, 0.0, 0.0
    shot = _NO_SHOT
    if before is not None:
        loss, loss_turn, shot = before[7], before[8], before[11:]
        if event.energy < before[6]:
            loss, loss_turn = before[6] - event.energy, turn
            if SHOT_MIN <= loss <= SHOT_MAX:
                shot = (turn, 20.0 - 3.0 * loss, event.x, event.y, x, y)
        if turn > before[0]:
            turning = (sine * before[4] - cosine * before[3]) / (turn - before[0]) / _SINE_OF_TEN
            speeding = (event.speed - before[5]) / (turn - before[0]) / 2.0
    return (
        *(turn, event.x, event.y, sine, cosine, event.speed, event.energy, loss, loss_turn),
        *(min(max(turning, -1.0), 1.0), min(max(speeding, -1.0), 1.0), *shot),
    )


def _other_tank(
    memory: SeatMemory, seat: int, turn: int, x: float, y: float, turned: tuple[float, ...]
) -> list[float]:
    found = [0.0] * OTHER
    found[1] = 1.0 if memory.alive[seat] else 0.0
    found[2] = found[_LOSS_AGE] = 1.0
    found[_TEAMMATE] = 1.0 if memory.teams[seat] == memory.teams[memory.seat] else 0.0
    seen = memory.seen[seat]
    if seen is None:
        return found
    then, seen_x, seen_y, sine, cosine, speed, energy, loss, loss_turn, turning, speeding, *shot = seen
    dx, dy = seen_x - x, seen_y - y
    distance = math.sqrt(dx * dx + dy * dy)
    east, north = (dx / distance, dy / distance) if distance > 0.0 else (1.0, 0.0)
    found[0] = 1.0
    found[2] = min((turn - then) / AGE, 1.0)
    found[3] = max(energy, 0.0) / ENERGY
    found[4], found[5], found[6] = dx / LENGTH, dy / LENGTH, distance / LENGTH
    for place in range(3):
        s, c = turned[2 * place], turned[2 * place + 1]
        found[7 + 2 * place] = north * c - east * s
        found[8 + 2 * place] = east * c + north * s
    found[13], found[14], found[15] = sine, cosine, speed / SPEED
    found[17] = speed * (sine * east - cosine * north) / SPEED
    found[18] = -speed * (cosine * east + sine * north) / SPEED
    found[19] = loss / ENERGY
    found[20] = min((turn - loss_turn) / AGE, 1.0)
    found[21], found[22] = turning, speeding
    found[23], found[24] = _shot(shot, turn, x, y)
    return found


def _shot(shot: Sequence[float], turn: int, x: float, y: float) -> tuple[float, float]:
    """Return the time until a shot is here, and on which side of it; zeros once it is past."""
    then, speed, from_x, from_y, was_x, was_y = shot
    if speed == 0.0:
        return 0.0, 0.0
    dx, dy, aim_x, aim_y = x - from_x, y - from_y, was_x - from_x, was_y - from_y
    distance, aimed = math.sqrt(dx * dx + dy * dy), math.sqrt(aim_x * aim_x + aim_y * aim_y)
    time = distance / speed - (turn - then)
    if not time > 0.0 or aimed == 0.0:
        return 0.0, 0.0
    side = (aim_x * dy - aim_y * dx) / (aimed * distance)
    return min(time / SHOT_TIME, 1.0), min(max(side, -1.0), 1.0)


def _sine_cosine(degrees: float) -> tuple[float, float]:
    """Return sine and cosine of a direction, right to 1e-8: more than a float of 32 bits holds.

    degrees: [0, 360). Polynomials, because the C library's functions differ between systems.
    """
    quarter = int((degrees + 45.0) / 90.0)
    r = (degrees - 90.0 * quarter) * _RADIANS
    q = r * r
    sine = r * (1.0 + q * (-1 / 6 + q * (1 / 120 + q * (-1 / 5040 + q * (1 / 362880)))))
    cosine = 1.0 + q * (-0.5 + q * (1 / 24 + q * (-1 / 720 + q * (1 / 40320 + q * (-1 / 3628800)))))
    if quarter == 1:
        return cosine, -sine
    if quarter == 2:
        return -sine, -cosine
    if quarter == 3:
        return -cosine, sine
    return sine, cosine
