from __future__ import annotations

from typing import Any

import pytest

from packages.core.tests.rounds import Rounds
from turnwright.errors import GameError
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright.kernel.scores import ScoreSheet


class OpenRounds(Rounds):
    open_ended = True


def after_one_round(game: Rounds, seats: int) -> Any:
    streams = Streams(1)
    state = game.setup({"rounds": 1, "turns": 2}, [SeatInfo("bot")] * seats, streams)
    for _ in range(2):
        game.resolve(state, dict.fromkeys(range(seats), 1), streams)
    return state


def test_scores_of_seats_that_joined_an_open_ended_game_are_kept() -> None:
    sheet = ScoreSheet(OpenRounds(), 1)
    outcome = sheet.note_turn(after_one_round(OpenRounds(), 2))
    assert outcome is not None
    assert sheet.by_round(outcome) == ((1.0, 1.0),)


def test_scores_of_a_round_for_another_number_of_seats_are_refused() -> None:
    with pytest.raises(GameError, match=r"rounds\.round_scores\(\) returned 2 scores.*each of 1 seats"):
        ScoreSheet(Rounds(), 1).note_turn(after_one_round(Rounds(), 2))
