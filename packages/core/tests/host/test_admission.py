from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.host.admission import (
    RESERVED_ADDRESS_MAX,
    AdmissionConfig,
    Caller,
    RateLimiter,
    is_loopback,
    party_of,
    refusal,
)

HERE = Caller("127.0.0.1")
HOME = {"host": "localhost:7654"}


def status(headers: dict[str, str], caller: Caller = HERE, **config: object) -> int | None:
    refused = refusal(headers, caller, AdmissionConfig(**config))  # type: ignore[arg-type]
    if refused is None:
        return None
    assert refused.text
    assert "\n" not in refused.text
    assert "\r" not in refused.text
    return refused.status


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:7654", "LOCALHOST.:1", "127.0.0.1:7654", "[::1]:7654", "[::1]"],
)
def test_every_name_of_this_machine_is_known(host: str) -> None:
    assert status({"host": host}) is None


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:7654",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "",
        "10.0.0.7",
        "[",
    ],
)
def test_a_name_that_was_pointed_at_this_machine_is_refused(host: str) -> None:
    assert status({"host": host}) == 403


def test_a_request_without_a_host_is_malformed() -> None:
    assert status({}) == 400


def test_the_bound_host_and_the_allow_list_are_known() -> None:
    assert status({"host": "arena.example:7654"}, bound_host="Arena.example") is None
    assert status({"host": "arena.example"}, hosts=frozenset({"arena.example"})) is None
    assert status({"host": "[fd00::7]:7654"}, bound_host="fd00::7") is None


@pytest.mark.parametrize("bound", ["0.0.0.0", "::", "", "*"])
def test_a_server_for_everyone_answers_to_addresses_but_not_to_unknown_names(bound: str) -> None:
    assert status({"host": "192.168.1.5:7654"}, bound_host=bound) is None
    assert status({"host": "evil.example:7654"}, bound_host=bound) == 403


def test_two_host_headers_are_refused() -> None:
    assert status({"host": "localhost, evil.example"}) == 403


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("http://localhost:7654", None),
        ("https://localhost:7654", None),
        ("HTTP://LOCALHOST:7654", None),
        ("http://localhost:3000", 403),
        ("http://localhost", 403),
        ("http://127.0.0.1:7654", 403),
        ("https://evil.example", 403),
        ("http://localhost:7654.evil.example", 403),
        ("http://evil.example/localhost:7654", 403),
        ("file://localhost:7654", 403),
        ("null", 403),
        ("", 403),
    ],
)
def test_only_pages_of_this_very_server_may_connect(origin: str, expected: int | None) -> None:
    assert status({**HOME, "origin": origin}) == expected


def test_pages_of_the_allow_list_may_connect() -> None:
    allowed = frozenset({"https://viewer.example"})
    assert status({**HOME, "origin": "https://viewer.example"}, origins=allowed) is None
    assert status({**HOME, "origin": "https://viewer.example:8443"}, origins=allowed) == 403


@pytest.mark.parametrize(("open_total", "expected"), [(1_999, None), (2_000, 503), (2_001, 503)])
def test_the_server_is_full_at_its_limit(open_total: int, expected: int | None) -> None:
    assert status(HOME, Caller("127.0.0.1", 0, open_total)) == expected


@pytest.mark.parametrize(
    ("address", "others", "expected"),
    [
        ("10.0.0.7", 63, None),
        ("10.0.0.7", 64, 429),
        ("127.0.0.1", 64, None),
        ("127.8.8.8", 1_199, None),
        ("::1", 1_199, None),
        ("127.0.0.1", 1_200, 429),
        ("unknown", 64, 429),
    ],
)
def test_an_address_has_a_maximum_of_connections(address: str, others: int, expected: int | None) -> None:
    refused = refusal(HOME, Caller(address, others, others), AdmissionConfig())
    assert (refused.status if refused else None) == expected
    if refused:
        assert refused.retry_after_s


