"""Checks on an HTTP request before it becomes a WebSocket or gets an answer.

Browsers send the origin of a web page in the Origin header. Other programs send no Origin. Only pages of this
server, and pages whose origin the operator allows, may connect. Without this check, any web page could
connect to a server on the machine of the page's reader. The Host header must be a name of this server.
Without this check, a foreign name that points to the server (DNS rebinding) would count as the server's own
origin. Limits prevent one caller from using up all connections.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from turnwright.host.proxies import FORWARDED_FOR, NO_PROXIES, Proxies

RESERVED_ADDRESS_MAX = 64
"""Reserved connections are for this machine, and for addresses with fewer open connections than this
number.
"""
_QUOTED_MAX = 80
_IPV6_PARTY_BITS = 64
_OF_ONE_SITE = ipaddress.ip_network("fe80::/10"), ipaddress.ip_network("fc00::/7")
_ADDRESSES_KEPT = 1_024
_ALWAYS_KNOWN = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class AdmissionConfig:
    """Limits and names by which requests are admitted.

    Attributes:
        bound_host: the name or address that the server listens on.
        hosts: further names by which clients call the server, without port.
        origins: further web origins, as browsers send them (`https://example.org`).
        proxies: the proxies whose X-Forwarded-For is trusted.
        connections_reserved: the number of connections that are reserved for addresses with few connections
            (fewer than RESERVED_ADDRESS_MAX). Thus bots and operators can connect even if there are many
            spectators.
        head_bytes_max: the largest request line and headers of one request.
        new_per_address_per_s, new_per_address_burst: the number of new connections of one address, per second
            and in a burst. Each connection carries one HTTP request. The viewer needs about 120 connections,
            one for each of its files, and a user may reload the viewer immediately.
    """

    bound_host: str = "localhost"
    hosts: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    proxies: Proxies = NO_PROXIES
    connections_max: int = 2_000
    connections_reserved: int = 0
    connections_per_address_max: int = 64
    connections_per_loopback_max: int = 1_200
    head_bytes_max: int = 8_192
    new_per_address_per_s: int = 20
    new_per_address_burst: int = 512

    @property
    def places_kept(self) -> int:
        """The number of connections that only addresses with few connections get.

        It is at most a quarter of all.
        """
        return min(self.connections_reserved, self.connections_max // 4)


@dataclass(frozen=True, slots=True)
class Caller:
    """The client of a request.

    Attributes:
        address: the client's IP address.
        open_from_address, open_total: the numbers of other open connections, of this address and in all.
        within_rate: whether the address keeps to the rate of new connections.
    """

    address: str
    open_from_address: int = 0
    open_total: int = 0
    within_rate: bool = True


@dataclass(frozen=True, slots=True)
class HttpRefusal:
    """The answer to a refused request: an HTTP status, and the reason in one line.

    Attributes:
        retry_after_s: the time after which a retry may succeed, in seconds. None means that a retry cannot
            succeed.
    """

    status: int
    text: str
    retry_after_s: int | None = None


class RateLimiter:
    """A token bucket: a rate and a burst.

    The limiter refuses an event that would overfill the bucket. It computes in integer nanoseconds. The time
    is an argument. Several calls may have the same time.

    Args:
        per_s, burst: both >= 1.
    """

    __slots__ = ("_burst_ns", "_interval_ns", "_paid_until_ns")

    def __init__(self, per_s: int, burst: int) -> None:
        self._interval_ns = 1_000_000_000 // per_s
        self._burst_ns = self._interval_ns * burst
        self._paid_until_ns = 0

    def allow(self, now_ns: int) -> bool:
        """Count an event and return whether it is within the rate.

        A refused event is not counted.
        """
        paid_until_ns = max(self._paid_until_ns, now_ns) + self._interval_ns
        if paid_until_ns - now_ns > self._burst_ns:
            return False
        self._paid_until_ns = paid_until_ns
        return True

    def idle(self, now_ns: int) -> bool:
        """Return whether the bucket is empty. A limiter with an empty bucket behaves like a new one."""
        return self._paid_until_ns <= now_ns


def refusal(headers: Mapping[str, str], caller: Caller, config: AdmissionConfig) -> HttpRefusal | None:
    """Return why a request is refused, or None.

    Args:
        headers: names in lower case. The values of a repeated header are joined by ", ".
    """
    return (
        crowding(caller, config)
        or _too_long(headers, config)
        or _unknown_host(headers.get("host"), config)
        or _foreign_origin(headers.get("origin"), headers["host"], config)
    )


def client_of(peer: str, headers: Mapping[str, str], config: AdmissionConfig) -> str | HttpRefusal:
    """Return the address of a request's client.

    This is the address of the connection. If the connection comes from a trusted proxy, it is the address
    that the proxy reports, or a refusal if the proxy reports no valid address.
    """
    client = config.proxies.client(peer, headers)
    if client is None:
        said = _quoted(headers[FORWARDED_FOR])
        return HttpRefusal(400, f"the proxy's X-Forwarded-For must end with an address: {said}")
    return client


def crowding(caller: Caller, config: AdmissionConfig) -> HttpRefusal | None:
    """Return why one more connection of any protocol would be too many, or None."""
    if caller.open_total >= config.connections_max:
        return HttpRefusal(503, f"this server is full: {config.connections_max} connections are open", 10)
    if is_loopback(caller.address):
        limit = config.connections_per_loopback_max
    else:
        limit = config.connections_per_address_max
        kept = config.places_kept
        few = caller.open_from_address < RESERVED_ADDRESS_MAX
        if caller.open_total >= config.connections_max - kept and not few:
            return HttpRefusal(
                503, f"this server is full: the last {kept} places are for other addresses", 10
            )
    if caller.open_from_address >= limit:
        return HttpRefusal(429, f"too many connections from {caller.address}: {limit} are open", 10)
    if not caller.within_rate:
        return HttpRefusal(429, f"too many new connections from {caller.address}: wait a second", 1)
    return None


@lru_cache(_ADDRESSES_KEPT)
def is_loopback(address: str) -> bool:
    """Return whether an IP address or host name always means this machine, as "127.0.0.1" does.

    Pass an IPv6 address without brackets.
    """
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address.lower() == "localhost"


def party_of(address: str, listener: str = "") -> str:
    """Return the party for which an IP address is counted.

    The party is the address itself. For an IPv6 address of the internet, the party is the /64 network of the
    address, because one owner usually has the whole /64 network. Each listener counts its parties separately.

    Args:
        listener: the name of the listener that accepted the connection, "" for the first.
    """
    return f"{_network_of(address)}%{listener}" if listener else _network_of(address)


def _network_of(address: str) -> str:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if ip.version == 4 or ip.is_loopback or any(ip in network for network in _OF_ONE_SITE):
        return address
    return str(ipaddress.ip_network((int(ip), _IPV6_PARTY_BITS), strict=False))


def _too_long(headers: Mapping[str, str], config: AdmissionConfig) -> HttpRefusal | None:
    size = sum(len(name) + len(value) + 4 for name, value in headers.items())
    if size > config.head_bytes_max:
        return HttpRefusal(431, f"the request's headers are longer than {config.head_bytes_max} bytes")
    return None


def _unknown_host(host: str | None, config: AdmissionConfig) -> HttpRefusal | None:
    if host is None:
        return HttpRefusal(400, "the request has no Host header")
    name = _without_port(host)
    if name in _ALWAYS_KNOWN or name == _bare(config.bound_host) or name in {_bare(n) for n in config.hosts}:
        return None
    if _is_wide(config.bound_host) and _is_address(name):
        return None  # a page can redirect a name to another machine, but not an address
    return HttpRefusal(
        403, f"this server does not answer to the name {_quoted(host)}; start it with --known-as"
    )


def _foreign_origin(origin: str | None, host: str, config: AdmissionConfig) -> HttpRefusal | None:
    if origin is None or origin in config.origins:
        return None
    scheme, separator, authority = origin.lower().partition("://")
    if separator and scheme in ("http", "https") and authority == host.lower():
        return None
    return HttpRefusal(
        403, f"pages of {_quoted(origin)} may not connect to this server; allow them with --origin"
    )


def _without_port(host: str) -> str:
    if host.startswith("["):
        name, _, _ = host[1:].partition("]")
    else:
        name, _, _ = host.partition(":")
    return _bare(name)


def _bare(name: str) -> str:
    return name.strip("[]").removesuffix(".").lower()


def _is_wide(bound_host: str) -> bool:
    try:
        return ipaddress.ip_address(_bare(bound_host)).is_unspecified
    except ValueError:
        return bound_host in ("", "*")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _quoted(text: str) -> str:
    return ascii(text[:_QUOTED_MAX])
