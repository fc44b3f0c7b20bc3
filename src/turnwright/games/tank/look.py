"""What seats and spectators see, built from the rows once a turn. Source: protocol.md §9, §10."""

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
from turnwright.games.tank.world import BULLET, TANK

if TYPE_CHECKING:
    from turnwright.games.tank.state import TankState as State

__all__ = ["PublicEvents", "Sight", "frame", "observe"]

_START_X = BULLET.names.index("start_x")
_ENERGY = TANK.names.index("energy")
_DIRECTION = TANK.names.index("direction")
_COLORS = TANK.names.index("body_color")
_NO_COLORS = (None,) * 7


_ById = dict[int, tuple[BulletState, tuple[Any, ...]]]


class Sight:
    """The bullets and events of one turn, as data, and who gets which.

    own_bullets: for each seat those it fired. public: events for spectators, in order. private: for each seat
    its own, in order. A death is told to everyone: it is in `deaths`.
    """

    __slots__ = ("bullets", "deaths", "own_bullets", "private", "public")

    def __init__(
        self,
        turn: int,
        bullet_rows: Sequence[tuple[Any, ...]],
        flying: int,
        event_rows: Sequence[tuple[Any, ...]],
    ) -> None:
        self.bullets: list[BulletState] = []
        self.own_bullets: dict[int, list[BulletState]] = {}
        self.public: list[Event] = []
        self.private: dict[int, list[Event]] = {}
        self.deaths: list[Event] = []
        by_id: _ById = {}
        for k, row in enumerate(bullet_rows):
            number, owner, power, x, y, direction, color = row[:7]
            state = BulletState(number, owner + 1, power, x, y, direction, color_text(color))
            if k < flying:
                self.bullets.append(state)
                self.own_bullets.setdefault(owner, []).append(state)
            by_id[number] = state, row
        for event in event_rows:
            _TELL[event[0]](self, turn, event, by_id)

    def tell(self, seat: int, event: Event) -> None:
        """Add an event for one seat."""
        if seat in self.private:
            self.private[seat].append(event)
        else:
            self.private[seat] = [event]


def _fired(sight: Sight, turn: int, row: tuple[Any, ...], by_id: _ById) -> None:
    state, full = by_id[row[1]]
    muzzle = BulletState(
        state.bullet_id,
        state.owner_id,
        state.power,
        full[_START_X],
        full[_START_X + 1],
        state.direction,
        state.color,
    )
    event = BulletFiredEvent(turn, muzzle)
    sight.public.append(event)
    sight.tell(row[2], event)


def _hit_wall(sight: Sight, turn: int, row: tuple[Any, ...], by_id: _ById) -> None:
    event = BotHitWallEvent(turn, row[1] + 1)
    sight.public.append(event)
    sight.tell(row[1], event)


def _hit_tank(sight: Sight, turn: int, row: tuple[Any, ...], by_id: _ById) -> None:
    event = BotHitBotEvent(turn, row[1] + 1, row[2] + 1, row[4], row[5], row[6], row[3] != 0)
    sight.public.append(event)
    sight.tell(row[1], event)


def _scanned(sight: Sight, turn: int, row: tuple[Any, ...], by_id: _ById) -> None:
    event = ScannedBotEvent(turn, row[1] + 1, row[2] + 1, row[4], row[5], row[6], row[7], row[8])
    sight.public.append(event)
    sight.tell(row[1], event)


def _bullet_wall(sight: Sight, turn: int, row: tuple[Any, ...], by_id: _ById) -> None:
    event = BulletHitWallEvent(turn, by_id[row[1]][0])
    sight.public.append(event)
    sight.tell(row[2], event)


def _bullet_bullet(sight: Sight, turn: int, row: tuple[Any, ...], by_id: _ById) -> None:
    one, two = by_id[row[1]][0], by_id[row[2]][0]
    event = BulletHitBulletEvent(turn, one, two)
    sight.public.append(event)
    sight.tell(one.owner_id - 1, event)
    sight.tell(two.owner_id - 1, BulletHitBulletEvent(turn, two, one))


