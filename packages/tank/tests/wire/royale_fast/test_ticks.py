from __future__ import annotations

from typing import Any

import pytest

from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright_tank.backends import extension
from turnwright_tank.game import TankGame
from turnwright_tank.wire.royale.codec import encode
from turnwright_tank.wire.royale_fast.observation_forms import FORMS, STEPS, TEXT
from turnwright_tank.wire.royale_fast.ticks import NO_EVENTS, TickWriter, encode_ticks, tick_encoder


def battle_of(speed: Any) -> Battle:
    """Return a battle after its first turn: no tank has seen another, so nothing has happened."""
    seats = [SeatInfo("one", "1", None, {}), SeatInfo("two", "1", None, {})]
    battle = Battle(TankGame(speed), {"arena_width": 5000, "arena_height": 5000}, seats, 5)
    turn(battle)
    return battle


def turn(battle: Battle) -> None:
    battle.open_turn()
    battle.end_collecting(1)
    battle.close_turn()


def test_interpreted_battles_are_encoded_seat_by_seat() -> None:
    battle = battle_of("interpreted")
    datas = tick_encoder(battle)([1, 0])
    assert datas == [encode(battle.observe(1)), encode(battle.observe(0))] == encode_ticks(battle, [1, 0])


def test_only_observations_without_events_end_with_no_events() -> None:
    battle = battle_of("interpreted")
    for seat in (0, 1):
        data = encode(battle.observe(seat))
        assert data.endswith(NO_EVENTS) == (not battle.observe(seat).events)
    assert any(data.endswith(NO_EVENTS) for data in encode_ticks(battle, [0, 1]))


@pytest.mark.skipif(not extension.available(), reason=extension.why_missing())
def test_compiled_battles_are_written_by_compiled_code() -> None:
    battle = battle_of("compiled")
    write = tick_encoder(battle)
    assert isinstance(write.func.__self__, TickWriter)  # type: ignore[attr-defined]
    for _ in range(5):
        turn(battle)
        assert write([0, 1]) == encode_ticks(battle, [0, 1])


@pytest.mark.skipif(not extension.available(), reason=extension.why_missing())
@pytest.mark.parametrize(
    ("steps", "forms", "named"),
    [
        (STEPS[:-1], FORMS, "four numbers"),
        (STEPS, FORMS[:-1], "forms"),
        (STEPS, FORMS + FORMS[-1:] * (65 - len(FORMS) + 1), "12 to 64 forms"),
        (STEPS, (*FORMS[:-1], FORMS[-1] - 1), "forms"),
        ((9, *STEPS[1:]), FORMS, "not there"),
        ((STEPS[0], 1000, *STEPS[2:]), FORMS, "not there"),
        ((*STEPS[:3], len(TEXT)), FORMS[:1] * (len(FORMS) - 1) + (1,), "not there"),
        ((*STEPS[:3], -1, *STEPS[4:]), FORMS, "expected"),
    ],
)
def test_invalid_forms_are_refused(steps: tuple[int, ...], forms: tuple[int, ...], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        extension.load().ObservationWriter(TEXT, steps, forms, [False], [True])


@pytest.mark.skipif(not extension.available(), reason=extension.why_missing())
def test_seats_that_are_not_there_are_refused() -> None:
    battle = battle_of("compiled")
    writer = TickWriter(battle.state)
    for seat in (2, -1):
        with pytest.raises(ValueError, match="no seat"):
            writer.write(battle.state, [seat])
    assert writer.write(battle.state, [1]) == encode_ticks(battle, [1])


@pytest.mark.skipif(not extension.available(), reason=extension.why_missing())
def test_a_value_that_is_not_a_turn_is_refused() -> None:
    writer = extension.load().ObservationWriter(TEXT, STEPS, FORMS, [False], [True])
    for other in (5, None, writer, bytearray(1000)):
        with pytest.raises(TypeError, match="Turn"):
            writer.write(other, [0])
