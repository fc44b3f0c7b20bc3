"""One turn of the arena: the stages, in order. Both speeds run this list.

Source: tank-rules.md#the-stages-of-a-turn.
"""

from __future__ import annotations

from collections.abc import Callable

from turnwright.games.tank.bullets import fly
from turnwright.games.tank.gun import fire_guns
from turnwright.games.tank.hits import apply_bullet_hits, apply_meetings, find_bullet_hits, find_meetings
from turnwright.games.tank.life import count_inactivity, die, disable, retire_seats
from turnwright.games.tank.motion import execute_intents
from turnwright.games.tank.ram import apply_tank_contacts, find_tank_contacts
from turnwright.games.tank.scan import turn_radars
from turnwright.games.tank.walls import hit_walls, keep_inside
from turnwright.games.tank.world import World

__all__ = ["STAGES", "Stage", "Stages"]

Stage = Callable[[World], int]
"""Changes the world by one idea; answers 0, or which table is too short, having changed nothing (ROOM_…)."""
Stages = tuple[tuple[str, Stage], ...]


def begin_turn(world: World) -> int:
    """Stage: count the turn; the seats that are out of the battle lose all energy."""
    arena = world.arena
    arena.turn += 1
    arena.events = 0
    arena.moved = 0
    arena.tanks_filled = 0
    if arena.retired > 0:
        retire_seats(world)
    return 0


def end_round(world: World) -> int:
    """Stage: the round is over with one team left, or with no bullet flying and nobody able to act.

    A team counts as unable as soon as one of its tanks is disabled. Source: tank-rules.md#the-end-of-a-round.
    """
    arena = world.arena
    if arena.deaths > 0 or arena.turn == 1:
        arena.round_over = 1 if count_teams(world, False) <= 1 else 0
    if arena.round_over == 0 and arena.disabled > 0 and arena.bullets == 0:
        arena.round_over = 1 if count_teams(world, True) == count_teams(world, False) else 0
    return 0


def count_teams(world: World, disabled: bool) -> int:
    """Return how many teams have a living tank, or a living and disabled one."""
    for tank in world.tanks:
        tank.mark = 0
    teams = 0
    for tank in world.tanks:
        if tank.alive != 0 and (not disabled or tank.energy < 1e-6) and world.tanks[tank.team].mark == 0:
            world.tanks[tank.team].mark = 1
            teams += 1
    return teams


STAGES: Stages = (
    ("begin turn", begin_turn),
    ("fire or cool guns", fire_guns),
    ("execute intents", execute_intents),
    ("hit walls", hit_walls),
    ("find tank contacts", find_tank_contacts),
    ("apply tank contacts", apply_tank_contacts),
    ("keep inside", keep_inside),
    ("scan", turn_radars),
    ("fly", fly),
    ("find bullet meetings", find_meetings),
    ("find bullet hits", find_bullet_hits),
    ("apply bullet meetings", apply_meetings),
    ("apply bullet hits", apply_bullet_hits),
    ("count inactivity", count_inactivity),
    ("disable", disable),
    ("die", die),
    ("end round", end_round),
)
