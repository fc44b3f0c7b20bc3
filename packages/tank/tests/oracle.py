"""A second arena, written from the list of facts alone, to compare with the real one.

It is naive on purpose: one dictionary a tank, no tables, no grid, no early rejection, the C library's
trigonometry. After each turn a test compares what both show and gives this one the real one's numbers, so
that a last digit does not grow into another battle. Sections are those of packages/tank/docs/tank-rules.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from typing import Any

Place = Callable[[int], tuple[float, float]]
"""Random place of the second tank in the n-th contact of a first turn."""
Pairs = Container[tuple[int, int]]
"""Ids of bullets that met in a turn. Only those along one line are taken from here."""
PARALLEL = 1e-7
Shot = dict[str, Any]
Told = dict[str, Any]

SWITCHES = ("adjust_gun_for_body_turn", "adjust_radar_for_body_turn", "adjust_radar_for_gun_turn", "rescan")
RATES = ("turn_rate", "gun_turn_rate", "radar_turn_rate", "target_speed", "firepower")
COLORS = (
    "body_color",
    "turret_color",
    "radar_color",
    "bullet_color",
    "scan_color",
    "tracks_color",
    "gun_color",
)


def absolute(angle: float) -> float:
    rest = math.fmod(angle, 360.0)
    return rest if rest >= 0.0 else rest + 360.0


def bearing_of(x: float, y: float, direction: float, to_x: float, to_y: float) -> float:
    rest = math.fmod(math.degrees(math.atan2(to_y - y, to_x - x)) - direction, 360.0)
    if rest >= 180.0:
        return rest - 360.0
    return rest + 360.0 if rest < -180.0 else rest


def within(value: float, limit: float) -> float:
    return max(-limit, min(limit, value))


def ahead(direction: float, length: float) -> tuple[float, float]:
    angle = math.radians(direction)
    return math.cos(angle) * length, math.sin(angle) * length


@dataclass
class Fighter:
    """A tank.

    Attributes:
        side: its team, or itself.
        intent: its stored intent, or None before its first intent.
    """

    id: int
    side: object
    droid: bool
    x: float
    y: float
    direction: float
    energy: float
    gun: float = 0.0
    radar: float = 0.0
    sweep: float = 0.0
    speed: float = 0.0
    rates: tuple[float, float, float] = (0.0, 0.0, 0.0)
    heat: float = 3.0
    intent: dict[str, Any] | None = None
    wanted_colors: dict[str, str] = field(default_factory=dict)
    colors: dict[str, str] = field(default_factory=dict)
    told_of_wall: bool = False
    seen: tuple[float, float] | None = None
    before: tuple[float, ...] = ()
    bullet_damage: dict[int, float] = field(default_factory=dict)
    ram_hits: dict[int, int] = field(default_factory=dict)
    shot_dead: set[int] = field(default_factory=set)
    rammed_dead: set[int] = field(default_factory=set)
    survived: int = 0
    last_of: int = 0

    @property
    def enabled(self) -> bool:
        return self.energy >= 1e-6

    @property
    def disabled(self) -> bool:
        return 0.0 <= self.energy < 1e-6

    def damage_to(self, victim: int) -> float:
        return self.bullet_damage.get(victim, 0.0) + 0.6 * self.ram_hits.get(victim, 0)

    def score(self) -> dict[str, float]:
        """tank-rules.md#scores"""
        return {
            "bullet_damage": sum(self.bullet_damage.values()),
            "bullet_kill_bonus": 0.2 * sum(self.damage_to(v) for v in self.shot_dead),
            "ram_damage": 2.0 * 0.6 * sum(self.ram_hits.values()),
            "ram_kill_bonus": 0.3 * sum(self.damage_to(v) for v in self.rammed_dead),
            "survival": 50.0 * self.survived,
            "last_survivor_bonus": 10.0 * self.last_of,
        }


