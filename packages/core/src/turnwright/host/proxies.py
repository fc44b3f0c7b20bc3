"""Finds the client's address in X-Forwarded-For of trusted reverse proxies.

Each proxy appends the address of its caller to the list. So the proxy that connects to us wrote the last
entry, and the proxy in front of it wrote the entry before. We read the list from its end, and skip the
addresses of trusted proxies. The first other address is the client's. Anybody may have forged the entries
before this address, so they are not read.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

FORWARDED_FOR = "x-forwarded-for"
_HERE = ("127.0.0.0/8", "::1/128")
_Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class Proxies:
    """The proxies whose X-Forwarded-For is trusted. By default there are none."""

    networks: tuple[_Network, ...] = ()

    @classmethod
    def named(cls, names: Iterable[str]) -> Proxies:
        """Return the proxies at these addresses and networks. localhost means this machine.

        Raises:
            ValueError: a name is not an address or a network, or it is the whole internet.
        """
        networks: list[_Network] = []
        for name in names:
            for text in _HERE if name.lower() == "localhost" else (name,):
                network = ipaddress.ip_network(text)
                if not network.prefixlen:
                    raise ValueError("this would trust everybody")
                networks.append(network)
        return cls(tuple(networks))

    def __bool__(self) -> bool:
        return bool(self.networks)

    def speak(self, peer: str) -> bool:
        """Return whether a caller is a trusted proxy.

        The requests of a trusted proxy name the client's address.
        """
        caller = _address(peer)
        return caller is not None and self._trusted(caller)

    def client(self, peer: str, headers: Mapping[str, str]) -> str | None:
        """Return the address that a request comes from.

        If `peer` is a trusted proxy that sends X-Forwarded-For, this is the address that the proxy reports,
        or None if that address is invalid. Otherwise it is `peer`.

        Args:
            headers: the headers, with names in lower case. The values of a repeated name are joined by ", ".
        """
        said, caller = headers.get(FORWARDED_FOR), _address(peer)
        if said is None or caller is None or not self._trusted(caller):
            return peer
        for hop in reversed(said.split(",")):
            address = _address(_without_port(hop.strip()))
            if address is None:
                return None
            if address.is_loopback and not caller.is_loopback:
                break  # a loopback address here is on the proxy's machine, not on this one
            caller = address
            if not self._trusted(caller):
                break
        return str(caller)

    def _trusted(self, address: _Address) -> bool:
        return any(address in network for network in self.networks)


NO_PROXIES = Proxies()


def _address(text: str) -> _Address | None:
    """Return the IP address in `text`, or None. An IPv4 address in IPv6 form becomes an IPv4 address."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _without_port(hop: str) -> str:
    """Return the address in `1.2.3.4:5678`, `[::1]:5678`, `[::1]`, or in a text without a port."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
