from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.games.tank.wire.royale.tick_battles import play
from turnwright.games.tank import observe
from turnwright.games.tank.backends.python import InterpretedRows
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.rules.rows import ARENA, BULLET, EVENT, TANK
from turnwright.games.tank.state import TankBattleState
from turnwright.games.tank.wire.royale.codec import encode
from turnwright.games.tank.wire.royale_fast.rows_to_json import (
    DROID,
    END,
    HEARS,
    NO_BULLET,
    NO_ROOM,
    NOTES,
    SEAT,
    notes_length,
    write_ticks,
)
from turnwright.games.tank.wire.royale_fast.templates import LINE

GAME = TankGame("python")


class Written:
    """The observations of a turn, written by the interpreted writer."""

    def __init__(self, state: TankBattleState, seats: list[int], room: int = 1 << 20) -> None:
        assert isinstance(state.tables, InterpretedRows)
        rows = state.tables.rows
        kinds = ((ARENA, [rows.arena]), (TANK, rows.tanks), (BULLET, rows.bullets), (EVENT, rows.events))
        tables = [memoryview(b"".join(map(kind.pack, table))).cast("Q") for kind, table in kinds]
        self.notes = [0] * notes_length(len(rows.tanks), len(rows.bullets), len(rows.events))
        for seat, info in enumerate(state.seats):
            self.notes[NOTES * seat + DROID] = int(state.droids[seat])
            self.notes[NOTES * seat + HEARS] = int(info.options["hears_deaths"])
        for k, seat in enumerate(seats):
            self.notes[NOTES * k + SEAT] = seat
        out = bytearray(room)
        self.size = write_ticks(*tables, self.notes, [0] * len(LINE), out, len(seats))
        ends = [self.notes[NOTES * k + END] for k in range(len(seats))]
        self.datas = [bytes(out[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def _plain(state: TankBattleState) -> bool:
    return not (state.messages or state.winners)


def _turns(number: int, tanks: int, turns: int) -> Iterator[TankBattleState]:
    return (state for state in play(GAME, number, tanks, turns) if _plain(state))


@pytest.mark.parametrize(("number", "tanks"), [(1, 2), (2, 3), (3, 6), (4, 9), (5, 12), (6, 4)])
def test_observations_are_written_as_they_are_encoded(number: int, tanks: int) -> None:
    for state in _turns(number, tanks, 60):
        seats = list(range(tanks))
        assert Written(state, seats).datas == [encode(observe.observe(state, seat)) for seat in seats]


def test_only_the_seats_that_are_asked_for_are_written_in_that_order() -> None:
    for state in _turns(7, 5, 20):
        assert Written(state, [4, 1]).datas == [encode(observe.observe(state, seat)) for seat in (4, 1)]


def test_the_size_is_where_the_last_observation_ends() -> None:
    (state, *_) = _turns(8, 3, 1)
    done = Written(state, [0, 1, 2])
    assert done.size == sum(map(len, done.datas))


def test_too_little_room_is_said_and_nothing_written_outside() -> None:
    (*_, state) = _turns(9, 4, 30)
    rooms = range(0, 12_000, 250)
    sizes = [Written(state, [0, 1, 2, 3], room).size for room in rooms]
    assert sizes[0] == NO_ROOM
    assert sizes[-1] == len(b"".join(Written(state, [0, 1, 2, 3]).datas))
    assert set(sizes) == {NO_ROOM, sizes[-1]}


def test_an_event_of_a_bullet_that_is_not_there_is_said() -> None:
    for state in _turns(10, 6, 60):
        assert isinstance(state.tables, InterpretedRows)
        rows = state.tables.rows
        rows.events[0].kind, rows.events[0].first = 5, -3
        rows.arena.events = 1
        assert Written(state, [0]).size == NO_BULLET
        return
