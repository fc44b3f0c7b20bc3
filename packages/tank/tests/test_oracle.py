"""Random battles of the real arena compared with the naive one: both differ by less than 1e-9."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from packages.tank.tests.battles import random_intent
from packages.tank.tests.oracle import COLORS, Arena, Fighter, places, shown
from tests.parts import few
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright_tank.backends import extension
from turnwright_tank.game import REPEAT, TankGame
from turnwright_tank.results import SCORE_FIELDS
from turnwright_tank.state import TankBattleState
from turnwright_tank.structs import BotHitBotEvent, BulletHitBulletEvent, ScannedBotEvent

TOLERANCE = 1e-9
NO_GRID = 10**9
POINTS = SCORE_FIELDS[:6]
LEFT_OVER = (0.0, 1e-7, 1e-6, 2e-6, 0.5, 3.0)
"""Energy that a tank keeps when it spends the rest on a shot. Many are then disabled, and die of a touch."""
BATTLES = 40
"""The number of battles at each speed. Tens of thousands of turns were once compared by hand."""


def make_battle(number: int) -> tuple[dict[str, Any], list[SeatInfo], random.Random]:
    """Return the setup and the seats of a battle: close quarters, odd settings, teams, droids."""
    chance = random.Random(number)
    count = chance.choice((1, 2, 2, 2, 3, 3, 4, 5, 8, 12, 25))
    width, height = (
        chance.choice((110, 200, 301, 500, 800, 1400)) + 50 * count // 2,
        chance.choice((150, 333, 600)),
    )
    if (width // 50) * (height // 50) < count:
        width = 50 * count
    setup = {
        "arena_width": width,
        "arena_height": height,
        "number_of_rounds": chance.choice((1, 1, 2, 3)),
        "gun_cooling_rate": chance.choice((0.1, 0.2, 0.9, 3.0, 3.0, 3.0, 0.0, -0.05)),
        "max_inactivity_turns": chance.choice((-3, 0, 7, 40, 450)),
    }
    teams = chance.choice((0, 0, 2, 3))
    crowd = chance.random() < 0.5
    seats = []
    for seat in range(count):
        place: dict[str, Any] = {
            "x": chance.choice((chance.uniform(-50, width + 50), 18, width - 18)),
            "y": chance.choice((chance.uniform(-50, height + 50), 18, height - 18)),
            "direction": chance.choice((0, 90, 180, 270, chance.uniform(0, 360))),
        }
        if crowd:
            place |= {"x": width / 2 + chance.uniform(-90, 90), "y": height / 2 + chance.uniform(-90, 90)}
        team = chance.randrange(teams + 1) if teams else None
        options = {"droid": chance.random() < 0.15, "initial_position": place}
        options |= {"team_name": f"team {team}"} if team is not None else {}
        seats.append(SeatInfo(f"bot {seat}", "1.0", team if team != teams else None, options))
    return setup, seats, chance


def begin_round(setup: dict[str, Any], seats: list[SeatInfo]) -> Arena:
    """Return the naive arena before turn 1."""
    width, height = float(setup["arena_width"]), float(setup["arena_height"])
    fighters = []
    for seat, info in enumerate(seats):
        place, droid = info.options["initial_position"], info.options["droid"]
        x = min(max(float(place["x"]), 18.0), width - 18.0)
        y = min(max(float(place["y"]), 18.0), height - 18.0)
        side = ("team", info.team) if info.team is not None else ("tank", seat)
        energy = 120.0 if droid else 100.0
        fighters.append(Fighter(seat + 1, side, droid, x, y, float(place["direction"]), energy))
    return Arena(width, height, setup["gun_cooling_rate"], setup["max_inactivity_turns"], fighters)


def differences(theirs: Any, ours: Any, path: str) -> Iterator[str]:
    """Yield the differences of two values, the naive arena's value first."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in sorted(theirs.keys() | ours.keys()):
            yield from differences(theirs.get(key), ours.get(key), f"{path}.{key}")
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for k, (one, two) in enumerate(zip(theirs, ours, strict=True)):
            yield from differences(one, two, f"{path}[{k}]")
    elif isinstance(theirs, float) and isinstance(ours, float | int):
        if not abs(theirs - ours) <= TOLERANCE:
            yield f"{path}: naive {theirs!r}, real {ours!r}"
    elif theirs != ours:
        yield f"{path}: naive {theirs!r}, real {ours!r}"


