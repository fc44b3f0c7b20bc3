"""Limits: what is over them is told, once a second, and never lost in silence."""

from __future__ import annotations

from tests.messages import missing
from turnwright.games.world.host.limits import (
    ADDRESSES_MAX,
    ATTEMPTS_MAX,
    ATTEMPTS_WINDOW_NS,
    Addresses,
    Attempts,
    SpamGuard,
)

SECOND = 1_000_000_000


def test_a_burst_passes_and_what_is_over_it_is_told_with_its_number() -> None:
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


def test_who_never_stops_is_flooding() -> None:
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


def test_after_so_many_wrong_passphrases_one_has_to_wait_until_the_oldest_is_old() -> None:
    attempts = Attempts()
    for k in range(ATTEMPTS_MAX):
        assert attempts.wait_s("anna", k * SECOND) == 0
        attempts.made("anna", k * SECOND)
    assert attempts.wait_s("anna", 10 * SECOND) == 290
    assert attempts.wait_s("bert", 10 * SECOND) == 0
    assert attempts.wait_s("anna", ATTEMPTS_WINDOW_NS) == 0


def test_the_right_passphrase_clears_the_count() -> None:
    attempts = Attempts()
    for _ in range(ATTEMPTS_MAX):
        attempts.made("anna", 0)
    attempts.forget("anna")
    assert attempts.wait_s("anna", 0) == 0


def test_what_is_remembered_of_attempts_is_bounded() -> None:
    attempts = Attempts()
    for number in range(ADDRESSES_MAX + 10):
        for _ in range(ATTEMPTS_MAX):
            attempts.made(f"from {number}", 0)
    assert attempts.wait_s("from 0", 0) == 0
    assert attempts.wait_s(f"from {ADDRESSES_MAX + 9}", 0) > 0


def test_an_attempt_that_was_right_takes_back_itself_and_no_other() -> None:
    attempts = Attempts(most=2, window_ns=10 * SECOND)
    attempts.made("from 1", 0)
    attempts.made("from 1", SECOND)
    attempts.take_back("from 1")
    assert attempts.wait_s("from 1", SECOND) == 0
    attempts.made("from 1", 2 * SECOND)
    assert attempts.wait_s("from 1", 2 * SECOND) == 8
    attempts.take_back("from 2")
