"""The rate of messages of a connection."""

from __future__ import annotations

import pytest

from packages.core.tests.host.support import MS, S
from turnwright.host.message_rate import (
    ANSWERS_FREE,
    BYTES_PER_CREDIT,
    DROPPED_BYTES_MAX,
    FAULTY_BYTES_PER_CREDIT,
    OVER_RATE_CLOSE_NS,
    RATE_BURST,
    RATE_PER_S,
    MessageRate,
)


def allowed(rate, per_s, duration_s, from_ns=S):
    """Return how many messages pass, sent at an even rate."""
    gap = S // per_s
    return sum(rate.charge(from_ns + k * gap) for k in range(per_s * duration_s))


def test_a_burst_passes_up_to_its_bound():
    rate = MessageRate(S)
    assert sum(rate.charge(S) for _ in range(RATE_BURST + 50)) == RATE_BURST


@pytest.mark.parametrize(
    ("size", "price"), [(0, 1), (BYTES_PER_CREDIT - 1, 1), (BYTES_PER_CREDIT, 2), (16 * BYTES_PER_CREDIT, 17)]
)
def test_a_large_message_counts_several_times(size, price):
    rate = MessageRate(S)
    assert sum(rate.charge(S, size) for _ in range(RATE_BURST + 1)) == RATE_BURST // price
    assert sum(rate.charge(S) for _ in range(RATE_BURST)) == RATE_BURST % price
    per_s = RATE_PER_S // price
    assert all(rate.charge(2 * S + k * S // per_s, size) for k in range(10 * per_s))


@pytest.mark.parametrize("size", [0, FAULTY_BYTES_PER_CREDIT - 1, FAULTY_BYTES_PER_CREDIT, 1 << 20])
def test_a_long_message_that_cannot_be_read_counts_for_each_kib(size):
    rate = MessageRate(S)
    rate.charge_mistake(size)
    assert sum(rate.charge(S) for _ in range(RATE_BURST)) == max(0, RATE_BURST - size // 1024)
    assert rate.charge(S + S * (size // 1024 + 1) // RATE_PER_S), "it may speak again after a while"


@pytest.mark.parametrize("per_s", [1, 50, 190, 199, 200])
def test_every_message_within_the_rate_passes_for_ever(per_s):
    rate = MessageRate(S)
    assert sum(rate.charge(S) for _ in range(RATE_BURST)) == RATE_BURST
    assert allowed(rate, per_s, 60, 2 * S) == 60 * per_s


@pytest.mark.parametrize("per_s", [210, 250, 300, 399, 1000, 20_000])
def test_above_the_rate_as_much_passes_as_the_rate_allows(per_s):
    rate = MessageRate(S)
    passed = allowed(rate, per_s, 20)
    assert passed <= RATE_BURST + 20 * RATE_PER_S + 1
    assert passed >= 20 * RATE_PER_S


def test_an_answer_pays_for_itself_and_a_few_messages_more():
    rate = MessageRate(S)
    for turn in range(1000):
        for _ in range(ANSWERS_FREE):
            assert rate.charge(S + turn)
        rate.credit_turn(turn)
    assert sum(rate.charge(S + 2000) for _ in range(2 * RATE_BURST)) <= RATE_BURST + ANSWERS_FREE


def test_a_connection_over_the_rate_for_long_is_flooding():
    rate = MessageRate(S)
    now, refused_first = S, None
    while now <= S + OVER_RATE_CLOSE_NS + S:
        if not rate.charge(now):
            refused_first = refused_first or now
            assert rate.is_flooding(now) == (now > refused_first + OVER_RATE_CLOSE_NS)
        now += MS
    assert rate.is_flooding(now)


def test_an_occasional_burst_is_not_flooding():
    rate = MessageRate(S)
    for burst in range(30):
        at_ns = S + burst * 2 * S
        refused = [not rate.charge(at_ns) for _ in range(RATE_BURST * 2)]
        assert any(refused)
        assert not rate.is_flooding(at_ns)


@pytest.mark.parametrize(("size", "messages"), [(28, 20_000), (400, 20_000), (1 << 20, 15)])
def test_a_short_flood_is_dropped_without_a_pause(size, messages):
    rate = MessageRate(S)
    assert not any(rate.must_pause(size) for _ in range(messages))


def test_a_long_flood_is_paused_until_the_connection_was_calm():
    rate = MessageRate(S)
    while rate.charge(S):
        pass
    paused = [rate.must_pause(400) for _ in range(DROPPED_BYTES_MAX // 400)]
    assert paused == sorted(paused)
    assert paused[-1]
    assert not rate.charge(S + MS // 2)
    assert rate.must_pause(400)
    while rate.charge(3 * S):
        pass
    assert not rate.must_pause(400)
