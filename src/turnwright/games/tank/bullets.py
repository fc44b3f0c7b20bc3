"""Bullets in the air: they fly, leave the arena, and are taken out. Source: tank-rules.md#bullets.

A bullet is always at start + ticks * speed * (cos, sin), worked out from the start each time. Hits are tested
one step ahead of what is shown: on the segment from this turn's place to the next turn's.
"""

from __future__ import annotations

from turnwright.games.tank.events import BULLET_WALL, ROOM_EVENTS, add_event
from turnwright.games.tank.world import World

__all__ = ["fly", "take_out"]


def fly(world: World) -> int:
    """Stage: advance all bullets by one step and take out those that are outside the arena."""
    arena = world.arena
    if len(world.events) < arena.events + arena.bullets:
        return ROOM_EVENTS
    bullets = world.bullets
    right = arena.width
    top = arena.height
    arena.gone = 0
    gone = 0
    for k in range(arena.bullets):
        bullet = bullets[k]
        ticks = bullet.ticks + 1
        x = bullet.next_x
        y = bullet.next_y
        bullet.ticks = ticks
        bullet.x = x
        bullet.y = y
        distance = bullet.speed * (ticks + 1.0)
        bullet.next_x = bullet.start_x + bullet.cos * distance
        bullet.next_y = bullet.start_y + bullet.sin * distance
        if x <= 0.0 or y <= 0.0 or x >= right or y >= top:
            bullet.removed = 1
            gone += 1
            add_event(world, BULLET_WALL, bullet.id, bullet.owner)
    if gone > 0:
        take_out(world)
    return 0


def take_out(world: World) -> None:
    """Move the bullets marked as removed behind those in the air, which keep their order.

    Rows are objects at one speed and memory at the other, so two are exchanged by way of the last row, which
    gets its own object back.
    """
    arena = world.arena
    bullets = world.bullets
    spare = len(bullets) - 1
    own = bullets[spare]
    kept = 0
    for k in range(arena.bullets):
        if bullets[k].removed == 0:
            if k != kept:
                bullets[spare] = bullets[kept]
                bullets[kept] = bullets[k]
                bullets[k] = bullets[spare]
                bullets[spare] = own
            kept += 1
    arena.gone += arena.bullets - kept
    arena.bullets = kept
