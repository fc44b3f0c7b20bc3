"""Inactivity, disabled tanks and deaths.

Source: tank-rules.md#inactivity, #disabled-and-dead.
"""

from __future__ import annotations

from turnwright_tank.rules.constants import DISABLED_BELOW, INACTIVITY_DAMAGE
from turnwright_tank.rules.energy import change_energy
from turnwright_tank.rules.events import DEATH, ROOM_EVENTS, add_event
from turnwright_tank.rules.rows import Rows
from turnwright_tank.rules.score import score_deaths


def retire_seats(rows: Rows) -> None:
    """Take all energy from the tanks whose seats are out of the battle, so that they die in this turn."""
    for tank in rows.tanks:
        if tank.alive != 0 and tank.retired != 0:
            change_energy(tank, -1.0 - tank.energy)


def count_inactivity(rows: Rows) -> int:
    """Stage: take energy from every tank in each turn while no bullet has hit a tank for too long."""
    arena = rows.arena
    if arena.hits > 0:
        arena.inactive_turns = 0
    if arena.inactive_turns > arena.max_inactivity_turns:
        for tank in rows.tanks:
            if tank.alive != 0:
                change_energy(tank, -INACTIVITY_DAMAGE)
    arena.inactive_turns += 1
    return 0


def disable(rows: Rows) -> int:
    """Stage: disable tanks without energy. Their intents are cleared, and they do nothing until they gain
    energy.
    """
    rows.arena.disabled = 0
    for tank in rows.tanks:
        if 0.0 <= tank.energy < DISABLED_BELOW and tank.alive != 0:
            rows.arena.disabled += 1
            tank.want_speed = 0.0
            tank.want_turn = 0.0
            tank.want_gun_turn = 0.0
            tank.want_radar_turn = 0.0
            tank.want_power = 0.0
    return 0


def die(rows: Rows) -> int:
    """Stage: let tanks with an energy below 0 die. The others have survived this turn's deaths."""
    arena = rows.arena
    if len(rows.events) < arena.events + arena.tanks:
        return ROOM_EVENTS
    if arena.retired > 0:
        retire_seats(rows)
    arena.deaths = 0
    for tank in rows.tanks:
        if tank.energy < 0.0 and tank.alive != 0:
            tank.alive = 0
            tank.death_turn = arena.turn
            arena.deaths += 1
            add_event(rows, DEATH, tank.seat, 0)
    if arena.deaths > 0:
        score_deaths(rows)
    return 0
