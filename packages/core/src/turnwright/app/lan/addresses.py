"""The addresses of this machine in its networks."""

from __future__ import annotations

import ipaddress
import socket
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from turnwright.net.portability import IS_LINUX

_GET_ADDRESS = 0x8915
"""SIOCGIFADDR. Source: netdevice(7)."""
_REQUEST_BYTES, _ADDRESS_AT = 40, 20
_NAME_BYTES_MAX = 15
_SOMEWHERE = ("198.51.100.1", 9)
"""An address reserved for documentation (RFC 5737). Connecting a datagram socket to it sends nothing."""
_OF_CONTAINERS = ("docker", "br-", "veth", "virbr", "podman", "cni", "lxc", "lxd", "vmnet", "vboxnet", "tun")
_UNROUTED = ipaddress.ip_network("169.254.0.0/16")


@dataclass(frozen=True, slots=True)
class InterfaceAddress:
    """An IPv4 address and the interface that has it."""

    address: str
    interface: str


def machine_addresses() -> list[str]:
    """Return this machine's IPv4 addresses that other machines may be able to reach, the likeliest first.

    Without a network, the list is empty. On systems other than Linux, it has at most one address.
    """
    return ordered(_interface_addresses(), route_address())


def ordered(found: Iterable[InterfaceAddress], route: str | None) -> list[str]:
    """Return the addresses that other machines may be able to reach, the likeliest first.

    The first address is the address that this machine uses towards other networks (`route`). Addresses of
    containers and virtual machines are last. Loopback and self-assigned addresses are left out.

    Args:
        route: the address from which this machine reaches other networks, or None.
    """
    kept = {one.address: one for one in found if not _is_useless(one.address)}
    if route is not None and route not in kept and not _is_useless(route):
        kept = {route: InterfaceAddress(route, ""), **kept}
    return sorted(kept, key=lambda one: (one != route, kept[one].interface.startswith(_OF_CONTAINERS)))


def route_address() -> str | None:
    """Return the address from which this machine reaches other networks, or None."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE)
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _interface_addresses() -> list[InterfaceAddress]:
    if not IS_LINUX:
        return []  # the caller still has the route's address
    import fcntl  # not available on other systems

    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            request = struct.pack(f"{_REQUEST_BYTES}s", name[:_NAME_BYTES_MAX].encode())
            try:
                answer = fcntl.ioctl(asked.fileno(), _GET_ADDRESS, request)
            except OSError:
                continue  # it has no IPv4 address
            packed = answer[_ADDRESS_AT : _ADDRESS_AT + 4]
            found.append(InterfaceAddress(socket.inet_ntoa(packed), name))
    return found


def _is_useless(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    return ip.is_loopback or ip.is_unspecified or ip in _UNROUTED
