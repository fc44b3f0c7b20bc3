"""The verdict of a comparison follows from its interval, and is seldom wrong."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.core.tests.messages import missing
from packages.league.tests.tournament.play import RULES, entries_of, played
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.sequential import (
    BLOCKS_MAX,
    BLOCKS_MIN,
    block_battles,
    block_values,
    sequential_verdict,
)

OLD, NEW, FIRST, SECOND = (entry.id for entry in entries_of(4))
AGAINST = (FIRST, SECOND)


# ---- the verdict -------------------------------------------------------------------------------------------


def test_a_large_difference_is_reported_after_the_fewest_blocks() -> None:
    values = [15.0 + n % 3 for n in range(100)]
    found = sequential_verdict(values)
    assert (found.verdict, found.blocks, found.decided) == ("better", BLOCKS_MIN, True)
    assert sequential_verdict([-value for value in values]).verdict == "worse"
    assert sequential_verdict(values[: BLOCKS_MIN - 1]).verdict == "undecided"


def test_copies_of_one_program_do_not_differ() -> None:
    found = sequential_verdict([0.0] * 100)
    assert (found.verdict, found.difference, found.low, found.high) == ("no difference", 0, -1, 1)
    assert found.blocks == 32
    line = found.to_line()
    assert not missing(line, "no difference above 2 points", "+0.0 points", "-1.0 … +1.0", "32 blocks")


@pytest.mark.parametrize("largest", [50.0, 100.0])
@given(st.lists(st.sampled_from([-1.0, -0.5, 0.2, 1.0]), max_size=40))
def test_no_interval_is_wider_than_the_scale(largest: float, values: list[float]) -> None:
    found = sequential_verdict([largest * value for value in values], largest=largest)
    if found.low is None or found.high is None:
        assert found.low == found.high
        return
    assert -largest <= found.low <= found.high <= largest
    assert found.high - found.low < 2 * largest


def test_later_values_do_not_change_the_first_verdict() -> None:
    values = [15.0 + n % 3 for n in range(BLOCKS_MIN)]
    assert sequential_verdict([*values, *[-90.0] * 50]) == sequential_verdict(values)


def test_too_few_blocks_say_nothing() -> None:
    assert sequential_verdict([]).difference is None
    found = sequential_verdict([3.0])
    assert (found.difference, found.low, found.high, found.decided) == (3.0, None, None, False)
    assert found.to_line() == "undecided: 1 blocks"


def test_a_comparison_without_an_end_is_undecided_at_its_limit() -> None:
    values = [1.0 + (60 if n % 2 else -60) for n in range(BLOCKS_MAX)]
    found = sequential_verdict(values, blocks_max=50)
    assert (found.verdict, found.blocks, found.decided) == ("undecided", 50, True)
    assert not sequential_verdict(values[:49], blocks_max=50).decided


def test_a_margin_is_above_zero() -> None:
    with pytest.raises(ValueError, match="above 0 points"):
        sequential_verdict([1.0, 2.0], 0)


@given(
    st.lists(st.floats(min_value=-100, max_value=100), max_size=60), st.floats(min_value=0.1, max_value=20)
)
def test_the_verdict_agrees_with_the_interval(values: list[float], margin: float) -> None:
    found = sequential_verdict(values, margin, largest=100)
    if found.low is None or found.high is None or found.difference is None:
        assert found.verdict == "undecided"
        return
    assert found.low <= found.difference <= found.high
    if found.verdict == "better":
        assert found.low > 0
    elif found.verdict == "worse":
        assert found.high < 0
    elif found.verdict == "no difference":
        assert -margin <= found.low
        assert found.high <= margin


# ---- error rates -------------------------------------------------------------------------------------------


def wrong_of(runs: int, difference: float, seed: int) -> float:
    """Return the part of comparisons with the wrong verdict; blocks are skewed."""
    rng = random.Random(seed)

    def block() -> float:
        return 100 * (rng.betavariate(12, 1) - rng.betavariate(12, 1)) * 0.6 + difference

    right = {0: "no difference"}.get(int(difference), "better" if difference > 0 else "worse")
    verdicts: Counter[str] = Counter()
    for _ in range(runs):
        values: list[float] = []
        while not (found := sequential_verdict(values)).decided:
            values += [block() for _ in range(max(20, len(values)))]
        verdicts[found.verdict] += 1
    return (runs - verdicts[right]) / runs


def test_verdicts_are_seldom_wrong() -> None:
    assert wrong_of(60, 0.0, 1) <= 0.1
    assert wrong_of(60, 2.0, 2) <= 0.1


@pytest.mark.long
@pytest.mark.parametrize("difference", [0.0, 2.0, -2.0])
def test_at_most_five_of_a_hundred_verdicts_are_wrong(difference: float) -> None:
    assert wrong_of(2000, difference, 3) <= 0.05


# ---- the battles -------------------------------------------------------------------------------------------


def test_new_plays_old_with_a_seed_for_each_block_and_exchanged_seats() -> None:
    specs = [spec for index in range(4) for spec in block_battles(OLD, NEW, RULES, index)]
    assert [spec.seats for spec in specs] == [(NEW, OLD), (OLD, NEW)] * 2
    assert len({spec.seed for spec in specs}) == 4


def test_new_and_old_meet_the_same_opponents_with_the_same_seeds_and_seats() -> None:
    specs = block_battles(OLD, NEW, RULES, 1, AGAINST)
    assert [spec.seats for spec in specs] == [(FIRST, NEW), (FIRST, OLD), (SECOND, NEW), (SECOND, OLD)]
    assert specs[0].seed == specs[1].seed != specs[2].seed == specs[3].seed


def test_a_game_of_one_round_has_ten_battles_in_a_block() -> None:
    first, second = (block_battles(OLD, NEW, RULES, index, battles=10) for index in (0, 1))
    assert len(first) == 10
    assert not {spec.id for spec in first} & {spec.id for spec in second}
    assert [spec.seats[0] for spec in first[:2]] == [NEW, OLD]


def test_another_opponent_changes_no_battle() -> None:
    few = {spec.id for spec in block_battles(OLD, NEW, RULES, 0, AGAINST[:1])}
    assert few <= {spec.id for spec in block_battles(OLD, NEW, RULES, 0, AGAINST)}


def play(blocks: int, against: tuple[str, ...] = ()) -> list[PlayedBattle]:
    strength = {OLD: 40.0, NEW: 60.0, FIRST: 60.0, SECOND: 40.0}
    return [
        played(spec, strength.__getitem__)
        for index in range(blocks)
        for spec in block_battles(OLD, NEW, RULES, index, against)
    ]


def test_the_value_of_a_block_is_in_points() -> None:
    assert block_values(OLD, NEW, RULES, play(3)) == pytest.approx([10.0] * 3)
    found = block_values(OLD, NEW, RULES, play(2, AGAINST), AGAINST)
    assert found == pytest.approx([100 * ((0.5 - 0.4) + (0.6 - 0.5)) / 2] * 2)


def test_blocks_count_up_to_the_first_incomplete_one() -> None:
    battles = play(5, AGAINST)
    assert len(block_values(OLD, NEW, RULES, battles[:-1], AGAINST)) == 4
    assert len(block_values(OLD, NEW, RULES, battles[1:], AGAINST)) == 0


def test_a_block_with_a_battle_that_does_not_count_is_left_out() -> None:
    battles = play(5, AGAINST)
    battles[2] = replace(battles[2], state="void", scores=())
    battles[9] = replace(battles[9], suspect=("late",))
    assert len(block_values(OLD, NEW, RULES, battles, AGAINST)) == 3
