from __future__ import annotations

import pytest

from packages.core.tests.deep_size import deep_size
from turnwright.host.admission import AdmissionConfig
from turnwright.net.http import callers
from turnwright.net.http.callers import Callers, CountedConnection, Refusals

NEW_PER_S = AdmissionConfig().new_per_address_per_s
NEW_BURST = AdmissionConfig().new_per_address_burst


def test_connections_are_counted_by_address_until_they_leave() -> None:
    all_callers = Callers()
    assert all_callers.enter("127.0.0.1", 0).open_from_address == 0
    caller = all_callers.enter("127.0.0.1", 0)
    assert (caller.open_from_address, caller.open_total) == (1, 1)
    assert all_callers.enter("10.0.0.7", 0).open_total == 2
    all_callers.leave("127.0.0.1")
    all_callers.leave("127.0.0.1")
    caller = all_callers.enter("127.0.0.1", 0)
    assert (caller.open_from_address, caller.open_total) == (0, 1)


def test_new_connections_from_elsewhere_are_held_to_a_rate() -> None:
    all_callers = Callers()
    now = 10**12
    within = [all_callers.enter("10.0.0.7", now).within_rate for _ in range(NEW_BURST + 1)]
    assert within == [True] * NEW_BURST + [False]
    assert all_callers.enter("10.0.0.8", now).within_rate
    assert all_callers.enter("10.0.0.7", now + 10**9 // NEW_PER_S).within_rate


def test_the_rate_is_that_of_the_admission() -> None:
    all_callers = Callers(AdmissionConfig(new_per_address_per_s=2, new_per_address_burst=3))
    now = 10**12
    assert [all_callers.enter("10.0.0.7", now).within_rate for _ in range(4)] == [True] * 3 + [False]
    assert all_callers.enter("10.0.0.7", now + 10**9 // 2).within_rate


def test_programs_of_this_machine_may_all_come_simultaneously() -> None:
    all_callers = Callers()
    assert all(all_callers.enter("127.0.0.1", 10**12).within_rate for _ in range(1_200))


def test_the_memory_of_addresses_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "LIMITERS_MAX", 10)
    all_callers, sizes = Callers(), []
    for n in range(100):
        all_callers.enter(f"10.0.0.{n}", 10**12)
        all_callers.leave(f"10.0.0.{n}")
        sizes.append(deep_size(all_callers))
    assert max(sizes[20:]) <= max(sizes[:20])


def test_all_addresses_of_an_ipv6_network_are_one_caller() -> None:
    all_callers = Callers()
    for n in range(5):
        assert all_callers.enter(f"2001:db8:0:7::{n + 1:x}", 0).open_from_address == n
    assert all_callers.enter("2001:db8:0:8::1", 0).open_from_address == 0
    assert all_callers.enter("::1", 0).open_from_address == 0
    for n in range(5):
        all_callers.leave(f"2001:db8:0:7::{n + 1:x}")
    assert all_callers.enter("2001:db8:0:7::ff", 0).open_from_address == 0
    now = 10**12
    within = [all_callers.enter(f"2001:db8:9:9::{n:x}", now).within_rate for n in range(NEW_BURST + 1)]
    assert within == [True] * NEW_BURST + [False]


def test_equal_addresses_at_two_listeners_are_two_callers() -> None:
    all_callers, refusals, now = Callers(), Refusals(1), 10**12
    inside = CountedConnection(all_callers, refusals, "10.0.0.7", now, "team-b")
    assert (inside.caller.address, inside.caller.open_from_address) == ("10.0.0.7", 0)
    assert all_callers.enter("10.0.0.7", now).open_from_address == 0
    assert all_callers.enter("10.0.0.7", now, "team-b").open_from_address == 1
    assert all_callers.enter("10.0.0.7", now, "team-c").open_total == 3
    inside.move("10.0.0.8", now)
    assert all_callers.enter("10.0.0.8", now, "team-b").open_from_address == 1
    assert all_callers.enter("10.0.0.8", now).open_from_address == 0
    inside.end()
    assert all_callers.enter("10.0.0.8", now, "team-b").open_from_address == 1
    while all_callers.enter("10.0.0.7", now, "team-b").within_rate:
        pass
    assert all_callers.enter("10.0.0.7", now).within_rate
    assert all(all_callers.enter("127.0.0.1", now, "team-b").within_rate for _ in range(NEW_BURST + 1))


def test_a_connection_counts_once_from_its_begin_to_its_end_wherever_it_moves() -> None:
    all_callers, refusals = Callers(), Refusals(1)
    one = CountedConnection(all_callers, refusals, "10.0.0.7", 0)
    assert (one.caller.open_from_address, all_callers.total) == (0, 1)
    one.move("10.0.0.8", 0)
    assert CountedConnection(all_callers, refusals, "10.0.0.8", 0).caller.open_from_address == 1
    assert all_callers.enter("10.0.0.7", 0).open_from_address == 0
    for _ in range(2):
        one.end()
        assert all_callers.total == 2


def test_refused_connections_hold_no_place_and_a_limited_number_is_awaited() -> None:
    all_callers, refusals = Callers(), Refusals(2)
    crowd = [CountedConnection(all_callers, refusals, "10.0.0.7", 0) for _ in range(4)]
    assert [one.refuse() for one in crowd] == [True, True, False, False]
    assert (all_callers.total, refusals.count) == (0, 2)
    for one in crowd:
        one.end()
    assert (all_callers.total, refusals.count) == (0, 0)
