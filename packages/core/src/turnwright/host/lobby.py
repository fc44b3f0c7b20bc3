"""Connections, their roles, and the list of bots that operators choose from.

A connection gets a session id that is valid only for this connection. It sends a handshake, and keeps the
role that the handshake gives it. Secrets are compared in constant time.
"""

from __future__ import annotations

import base64
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from turnwright.errors import SetupError
from turnwright.host import effects as fx
from turnwright.host.admission import party_of
from turnwright.host.credentials import Credentials
from turnwright.host.message_rate import MessageRate
from turnwright.host.protocol import GameProtocol, HelloMessage, RemoteAddress, Role, Takes
from turnwright.kernel.units import NS_PER_S
from turnwright.wire.faults import INVALID_SECRET

_ZONE = "%"
"""The character between an address and the name of its listener. RFC 4007 §11 uses it in front of a zone."""
_LOOPBACK = ("127.0.0.1", "::1")
REFUSALS_KEPT = 100
"""The number of the newest refused handshakes of bots that are remembered."""


def session_id(random16: bytes) -> str:
    """Return the id of a connection's session, made from 16 random bytes."""
    return base64.b64encode(random16).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a connection comes from.

    Attributes:
        listener: the listener that accepted it, "" for the first.
        bots_only: whether only bots may connect from there. This is so for the sandbox of a bot.
    """

    host: str
    port: int
    listener: str = ""
    bots_only: bool = False

    @property
    def party(self) -> str:
        """The party for which the connection is counted (see `party_of`)."""
        return party_of(self.host, self.listener)

    @property
    def address(self) -> RemoteAddress:
        """The address as operators see it.

        The address includes the name of the listener, unless this is the first listener.
        """
        zone = f"{_ZONE}{self.listener}" if self.listener else ""
        return RemoteAddress(self.host + zone, self.port)


@dataclass(slots=True)
class Client:
    """One connection of a client.

    Attributes:
        role: the client's role. None before its handshake.
        ours: whether the client understands errors about its messages.
        seat: the seat that the client has in the current battle, or None.
        malformed: the number of the client's mistakes.
        debugging, breakpoint: the operators' settings for a bot (see `PolicyMessage`).
    """

    conn: int
    origin: Origin
    session_id: str
    rate: MessageRate
    role: Role | None = None
    hello: HelloMessage | None = None
    ours: bool = False
    takes: Takes = "paced frames"
    seat: int | None = None
    malformed: int = 0
    debugging: bool = False
    breakpoint: bool = False
    closing: bool = False
    """Whether the server is closing the connection. Messages of a closing connection are ignored."""
    secret: str = field(default="", repr=False)
    """The secret that the client sent."""
    closed_for: str = ""
    """Why the server closes the connection, or ""."""

    @property
    def name(self) -> str:
        """The client's role, name and address, for the log."""
        who = f"{self.hello.name} {self.hello.version}" if self.hello else "a stranger"
        host, port = self.origin.address
        return f"{self.role or 'connection'} {who} ({host}:{port})"

    def begin_anew(self) -> None:
        """Forget everything about the battles of another host."""
        self.seat, self.malformed = None, 0
        self.rate.forget_turns()
        self.debugging = self.breakpoint = False


class RefusedBot(NamedTuple):
    """A bot whose handshake was refused.

    Attributes:
        listener: the listener that accepted its connection.
        reason: the reason in the close frame.
    """

    name: str
    listener: str
    reason: str


_Chosen = tuple[Role | None, tuple[Takes, ...]]
_READERS: _Chosen = (None, ("pieces",))
_OPERATORS: _Chosen = ("operator", ())