class Arena:
    """One round.

    Args:
        fighters: all tanks, in order of id. `living` has the tanks that are still in the round.
    """

    def __init__(self, width: float, height: float, cooling: float, inactivity: int, fighters: list[Fighter]):
        self.width, self.height, self.cooling, self.inactivity = width, height, cooling, inactivity
        self.fighters = fighters
        self.living = list(fighters)
        self.started = list(fighters)
        self.turn = self.idle = self.shots = 0
        self.bullets: list[Shot] = []
        self.events: list[Told] = []
        self.over = False
        for fighter in fighters:
            fighter.gun = fighter.radar = fighter.direction

    def step(self, intents: Mapping[int, Any], place: Place, met: Pairs) -> None:
        """Play one turn: tank-rules.md#the-stages-of-a-turn.

        Args:
            intents: the intents by id. A tank without one repeats its stored intent.
            place, met: see `Place` and `Pairs`.
        """
        self.events = []
        self.started = list(self.living)
        for fighter in self.living:
            if fighter.id in intents and self.turn > 0:
                store(fighter, intents[fighter.id])
        self.turn += 1
        for fighter in self.living:
            f = fighter
            f.before = (f.x, f.y, f.direction, f.gun, f.radar)
        for fighter in self.living:
            self._gun(fighter)
        for fighter in self.living:
            if fighter.enabled and fighter.intent is not None:
                drive(fighter, fighter.intent)
        for fighter in self.living:
            self._wall(fighter)
        self._contacts(place)
        for fighter in self.living:
            fighter.x, fighter.y = self._inside(fighter)
        for fighter in self.living:
            self._scan(fighter)
        self._bullets(met)
        self._ends()

    def _gun(self, f: Fighter) -> None:
        """tank-rules.md#guns"""
        if f.heat != 0.0 or not f.enabled:
            f.heat = max(f.heat - self.cooling, 0.0)
            return
        if f.intent is None or not (f.intent["firepower"] >= 0.1 and f.energy > f.intent["firepower"]):
            return
        power = min(f.intent["firepower"], 3.0)
        direction = f.gun
        if f.intent["fire_assist"] and f.gun == f.radar and f.seen is not None:
            direction = absolute(math.degrees(math.atan2(f.seen[1] - f.y, f.seen[0] - f.x)))
        self.shots += 1
        shot = {"id": self.shots, "owner": f.id, "power": power, "from": (f.x, f.y), "direction": direction}
        shot |= {"k": 0, "color": f.colors.get("bullet_color")}
        self.bullets.append(shot)
        f.heat = 1.0 + power / 5.0
        self._tell("BulletFiredEvent", bullet=shown(shot), _to=[f.id])
        f.energy -= f.intent["firepower"]

    def _wall(self, f: Fighter) -> None:
        """tank-rules.md#walls"""
        told, f.told_of_wall = f.told_of_wall, False
        if self.turn == 1:
            return
        x, y = self._inside(f)
        if (x, y) == (f.x, f.y):
            return
        f.x, f.y = x, y
        if not told:
            f.told_of_wall = True
            self._tell("BotHitWallEvent", victim_id=f.id, _to=[f.id])
            f.energy -= max(min(abs(f.speed), 8.0) / 2.0 - 1.0, 0.0)
        f.speed = 0.0

    def _inside(self, f: Fighter) -> tuple[float, float]:
        old_x, old_y = f.before[:2]
        x, y = new_x, new_y = f.x, f.y
        if x - 18.0 < 0.0:
            new_x = 18.0
        elif x + 18.0 > self.width:
            new_x = self.width - 18.0
        if new_x != x and x != old_x:
            new_y = old_y + (y - old_y) * (new_x - old_x) / (x - old_x)
        bound = y
        if y - 18.0 < 0.0:
            bound = 18.0
        elif y + 18.0 > self.height:
            bound = self.height - 18.0
        if bound != y:
            new_y = bound
            if y != old_y:
                new_x = old_x + (x - old_x) * (new_y - old_y) / (y - old_y)
        return new_x, new_y

    def _contacts(self, place: Place) -> None:
        """tank-rules.md#tanks-that-touch"""
        pairs = []
        for i, one in enumerate(self.living):
            for two in self.living[i + 1 :]:
                if (one.x - two.x) ** 2 + (one.y - two.y) ** 2 <= 36.0**2:
                    pairs.append((one, two, rams(one, two), rams(two, one)))
        for k, (one, two, one_rams, two_rams) in enumerate(pairs):
            lived = one.energy >= 0.0, two.energy >= 0.0
            one.energy -= 0.6
            two.energy -= 0.6
            for a, b, does, b_lived in ((one, two, one_rams, lived[1]), (two, one, two_rams, lived[0])):
                if does:
                    a.ram_hits[b.id] = a.ram_hits.get(b.id, 0) + 1
                    if b_lived and b.energy < 0.0:
                        a.rammed_dead.add(b.id)
            one.x, one.y = one.before[:2]
            two.x, two.y = place(k) if self.turn == 1 else two.before[:2]
            one.speed = 0.0 if one_rams else one.speed
            two.speed = 0.0 if two_rams else two.speed
            for a, b, does in ((one, two, one_rams), (two, one, two_rams)):
                self._tell(
                    "BotHitBotEvent",
                    bot_id=a.id,
                    victim_id=b.id,
                    energy=b.energy,
                    x=b.x,
                    y=b.y,
                    rammed=does,
                    _to=[a.id],
                )

    def _scan(self, f: Fighter) -> None:
        """tank-rules.md#radars"""
        f.seen = None
        changed = f.before != (f.x, f.y, f.direction, f.gun, f.radar)
        if f.droid or not (changed or (f.intent is not None and f.intent["rescan"])):
            return
        start, end = absolute(f.radar - abs(f.sweep)), f.radar
        if f.sweep < 0.0:
            start, end = f.radar, absolute(f.radar + abs(f.sweep))
        for other in self.living:
            if other is f or not sees(f, other, start, end):
                continue
            f.seen = f.seen or (other.x, other.y)
            self._tell(
                "ScannedBotEvent",
                scanned_by_bot_id=f.id,
                scanned_bot_id=other.id,
                energy=other.energy,
                x=other.x,
                y=other.y,
                direction=other.direction,
                speed=other.speed,
                _to=[f.id],
            )

    def _bullets(self, met: Pairs) -> None:
        """tank-rules.md#bullets"""
        for shot in self.bullets:
            shot["k"] += 1
        for shot in list(self.bullets):
            x, y = at(shot)
            if x <= 0.0 or y <= 0.0 or x >= self.width or y >= self.height:
                self.bullets.remove(shot)
                self._tell("BulletHitWallEvent", bullet=shown(shot), _to=[shot["owner"]])
        there = list(self.bullets)
        gone = []
        for i, one in enumerate(there):
            for two in there[i + 1 :]:
                if meet(one, two, met):
                    gone += [one, two]
                    pair = {"bullet": shown(one), "hit_bullet": shown(two)}
                    back = {"bullet": shown(two), "hit_bullet": shown(one)}
                    self._tell("BulletHitBulletEvent", **pair, _to=[one["owner"]], _back=(two["owner"], back))
        hits = [
            (shot, f)
            for shot in there
            for f in self.living
            if f.id != shot["owner"] and touches(at(shot), at(shot, 1), (f.x, f.y))
        ]
        for shot, victim in hits:
            self._hit(shot, victim)
            gone.append(shot)
        self.idle = 0 if hits else self.idle
        self.bullets = [shot for shot in there if not any(shot is g for g in gone)]

    def _hit(self, shot: Shot, victim: Fighter) -> None:
        power = shot["power"]
        damage = 4.0 * power + (2.0 * (power - 1.0) if power > 1.0 else 0.0)
        shooter = self.fighters[shot["owner"] - 1]
        scored = min(damage, max(victim.energy, 0.0))
        shooter.bullet_damage[victim.id] = shooter.bullet_damage.get(victim.id, 0.0) + scored
        if victim.energy >= 0.0 and victim.energy - damage < 0.0:
            shooter.shot_dead.add(victim.id)
        victim.energy -= damage
        self._tell(
            "BulletHitBotEvent",
            victim_id=victim.id,
            bullet=shown(shot),
            damage=damage,
            energy=victim.energy,
            _to=[shot["owner"], victim.id],
        )
        if shooter in self.living:
            shooter.energy += 3.0 * power

    def _ends(self) -> None:
        """tank-rules.md#inactivity, #disabled-and-dead, #the-end-of-a-round, #scores"""
        if self.idle > self.inactivity:
            for f in self.living:
                f.energy -= 0.1
        self.idle += 1
        for f in self.living:
            if f.disabled and f.intent is not None:
                f.intent.update(dict.fromkeys(RATES, 0.0))
        dead = [f for f in self.living if f.energy < 0.0]
        before = self.living
        self.living = [f for f in self.living if f.energy >= 0.0]
        for f in dead:
            self._tell("BotDeathEvent", victim_id=f.id, _to=[g.id for g in self.started])
        if dead:
            for f in self.living:
                f.survived += 1
            if not any(f.last_of for f in self.fighters):
                last = {0: before, 1: self.living}.get(len(self.living), [])
                for f in last:
                    f.last_of = len(self.fighters) - len(self.living)
        sides = {f.side for f in self.living}
        stuck = {f.side for f in self.living if f.disabled}
        self.over = len(sides) <= 1 or (not self.bullets and len(stuck) == len(sides))

    def enemies(self, f: Fighter) -> int:
        if f not in self.living:
            return len(self.living)
        return sum(other.side != f.side for other in self.living)

    def _tell(self, kind: str, **fields: Any) -> None:
        self.events.append({"type": kind, **fields})


