"""Builds observations and frames from the rows, once per turn.

Source: royale-protocol.md#events-in-ticks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from turnwright.kernel.game import Seat
from turnwright.kernel.printed import TurnPrints
from turnwright_tank.rules.colors import color_text
from turnwright_tank.rules.rows import TANK
from turnwright_tank.rules.trig import absolute_degrees
from turnwright_tank.state import TankBattleState
from turnwright_tank.structs import (
    Event,
    Frame,
    Observation,
    TankFrame,
    TankState,
    WonRoundEvent,
)
from turnwright_tank.turn_view import Row, TurnView

_ENERGY = TANK.names.index("energy")
_DIRECTION = TANK.names.index("direction")
_COLORS = TANK.names.index("body_color")


def turn_view(state: TankBattleState) -> TurnView:
    """Return the view of the last turn. It is built once per turn, on first use."""
    view = state.view
    if view is None:
        tables = state.tables
        bullets, flying = tables.bullets()
        shown = tables.shown()
        if state.lineup.odd_directions:
            shown = [_within_a_turn(row) for row in shown]
        view = state.view = TurnView(state.turn_number, shown, bullets, flying, tables.events())
        for event in view.deaths:
            for seat in state.started:
                if state.lineup.seats[seat].options.get("hears_deaths", True):
                    view.private[seat].append(event)
        for seat, event in state.output.messages:
            view.private[seat].append(event)
        for seat in state.winners:
            view.private[seat].append(WonRoundEvent(state.turn_number))
    return view


def _within_a_turn(row: Row) -> Row:
    """Return a row with its directions in [0, 360). A requested start direction can be outside until the tank
    turns.
    """
    directions = map(absolute_degrees, row[_DIRECTION : _DIRECTION + 3])
    return (*row[:_DIRECTION], *directions, *row[_DIRECTION + 3 :])


def _enemies(state: TankBattleState, seat: int, alive: int) -> int:
    """Return the number of living tanks of other teams. For a dead tank, it is the number of all living
    tanks.
    """
    if not alive:
        return len(state.alive)
    lineup = state.lineup
    if not lineup.has_teams:
        return len(state.alive) - 1
    team = lineup.teams[seat]
    return len([other for other in state.alive if lineup.teams[other] != team])


def _color_texts(state: TankBattleState, seat: int, colors: Row) -> tuple[str | None, ...]:
    shown = state.output.seen_colors
    seen, texts = shown[seat]
    if seen != colors:
        texts = tuple(map(color_text, colors))
        shown[seat] = colors, texts
    return texts


def observe(state: TankBattleState, seat: int) -> Observation:
    """Return the observation of `seat` for the last turn, also for the turn of its death."""
    view = state.view or turn_view(state)
    row = view.shown[seat]
    colors, lineup = row[_COLORS:], state.lineup
    seen, texts = state.output.seen_colors[seat]
    turn_number = state.turn_number
    tank = TankState(
        lineup.droids[seat],
        *row[_ENERGY:_COLORS],  # type: ignore[call-arg]  # 12 numbers, then 7 texts
        _enemies(state, seat, row[0]) if lineup.has_teams or not row[0] else len(state.alive) - 1,
        turn_number > 1 and seat in state.debugging,
        *(texts if seen == colors else _color_texts(state, seat, colors)),
    )
    return Observation(state.round_number, turn_number, tank, view.own_bullets[seat], view.private[seat])


def _frame_tank(state: TankBattleState, seat: int, row: Row) -> TankFrame:
    lineup, texts = state.lineup, state.output.texts[seat]
    info = lineup.seats[seat]
    debugging = seat in state.debugging
    tank = TankFrame(
        seat + 1,
        lineup.session_ids[seat],
        info.name,
        info.version,
        lineup.droids[seat],
        *row[_ENERGY:_COLORS],  # type: ignore[call-arg]  # 12 numbers, then 7 texts
        _enemies(state, seat, row[0]),
        debugging,
        *_color_texts(state, seat, row[_COLORS:]),
    )
    if texts is not None:
        tank.std_out, tank.std_err = texts.out, texts.err
        tank.debug_graphics = texts.graphics if debugging else None
    return tank


def frame(state: TankBattleState) -> Frame:
    """Return the spectators' frame of the last turn, including the tanks that died in it."""
    view = state.view or turn_view(state)
    tanks = [_frame_tank(state, seat, view.shown[seat]) for seat in state.started]
    return Frame(state.round_number, state.turn_number, tanks, view.bullets, view.public)


def with_prints(frame: Frame, printed: Mapping[Seat, TurnPrints]) -> Frame:
    """Add the output of bots to a frame, after the output in their intents, and return the same frame."""
    for tank in frame.bot_states if printed else ():
        if (texts := printed.get(tank.id - 1)) is not None:
            tank.std_out = _joined(tank.std_out, texts.out)
            tank.std_err = _joined(tank.std_err, texts.err)
    return frame


def _joined(text: str | None, lines: str) -> str | None:
    """Return a text followed by lines, or None if both are empty."""
    end = "\n" if text and lines and not text.endswith("\n") else ""
    return f"{text or ''}{end}{lines}" or None


class PublicEvents(Sequence[Event]):
    """The public events of the last turn, built on first use. They are valid until the next turn."""

    __slots__ = ("_at", "_state")

    def __init__(self, state: TankBattleState) -> None:
        self._state = state
        self._at = (state.round_number, state.turn_number)

    def _events(self) -> list[Event]:
        assert self._at == (self._state.round_number, self._state.turn_number), "that turn is over"
        return turn_view(self._state).public

    def __len__(self) -> int:
        return len(self._events())

    def __getitem__(self, index: Any) -> Any:
        return self._events()[index]

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events())
