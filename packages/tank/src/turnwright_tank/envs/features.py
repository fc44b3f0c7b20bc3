"""The numbers of a learner's observation: names, units and bounds.

A bot gets the same information: its own tank, its own events, and the last scan of each other tank.
`backends/c/batch.h` writes the same numbers for many battles at a time, bit for bit.

    own columns | columns of the next seat | columns of the seat after it | … (seat 0 follows the last)
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

from turnwright_tank.observation import Observation, ScannedBotEvent, TankState
from turnwright_tank.rules.constants import TANK_RADIUS

AGE = 100.0
"""Turns after which `age` is 1."""
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
AIM_SPEED = 14.0
AIM_STEPS = 4
AIM_AGE = 20
SEEN_SHOTS = 3
"""The number of another tank's newest shots that are remembered."""
OWN_SHOTS = 2
"""The number of newest shots at another tank that are followed."""
MEAN_TURNS = 20.0
"""The time constant of a mean velocity, in turns."""
MEAN_STEPS = 2
HITS = 5.0
"""Damage of a bullet of power 2, divided by its cost."""
HITS_BEGIN, HITS_OF = 10.0, 10.0
"""Damage and energy with which `hit_rate` and `hurt_rate` begin, so that the first bullets do not count too
much.
"""
SHOT_MIN, SHOT_MAX = 0.1, 3.0
"""A loss of energy within these bounds counts as a shot of that power."""
_FIVE = struct.Struct("<5f")
"""Five 32-bit floats, in which shots are stored."""
_SINE_OF_TEN = 0.17364817766693033
_SINE_OF_TWO = 0.03489949670250097


class Feature(NamedTuple):
    """A number of an observation.

    Attributes:
        low, high: the bounds, in `unit`.
    """

    name: str
    low: float
    high: float
    unit: str
    means: str


def _own(side: float, seats: int) -> list[Feature]:
    many = float(seats)
    return [
        Feature("alive", 0, 1, "", "1 while the tank lives"),
        Feature("energy", 0, 1.2 * many, "100 points", "the tank's energy. 0 after its death"),
        Feature("x", -1, 1, "half the arena's width", "the tank's x, from the middle of the arena"),
        Feature("y", -1, 1, "half the arena's height", "the tank's y, from the middle of the arena"),
        Feature("direction_sin", -1, 1, "", "sine of the tank's direction (0° is east, counter-clockwise)"),
        Feature("direction_cos", -1, 1, "", "cosine of the same direction"),
        Feature("gun_sin", -1, 1, "", "sine of the gun's direction in the arena"),
        Feature("gun_cos", -1, 1, "", "cosine of the same direction"),
        Feature("radar_sin", -1, 1, "", "sine of the radar's direction in the arena"),
        Feature("radar_cos", -1, 1, "", "cosine of the same direction"),
        Feature("speed", -1, 1, "8 units per turn", "the tank's speed. Negative is backwards"),
        Feature("gun_heat", 0, 1, "3", "heat of the gun. The gun can fire at 0"),
        Feature("clock", 0, 1, "1000 turns", "the turn of the round. From turn 1000 on it is 1"),
        Feature("arena_width", 0, side, "1000 units", "the arena's width"),
        Feature("arena_height", 0, side, "1000 units", "the arena's height"),
        Feature("enemies", 0, many, "tanks", "living tanks of other teams"),
        Feature("damage_taken", 0, 2 * many, "16 points", "damage to the tank by bullets in this turn"),
        Feature(
            "hit_sin",
            -1,
            1,
            "",
            "sine of the direction of the last bullet that hit the tank in this turn. 0 without a hit",
        ),
        Feature("hit_cos", -1, 1, "", "cosine of the same direction. 0 without a hit"),
        Feature("damage_dealt", 0, 2 * many, "16 points", "damage by the tank's bullets in this turn"),
        Feature("hit_wall", 0, 1, "", "1 if the tank drove into a wall in this turn"),
        Feature("hit_tank", 0, 1, "", "1 if the tank touched another tank in this turn"),
        Feature(
            "fired",
            0,
            1,
            "3 points",
            "power of the bullet that the tank fired in this turn. 0 without a shot",
        ),
        Feature("bullet_missed", 0, 1, "", "1 if one of the tank's bullets left the arena in this turn"),
        Feature("bullet_met", 0, 1, "", "1 if one of the tank's bullets met another bullet in this turn"),
        Feature(
            "wall_ahead",
            0,
            1,
            "200 units",
            "distance that the tank can drive forwards before it reaches a wall. 1 means 200 units or more",
        ),
        Feature("wall_behind", 0, 1, "200 units", "like `wall_ahead`, for driving backwards"),
    ]


