"""A battle with players in this process: the six steps in order."""

from __future__ import annotations

from typing import Any

import pytest

from turnwright.errors import VoidBattleError
from turnwright.games.countdown.game import Countdown
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.play import play, play_turn
from turnwright.kernel.record import Record
from turnwright.kernel.verify import verify

SEATS = [SeatInfo("a"), SeatInfo("b")]


def battle(game: Countdown | None = None, **setup: Any) -> Battle:
    return Battle(game or Countdown(), {"turns": 12, "pile": 500, **setup}, SEATS, seed=3)


def take(count: int) -> Any:
    return lambda observation: count


def test_a_battle_is_played_to_its_end() -> None:
    outcome = play(battle(), {0: take(3), 1: take(1)})
    assert outcome.scores == (33.0, 11.0)


def test_each_turn_is_recorded_before_it_is_published() -> None:
    order: list[str] = []
    play(
        battle(),
        {0: take(1), 1: take(1)},
        record=lambda closed: order.append(f"record {closed.entry.turn}"),
        publish=lambda after: order.append(f"publish {after.turn}"),
    )
    assert order == [f"{what} {turn}" for turn in range(1, 13) for what in ("record", "publish")]


def test_a_player_that_gives_no_answer_has_missed_the_turn() -> None:
    closed: list[Closed] = []
    play(battle(), {0: take(2), 1: lambda observation: None}, record=closed.append)
    assert {turn.entry.skipped for turn in closed[1:]} == {(1,)}


def test_a_turn_without_deadlines_is_as_one_whose_answers_all_came_in_time() -> None:
    one, two = battle(), battle()
    while one.outcome is None:
        for seat in two.open_turn().asked:
            two.collecting.submit(seat, seat + 1, 0)
        two.end_collecting(0)
        closed = two.close_turn()
        assert play_turn(one, {0: take(1)}, {1: 2}) == closed
    assert not one.is_open


def test_answers_of_a_departed_seat_do_not_count() -> None:
    it = battle()

    def leave(observation: Any) -> int:
        it.leave(1)
        return 1

    def answer(observation: Any) -> int:
        return 2

    play_turn(it, {0: answer, 1: answer})
    assert play_turn(it, {0: leave, 1: answer}).entry.intents == {0: 1}
    assert it.referee.gone == {1}


def test_a_record_replays_without_players() -> None:
    it = battle(pile=20)
    record = Record(it.header)
    play(it, {0: take(3), 1: take(2)}, record=lambda closed: record.turns.append(closed.entry))
    assert verify(record, Countdown()).ok


def test_rules_that_fail_make_the_battle_void() -> None:
    class Broken(Countdown):
        def resolve(self, state: Any, intents: Any, streams: Any) -> Any:
            raise ZeroDivisionError("on purpose")

    with pytest.raises(VoidBattleError, match="on purpose"):
        play(battle(Broken()), {0: take(1), 1: take(1)})


def test_a_players_exception_reaches_the_caller() -> None:
    def failing(observation: Any) -> int:
        raise ValueError("a player's own mistake")

    with pytest.raises(ValueError, match="own mistake"):
        play(battle(), {0: failing, 1: take(1)})
