"""Regeneration of health and stamina.

A body has one timer, which is set when the body may lose something. The timer sets itself again until health
and stamina are complete. A healthy body needs no timer.
"""

from __future__ import annotations

from typing import Any

from turnwright_world.kit.ruleset import land_of
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.verbs import Act

_MEND = "mend"
_DUE = "mends_us"


def mend_soon(act: Act, body: Creature) -> None:
    """Make sure that a body will heal. Call it whenever the body may have lost something."""
    now_us = act.world.reached_us
    if body.data.get(_DUE, 0) <= now_us:
        due_us = now_us + land_of(act).settings.mend_s * 1_000_000
        act.touch(body)
        body.data[_DUE] = due_us
        act.world.at(due_us, _MEND, who=body.id)


def refresh(act: Act, body: Creature, health: int, stamina: int) -> None:
    """Give a body health and stamina, up to its maximum."""
    act.touch(body)
    body.health = min(body.health_max, body.health + health)
    body.stamina = min(body.stamina_max, body.stamina + stamina)


def _mend(act: Act, payload: dict[str, Any]) -> None:
    body, settings = act.actor, land_of(act).settings
    if body.died_us is not None or body.health <= 0:
        return
    resting = 5 if body.action is not None and body.action.verb == "rest" else 1
    fighting = bool(body.threats) or (body.action is not None and body.action.verb == "attack")
    health = 0 if fighting else max(1, body.health_max * settings.mend_health // 100) * resting
    stamina = max(1, body.stamina_max * settings.mend_stamina // 100)
    refresh(act, body, health, stamina)
    if body.health < body.health_max or body.stamina < body.stamina_max or fighting:
        mend_soon(act, body)


HEALING_TIMERS = {_MEND: _mend}
