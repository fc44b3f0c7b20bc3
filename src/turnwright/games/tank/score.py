"""What one tank did to another, counted for the scores of the round. Source: tank-rules.md#scores."""

from __future__ import annotations

from turnwright.games.tank.world import Duel, Tank, World

__all__ = ["clear_duels", "score_bullet_hit", "score_deaths", "score_ram_hit"]


def duel_between(world: World, attacker: Tank, victim: Tank) -> Duel:
    """Return the row of what `attacker` did to `victim` in this round. There must be room for one more."""
    arena = world.arena
    place = attacker.seat * arena.tanks + victim.seat
    if world.duel_of[place] == 0:
        duel = world.duels[arena.duels]
        arena.duels += 1
        world.duel_of[place] = arena.duels
        duel.attacker = attacker.seat
        duel.victim = victim.seat
        duel.bullet_damage = 0.0
        duel.ram_hits = 0
        duel.bullet_kill = 0
        duel.ram_kill = 0
    return world.duels[world.duel_of[place] - 1]


def clear_duels(world: World) -> None:
    """Forget all duels: a round begins."""
    arena = world.arena
    for k in range(arena.duels):
        duel = world.duels[k]
        world.duel_of[duel.attacker * arena.tanks + duel.victim] = 0
    arena.duels = 0


def score_bullet_hit(world: World, attacker: Tank, victim: Tank, damage: float, killed: bool) -> None:
    """Count a bullet hit. damage: energy, not more than the victim had."""
    duel = duel_between(world, attacker, victim)
    duel.bullet_damage += damage
    if killed and duel.bullet_kill == 0:
        attacker.bullet_kills += 1
        duel.bullet_kill = attacker.bullet_kills


def score_ram_hit(world: World, attacker: Tank, victim: Tank, killed: bool) -> None:
    """Count a ram hit."""
    duel = duel_between(world, attacker, victim)
    duel.ram_hits += 1
    if killed and duel.ram_kill == 0:
        attacker.ram_kills += 1
        duel.ram_kill = attacker.ram_kills


def score_deaths(world: World) -> None:
    """Count a turn with deaths for those who survived it; find the last survivors, once a round.

    One left: it saw all others die. None left: all who died in this turn count as last, and saw all die.
    """
    arena = world.arena
    living = 0
    for tank in world.tanks:
        if tank.alive != 0:
            living += 1
            tank.deaths_survived += 1
    if living > 1 or arena.last_survivor_known != 0:
        return
    arena.last_survivor_known = 1
    for tank in world.tanks:
        if tank.alive != 0 or (living == 0 and tank.death_turn == arena.turn):
            tank.deaths_before = arena.tanks - living