def data(value: Any) -> Any:
    """Return a structure as a dictionary with the names of Python, its type if it says one."""
    if isinstance(value, list):
        return [data(item) for item in value]
    if not isinstance(value, msgspec.Struct):
        return value
    fields = {name: data(getattr(value, name)) for name in value.__struct_fields__}
    tag = type(value).__struct_config__.tag
    return {"type": tag, **fields} if tag else fields


def tank_data(arena: Arena, f: Fighter) -> dict[str, Any]:
    """Return what the naive arena shows of a tank."""
    body, gun, radar = f.rates
    return {
        "is_droid": f.droid,
        "energy": f.energy,
        "x": f.x,
        "y": f.y,
        "direction": f.direction,
        "gun_direction": f.gun,
        "radar_direction": f.radar,
        "radar_sweep": f.sweep,
        "speed": f.speed,
        "turn_rate": body,
        "gun_turn_rate": gun,
        "radar_turn_rate": radar,
        "gun_heat": f.heat,
        "enemy_count": arena.enemies(f),
        **{name: f.colors.get(name) for name in COLORS},
    }


def event_data(arena: Arena, id: int | None) -> list[dict[str, Any]]:
    """Return the naive arena's events of the turn, in order: for spectators, or for one tank."""
    told = []
    for event in arena.events:
        fields = {k: v for k, v in event.items() if not k.startswith("_")}
        fields["turn_number"] = arena.turn
        if id is None or id in event["_to"]:
            told.append(fields)
        owner, back = event.get("_back", (None, {}))
        if id is not None and owner == id:
            told.append({**fields, **back})
    if id is not None:  # deaths are reported last, and all of one kind
        told.sort(key=lambda e: e["type"] == "BotDeathEvent")
    return told


def compare(game: TankGame, state: TankBattleState, arena: Arena) -> Iterator[str]:
    """Yield the differences after a turn, for spectators and for every tank."""
    frame = game.frame(state)
    yield from differences([f.id for f in arena.started], [t.id for t in frame.bot_states], "who is there")
    yield from differences(event_data(arena, None), data(frame.events), "events")
    flying = [shown(shot) for shot in arena.bullets]
    yield from differences(flying, data(frame.bullet_states), "bullets")
    won = winners(arena) if arena.over else set()
    for f, tank in zip(arena.started, frame.bot_states, strict=True):
        theirs, ours = tank_data(arena, f), data(tank)
        yield from differences(theirs, {k: ours[k] for k in theirs}, f"tank {f.id}")
        seen = game.observe(state, f.id - 1)
        ours = data(seen.bot_state)
        yield from differences(theirs, {k: ours[k] for k in theirs}, f"tank {f.id}'s own")
        own = [bullet for bullet in flying if bullet["owner_id"] == f.id]
        yield from differences(own, data(seen.bullet_states), f"tank {f.id}'s bullets")
        told = event_data(arena, f.id)
        if f.id in won:
            told.append({"type": "WonRoundEvent", "turn_number": arena.turn})
        yield from differences(told, data(seen.events), f"tank {f.id}'s events")
    yield from differences(arena.over, state.round_over, "round over")


def totals(arena: Arena) -> dict[int, float]:
    """Return the total score of each tank in this round; equal up to rounding counts as equal."""
    return {f.id: round(sum(f.score().values()), 9) for f in arena.fighters}


def winners(arena: Arena) -> set[int]:
    return {id for id, rank in places(totals(arena)).items() if rank == 1}


def adopt(game: TankGame, state: TankBattleState, arena: Arena) -> None:
    """Give the naive arena the real one's last digits."""
    frame = game.frame(state)
    for f, tank in zip(arena.started, frame.bot_states, strict=True):
        f.energy, f.x, f.y, f.speed, f.heat = tank.energy, tank.x, tank.y, tank.speed, tank.gun_heat
        f.direction, f.gun, f.radar = tank.direction, tank.gun_direction, tank.radar_direction
        f.sweep, f.rates = tank.radar_sweep, (tank.turn_rate, tank.gun_turn_rate, tank.radar_turn_rate)
    for shot, bullet in zip(arena.bullets, frame.bullet_states, strict=True):
        shot["direction"] = bullet.direction
    for f in arena.started:
        if f.seen is not None:
            at = [e for e in frame.events if isinstance(e, ScannedBotEvent)]
            f.seen = next((e.x, e.y) for e in at if e.scanned_by_bot_id == f.id)


