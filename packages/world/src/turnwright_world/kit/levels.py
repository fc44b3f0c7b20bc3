"""Experience and levels."""

from __future__ import annotations

from turnwright_world.kit.ruleset import land_of
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.verbs import Act

LEVEL_MAX = 20
HEALTH_LEVEL, STAMINA_LEVEL, POINTS_LEVEL = 12, 6, 3
"""The gains of a level: health, stamina, and points for training."""


def level_of(body: Creature) -> int:
    """Return the level of a body, from 1."""
    level = body.data.get("level", 1)
    return level if isinstance(level, int) else 1


def xp_for(act: Act, level: int) -> int:
    """Return the total experience at which a body reaches a level. Each level needs more than the last."""
    return land_of(act).settings.xp_level * level * (level - 1) // 2


def earn(act: Act, body: Creature, xp: int, *, told: bool = False) -> None:
    """Give a body experience, and the levels that it reaches. A level restores health and stamina.

    Args:
        told: whether the body has a message about the experience already.
    """
    if not xp:
        return
    act.touch(body)
    body.data["xp"] = body.data.get("xp", 0) + xp
    if not told:
        act.tell(body, f"You gain {xp} xp.")
    while level_of(body) < LEVEL_MAX and body.data["xp"] >= xp_for(act, level_of(body) + 1):
        body.data["level"] = level_of(body) + 1
        body.data["points"] = body.data.get("points", 0) + POINTS_LEVEL
        body.health_max += HEALTH_LEVEL
        body.stamina_max += STAMINA_LEVEL
        body.health, body.stamina = body.health_max, body.stamina_max
        act.tell(
            body,
            f"You rise to level {level_of(body)}: more health, more stamina, and {POINTS_LEVEL} points"
            " to train (type: train).",
        )
        act.event("level", who=body.id, name=body.name, level=level_of(body))
