"""Flight of bullets and their removal. Source: tank-rules.md#bullets.

A bullet's place is start + ticks * speed * (cos, sin), computed from the start each time. Hits are tested one
step ahead of the observation, on the segment from this turn's place to the next turn's place.
"""

from __future__ import annotations

from turnwright_tank.rules.events import BULLET_WALL, ROOM_EVENTS, add_event
from turnwright_tank.rules.rows import Rows


def fly(rows: Rows) -> int:
    """Stage: advance all bullets by one step, and remove bullets outside the arena."""
    arena = rows.arena
    if len(rows.events) < arena.events + arena.bullets:
        return ROOM_EVENTS
    bullets = rows.bullets
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
            add_event(rows, BULLET_WALL, bullet.id, bullet.owner)
    if gone > 0:
        remove_bullets(rows)
    return 0


def remove_bullets(rows: Rows) -> None:
    """Move the bullets marked as removed behind the bullets in the air.

    The others keep their order.

    Interpreted rows are objects and compiled rows are memory. So two rows are swapped by way of the last row,
    which gets its own object back.
    """
    arena = rows.arena
    bullets = rows.bullets
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
