"""Reports of a running battle of tanks contain the round, the scores and the energies."""

from __future__ import annotations

from typing import Any

from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import TurnRules
from turnwright_tank.app.battles import TankFollower
from turnwright_tank.game import TankGame
from turnwright_tank.structs import TankIntent


def battle(rounds: int = 2, *teams: int | None) -> Battle:
    seats = [SeatInfo("A", "1.0", team) for team in (teams or (None, None))]
    setup = {"number_of_rounds": rounds, "max_inactivity_turns": 5}
    return Battle(TankGame("interpreted"), setup, seats, 7, TurnRules(max_skipped=0))


def turn(it: Battle, *answering: int) -> None:
    """Play one turn in which these seats answer."""
    opened = it.open_turn()
    for seat in opened.asked:
        it.collecting.inbox.sent(seat, 0)
        if seat in answering:
            it.collecting.submit(seat, TankIntent(turn_rate=1.0), 0)
    it.end_collecting(0)
    it.close_turn()


def until_round_over(it: Battle) -> None:
    state: Any = it.state
    turn(it, 0, 1)
    while not state.round_over:
        turn(it, 0, 1)


def test_a_report_contains_round_turn_energies_and_unlike_names() -> None:
    it = battle()
    for _ in range(3):
        turn(it, 0, 1)
    seen = TankFollower().look(it)
    assert (seen.stage, seen.round, seen.rounds, seen.turn, seen.turns) == ("playing", 1, 2, 3, 3)
    assert [standing.name for standing in seen.standings] == ["A", "A (2)"]
    assert [standing.level for standing in seen.standings] == [100.0, 100.0]


def test_the_end_of_a_round_is_reported_once_even_when_it_is_noticed_late() -> None:
    it, follower = battle(3), TankFollower()
    until_round_over(it)
    assert follower.look(it).stage == "round over"
    assert follower.look(it).stage == "playing"
    until_round_over(it)
    turn(it, 0, 1)
    late = follower.look(it)
    assert (late.stage, late.round, late.turn) == ("round over", 2, 1)


def test_the_end_of_the_battle_is_over() -> None:
    it, follower = battle(1), TankFollower()
    until_round_over(it)
    assert follower.look(it).stage == "over"


def test_the_dead_have_no_energy_and_scores_come_with_the_end_of_a_round() -> None:
    it, follower = battle(1), TankFollower()
    turn(it, 0, 1)
    assert [(seen.alive, seen.score) for seen in follower.look(it).standings] == [(True, 0), (True, 0)]
    it.game.retire(it.state, 1)
    turn(it, 0, 1)
    assert [(seen.alive, seen.score) for seen in follower.look(it).standings] == [(True, 60), (False, 0)]


def test_scores_include_the_current_round_and_all_before() -> None:
    it, follower = battle(2, None, None, None), TankFollower()
    turn(it, 0, 1, 2)
    it.game.retire(it.state, 2)
    turn(it, 0, 1, 2)
    within = [seen.score for seen in follower.look(it).standings]
    assert not it.state.round_over
    assert within == [50, 50, 0], "both have survived a tank"
    until_round_over(it)
    after = [seen.score for seen in follower.look(it).standings]
    assert after[0] >= 50
    turn(it, 0, 1, 2)
    assert not it.state.round_over
    more = [seen.score for seen in follower.look(it).standings]
    assert more == [score + 50 for score in after[:2]] + [0], "the third one dies at once"


def test_members_of_a_team_show_its_score() -> None:
    it, follower = battle(1, 4, 4, None), TankFollower()
    it.game.retire(it.state, 2)
    turn(it, 0, 1, 2)
    while not it.state.round_over:
        turn(it, 0, 1, 2)
    scores = [standing.score for standing in follower.look(it).standings]
    assert scores[0] == scores[1] > scores[2]
    teams = [standing.team for standing in follower.look(it).standings]
    assert teams[0] == teams[1]
    assert teams[2] is None


def test_a_bot_that_misses_a_tenth_of_its_turns_is_slow_and_recovers() -> None:
    it, follower = battle(1000), TankFollower()
    follower.look(it) if it.turn else turn(it, 0, 1)
    follower.look(it)
    for number in range(60):
        turn(it, 0, *([1] if number % 3 else []))
    assert [standing.slow for standing in follower.look(it).standings] == [False, True]
    for _ in range(300):
        turn(it, 0, 1)
        follower.look(it)
    assert [standing.slow for standing in follower.look(it).standings] == [False, False]
