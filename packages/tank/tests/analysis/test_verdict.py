from __future__ import annotations

from typing import Any

from packages.core.tests.messages import missing
from packages.tank.tests.analysis.scenes import duel, every, fire, idle, told
from turnwright_tank.analysis.counts import Tally
from turnwright_tank.analysis.facts import BotFact, EnergyLoss, ResultFact, RoundFact, TotalFact, death_place
from turnwright_tank.analysis.verdict import fate_in_battle, fate_in_round, verdict


def _row(name: str, rank: int, total: int, **scores: int) -> ResultFact:
    values = dict.fromkeys(
        ("survival", "last_survivor_bonus", "bullet_damage", "bullet_kill_bonus", "ram_damage",
         "ram_kill_bonus", "first_places", "second_places", "third_places"), 0)  # fmt: skip
    return ResultFact(rank=rank, id=rank, name=name, is_team=False, total_score=total, **{**values, **scores})


def _line(**changes: Any) -> BotFact:
    return BotFact(**{"round": 1, "bot": 1, "name": "Ann", "energy": 40.0, "tally": Tally(), **changes})


def test_a_row_is_compared_with_the_best_one_in_the_scores_that_make_the_gap() -> None:
    best = _row("Bob", 1, 1300, survival=300, bullet_damage=900, ram_damage=100)
    row = _row("Ann", 2, 500, survival=0, bullet_damage=400, ram_damage=100)
    told_of = verdict([best, row], row)
    assert not missing(told_of, "Ann", "2nd", "800 points behind Bob", "400 against 900", "0 against 300")
    assert told_of.index("bullet damage") < told_of.index("survival"), "the largest part first"
    assert "ram" not in told_of, "it was the same"
    assert "other scores" not in told_of, "these two are all"
    assert not missing(verdict([best, row], best), "Bob won", "800 points ahead of Ann")


def test_equal_scores_are_shared_and_a_row_alone_is_compared_with_nothing() -> None:
    one, two = _row("Ann", 1, 500), _row("Bob", 1, 500)
    assert not missing(verdict([one, two], two), "Bob", "shares", 500)
    assert verdict([one], one) == ""


def test_a_round_ends_in_words() -> None:
    analysis = told([fire(3.0), idle], [(100.0, 100.0, 0.0), (300.0, 100.0, 0.0)])
    winner, loser = every(analysis, BotFact)
    fact = every(analysis, RoundFact)[0]
    assert not missing(loser.fate, f"died in turn {loser.died}", "1st of 2", "bullet of T0", "16.0")
    assert not missing(winner.fate, "to the end")
    assert (loser.energy_at_start, loser.by, loser.cause) == (100.0, 1, "bullet")
    assert loser.blows == every(analysis, type(analysis.rounds[0].events[-1]))[-1].blows
    fact.complete = False
    assert not missing(fate_in_round(duel(), fact, _line()), "alive", "40.0 energy")
    crushed = _line(bot=2, died=9, cause="ram", by=1, blows=(EnergyLoss(9, "ram", 1, None, None, 0.6, 0.1),))
    assert not missing(fate_in_round(duel(), fact, crushed), "turn 9", "1st of 2", "collision with Ann")
    shot = _line(
        bot=2, died=9, cause="bullet", by=1, blows=(EnergyLoss(9, "bullet", 1, 3.0, 90.0, 16.0, 9.0),)
    )
    assert not missing(
        fate_in_round(duel(), fact, shot), "a bullet of Ann", "damage 16.0", "7.0 of it overkill"
    )


def test_gains_of_other_scores_are_summed_so_that_the_difference_adds_up() -> None:
    best = _row("Bob", 1, 720, survival=350, bullet_damage=300, bullet_kill_bonus=70)
    row = _row("Ann", 2, 256, survival=50, bullet_damage=87, ram_damage=119)
    told_of = verdict([best, row], row)
    assert not missing(told_of, "464 points", "300 survival", "213 bullet damage", "+49 all other scores")


def test_tanks_that_die_in_one_turn_share_a_place() -> None:
    places = [(100.0, 100.0, 0.0), (300.0, 500.0, 180.0), (700.0, 100.0, 0.0)]
    analysis = told([idle] * 3, places, droids=[1], max_inactivity_turns=1)
    one, droid, other = every(analysis, BotFact)
    assert one.died == other.died
    assert not missing(one.fate, f"turn {one.died:,}", "1st of 3", "inactivity")
    assert other.fate == one.fate
    assert droid.died is None
    assert [death_place(every(analysis, RoundFact)[0], bot) for bot in (1, 3)] == [1, 1]


def test_the_causes_of_a_bots_deaths_are_counted_over_a_battle() -> None:
    lines = [_line(), _line(died=3, cause="bullet", by=2), _line(died=4, cause="wall"), _line(died=5, by=2)]
    assert not missing(fate_in_battle(duel(), lines), "3 of 4 rounds", "twice by Bob", "once by a wall")
    all_by_bob = [_line(died=3, cause="bullet", by=2), _line(died=5, cause="bullet", by=2)]
    assert not missing(fate_in_battle(duel(), all_by_bob), "all 2 rounds", "each time by Bob")
    assert fate_in_battle(duel(), [_line(died=4, cause="wall")]) == "died by a wall"
    assert fate_in_battle(duel(), lines[:1]) == "survived"
    analysis = told([fire(3.0), idle], [(100.0, 100.0, 0.0), (300.0, 100.0, 0.0)])
    winner_fate, loser_fate = [total.fate for total in every(analysis, TotalFact)]
    assert winner_fate == "survived"
    assert loser_fate == "died by T0"