class Lobby:
    """All connections, by number, in order of arrival."""

    def __init__(
        self,
        bot_secrets: frozenset[str],
        controller_secrets: frozenset[str],
        *,
        open_to_spectators: bool = False,
    ) -> None:
        self.clients: dict[int, Client] = {}
        self.silent: dict[int, int] = {}
        """The connections without a handshake, each with the time of its start (ns)."""
        self.credentials = Credentials(bot_secrets, controller_secrets, open_to_spectators=open_to_spectators)
        self.watching: set[int] = set()
        """The connections of spectators and operators. It is always the same set."""
        self.watchers: Counter[str] = Counter()
        """The number of spectators, without operators, by party."""
        self.refused_bots: deque[RefusedBot] = deque(maxlen=REFUSALS_KEPT)
        self._spectators: dict[_Chosen, tuple[int, ...]] = {}

    def open(
        self,
        conn: int,
        host: str,
        port: int,
        now_ns: int,
        random16: bytes,
        listener: str = "",
        *,
        bots_only: bool = False,
    ) -> Client:
        """Take in a new connection.

        Args:
            random16: 16 bytes for its session id.
        """
        origin = Origin(host, port, listener, bots_only)
        client = Client(conn, origin, session_id(random16), MessageRate(now_ns))
        self.clients[conn] = client
        self.silent[conn] = now_ns
        return client

    def close(self, conn: int) -> Client | None:
        """Remove a connection and return it, or None if it is not in the lobby."""
        self._spectators.clear()
        self.silent.pop(conn, None)
        self.watching.discard(conn)
        client = self.clients.pop(conn, None)
        if client is not None and client.role == "spectator":
            self.watchers[client.origin.party] -= 1
            if not self.watchers[client.origin.party]:
                del self.watchers[client.origin.party]
        return client

    def refusal(self, client: Client, hello: HelloMessage, now_ns: int) -> str | None:
        """Return why a handshake is refused (the reason of close code 1008), or None.

        A wrong secret counts as a guess (see `Credentials.fit`).
        """
        if not hello.any_session and hello.session_id != client.session_id:
            return "Missing session id"
        if client.origin.bots_only and hello.role != "bot":
            return "Only bots may come from here"
        if hello.code is not None and hello.role == "operator":
            return None  # `Credentials.redeem` checks the code
        if self.credentials.fit(hello.role, hello.secret, client.origin.party, now_ns):
            return None
        wait_s = self.credentials.wait_s(client.origin.party, now_ns)
        return f"Too many wrong secrets: try again in {wait_s} s" if wait_s else INVALID_SECRET

    def admit(self, client: Client, hello: HelloMessage) -> None:
        """Give a connection its role. The secrets of the handshake are removed from `hello`."""
        if hello.role == "spectator" and client.role is None:
            self.watchers[client.origin.party] += 1
        client.role, client.hello, client.ours = hello.role, hello, hello.ours
        hello.session_id = client.session_id
        client.secret = hello.secret or ""
        hello.secret = hello.code = None
        client.takes = hello.takes
        self.silent.pop(client.conn, None)
        if client.role != "bot":
            self.watching.add(client.conn)
        self._spectators.clear()

    def take_over(self, other: Lobby) -> None:
        """Take over the connections of another lobby. Names and roles stay."""
        self.clients, self.silent = other.clients, other.silent
        for client in self.clients.values():
            client.begin_anew()
        self.watching.clear()
        self.watching |= other.watching
        self.watchers = other.watchers
        self._spectators.clear()

    def spectators(self, role: Role | None = None, takes: tuple[Takes, ...] = ()) -> tuple[int, ...]:
        """Return the connections that watch, in order of arrival.

        Args:
            role: only spectators without operators, or only operators. None means both.
            takes: only connections that watch in one of these ways. Empty: in any way.
        """
        known = self._spectators.get((role, takes))
        if known is None:
            roles = ("spectator", "operator") if role is None else (role,)
            there = [c for c in self.clients.values() if c.role in roles]
            known = tuple(c.conn for c in there if not takes or c.takes in takes)
            self._spectators[role, takes] = known
        return known

    def readers(self) -> tuple[int, ...]:
        """Return the connections that read battles piece by piece."""
        return self.spectators(*_READERS)

    def our_spectators(self) -> tuple[int, ...]:
        """Return the connections of spectators and operators with a program of turnwright. Only they read
        errors.
        """
        return tuple(conn for conn in self.spectators() if self.clients[conn].ours)

    def has_foreign_operators(self) -> bool:
        """Return whether an operator with a program of another project is connected."""
        return any(not self.clients[conn].ours for conn in self.spectators(*_OPERATORS))

    def bots(self) -> list[Client]:
        """Return the connected bots in order of arrival."""
        return [c for c in self.clients.values() if c.role == "bot"]

    def choose(self, addresses: Sequence[RemoteAddress]) -> list[Client]:
        """Return the bots at these addresses, in their order.

        Unknown addresses and repetitions are left out.

        Raises:
            SetupError: two bots have the same address.
        """
        by_address: dict[RemoteAddress, list[Client]] = {}
        for bot in self.bots():
            by_address.setdefault(bot.origin.address, []).append(bot)
        chosen: dict[int, Client] = {}
        for address in addresses:
            there = next((by_address[one] for one in _meant(address) if one in by_address), [])
            if len(there) > 1:
                raise SetupError(
                    f"{len(there)} bots are at {address.host}:{address.port}, expected one:"
                    " let all but one of them reconnect"
                )
            chosen |= {client.conn: client for client in there}
        return list(chosen.values())

    def introduced_bots(self) -> list[tuple[HelloMessage, RemoteAddress]]:
        """Return the handshakes and addresses of the connected bots, in order of arrival."""
        return [(c.hello, c.origin.address) for c in self.bots() if c.hello is not None]

    def shown_secrets(self) -> list[str]:
        """Return the secrets that the connected bots sent, in order of arrival. "" means that the bot sent no
        secret.
        """
        return [c.secret for c in self.bots() if c.hello is not None]