def _other(side: float, seats: int) -> list[Feature]:
    return [
        Feature("seen", 0, 1, "", "1 if the radar has seen the other tank in this round"),
        Feature("other_alive", 0, 1, "", "1 while the other tank lives"),
        Feature(
            "age",
            0,
            1,
            "100 turns",
            "turns since the radar last saw the other tank, at most 100. Numbers about the other tank are"
            " from its last scan",
        ),
        Feature("other_energy", 0, 1.2 * seats, "100 points", "energy of the other tank"),
        Feature("dx", -side, side, "1000 units", "x of the other tank minus x of the tank"),
        Feature("dy", -side, side, "1000 units", "y of the other tank minus y of the tank"),
        Feature("distance", 0, 1.5 * side, "1000 units", "distance between the two tanks"),
        Feature(
            "bearing_sin",
            -1,
            1,
            "",
            "sine of the other tank's bearing from the body's direction. Positive is left",
        ),
        Feature("bearing_cos", -1, 1, "", "cosine of the same bearing"),
        Feature("gun_bearing_sin", -1, 1, "", "sine of the other tank's bearing from the gun's direction"),
        Feature("gun_bearing_cos", -1, 1, "", "cosine of the same bearing"),
        Feature(
            "radar_bearing_sin", -1, 1, "", "sine of the other tank's bearing from the radar's direction"
        ),
        Feature("radar_bearing_cos", -1, 1, "", "cosine of the same bearing"),
        Feature("other_direction_sin", -1, 1, "", "sine of the other tank's direction in the arena"),
        Feature("other_direction_cos", -1, 1, "", "cosine of the same direction"),
        Feature("other_speed", -1, 1, "8 units per turn", "speed of the other tank"),
        Feature("teammate", 0, 1, "", "1 if the other tank is in the same team"),
        Feature(
            "across",
            -1,
            1,
            "8 units per turn",
            "the other tank's speed across the line between the tanks. Positive is left",
        ),
        Feature("closing", -1, 1, "8 units per turn", "the other tank's speed towards the tank"),
        *_of_changes(seats),
        *_of_bullets(),
    ]


def _of_changes(seats: int) -> list[Feature]:
    return [
        Feature(
            "loss", 0, 1.2 * seats, "100 points", "the other tank's last loss of energy between two scans"
        ),
        Feature("loss_age", 0, 1, "100 turns", "turns since `loss`, at most 100. A loss can be a shot"),
        Feature(
            "turning",
            -1,
            1,
            "10 degrees per turn",
            "turn rate of the other tank between the last two scans. Positive is left",
        ),
        Feature(
            "speeding", -1, 1, "2 units/turn²", "acceleration of the other tank between the last two scans"
        ),
        Feature(
            "aim_sin", -1, 1, "", "sine of the angle from the gun's direction to the aim. Positive is left"
        ),
        Feature("aim_cos", -1, 1, "", "cosine of the same angle"),
        Feature(
            "aim_coarse",
            -1,
            1,
            "10 degrees",
            "angle by which the gun must turn to reach the aim. Positive is left. 1 means 10 degrees or more",
        ),
        Feature("aim_fine", -1, 1, "2 degrees", "like `aim_coarse`. 1 means 2 degrees or more"),
    ]