def store(f: Fighter, said: Any) -> None:
    """tank-rules.md#intents"""
    intent: dict[str, Any] = {name: getattr(said, name) or 0.0 for name in RATES}
    intent |= {name: bool(getattr(said, name)) for name in SWITCHES}
    intent["fire_assist"] = said.fire_assist is not False
    f.intent = intent
    for name in COLORS:
        text = (getattr(said, name) or "").strip()
        digits = text[1:]
        if text[:1] == "#" and len(digits) in (3, 6) and all(c in "0123456789abcdefABCDEF" for c in digits):
            f.wanted_colors[name] = "#" + "".join(d * (6 // len(digits)) for d in digits).upper()


def drive(f: Fighter, intent: Mapping[str, Any]) -> None:
    """tank-rules.md#speed, #moving-and-turning"""
    f.speed = next_speed(f.speed, intent["target_speed"])
    dx, dy = ahead(f.direction, f.speed)
    f.x, f.y = f.x + dx, f.y + dy
    body = within(intent["turn_rate"], 10.0 - 0.75 * min(abs(f.speed), 8.0))
    gun, radar = within(intent["gun_turn_rate"], 20.0), within(intent["radar_turn_rate"], 45.0)
    gun_by = body + gun
    if intent["adjust_gun_for_body_turn"]:
        gun_by -= body
    radar_by = gun_by + radar
    if intent["adjust_radar_for_gun_turn"]:
        radar_by -= gun
        if intent["adjust_gun_for_body_turn"]:
            radar_by += body
    if intent["adjust_radar_for_body_turn"]:
        radar_by -= body
    f.rates, f.sweep = (body, gun, radar), radar_by
    f.direction, f.gun, f.radar = (
        absolute(f.direction + body),
        absolute(f.gun + gun_by),
        absolute(f.radar + radar_by),
    )
    f.colors.update(f.wanted_colors)


def next_speed(v: float, target: float) -> float:
    if v < 0.0:
        return -next_speed(-v, -target)
    if v == 0.0:
        return min(target, 1.0) if target >= 0.0 else -min(-target, 1.0)
    if target == 0.0:
        return 0.0
    if target < 0.0:
        return -(1.0 - v / 2.0)
    return min(v + min(target - v, 1.0), 8.0) if target >= v else v + max(target - v, -2.0)


def rams(a: Fighter, b: Fighter) -> bool:
    bearing = bearing_of(a.x, a.y, a.direction, b.x, b.y)
    return -90.0 < bearing < 90.0 if a.speed > 0.0 else a.speed < 0.0 and not -90.0 <= bearing <= 90.0


def sees(f: Fighter, other: Fighter, start: float, end: float) -> bool:
    a, e = ahead(start, 1200.0), ahead(end, 1200.0)
    w = other.x - f.x, other.y - f.y
    here, there = (f.x, f.y), (other.x, other.y)
    first = touches(here, (f.x + a[0], f.y + a[1]), there)
    if start == end:
        return first
    if w[0] ** 2 + w[1] ** 2 > 1218.0**2:
        return False
    inside = not (a[0] * w[1] <= a[1] * w[0]) and e[0] * w[1] <= e[1] * w[0]
    return inside or first or touches(here, (f.x + e[0], f.y + e[1]), there)


def touches(p: tuple[float, float], q: tuple[float, float], c: tuple[float, float]) -> bool:
    """Return whether the segment p–q touches the circle of radius 18 around c."""
    if math.dist(p, c) <= 18.0 or math.dist(q, c) <= 18.0:
        return True
    d = q[0] - p[0], q[1] - p[1]
    u = ((c[0] - p[0]) * d[0] + (c[1] - p[1]) * d[1]) / (d[0] ** 2 + d[1] ** 2)
    return 0.0 <= u <= 1.0 and math.dist((p[0] + u * d[0], p[1] + u * d[1]), c) <= 18.0


def at(shot: Shot, later: int = 0) -> tuple[float, float]:
    dx, dy = ahead(shot["direction"], (20.0 - 3.0 * shot["power"]) * (shot["k"] + later))
    return shot["from"][0] + dx, shot["from"][1] + dy


def shown(shot: Shot) -> Told:
    x, y = at(shot)
    told = {"bullet_id": shot["id"], "owner_id": shot["owner"], "power": shot["power"], "x": x, "y": y}
    return told | {"direction": shot["direction"], "color": shot["color"]}


def meet(one: Shot, two: Shot, met: Pairs) -> bool:
    """tank-rules.md#segments-and-circles"""
    a1, a2, b1, b2 = at(one), at(one, 1), at(two), at(two, 1)
    if math.dist(a2, b2) > 39.4:
        return False
    ax, ay, bx, by = a2[0] - a1[0], a2[1] - a1[1], b1[0] - b2[0], b1[1] - b2[1]
    cx, cy = a1[0] - b1[0], a1[1] - b1[1]
    common = ay * bx - ax * by
    alpha, beta = by * cx - bx * cy, ax * cy - ay * cx
    if abs(common) < PARALLEL:
        return abs(alpha) < PARALLEL and (one["id"], two["id"]) in met
    low, high = min(common, 0.0), max(common, 0.0)
    return low <= alpha <= high and low <= beta <= high


def places(totals: Mapping[int, float]) -> dict[int, int]:
    """Return the rank of each id: best first, ties share (tank-rules.md#scores)."""
    ranks, last, rank = {}, 0.0, 0
    for place, key in enumerate(sorted(totals, key=lambda k: -totals[k]), start=1):
        if totals[key] != last:
            last, rank = totals[key], place
        ranks[key] = rank
    return ranks
