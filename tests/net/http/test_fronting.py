"""What an operator says of how the server is reached."""

from __future__ import annotations

import pytest

from turnwright.errors import SetupError
from turnwright.host.admission import AdmissionConfig
from turnwright.net.http.options import gate_of


def test_nothing_is_believed_and_nobody_let_in_by_default() -> None:
    assert gate_of("localhost") == AdmissionConfig(bound_host="localhost")


def test_what_is_said_arrives() -> None:
    gate = gate_of("::1", ["game.example"], ["https://a.example"], ["localhost", "10.0.0.0/8", "fd00::7"])
    assert gate.bound_host == "::1"
    assert gate.hosts == {"game.example"}
    assert gate.origins == {"https://a.example"}
    for peer in ("127.0.0.1", "::1", "10.1.2.3", "fd00::7"):
        assert gate.proxies.client(peer, {"x-forwarded-for": "203.0.113.9"}) == "203.0.113.9"
    assert gate.proxies.client("fd00::8", {"x-forwarded-for": "203.0.113.9"}) == "fd00::8"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("proxy.example", "does not appear to be"),
        ("10.0.0.1/8", "has host bits set"),
        ("0.0.0.0/0", "everybody would be believed"),
        ("x" * 500, "does not appear to be"),
    ],
)
def test_a_proxy_that_is_no_address_is_refused_in_one_line(name: str, why: str) -> None:
    with pytest.raises(SetupError, match=why) as caught:
        gate_of("localhost", trusted_proxies=["127.0.0.1", name])
    text = str(caught.value)
    assert text.startswith(f"--trusted-proxy {name[:80]}")
    assert "expected where your proxy calls from: localhost, an address, or a network" in text
    assert "\n" not in text
