"""Random streams: named, independent, the same everywhere."""

from __future__ import annotations

import pytest

from turnwright.kernel.rng import SEED_MAX, Stream, Streams, bot_seed


def test_numbers_equal_those_of_splitmix64():
    """Reference values of SplitMix64 seeded with 1234567 (Vigna's test vector)."""
    stream = Stream(1234567)
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [stream.bits64() for _ in range(3)] == expected


def test_the_same_name_gives_the_same_numbers_and_another_name_others():
    streams = Streams(5)
    one = [streams.stream("place", 1).uniform() for _ in range(2)]
    assert one[0] == one[1]
    assert streams.stream("place", 2).uniform() != one[0]
    assert streams.stream("teleport", 1).uniform() != one[0]
    assert Streams(6).stream("place", 1).uniform() != one[0]


def test_uniform_is_in_the_half_open_interval_and_spread():
    stream = Streams(0).stream("x")
    values = [stream.uniform() for _ in range(4000)]
    assert 0 <= min(values) < 0.01
    assert 0.99 < max(values) < 1
    assert abs(sum(values) / 4000 - 0.5) < 0.02


def test_below_is_within_its_limit_and_refuses_zero():
    stream = Streams(0).stream("x")
    assert {stream.below(3) for _ in range(100)} == {0, 1, 2}
    with pytest.raises(ValueError, match="1 or more"):
        stream.below(0)


@pytest.mark.parametrize("seed", [-1, SEED_MAX + 1])
def test_a_seed_outside_its_range_is_refused(seed):
    with pytest.raises(ValueError, match=f"seed .*0 to {SEED_MAX}, got {seed}"):
        Streams(seed)


@pytest.mark.parametrize("numbers", [(), (5,), (5, 6)])
def test_a_family_gives_the_streams_of_the_whole_names(numbers):
    streams = Streams(5)
    family = streams.family("plan", *numbers)
    for last in (0, 7, -3, 10**12):
        assert family(last).bits64() == streams.stream("plan", *numbers, last).bits64()


def test_the_seed_of_a_bot_is_its_own_and_the_same_in_each_battle_of_a_seed() -> None:
    seeds = [bot_seed(battle, seat) for battle in range(100) for seat in range(10)]
    assert seeds == [bot_seed(battle, seat) for battle in range(100) for seat in range(10)]
    assert len(set(seeds)) == 1_000
    assert all(0 <= seed < 2**53 for seed in seeds), "JavaScript reads it exactly"
    assert bot_seed(7, 1) == 4_509_261_373_742_076, "a record's bot can be started again"