def _of_bullets() -> list[Feature]:
    return [
        Feature(
            "hit_rate",
            0,
            1,
            "",
            "damage of the tank's bullets to the other tank, divided by 5 times the bullets' energy",
        ),
        Feature(
            "hurt_rate",
            0,
            1,
            "",
            "damage of the other tank's bullets to the tank, divided by 5 times the bullets' energy",
        ),
        Feature(
            "shot_time",
            0,
            1,
            "50 turns",
            "turns until the other tank's next bullet has flown as far as the distance to the tank",
        ),
        Feature(
            "shot_side",
            -1,
            1,
            "",
            "sine of the angle that the tank has moved since this shot. Positive is left for the shooter",
        ),
        Feature("later_shot_time", 0, 1, "50 turns", "like `shot_time`, for the second bullet"),
        Feature("later_shot_side", -1, 1, "", "like `shot_side`, for the second bullet"),
        Feature("mean_coarse", -1, 1, "10 degrees", "like `aim_coarse`, at the other tank's mean velocity"),
        Feature("mean_fine", -1, 1, "2 degrees", "like `aim_fine`, at the other tank's mean velocity"),
        Feature(
            "lead",
            -1,
            1,
            "",
            "sideways move of the other tank while the tank's last bullet flew. 1: forwards at full speed",
        ),
        Feature("lead_coarse", -1, 1, "10 degrees", "like `aim_coarse`, if `lead` stays the same"),
        Feature("lead_fine", -1, 1, "2 degrees", "like `aim_fine`, if `lead` stays the same"),
    ]


OWN = len(_own(1, 2))
"""The number of columns about the learner's tank."""
OTHER = len(_other(1, 2))
"""The number of columns about each other tank."""


def features_of(width: float, height: float, seats: int) -> list[Feature]:
    """Return the columns of an observation, in order.

    Names of features of other tanks end in the order of the tank: dx_1, dx_2 …

    Args:
        width, height: the size of the arena, in units.
    """
    side = max(width, height) / LENGTH
    found = _own(side, seats)
    for place in range(1, seats):
        found += [feature._replace(name=f"{feature.name}_{place}") for feature in _other(side, seats)]
    return found


class SeenShot(NamedTuple):
    """A shot of another tank: its turn, speed and place, and the place of this tank at that time."""

    turn: float
    speed: float
    x: float
    y: float
    was_x: float
    was_y: float


class OwnShot(NamedTuple):
    """A shot of this tank at another tank.

    Attributes:
        east, north: unit vector to the other tank.
        side: 1 if the shot was to the left of that direction, -1 if it was to the right.
    """

    turn: int
    speed: float
    x: float
    y: float
    east: float
    north: float
    side: float


class Sight(NamedTuple):
    """The newest scan of another tank, and the changes since the scan before.

    Attributes:
        sine, cosine: sine and cosine of the tank's direction.
        loss: the tank's last loss of energy between two scans.
        loss_turn: the turn of the second of these scans.
        turning, speeding: the columns `turning` and `speeding`.
        shots: the tank's shots, newest first.
        mean_east, mean_north: the tank's mean velocity of the last turns.
    """

    turn: float
    x: float
    y: float
    sine: float
    cosine: float
    speed: float
    energy: float
    loss: float = 0.0
    loss_turn: float = -AGE
    turning: float = 0.0
    speeding: float = 0.0
    shots: tuple[SeenShot, ...] = ()
    mean_east: float = 0.0
    mean_north: float = 0.0


class SeatMemory:
    """All that a seat remembers of a game, in addition to its last observation.

    Args:
        seat: the learner's seat.
        teams: the team of each seat. Teammates have equal values.
        width, height: the size of the arena.
    """

    __slots__ = (
        "alive",
        "dealt",
        "height",
        "lead",
        "own_shots",
        "round_number",
        "seat",
        "seen",
        "spent",
        "taken",
        "teams",
        "width",
    )

    def __init__(self, seat: int, teams: Sequence[int], width: float, height: float) -> None:
        self.seat, self.teams = seat, teams
        self.width, self.height = width, height
        self.round_number = 0
        self.alive: list[bool] = []
        self.seen: list[Sight | None] = []
        self.own_shots: list[list[OwnShot | None]] = []
        """By seat of another tank: this tank's shots at it that are in the air, at most two."""
        self.lead = [0.0] * len(teams)
        self.dealt, self.taken, self.spent = ([0.0] * len(teams) for _ in range(3))
        """By seat: the damage of this tank's bullets to the seat's tank, the damage of that tank's bullets to
        this tank, and the cost of that tank's shots. Costs of other tanks' shots are guessed from scans.
        """

    def begin_round(self, round_number: int) -> None:
        """Forget the scans, but keep the damage of bullets, which counts for the whole game."""
        self.round_number = round_number
        self.alive = [True] * len(self.teams)
        self.seen = [None] * len(self.teams)
        self.own_shots = [[None] * OWN_SHOTS for _ in self.teams]

    def end_round(self) -> None:
        """Let the next observation begin a new round."""
        self.round_number = 0


