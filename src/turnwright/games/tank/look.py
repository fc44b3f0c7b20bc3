"""Observations and frames, built from the rows once a turn. Source: royale-protocol.md#events-in-ticks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from turnwright.games.tank import events as kinds
from turnwright.games.tank.colors import color_text
from turnwright.games.tank.trig import absolute_degrees
from turnwright.games.tank.view import (
    BotDeathEvent,
    BotHitBotEvent,
    BotHitWallEvent,
    BulletFiredEvent,
    BulletHitBotEvent,
    BulletHitBulletEvent,
    BulletHitWallEvent,
    BulletState,
    Event,
    Frame,
    Observation,
    ScannedBotEvent,
    TankFrame,
    TankState,
    WonRoundEvent,
)
from turnwright.games.tank.world import TANK

if TYPE_CHECKING:
    from turnwright.games.tank.state import TankState as State

__all__ = ["PublicEvents", "Sight", "frame", "look", "observe"]

_ENERGY = TANK.names.index("energy")
_DIRECTION = TANK.names.index("direction")
_COLORS = TANK.names.index("body_color")

Row = tuple[Any, ...]


class Sight:
    """Tanks, bullets and events of one turn, as data, and who gets which.

    shown: of each seat, its row up to the colours. own_bullets: for each seat those it fired. public: events
    for spectators, in order. private: for each seat its own, in order; the deaths are told to all who hear of
    them. by_id: all bullets, those gone too.
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
        self.by_id = {state.bullet_id: state for state in states} if events else {}
        for row in events:
            if row[0] == kinds.SCANNED:
                event = ScannedBotEvent(turn, row[1] + 1, row[2] + 1, row[4], row[5], row[6], row[7], row[8])
                self.public.append(event)
                self.private[row[1]].append(event)
            else:
                _TELL[row[0]](self, row)

    def tell(self, event: Event, *seats: int) -> None:
        """Add an event for spectators and for these seats."""
        self.public.append(event)
        for seat in seats:
            self.private[seat].append(event)


def _fired(sight: Sight, row: Row) -> None:
    bullet = sight.by_id[row[1]]
    muzzle = BulletState(
        bullet.bullet_id, bullet.owner_id, bullet.power, row[5], row[6], bullet.direction, bullet.color
    )
    sight.tell(BulletFiredEvent(sight.turn, muzzle), row[2])


def _hit_wall(sight: Sight, row: Row) -> None:
    sight.tell(BotHitWallEvent(sight.turn, row[1] + 1), row[1])


def _hit_tank(sight: Sight, row: Row) -> None:
    event = BotHitBotEvent(sight.turn, row[1] + 1, row[2] + 1, row[4], row[5], row[6], row[3] != 0)
    sight.tell(event, row[1])


def _bullet_wall(sight: Sight, row: Row) -> None:
    sight.tell(BulletHitWallEvent(sight.turn, sight.by_id[row[1]]), row[2])


def _bullet_bullet(sight: Sight, row: Row) -> None:
    one, two = sight.by_id[row[1]], sight.by_id[row[2]]
    sight.tell(BulletHitBulletEvent(sight.turn, one, two), one.owner_id - 1)
    sight.private[two.owner_id - 1].append(BulletHitBulletEvent(sight.turn, two, one))


def _bullet_tank(sight: Sight, row: Row) -> None:
    bullet = sight.by_id[row[1]]
    event = BulletHitBotEvent(sight.turn, row[2] + 1, bullet, row[8], row[4])
    sight.tell(event, bullet.owner_id - 1, row[2])


def _death(sight: Sight, row: Row) -> None:
    event = BotDeathEvent(sight.turn, row[1] + 1)
    sight.public.append(event)
    sight.deaths.append(event)


_TELL: dict[int, Callable[[Sight, Row], None]] = {
    kinds.FIRED: _fired,
    kinds.HIT_WALL: _hit_wall,
    kinds.HIT_TANK: _hit_tank,
    kinds.BULLET_WALL: _bullet_wall,
    kinds.BULLET_BULLET: _bullet_bullet,
    kinds.BULLET_TANK: _bullet_tank,
    kinds.DEATH: _death,
}


