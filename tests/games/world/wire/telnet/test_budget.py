"""How much a peer may ask."""

from __future__ import annotations

from turnwright.games.world.wire.telnet.codec import BURST, PER_S, Budget

SECOND_NS = 1_000_000_000


def test_a_burst_is_allowed_and_one_more_is_not() -> None:
    budget = Budget()
    assert [budget.spend(7 * SECOND_NS) for _ in range(BURST + 1)] == [True] * BURST + [False]


def test_a_clock_that_begins_at_zero_allows_the_burst_too() -> None:
    budget = Budget()
    assert all(budget.spend(0) for _ in range(BURST))


def test_the_rate_is_allowed_for_ever() -> None:
    budget = Budget()
    assert all(budget.spend(n * SECOND_NS // PER_S) for n in range(BURST * 3))


def test_twice_the_rate_is_not() -> None:
    budget = Budget()
    allowed = [budget.spend(n * SECOND_NS // (2 * PER_S)) for n in range(BURST * 3)]
    assert all(allowed[: 2 * BURST - 2])
    assert not all(allowed)
