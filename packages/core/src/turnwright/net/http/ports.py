"""Binds ports, refuses unsafe addresses, and raises the limit of descriptors."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import re
import socket
from collections.abc import MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import repeat
from typing import NamedTuple

from turnwright.errors import SetupError
from turnwright.host.admission import is_loopback

PORT_MIN, PORT_MAX = 1_000, 65_535
"""The lowest and the highest port number. Port 0 is also allowed, and means a free port. Source: the option
--port of the official server.
"""
FDS_MAX = 16
"""The largest number of sockets that a supervisor may pass on."""
_FIRST_FD = 3
_LISTENER_NAME = re.compile(r"(?!\d*$)[A-Za-z0-9._-]{1,64}")
_NO_NAME = "unknown"
"""The name that systemd passes for a socket without a name."""
_FREE_PORT_TRIES_MAX = 20
_EVERYWHERE = ("", "*")


def check_port(port: int) -> None:
    """Raise SetupError unless the port is 0 or between PORT_MIN and PORT_MAX."""
    if port != 0 and not PORT_MIN <= port <= PORT_MAX:
        raise SetupError(f"port is {port}: give {PORT_MIN} to {PORT_MAX}, or 0 for any free port")


def check_exposure(
    host_name: str,
    *,
    has_bot_secrets: bool,
    has_controller_secrets: bool,
    insecure: bool,
    behind_proxy: bool = False,
) -> None:
    """Raise SetupError if a role has no secret although other machines can connect.

    Args:
        insecure: whether the operator allows this.
        behind_proxy: whether other machines can connect through a proxy.
    """
    only_here = is_loopback(host_name.strip("[]")) and not behind_proxy
    if insecure or only_here or (has_bot_secrets and has_controller_secrets):
        return
    way = "--trusted-proxy" if behind_proxy else f"--host {host_name or '*'}"
    missing = [
        role
        for role, given in (("bots", has_bot_secrets), ("controllers", has_controller_secrets))
        if not given
    ]
    raise SetupError(
        f"{way} lets other machines connect, but {' and '.join(missing)} need no secret:"
        f" set TURNWRIGHT_BOT_SECRETS and TURNWRIGHT_CONTROLLER_SECRETS, or add --insecure"
    )


def bind(host_name: str, port: int, *, option: str = "--port") -> list[socket.socket]:
    """Return listening, non-blocking sockets, one for each address of `host_name` that this machine has. All
    have the same port.

    "" or "*" means all interfaces.

    Args:
        port: PORT_MIN to PORT_MAX, or 0 for a free port.
        option: the name of the option for the port, for error messages.

    Raises:
        SetupError: the host name is unknown, or the port is out of range or cannot be bound.
    """
    check_port(port)
    addresses = _addresses(host_name, port)
    if port:
        return _bind_all(addresses, port, option)
    for _ in range(_FREE_PORT_TRIES_MAX - 1):
        with suppress(SetupError):
            return _bind_all(addresses, 0, option)
    return _bind_all(addresses, 0, option)


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """The address of a server.

    Attributes:
        port: the port number, 0 for a free port.
        sockets: bound sockets at the address `host_name`. None means that the server binds its sockets when
            it starts. Empty: all connections come through `Listener.take`.
        listeners: the names of their listeners, by socket.
    """

    host_name: str = "localhost"
    port: int = 0
    sockets: list[socket.socket] | None = None
    listeners: Sequence[str] = ()

    def bound(self) -> list[socket.socket]:
        """Return `sockets`. If it is None, bind and return new sockets.

        Raises:
            SetupError: the port is wrong or taken, or the host name does not belong to this machine.
        """
        return bind(self.host_name, self.port) if self.sockets is None else self.sockets


class Inherited(NamedTuple):
    """Listening sockets from a supervisor, with the names of their listeners."""

    sockets: list[socket.socket]
    names: tuple[str, ...]


def inherited(environ: MutableMapping[str, str] = os.environ) -> Inherited:
    """Return the listening sockets that a supervisor has opened for this process, and their names.

    The supervisor is systemd, or a program with the same protocol.

    Source: sd_listen_fds(3).

    Args:
        environ: the environment variables. LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES are removed, so that
            child processes do not use these sockets.

    Raises:
        SetupError: the supervisor has passed no sockets, or a socket does not listen.
    """
    pid, count = environ.pop("LISTEN_PID", ""), environ.pop("LISTEN_FDS", "")
    given_names = environ.pop("LISTEN_FDNAMES", "")
    advice = "start it from a systemd socket unit, or give --port a number"
    if pid != str(os.getpid()) or not count.isdecimal() or not 1 <= int(count) <= FDS_MAX:
        raise SetupError(f"--port inherit: no socket was handed over; {advice}")
    sockets = []
    for number in range(_FIRST_FD, _FIRST_FD + int(count)):
        given = socket.socket(fileno=number)
        if given.family not in (socket.AF_INET, socket.AF_INET6) or not _listens(given):
            raise SetupError(f"--port inherit: descriptor {number} is no TCP socket that listens; {advice}")
        given.set_inheritable(False)
        given.setblocking(False)
        sockets.append(given)
    return Inherited(sockets, listener_names(given_names, len(sockets)))


def listener_names(given: str, count: int) -> tuple[str, ...]:
    """Return the names of `count` listeners. The first listener, and any other listener that was given the
    same name, has the name "".

    If a listener has no name, or a name that cannot be part of an address, its name is its number, counted
    from 1.

    Args:
        given: the value of LISTEN_FDNAMES, separated by colons.
    """
    known = [*given.split(":"), *repeat("", count)][:count]
    usable = [_LISTENER_NAME.fullmatch(name) and name != _NO_NAME for name in known]
    numbered = [name if usable[place] else str(place + 1) for place, name in enumerate(known)]
    return tuple("" if name == numbered[0] else name for name in numbered)


def _listens(given: socket.socket) -> bool:
    return given.type == socket.SOCK_STREAM and bool(
        given.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    )


def _addresses(host_name: str, port: int) -> list[tuple[int, str]]:
    name = None if host_name in _EVERYWHERE else host_name.strip("[]")
    if name == "localhost":
        return [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
    try:
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise SetupError(f"--host is {host_name}, an unknown name: give an address of this machine") from None
    addresses = {(family.value, str(address[0])) for family, _, _, _, address in found}
    return sorted(address for address in addresses if address[0] in (socket.AF_INET, socket.AF_INET6))


def _bind_all(addresses: list[tuple[int, str]], port: int, option: str) -> list[socket.socket]:
    """Bind each address to the port that the first address gets. An address that this machine does not have
    is left out, unless it is the first.
    """
    sockets: list[socket.socket] = []
    for family, address in addresses:
        try:
            bound = _bind_one(family, address, port)
        except OSError as error:
            if sockets and error.errno in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
                continue
            for other in sockets:
                other.close()
            raise _explained(error, address, port, option) from None
        sockets.append(bound)
        port = int(bound.getsockname()[1])
    return sockets


def _bind_one(family: int, address: str, port: int) -> socket.socket:
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind((address, port))
        bound.listen()
        bound.setblocking(False)
    except OSError:
        bound.close()
        raise
    return bound


def _explained(error: OSError, address: str, port: int, option: str) -> SetupError:
    if error.errno == errno.EADDRINUSE:
        return SetupError(
            f"port {port} on {address} is taken: "
            f"stop the program that uses it, or choose another with {option}"
        )
    if error.errno == errno.EADDRNOTAVAIL:
        return SetupError(f"--host is {address}: give an address of this machine")
    return SetupError(
        f"cannot listen on {address}, port {port}: {error.strerror}; try another --host or {option}"
    )


# Descriptors for connections. Each connection needs one, and many systems allow a process 1,024 by default.


try:
    import resource
except ImportError:  # the system is not Unix
    resource = None  # type: ignore[assignment]


SPARE = 256
"""The number of file descriptors that a server needs in addition to its connections. They are for files,
pipes to bots, and the event loop.
"""

_log = logging.getLogger("turnwright")


def make_room(connections: int) -> int:
    """Raise the limit of open files, so that the process can have more connections. Return the number of
    connections that it can have, at most `connections`.

    The soft limit is raised as far as needed, but not above the hard limit. It is never lowered. If the limit
    is too low, this is logged.

    Args:
        connections: the number of connections that are needed.
    """
    if resource is None:
        return connections
    wanted = connections + SPARE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return connections
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        soft = allowed
    room = max(0, min(connections, soft - SPARE))
    if room < connections:
        _log.warning("this system allows %d connections, not %d: see ulimit -n", room, connections)
    return room