class Sums:
    """Scores and places of all rounds, counted by hand."""

    def __init__(self, seats: list[SeatInfo]) -> None:
        self.seats = seats
        self.points = {k + 1: dict.fromkeys(SCORE_FIELDS, 0.0) for k in range(len(seats))}

    def add(self, arena: Arena) -> None:
        ranks = places(totals(arena))
        for f in arena.fighters:
            mine = self.points[f.id]
            for name, value in f.score().items():
                mine[name] += value
            if 1 <= ranks[f.id] <= 3:
                mine[SCORE_FIELDS[5 + ranks[f.id]]] += 1

    def rows(self) -> dict[tuple[bool, int], dict[str, float]]:
        """Return the rows of solo tanks and teams, with rank and total."""
        rows: dict[tuple[bool, int], dict[str, float]] = {}
        for id, mine in self.points.items():
            team = self.seats[id - 1].team
            row = rows.setdefault(
                (team is not None, id if team is None else team), dict.fromkeys(SCORE_FIELDS, 0.0)
            )
            for name, value in mine.items():
                row[name] += value
        total = {k: round(sum(rows[key][n] for n in POINTS), 9) for k, key in enumerate(rows)}
        for (k, rank), key in zip(sorted(places(total).items()), rows, strict=True):
            rows[key] |= {"rank": float(rank), "total": total[k]}
        return rows


def compare_results(state: TankBattleState, sums: Sums) -> Iterator[str]:
    results = state.results
    for row in results.seats:
        ours = {name: float(getattr(row, name)) for name in SCORE_FIELDS}
        yield from differences(sums.points[row.id], ours, f"score of {row.id}")
    theirs = sums.rows()
    ours_rows = {
        (row.is_team, row.id): {
            **{name: float(getattr(row, name)) for name in SCORE_FIELDS},
            "rank": float(row.rank),
            "total": row.total,
        }
        for row in results.rows
    }
    assert len(ours_rows) == len(results.rows)
    for key in theirs.keys() | ours_rows.keys():
        yield from differences(theirs.get(key), ours_rows.get(key), f"row {key}")
    order = [(-row.total, row.id) for row in results.rows]
    yield from differences(sorted(order), order, "order of rows")


def play_both(number: int, game: TankGame, turns: int = 120) -> list[str]:
    """Play a battle in both arenas; return the first difference, or nothing."""
    setup, seats, chance = make_battle(number)
    streams = Streams(number)
    state = game.setup(setup, seats, streams)
    sums = Sums(seats)
    arena = begin_round(setup, seats)
    intents: dict[int, Any] = {}
    last_legs = chance.random() < 0.6
    for _ in range(turns):
        said: dict[int, Any] = {}
        energies = {tank.id - 1: tank.energy for tank in game.frame(state).bot_states} if last_legs else {}
        for seat in game.asked(state):
            if chance.random() < 0.05:
                said[seat] = REPEAT
                continue
            if seat not in intents or chance.random() < 0.2:
                intents[seat] = random_intent(chance)
            if last_legs and chance.random() < 0.1:
                intents[seat] = replace(intents[seat], firepower=energies[seat] - chance.choice(LEFT_OVER))
            said[seat] = intents[seat]
        game.resolve(state, said, streams)
        if state.opened_round and state.round_number > 1:
            arena = begin_round(setup, seats)
        events = game.frame(state).events
        put = [(e.x, e.y) for e in events if isinstance(e, BotHitBotEvent)][::2]
        pairs = [(e.bullet, e.hit_bullet) for e in events if isinstance(e, BulletHitBulletEvent)]
        met = {(one.bullet_id, two.bullet_id) for one, two in pairs}
        arena.step({s + 1: i for s, i in said.items() if i is not REPEAT}, put.__getitem__, met)
        found = [
            f"battle {number}, round {state.round_number}, turn {state.turn_number}: {line}"
            for line in compare(game, state, arena)
        ]
        if state.round_over and not found:
            sums.add(arena)
            where = f"battle {number}, after round {state.round_number}"
            found = [f"{where}: {line}" for line in compare_results(state, sums)]
        if found or game.outcome(state) is not None:
            return found
        adopt(game, state, arena)
    return []


@pytest.mark.parametrize("number", few(range(BATTLES), 12, 24))
def test_the_interpreted_arena_agrees_with_the_naive_one(number: int) -> None:
    assert play_both(number, TankGame("interpreted", grid_from=NO_GRID if number % 2 else 0)) == []


@pytest.mark.skipif(not extension.available(), reason=extension.why_missing())
@pytest.mark.parametrize("number", few(range(BATTLES, 2 * BATTLES), 12, 24))
def test_the_compiled_arena_agrees_with_the_naive_one(number: int) -> None:
    assert play_both(number, TankGame("compiled", grid_from=NO_GRID if number % 2 else 0)) == []
