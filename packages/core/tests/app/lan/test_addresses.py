from __future__ import annotations

import ipaddress

import pytest

from turnwright.app.lan.addresses import InterfaceAddress, machine_addresses, ordered

LOOPBACK = InterfaceAddress("127.0.0.1", "lo")
WIRED = InterfaceAddress("10.0.0.5", "eth0")
WIRELESS = InterfaceAddress("192.168.1.20", "wlan0")
CONTAINERS = InterfaceAddress("172.17.0.1", "docker0")
UNROUTED = InterfaceAddress("169.254.3.4", "eth1")


@pytest.mark.parametrize(
    ("found", "route", "wanted"),
    [
        ([LOOPBACK], None, []),
        ([LOOPBACK, UNROUTED], None, []),
        ([LOOPBACK, WIRED], None, ["10.0.0.5"]),
        ([LOOPBACK, WIRED, WIRELESS], "192.168.1.20", ["192.168.1.20", "10.0.0.5"]),
        ([CONTAINERS, WIRED], None, ["10.0.0.5", "172.17.0.1"]),
        ([CONTAINERS, WIRED, WIRELESS], "192.168.1.20", ["192.168.1.20", "10.0.0.5", "172.17.0.1"]),
        ([LOOPBACK], "10.0.0.9", ["10.0.0.9"]),
        ([LOOPBACK], "127.0.0.1", []),
    ],
)
def test_the_likeliest_address_comes_first(
    found: list[InterfaceAddress], route: str | None, wanted: list[str]
) -> None:
    assert ordered(found, route) == wanted


def test_addresses_of_this_machine_exclude_loopback() -> None:
    assert not [one for one in machine_addresses() if ipaddress.ip_address(one).is_loopback]