def write(observation: Observation, memory: SeatMemory) -> list[float]:
    """Return the numbers of an observation, in the order of `features_of`.

    Args:
        memory: the memory, which is updated from the observation.
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
    """Return how far a tank can drive in a direction, as a part of WALL, at most 1.

    Args:
        east, north: unit vector of the direction.
    """
    found = WALL
    if east != 0.0:
        edge = memory.width - TANK_RADIUS if east > 0.0 else TANK_RADIUS
        found = min(found, (edge - x) / east)
    if north != 0.0:
        edge = memory.height - TANK_RADIUS if north > 0.0 else TANK_RADIUS
        found = min(found, (edge - y) / north)
    return max(found, 0.0) / WALL


def _enemies(memory: SeatMemory) -> int:
    """Return the number of living tanks of other teams."""
    own = memory.teams[memory.seat]
    return sum(alive and team != own for alive, team in zip(memory.alive, memory.teams, strict=True))


def _own_events(observation: Observation, memory: SeatMemory) -> list[float]:
    """Return the columns `damage_taken` to `bullet_met`, and remember scans, bullets and deaths."""
    own = memory.seat + 1
    taken = dealt = hit_sin = hit_cos = wall = tank = fired = missed = met = 0.0
    event: Any
    for event in observation.events:
        match type(event).__name__:  # compiled events and dataclasses have the same names
            case "ScannedBotEvent":
                seat = event.scanned_bot_id - 1
                me, turn = observation.bot_state, float(observation.turn_number)
                memory.seen[seat] = sight = _sight(event, memory.seen[seat], turn, me)
                if sight.shots and sight.shots[0].turn == turn:
                    memory.spent[seat] += sight.loss
                _pass_own_shots(memory, seat, sight)
            case "BulletHitBotEvent" if event.victim_id == own:
                taken += event.damage
                memory.taken[event.bullet.owner_id - 1] += event.damage
                hit_sin, hit_cos = _sine_cosine(event.bullet.direction)
            case "BulletHitBotEvent":
                dealt += event.damage
                memory.dealt[event.victim_id - 1] += event.damage
            case "BotHitWallEvent":
                wall = 1.0
            case "BotHitBotEvent":
                tank = 1.0
            case "BulletFiredEvent":
                fired = event.bullet.power / POWER
                memory.spent[memory.seat] += event.bullet.power
                _note_own_shot(memory, observation.bot_state, event.bullet.power, observation.turn_number)
            case "BulletHitWallEvent":
                missed = 1.0
            case "BulletHitBulletEvent":
                met = 1.0
            case "BotDeathEvent":
                memory.alive[event.victim_id - 1] = False
            case _:
                pass
    return [taken / DAMAGE, hit_sin, hit_cos, dealt / DAMAGE, wall, tank, fired, missed, met]


def _sight(event: ScannedBotEvent, before: Sight | None, turn: float, me: TankState) -> Sight:
    """Return the data that is remembered of a scan.

    Args:
        before: the data of the scan before, or None.
    """
    sine, cosine = _sine_cosine(event.direction)
    now = Sight(turn, event.x, event.y, sine, cosine, event.speed, event.energy)
    east, north = event.speed * cosine, event.speed * sine
    if before is None:
        return now._replace(mean_east=east, mean_north=north)
    loss, loss_turn, shots = before.loss, before.loss_turn, before.shots
    mean_east, mean_north = before.mean_east, before.mean_north
    turning = speeding = 0.0
    if now.energy < before.energy:
        loss, loss_turn = before.energy - now.energy, turn
        if SHOT_MIN <= loss <= SHOT_MAX:
            shot = SeenShot(turn, *_FIVE.unpack(_FIVE.pack(20.0 - 3.0 * loss, now.x, now.y, me.x, me.y)))
            shots = (shot, *shots[: SEEN_SHOTS - 1])
    if turn > before.turn:
        turns = turn - before.turn
        turning = (sine * before.cosine - cosine * before.sine) / turns / _SINE_OF_TEN
        speeding = (now.speed - before.speed) / turns / 2.0
        mean_east += (east - mean_east) * (turns / (turns + MEAN_TURNS))
        mean_north += (north - mean_north) * (turns / (turns + MEAN_TURNS))
    return now._replace(
        loss=loss,
        loss_turn=loss_turn,
        turning=_bounded(turning),
        speeding=_bounded(speeding),
        shots=shots,
        mean_east=mean_east,
        mean_north=mean_north,
    )


def _note_own_shot(memory: SeatMemory, me: TankState, power: float, turn: int) -> None:
    """Store a shot at all tanks that were seen, in place of the oldest shot."""
    for seat, seen in enumerate(memory.seen):
        if seen is None or seat == memory.seat:
            continue
        dx, dy = seen.x - me.x, seen.y - me.y
        distance = math.sqrt(dx * dx + dy * dy)
        if distance == 0.0:
            continue
        side = _side_of(seen, dx / distance, dy / distance)
        speed, from_x, from_y, east, north = _FIVE.unpack(
            _FIVE.pack(20.0 - 3.0 * power, me.x, me.y, dx / distance, dy / distance)
        )
        one, two = shots = memory.own_shots[seat]
        place = 1 if one is not None and (two is None or two.turn < one.turn) else 0
        shots[place] = OwnShot(turn, speed, from_x, from_y, east, north, side)


def _side_of(seen: Sight, east: float, north: float) -> float:
    return -1.0 if seen.speed * (seen.sine * east - seen.cosine * north) < 0.0 else 1.0


def _pass_own_shots(memory: SeatMemory, seat: int, sight: Sight) -> None:
    """Store how far another tank has moved ahead when a bullet has flown the distance to it."""
    for place, shot in enumerate(memory.own_shots[seat]):
        if shot is None:
            continue
        dx, dy = sight.x - shot.x, sight.y - shot.y
        gone = math.sqrt(dx * dx + dy * dy)
        if (sight.turn - shot.turn) * shot.speed < gone or gone == 0.0:
            continue
        left = (shot.east * dy - shot.north * dx) / gone
        memory.lead[seat] = _bounded(shot.side * left * shot.speed / SPEED)
        memory.own_shots[seat][place] = None


def _bounded(number: float) -> float:
    return min(max(number, -1.0), 1.0)


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
    sine, cosine = seen.sine, seen.cosine
    dx, dy = seen.x - x, seen.y - y
    distance = math.sqrt(dx * dx + dy * dy)
    east, north = line = (dx / distance, dy / distance) if distance > 0.0 else (1.0, 0.0)
    found[0] = 1.0
    found[2] = min((turn - seen.turn) / AGE, 1.0)
    found[3] = max(seen.energy, 0.0) / ENERGY
    found[4], found[5], found[6] = dx / LENGTH, dy / LENGTH, distance / LENGTH
    for place in range(3):
        s, c = turned[2 * place], turned[2 * place + 1]
        found[7 + 2 * place] = north * c - east * s
        found[8 + 2 * place] = east * c + north * s
    found[13], found[14], found[15] = sine, cosine, seen.speed / SPEED
    found[17] = seen.speed * (sine * east - cosine * north) / SPEED
    found[18] = -seen.speed * (cosine * east + sine * north) / SPEED
    found[19] = seen.loss / ENERGY
    found[20] = min((turn - seen.loss_turn) / AGE, 1.0)
    found[21], found[22] = seen.turning, seen.speeding
    east, north = _meeting(seen, turn, x, y, memory)
    s, c = gun = turned[2:4]
    found[23], found[24] = north * c - east * s, east * c + north * s
    found[25], found[26] = _gun_ways((east, north), gun)
    found[27] = _part(memory.dealt[seat], memory.spent[memory.seat])
    found[28] = _part(memory.taken[seat], memory.spent[seat])
    coming = [one for shot in reversed(seen.shots) if (one := _coming(shot, turn, x, y)) is not None]
    for place, (time, side) in zip((29, 31), coming, strict=False):
        found[place], found[place + 1] = time, side
    found[33], found[34] = _gun_ways(_mean_meeting(seen, turn, x, y, memory), gun)
    found[35] = memory.lead[seat]
    left = _side_of(seen, *line) * memory.lead[seat] * (SPEED / AIM_SPEED)
    on = math.sqrt(1.0 - left * left)
    found[36], found[37] = _gun_ways((line[0] * on - line[1] * left, line[1] * on + line[0] * left), gun)
    return found


def _gun_ways(to: tuple[float, float], gun: tuple[float, ...]) -> tuple[float, float]:
    """Return the turn of the gun to a direction, as `coarse` and `fine` columns.

    Args:
        to: unit vector of the direction, east and north.
        gun: sine and cosine of the gun's direction.
    """
    (east, north), (sine, cosine) = to, gun
    left = north * cosine - east * sine
    way = left if east * cosine + north * sine > 0.0 else math.copysign(1.0, left)
    return _bounded(way / _SINE_OF_TEN), _bounded(way / _SINE_OF_TWO)


def _part(damage: float, energy: float) -> float:
    """Return the hit rate of bullets with this damage and cost."""
    return min((damage + HITS_BEGIN) / (HITS * (energy + HITS_OF)), 1.0)


def _meeting(seen: Sight, turn: int, x: float, y: float, memory: SeatMemory) -> tuple[float, float]:
    """Return the direction, a unit vector, in which a bullet would meet another tank.

    The other tank is assumed to continue along its arc and to stop at walls. If its last scan is older than
    AIM_AGE turns, the direction is to the place of that scan.
    """
    dx, dy = seen.x - x, seen.y - y
    distance = math.sqrt(dx * dx + dy * dy)
    flight = distance * (1.0 / AIM_SPEED)
    age = turn - seen.turn
    for _ in range(AIM_STEPS if age <= AIM_AGE and seen.speed != 0.0 else 0):
        time = age + flight
        half = min(max(seen.turning * 5.0 * time, -180.0), 180.0)
        chord, sine, cosine = seen.speed * time, seen.sine, seen.cosine
        if half > 0.001 or half < -0.001:
            s, c = _sine_cosine(half if half >= 0.0 else half + 360.0)
            chord = chord * s / (half * _RADIANS)
            sine, cosine = seen.sine * c + seen.cosine * s, seen.cosine * c - seen.sine * s
        dx, dy = seen.x + chord * cosine, seen.y + chord * sine
        dx = min(max(dx, TANK_RADIUS), memory.width - TANK_RADIUS) - x
        dy = min(max(dy, TANK_RADIUS), memory.height - TANK_RADIUS) - y
        distance = math.sqrt(dx * dx + dy * dy)
        flight = distance * (1.0 / AIM_SPEED)
    return (dx / distance, dy / distance) if distance > 0.0 else (1.0, 0.0)


def _mean_meeting(seen: Sight, turn: int, x: float, y: float, memory: SeatMemory) -> tuple[float, float]:
    """Return the direction in which a bullet meets another tank if the tank keeps its mean velocity.

    The direction is a unit vector, east and north. If the last scan is older than AIM_AGE turns, it is the
    direction to the place of that scan.
    """
    dx, dy = seen.x - x, seen.y - y
    distance = math.sqrt(dx * dx + dy * dy)
    age = turn - seen.turn
    for _ in range(MEAN_STEPS if age <= AIM_AGE else 0):
        time = age + distance * (1.0 / AIM_SPEED)
        dx, dy = seen.x + seen.mean_east * time, seen.y + seen.mean_north * time
        dx = min(max(dx, TANK_RADIUS), memory.width - TANK_RADIUS) - x
        dy = min(max(dy, TANK_RADIUS), memory.height - TANK_RADIUS) - y
        distance = math.sqrt(dx * dx + dy * dy)
    return (dx / distance, dy / distance) if distance > 0.0 else (1.0, 0.0)


def _coming(shot: SeenShot, turn: int, x: float, y: float) -> tuple[float, float] | None:
    """Return `shot_time` and `shot_side`, or None if the shot has passed or began at this tank's place."""
    dx, dy, aim_x, aim_y = x - shot.x, y - shot.y, shot.was_x - shot.x, shot.was_y - shot.y
    distance, aimed = math.sqrt(dx * dx + dy * dy), math.sqrt(aim_x * aim_x + aim_y * aim_y)
    time = distance / shot.speed - (turn - shot.turn)
    if not time > 0.0 or aimed == 0.0:
        return None
    return min(time / SHOT_TIME, 1.0), _bounded((aim_x * dy - aim_y * dx) / (aimed * distance))


def _sine_cosine(degrees: float) -> tuple[float, float]:
    """Return sine and cosine of a direction with an error below 1e-8, which is less than a 32-bit float can
    show.

    Polynomials are used because the C library's functions differ between systems.

    Args:
        degrees: [0, 360).
    """
    quarter = int((degrees + 45.0) * (1.0 / 90.0))
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