@pytest.mark.parametrize(
    ("address", "others", "open_total", "expected"),
    [
        ("10.0.0.7", RESERVED_ADDRESS_MAX, 79, None),
        ("10.0.0.7", RESERVED_ADDRESS_MAX, 80, 503),
        ("10.0.0.7", RESERVED_ADDRESS_MAX - 1, 99, None),
        ("10.0.0.7", 0, 100, 503),
        ("127.0.0.1", RESERVED_ADDRESS_MAX, 99, None),
    ],
)
def test_the_last_places_are_for_addresses_that_have_few(
    address: str, others: int, open_total: int, expected: int | None
) -> None:
    limits = {"connections_max": 100, "connections_reserved": 20, "connections_per_address_max": 90}
    assert status(HOME, Caller(address, others, open_total), **limits) == expected


def test_a_server_with_few_descriptors_does_not_reserve_them_all() -> None:
    limits = {"connections_max": 40, "connections_reserved": 500, "connections_per_address_max": 90}
    assert status(HOME, Caller("10.0.0.7", RESERVED_ADDRESS_MAX, 29), **limits) is None
    assert status(HOME, Caller("10.0.0.7", RESERVED_ADDRESS_MAX, 30), **limits) == 503


def test_a_caller_that_calls_too_often_waits_a_second() -> None:
    refused = refusal(HOME, Caller("10.0.0.7", within_rate=False), AdmissionConfig())
    assert refused is not None
    assert (refused.status, refused.retry_after_s) == (429, 1)


@pytest.mark.parametrize(("size", "expected"), [(8_000, None), (8_192, 431)])
def test_headers_are_bounded(size: int, expected: int | None) -> None:
    assert status({**HOME, "x": "y" * (size - 23)}) == (expected if size > 8_191 else None)


@given(st.dictionaries(st.sampled_from(["host", "origin", "x"]), st.text(max_size=60)))
def test_any_headers_are_answered(headers: dict[str, str]) -> None:
    status(headers)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("Localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("example.org", False),
        ("", False),
    ],
)
def test_only_certainly_local_addresses_are_loopback(address: str, expected: bool) -> None:
    assert is_loopback(address) is expected


def test_a_burst_and_then_the_rate_is_allowed() -> None:
    limiter = RateLimiter(per_s=20, burst=5)
    start = 10**12
    assert [limiter.allow(start) for _ in range(7)] == [True] * 5 + [False] * 2
    assert not limiter.allow(start + 49_999_999)
    assert limiter.allow(start + 50_000_000)
    assert not limiter.allow(start + 50_000_000)
    assert limiter.idle(start + 10**9)
    assert not limiter.idle(start + 50_000_000)


@given(
    st.integers(1, 1_000),
    st.integers(1, 100),
    st.lists(st.integers(0, 10**8), max_size=200),
)
def test_at_most_burst_and_rate_ever_pass(per_s: int, burst: int, gaps: list[int]) -> None:
    limiter = RateLimiter(per_s, burst)
    now = start = 10**12
    passed = 0
    for gap in gaps:
        now += gap
        passed += limiter.allow(now)
    assert passed <= burst + (now - start) * per_s / 1e9 + 1


@pytest.mark.parametrize(
    ("address", "party"),
    [
        ("10.0.0.7", "10.0.0.7"),
        ("127.0.0.1", "127.0.0.1"),
        ("::1", "::1"),
        ("2001:db8:0:7:1:2:3:4", "2001:db8:0:7::/64"),
        ("2001:db8:0:7::9", "2001:db8:0:7::/64"),
        ("2001:db8:0:8::9", "2001:db8:0:8::/64"),
        ("fe80::1%eth0", "fe80::1%eth0"),
        ("fd00:1::2", "fd00:1::2"),
        ("unknown", "unknown"),
        ("local", "local"),
    ],
)
def test_an_ipv6_caller_has_many_addresses_and_counts_as_one(address: str, party: str) -> None:
    assert party_of(address) == party
