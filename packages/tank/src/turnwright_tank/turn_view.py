"""Events, bullets and tanks of one turn, sorted by the seats that may see them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from turnwright_tank import structs
from turnwright_tank.event_table import EVENTS, DeclaredEvent
from turnwright_tank.rules import events as kinds
from turnwright_tank.rules.colors import color_text
from turnwright_tank.rules.rows import EVENT
from turnwright_tank.structs import BulletState, Event, ScannedBotEvent

Row = tuple[Any, ...]


class TurnView:
    """Tanks, bullets and events of one turn.

    Attributes:
        shown: for each seat, the first fields of its tank's state, ending with the colours.
        own_bullets: for each seat, the bullets that it fired.
        public: events for spectators, in order.
        private: for each seat, its own events, in order. `observe.turn_view` adds deaths, team messages and
            the win of a round.
        deaths: the deaths of the turn. Each seat that receives events of deaths receives all of these.
        by_id: all bullets, including removed ones. It is empty if only scans happened.
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


# ---- messages of rows -----------------------------------------------------------------------------------


Value = Callable[[TurnView, Row], Any]
_COLUMNS = EVENT.names


def _value(source: str) -> Value:
    """Return a function that reads a value of a row. `source` is as in `DeclaredEvent.fields`."""
    what, _, column = source.rpartition(" ")
    place = _COLUMNS.index(column)
    if what == "bot":
        return lambda _view, row: row[place] + 1
    if what == "bullet":
        return lambda view, row: view.by_id[row[place]]
    if what == "muzzle":
        return lambda view, row: _at_muzzle(view.by_id[row[place]], row)
    return (lambda _view, row: row[place] != 0) if column == "flag" else (lambda _view, row: row[place])


def _at_muzzle(bullet: BulletState, row: Row) -> BulletState:
    return BulletState(
        bullet.bullet_id, bullet.owner_id, bullet.power, row[5], row[6], bullet.direction, bullet.color
    )


def _telling(declared: DeclaredEvent) -> Callable[[TurnView, Row], None]:
    """Return a function that makes an event from a row and adds it for spectators and its seats."""
    made: Callable[..., Event] = getattr(structs, declared.name)
    values = [_value(source) for source in declared.fields.values()]
    seats = [_COLUMNS.index(name) for name in declared.told or () if name != "owner"]
    is_owner_told = declared.told is not None and "owner" in declared.told

    def tell(view: TurnView, row: Row) -> None:
        given = [value(view, row) for value in values]
        event = made(view.turn, *given)
        view.public.append(event)
        if declared.told is None:
            view.deaths.append(event)
            return
        if is_owner_told:
            view.private[event.bullet.owner_id - 1].append(event)  # type: ignore[union-attr]
        for place in seats:
            view.private[row[place]].append(event)
        if declared.is_mirrored:
            view.private[given[1].owner_id - 1].append(made(view.turn, *reversed(given)))

    return tell


_TELL = {declared.kind: _telling(declared) for declared in EVENTS}
