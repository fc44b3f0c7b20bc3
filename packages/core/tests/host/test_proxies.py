"""A trusted proxy names its client, and no other client can."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.host.proxies import NO_PROXIES, Proxies

CLIENT = "203.0.113.9"
LOCAL = Proxies.named(["localhost"])


def client(said: str | None, peer: str = "127.0.0.1", proxies: Proxies = LOCAL) -> str | None:
    return proxies.client(peer, {} if said is None else {"x-forwarded-for": said})


def test_unnamed_proxies_are_not_trusted() -> None:
    assert not Proxies()
    assert client(CLIENT, proxies=Proxies()) == "127.0.0.1"
    assert client("127.0.0.1", "198.51.100.1", Proxies()) == "198.51.100.1"


def test_an_untrusted_client_cannot_claim_another_address() -> None:
    assert client("127.0.0.1", "198.51.100.1") == "198.51.100.1"
    assert client("203.0.113.9, 127.0.0.1", "198.51.100.1") == "198.51.100.1"


def test_a_trusted_proxy_names_its_client() -> None:
    assert client(CLIENT) == CLIENT
    assert client(CLIENT, "::1") == CLIENT
    assert client(CLIENT, "::ffff:127.0.0.1") == CLIENT


def test_a_proxy_that_says_nothing_is_the_client() -> None:
    assert client(None) == "127.0.0.1"
    assert client(None, "10.0.0.5", Proxies.named(["10.0.0.0/8"])) == "10.0.0.5"


@pytest.mark.parametrize(
    "forged",
    ["127.0.0.1", "127.0.0.1, 127.0.0.1", "::1", "1.2.3.4", "unknown", "", ",,,", "x" * 4000, "1.2.3.4, ::1"],
)
def test_addresses_that_a_client_wrote_itself_are_not_believed(forged: str) -> None:
    assert client(f"{forged}, {CLIENT}") == CLIENT
    two = Proxies.named(["localhost", "10.0.0.0/8"])
    assert client(f"{forged}, {CLIENT}, 10.0.0.7", proxies=two) == CLIENT


def test_proxies_behind_each_other_are_gone_through() -> None:
    two = Proxies.named(["127.0.0.1", "10.0.0.7"])
    assert client(f"{CLIENT}, 10.0.0.7", proxies=two) == CLIENT
    assert client(f"{CLIENT}, 10.0.0.8", proxies=two) == "10.0.0.8"


def test_a_client_on_the_machine_of_its_proxy_counts_as_local() -> None:
    assert client("127.0.0.1") == "127.0.0.1"
    assert client("::1, 127.0.0.1") == "::1"


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ("203.0.113.9:4711", CLIENT),
        ("[2001:db8::7]:4711", "2001:db8::7"),
        ("[2001:db8::7]", "2001:db8::7"),
        ("2001:db8::7", "2001:db8::7"),
        ("::ffff:203.0.113.9", CLIENT),
        ("2001:0DB8::0007", "2001:db8::7"),
        ("fe80::7%eth0", "fe80::7"),
        (f"  {CLIENT}\t", CLIENT),
    ],
)
def test_addresses_are_read_as_proxies_write_them(said: str, address: str) -> None:
    assert client(said) == address


def test_the_proxys_own_machine_is_not_this_one() -> None:
    elsewhere = Proxies.named(["10.0.0.7"])
    assert client("127.0.0.1", "10.0.0.7", elsewhere) == "10.0.0.7"
    assert client("127.0.0.1", "10.0.0.7", Proxies.named(["10.0.0.7", "localhost"])) == "10.0.0.7"


@pytest.mark.parametrize(
    "said", ["", "unknown", "unix:", "_hidden", "1.2.3", f"{CLIENT},", "for=1.2.3.4", "\N{BULLET}"]
)
def test_a_proxy_that_names_no_address_gives_no_client(said: str) -> None:
    assert client(said) is None


@given(st.text(max_size=60))
def test_no_header_raises_or_makes_a_client_local(forged: str) -> None:
    assert client(f"{forged},{CLIENT}") == CLIENT
    client(forged)


@pytest.mark.parametrize("name", ["", "proxy.example", "10.0.0.1/8", "10.0.0.0/33", "0.0.0.0/0", "::/0", "*"])
def test_an_invalid_or_universal_name_of_a_proxy_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Proxies.named([name])


def test_only_a_trusted_proxy_speaks_for_others() -> None:
    trusted = Proxies.named(["10.0.0.0/8", "localhost"])
    assert [trusted.speak(peer) for peer in ("10.1.2.3", "127.0.0.1", "::1")] == [True] * 3
    assert [trusted.speak(peer) for peer in ("11.0.0.1", "unknown", "")] == [False] * 3
    assert not NO_PROXIES.speak("127.0.0.1")