def _bullet_tank(sight: Sight, turn: int, row: tuple[Any, ...], by_id: _ById) -> None:
    bullet = by_id[row[1]][0]
    event = BulletHitBotEvent(turn, row[2] + 1, bullet, row[8], row[4])
    sight.public.append(event)
    sight.tell(bullet.owner_id - 1, event)
    sight.tell(row[2], event)


def _death(sight: Sight, turn: int, row: tuple[Any, ...], by_id: _ById) -> None:
    event = BotDeathEvent(turn, row[1] + 1)
    sight.public.append(event)
    sight.deaths.append(event)


_TELL: dict[int, Callable[[Sight, int, tuple[Any, ...], _ById], None]] = {
    kinds.FIRED: _fired,
    kinds.HIT_WALL: _hit_wall,
    kinds.HIT_TANK: _hit_tank,
    kinds.SCANNED: _scanned,
    kinds.BULLET_WALL: _bullet_wall,
    kinds.BULLET_BULLET: _bullet_bullet,
    kinds.BULLET_TANK: _bullet_tank,
    kinds.DEATH: _death,
}


def look(state: State) -> Sight:
    """Return what can be seen of the last turn; worked out once a turn."""
    sight = state.sight
    if sight is None:
        rows, flying = state.tables.bullets()
        sight = state.sight = Sight(state.turn_number, rows, flying, state.tables.events())
        for event in sight.deaths:
            for seat in state.started:
                if state.seats[seat].options.get("hears_deaths", True):
                    sight.tell(seat, event)
        for seat, event in state.messages:
            sight.tell(seat, event)
        for seat in state.winners:
            sight.tell(seat, WonRoundEvent(state.turn_number))
    return sight


def _enemies(state: State, seat: int) -> int:
    """Return how many living tanks of other teams there are; for a dead tank, all living ones."""
    if seat not in state.alive or not state.has_teams:
        return len(state.alive) - (seat in state.alive)
    team = state.teams[seat]
    return len([other for other in state.alive if state.teams[other] != team])


def _shown(state: State, seat: int) -> tuple[Any, ...]:
    """Return what a tank's row shows: energy … gun heat, then the colours.

    A wished start direction stays as it is until the tank turns, but is shown within [0, 360).
    """
    shown = state.tables.tank(seat)
    if state.odd_directions:
        directions = map(absolute_degrees, shown[_DIRECTION : _DIRECTION + 3])
        shown = (*shown[:_DIRECTION], *directions, *shown[_DIRECTION + 3 :])
    return shown


def _color_texts(shown: Sequence[Any]) -> Sequence[str | None]:
    colors = shown[_COLORS:]
    return _NO_COLORS if max(colors) < 0 else [color_text(color) for color in colors]


def observe(state: State, seat: int) -> Observation:
    """Return what `seat` sees of the last turn, also in the turn it dies in."""
    sight = state.sight or look(state)
    shown = _shown(state, seat)
    tank = TankState(
        state.droids[seat],
        *shown[_ENERGY:_COLORS],  # type: ignore[call-arg]  # 12 numbers and 7 colours
        _enemies(state, seat),
        seat in state.debugging and state.turn_number > 1,
        *_color_texts(shown),
    )
    bullets = sight.own_bullets.get(seat)
    events = sight.private.get(seat)
    return Observation(state.round_number, state.turn_number, tank, bullets or [], events or [])


def _frame_tank(state: State, seat: int) -> TankFrame:
    shown = _shown(state, seat)
    info, texts = state.seats[seat], state.texts[seat]
    debugging = seat in state.debugging
    tank = TankFrame(
        seat + 1,
        info.options.get("session_id", ""),
        info.name,
        info.version,
        state.droids[seat],
        *shown[_ENERGY:_COLORS],
        _enemies(state, seat),
        debugging,
        *_color_texts(shown),
    )
    if texts is not None:
        tank.std_out, tank.std_err = texts.out, texts.err
        tank.debug_graphics = texts.graphics if debugging else None
    return tank


def frame(state: State) -> Frame:
    """Return what spectators see of the last turn, the tanks that died in it included."""
    sight = state.sight or look(state)
    tanks = [_frame_tank(state, seat) for seat in state.started]
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