def look(state: State) -> Sight:
    """Return what can be seen of the last turn; worked out once a turn, when somebody looks."""
    sight = state.sight
    if sight is None:
        tables = state.tables
        bullets, flying = tables.bullets()
        shown = tables.shown()
        if state.odd_directions:
            shown = [_within_a_turn(row) for row in shown]
        sight = state.sight = Sight(state.turn_number, shown, bullets, flying, tables.events())
        for event in sight.deaths:
            for seat in state.started:
                if state.seats[seat].options.get("hears_deaths", True):
                    sight.private[seat].append(event)
        for seat, event in state.messages:
            sight.private[seat].append(event)
        for seat in state.winners:
            sight.private[seat].append(WonRoundEvent(state.turn_number))
    return sight


def _within_a_turn(row: Row) -> Row:
    """Bring directions into [0, 360): a wished start direction stays as it is until the tank turns."""
    directions = map(absolute_degrees, row[_DIRECTION : _DIRECTION + 3])
    return (*row[:_DIRECTION], *directions, *row[_DIRECTION + 3 :])


def _enemies(state: State, seat: int, alive: int) -> int:
    """Return how many living tanks of other teams there are; for a dead tank, all living ones."""
    if not alive:
        return len(state.alive)
    if not state.has_teams:
        return len(state.alive) - 1
    team = state.teams[seat]
    return len([other for other in state.alive if state.teams[other] != team])


def _color_texts(state: State, seat: int, colors: Row) -> tuple[str | None, ...]:
    seen, texts = state.seen_colors[seat]
    if seen != colors:
        texts = tuple(map(color_text, colors))
        state.seen_colors[seat] = colors, texts
    return texts


def observe(state: State, seat: int) -> Observation:
    """Return what `seat` sees of the last turn, also in the turn it dies in."""
    sight = state.sight or look(state)
    row = sight.shown[seat]
    tank = TankState(
        state.droids[seat],
        *row[_ENERGY:_COLORS],  # type: ignore[call-arg]  # 12 numbers, then 7 texts
        _enemies(state, seat, row[0]),
        state.turn_number > 1 and seat in state.debugging,
        *_color_texts(state, seat, row[_COLORS:]),
    )
    return Observation(
        state.round_number, state.turn_number, tank, sight.own_bullets[seat], sight.private[seat]
    )


def _frame_tank(state: State, seat: int, row: Row) -> TankFrame:
    info, texts = state.seats[seat], state.texts[seat]
    debugging = seat in state.debugging
    tank = TankFrame(
        seat + 1,
        state.session_ids[seat],
        info.name,
        info.version,
        state.droids[seat],
        *row[_ENERGY:_COLORS],  # type: ignore[call-arg]  # 12 numbers, then 7 texts
        _enemies(state, seat, row[0]),
        debugging,
        *_color_texts(state, seat, row[_COLORS:]),
    )
    if texts is not None:
        tank.std_out, tank.std_err = texts.out, texts.err
        tank.debug_graphics = texts.graphics if debugging else None
    return tank


def frame(state: State) -> Frame:
    """Return what spectators see of the last turn, the tanks that died in it included."""
    sight = state.sight or look(state)
    tanks = [_frame_tank(state, seat, sight.shown[seat]) for seat in state.started]
    return Frame(state.round_number, state.turn_number, tanks, sight.bullets, sight.public)


class PublicEvents(Sequence[Event]):
    """The public events of the turn just resolved, built when somebody looks; gone with the next turn."""

    __slots__ = ("_at", "_state")

    def __init__(self, state: State) -> None:
        self._state = state
        self._at = (state.round_number, state.turn_number)

    def _events(self) -> list[Event]:
        assert self._at == (self._state.round_number, self._state.turn_number), "that turn is over"
        return look(self._state).public

    def __len__(self) -> int:
        return len(self._events())

    def __getitem__(self, index: Any) -> Any:
        return self._events()[index]

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events())