def _meant(address: RemoteAddress) -> list[RemoteAddress]:
    """Return the addresses that an operator may mean by `address`, the likeliest first."""
    name, mark, listener = address.host.partition(_ZONE)
    if name != "localhost":
        return [address]
    return [RemoteAddress(f"{host}{mark}{listener}", address.port) for host in _LOOPBACK]


# The list of bots is sent whole. It is encoded once for all spectators, and its rate is limited.
#
# The first change is sent immediately, and later changes are sent together. Otherwise a hundred bots that
# connect one after the other would send each of a thousand spectators a hundred lists, 1.5 GB in all. A bot
# that sends a new handshake again and again would cost as much.


LIST_GAP_NS = 20_000_000
"""The shortest time between two lists of bots to the same spectators, in ns."""
LISTS_BYTES_PER_S = 16 << 20
"""The largest data rate, in bytes per second, of the lists to all spectators together. The same limit applies
to the lists to all operators together. With a thousand spectators and a hundred bots, spectators get a list
every two seconds.
"""
_ROLES: tuple[Role, ...] = ("operator", "spectator")
"""The roles in the order in which they get lists. Operators come first, because they choose bots from the
list.
"""


class BotList:
    """The list of connected bots, and the times at which spectators and operators get it."""

    def __init__(self, lobby: Lobby, protocol: GameProtocol) -> None:
        self._lobby = lobby
        self._protocol = protocol
        self._data: bytes | None = None
        self._due_ns: dict[Role, int] = {}
        """For each role whose connections do not have the newest list, the time from which they may get
        it.
        """
        self._paid_ns: dict[Role, int] = dict.fromkeys(_ROLES, 0)

    def data(self) -> bytes:
        """Return the message with the newest list."""
        if self._data is None:
            self._data = self._protocol.bot_list(self._lobby.introduced_bots())
        return self._data

    def changed(self, now_ns: int) -> None:
        """Plan new lists, because a bot connected, left or sent a new handshake."""
        self._data = None
        for role in _ROLES:
            self._due_ns.setdefault(role, max(now_ns, self._paid_ns[role]))

    @property
    def due_ns(self) -> int | None:
        """The time of the next list to send. None means that all recipients have the newest list."""
        return min(self._due_ns.values()) if self._due_ns else None

    def told(self, now_ns: int, *, early: bool = False) -> list[fx.Publish]:
        """Return the messages to send now. They count as sent.

        Args:
            early: also return lists that are not due yet.
        """
        said = []
        for role in [r for r, due_ns in self._due_ns.items() if early or due_ns <= now_ns]:
            del self._due_ns[role]
            conns = self._lobby.spectators(role)
            if conns:
                data = self.data()
                cost_ns = len(data) * len(conns) * NS_PER_S // LISTS_BYTES_PER_S
                self._paid_ns[role] = now_ns + max(LIST_GAP_NS, cost_ns)
                said.append(fx.Publish(conns, data))
        return said
