"""Damage and kills of a round. Source: tank-rules.md#scores."""

from __future__ import annotations

from turnwright_tank.rules.rows import Duel, Rows, Tank


def duel_between(rows: Rows, attacker: Tank, victim: Tank) -> Duel:
    """Return the row with the damage of `attacker` to `victim` in this round.

    The table must have room for one more row.
    """
    arena = rows.arena
    place = attacker.seat * arena.tanks + victim.seat
    if rows.duel_of[place] == 0:
        duel = rows.duels[arena.duels]
        arena.duels += 1
        rows.duel_of[place] = arena.duels
        duel.attacker = attacker.seat
        duel.victim = victim.seat
        duel.bullet_damage = 0.0
        duel.ram_hits = 0
        duel.bullet_kill = 0
        duel.ram_kill = 0
    return rows.duels[rows.duel_of[place] - 1]


def clear_duels(rows: Rows) -> None:
    """Clear all duels at the start of a round."""
    arena = rows.arena
    for k in range(arena.duels):
        duel = rows.duels[k]
        rows.duel_of[duel.attacker * arena.tanks + duel.victim] = 0
    arena.duels = 0


def score_bullet_hit(rows: Rows, attacker: Tank, victim: Tank, damage: float, killed: bool) -> None:
    """Count a bullet hit.

    Args:
        damage: energy, at most the energy that the victim had.
    """
    duel = duel_between(rows, attacker, victim)
    duel.bullet_damage += damage
    if killed and duel.bullet_kill == 0:
        attacker.bullet_kills += 1
        duel.bullet_kill = attacker.bullet_kills


def score_ram_hit(rows: Rows, attacker: Tank, victim: Tank, killed: bool) -> None:
    """Count a ram hit."""
    duel = duel_between(rows, attacker, victim)
    duel.ram_hits += 1
    if killed and duel.ram_kill == 0:
        attacker.ram_kills += 1
        duel.ram_kill = attacker.ram_kills


def score_deaths(rows: Rows) -> None:
    """Count a turn with deaths for the survivors, and find the last survivors once in a round.

    A single survivor gets the bonus for all other tanks. If no tank is left, all tanks that died in this turn
    count as last, and get the bonus for all tanks.
    """
    arena = rows.arena
    living = 0
    for tank in rows.tanks:
        if tank.alive != 0:
            living += 1
            tank.deaths_survived += 1
    if living > 1 or arena.last_survivor_known != 0:
        return
    arena.last_survivor_known = 1
    for tank in rows.tanks:
        if tank.alive != 0 or (living == 0 and tank.death_turn == arena.turn):
            tank.deaths_before = arena.tanks - living
