"""Limits: input over them is reported once a second and never lost silently."""

from __future__ import annotations

from packages.core.tests.messages import missing
from turnwright_world.host.limits import Addresses, SpamGuard

SECOND = 1_000_000_000


def test_a_burst_passes_and_the_number_over_it_is_reported() -> None:
    guard = SpamGuard(per_s=8, burst=24)
    passed = [guard.allow(SECOND) for _ in range(30)]
    assert passed == [True] * 24 + [False] * 6
    assert not missing(guard.notice(SECOND), "6 lines", "8 a second")
    assert guard.notice(SECOND) is None


def test_there_is_one_notice_a_second_and_it_counts_all_that_was_dropped_since() -> None:
    guard = SpamGuard(per_s=1, burst=1)
    guard.allow(SECOND)
    guard.allow(SECOND)
    assert guard.notice(SECOND) is not None
    for _ in range(5):
        guard.allow(SECOND + 100)
    assert guard.notice(SECOND + 100) is None
    assert guard.notice_due_ns == 2 * SECOND
    assert "5 lines were" in (guard.notice(2 * SECOND) or "")
    assert guard.notice_due_ns is None


def test_a_client_that_never_stops_is_flooding() -> None:
    guard = SpamGuard(per_s=1, burst=1)
    for _ in range(2_001):
        guard.allow(SECOND)
    assert not guard.flooding
    guard.allow(SECOND)
    assert guard.flooding


def test_a_calm_player_is_never_over_the_limit() -> None:
    guard = SpamGuard()
    assert all(guard.allow(SECOND + k * SECOND // 4) for k in range(1_000))


def test_all_connections_of_an_address_share_its_lines() -> None:
    addresses = Addresses()
    for _ in range(100):
        addresses.enter("198.51.100.7")
    guards = [SpamGuard() for _ in range(100)]
    shared = addresses.lines("198.51.100.7")
    passed = sum(guard.allow(SECOND, shared) for guard in guards for _ in range(24))
    assert passed == 640
    other = addresses.lines("198.51.100.8")
    assert SpamGuard().allow(SECOND, other)
    assert addresses.lines("127.0.0.1") is None


def test_an_address_is_forgotten_with_its_last_connection() -> None:
    addresses = Addresses()
    addresses.enter("198.51.100.7")
    addresses.enter("198.51.100.7")
    first = addresses.lines("198.51.100.7")
    addresses.leave("198.51.100.7")
    assert addresses.lines("198.51.100.7") is first
    addresses.leave("198.51.100.7")
    assert addresses.lines("198.51.100.7") is not first
