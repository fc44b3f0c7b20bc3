"""Which handler an event calls, and in which order: the order of Tank Royale's bot APIs."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.games.tank import view
from turnwright.games.tank.view import Event

__all__ = ["EVENT_AGE_MAX", "ORDER", "handler_of", "in_order"]

EVENT_AGE_MAX = 2
"""Events of turns that the bot missed are delivered if they are at most so many turns old."""

ORDER = (
    "on_won_round",
    "on_team_message",
    "on_bot_death",
    "on_bullet_hit_wall",
    "on_bullet_hit_bullet",
    "on_bullet_hit",
    "on_bullet_fired",
    "on_hit_by_bullet",
    "on_hit_wall",
    "on_hit_bot",
    "on_scanned_bot",
    "on_death",
)
"""The handlers of one turn's events, first to last; `on_tick` follows when all of them have run."""

_RANK = {name: rank for rank, name in enumerate(ORDER)}
_HANDLERS: dict[type, str] = {
    view.WonRoundEvent: "on_won_round",
    view.TeamMessageEvent: "on_team_message",
    view.BulletHitWallEvent: "on_bullet_hit_wall",
    view.BulletHitBulletEvent: "on_bullet_hit_bullet",
    view.BulletFiredEvent: "on_bullet_fired",
    view.BotHitWallEvent: "on_hit_wall",
    view.BotHitBotEvent: "on_hit_bot",
    view.ScannedBotEvent: "on_scanned_bot",
}


def handler_of(event: Event, my_id: int) -> str:
    """Return the name of the handler: my own death and the hits that I take have handlers of their own."""
    if isinstance(event, view.BulletHitBotEvent):
        return "on_hit_by_bullet" if event.victim_id == my_id else "on_bullet_hit"
    if isinstance(event, view.BotDeathEvent):
        return "on_death" if event.victim_id == my_id else "on_bot_death"
    return _HANDLERS[type(event)]


def in_order(events: Iterable[Event], my_id: int) -> list[tuple[str, Event]]:
    """Return (handler, event) of all events: older turns first, then by `ORDER`, then as they came."""
    named = [(handler_of(event, my_id), event) for event in events]
    if len(named) > 1:
        named.sort(key=lambda pair: (pair[1].turn_number, _RANK[pair[0]]))
    return named
