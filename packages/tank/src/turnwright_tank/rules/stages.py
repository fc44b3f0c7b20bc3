"""The stages of a turn, in order. Interpreted and compiled rules run this list.

Source: tank-rules.md#the-stages-of-a-turn.
"""

from __future__ import annotations

from collections.abc import Callable

from turnwright_tank.rules.bullet_hits import (
    apply_bullet_contacts,
    apply_bullet_hits,
    find_bullet_contacts,
    find_bullet_hits,
)
from turnwright_tank.rules.bullets import fly
from turnwright_tank.rules.death import count_inactivity, die, disable, retire_seats
from turnwright_tank.rules.gun import fire_guns
from turnwright_tank.rules.motion import execute_intents
from turnwright_tank.rules.radar import turn_radars
from turnwright_tank.rules.rows import Rows
from turnwright_tank.rules.tank_contacts import apply_tank_contacts, find_tank_contacts
from turnwright_tank.rules.walls import hit_walls, keep_inside

Stage = Callable[[Rows], int]
"""A function that changes the rows by one rule and returns 0. If a table is too short, it changes nothing and
returns the table (ROOM_…).
"""
Stages = tuple[tuple[str, Stage], ...]


def begin_turn(rows: Rows) -> int:
    """Stage: count the turn, and take all energy from tanks whose seats are out of the battle."""
    arena = rows.arena
    arena.turn += 1
    arena.events = 0
    arena.moved = 0
    arena.tanks_filled = 0
    if arena.retired > 0:
        retire_seats(rows)
    return 0


def end_round(rows: Rows) -> int:
    """Stage: end the round when it is over.

    The round is over when at most one team is left, or when no bullet is flying and no team can act.

    A team cannot act if one of its tanks is disabled. Source: tank-rules.md#the-end-of-a-round.
    """
    arena = rows.arena
    if arena.deaths > 0 or arena.turn == 1:
        arena.round_over = 1 if count_teams(rows, False) <= 1 else 0
    if arena.round_over == 0 and arena.disabled > 0 and arena.bullets == 0:
        arena.round_over = 1 if count_teams(rows, True) == count_teams(rows, False) else 0
    return 0


def count_teams(rows: Rows, disabled: bool) -> int:
    """Return the number of teams with a living tank, or with a living and disabled tank."""
    for tank in rows.tanks:
        tank.mark = 0
    teams = 0
    for tank in rows.tanks:
        if tank.alive != 0 and (not disabled or tank.energy < 1e-6) and rows.tanks[tank.team].mark == 0:
            rows.tanks[tank.team].mark = 1
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
    ("find bullet meetings", find_bullet_contacts),
    ("find bullet hits", find_bullet_hits),
    ("apply bullet meetings", apply_bullet_contacts),
    ("apply bullet hits", apply_bullet_hits),
    ("count inactivity", count_inactivity),
    ("disable", disable),
    ("die", die),
    ("end round", end_round),
)
