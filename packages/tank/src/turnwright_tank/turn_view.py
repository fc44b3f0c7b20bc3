"""Events, bullets and tanks of one turn, sorted by the seats that may see them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from turnwright_tank.observation import (
    BotDeathEvent,
    BotHitBotEvent,
    BotHitWallEvent,
    BulletFiredEvent,
    BulletHitBotEvent,
    BulletHitBulletEvent,
    BulletHitWallEvent,
    BulletState,
    Event,
    ScannedBotEvent,
)
from turnwright_tank.rules import events as kinds
from turnwright_tank.rules.colors import color_text

Row = tuple[Any, ...]


class TurnView:
    """Tanks, bullets and events of one turn.

    Attributes:
        shown: for each seat its row up to the colours.
        own_bullets: for each seat the bullets it fired.
        public: events for spectators, in order.
        private: for each seat its own events, in order, without deaths.
        deaths: they go to all seats that hear of deaths.
        by_id: all bullets, removed ones too; empty where only scans happened.
    """

    __slots__ = ("bullets", "by_id", "deaths", "own_bullets", "private", "public", "shown", "turn")

    def __init__(
        self, turn: int, tanks: list[Row], bullets: Sequence[Row], flying: int, events: Sequence[Row]
    ) -> None:
        self.turn = turn
        self.shown = tanks
        self.public: list[Event] = []
        self.deaths: list[Event] = []
        self.private: list[list[Event]] = [[] for _ in tanks]
        self.own_bullets: list[list[BulletState]] = [[] for _ in tanks]
        states = [
            BulletState(number, owner + 1, power, x, y, direction, None if color < 0 else color_text(color))
            for number, owner, power, x, y, direction, color in bullets
        ]
        self.bullets = states[:flying]
        for state in self.bullets:
            self.own_bullets[state.owner_id - 1].append(state)
        self.by_id: dict[int, BulletState] = {}
        for row in events:
            if row[0] == kinds.SCANNED:
                event = ScannedBotEvent(turn, row[1] + 1, row[2] + 1, row[4], row[5], row[6], row[7], row[8])
                self.public.append(event)
                self.private[row[1]].append(event)
            else:
                if states and not self.by_id:
                    self.by_id = {state.bullet_id: state for state in states}
                _TELL[row[0]](self, row)

    def tell(self, event: Event, *seats: int) -> None:
        """Add an event for spectators and for these seats."""
        self.public.append(event)
        for seat in seats:
            self.private[seat].append(event)


def _fired(view: TurnView, row: Row) -> None:
    bullet = view.by_id[row[1]]
    muzzle = BulletState(
        bullet.bullet_id, bullet.owner_id, bullet.power, row[5], row[6], bullet.direction, bullet.color
    )
    view.tell(BulletFiredEvent(view.turn, muzzle), row[2])


def _hit_wall(view: TurnView, row: Row) -> None:
    view.tell(BotHitWallEvent(view.turn, row[1] + 1), row[1])


def _hit_tank(view: TurnView, row: Row) -> None:
    event = BotHitBotEvent(view.turn, row[1] + 1, row[2] + 1, row[4], row[5], row[6], row[3] != 0)
    view.tell(event, row[1])


def _bullet_wall(view: TurnView, row: Row) -> None:
    view.tell(BulletHitWallEvent(view.turn, view.by_id[row[1]]), row[2])


def _bullet_bullet(view: TurnView, row: Row) -> None:
    one, two = view.by_id[row[1]], view.by_id[row[2]]
    view.tell(BulletHitBulletEvent(view.turn, one, two), one.owner_id - 1)
    view.private[two.owner_id - 1].append(BulletHitBulletEvent(view.turn, two, one))


def _bullet_tank(view: TurnView, row: Row) -> None:
    bullet = view.by_id[row[1]]
    event = BulletHitBotEvent(view.turn, row[2] + 1, bullet, row[8], row[4])
    view.tell(event, bullet.owner_id - 1, row[2])


def _death(view: TurnView, row: Row) -> None:
    event = BotDeathEvent(view.turn, row[1] + 1)
    view.public.append(event)
    view.deaths.append(event)


_TELL: dict[int, Callable[[TurnView, Row], None]] = {
    kinds.FIRED: _fired,
    kinds.HIT_WALL: _hit_wall,
    kinds.HIT_TANK: _hit_tank,
    kinds.BULLET_WALL: _bullet_wall,
    kinds.BULLET_BULLET: _bullet_bullet,
    kinds.BULLET_TANK: _bullet_tank,
    kinds.DEATH: _death,
}
