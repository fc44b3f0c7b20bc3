"""Connections, their roles, and the list of bots that operators choose from.

A connection gets a session id that is valid only for itself, sends one handshake, and keeps its role. Secrets
are compared in constant time and never leave `keys`.
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
"""The mark between an address and its listener, as between an address and its zone (RFC 4007 §11)."""
_LOOPBACK = ("127.0.0.1", "::1")
REFUSALS_KEPT = 100
"""Refused handshakes of bots that are remembered, the newest."""


def session_id(random16: bytes) -> str:
    """Return the id of a connection's session, made from 16 random bytes."""
    return base64.b64encode(random16).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a connection comes from.

    Attributes:
        listener: the one that took it in, "": the first one.
        bots_only: no spectator or operator may come from there, because it is the sandbox of a bot.
    """

    host: str
    port: int
    listener: str = ""
    bots_only: bool = False

    @property
    def party(self) -> str:
        """The party that its connections are counted for."""
        return party_of(self.host, self.listener)

    @property
    def address(self) -> RemoteAddress:
        """The address as operators see it.

        With its listener, unless that is the first one.
        """
        zone = f"{_ZONE}{self.listener}" if self.listener else ""
        return RemoteAddress(self.host + zone, self.port)


@dataclass(slots=True)
class Client:
    """One connection of a client.

    Attributes:
        role: None until its handshake.
        ours: it reads what is wrong with its messages.
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
    """It is being closed: what it still says counts for nothing."""
    secret: str = field(default="", repr=False)
    """That it showed."""
    closed_for: str = ""
    """The reason for which the server closes it, or ""."""

    @property
    def name(self) -> str:
        """Its role, name and address, for the log."""
        who = f"{self.hello.name} {self.hello.version}" if self.hello else "a stranger"
        host, port = self.origin.address
        return f"{self.role or 'connection'} {who} ({host}:{port})"

    def begin_anew(self) -> None:
        """Forget what concerns the battles of another host."""
        self.seat, self.malformed = None, 0
        self.rate.forget_turns()
        self.debugging = self.breakpoint = False


class RefusedBot(NamedTuple):
    """A bot whose handshake was refused.

    Attributes:
        listener: through which it came.
        reason: the reason of the close code.
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
        """The connections without a handshake, and the start of each (ns)."""
        self.credentials = Credentials(bot_secrets, controller_secrets, open_to_spectators=open_to_spectators)
        self.watching: set[int] = set()
        """The connections of spectators and operators; always the same set."""
        self.watchers: Counter[str] = Counter()
        """By party, its spectators that are no operators."""
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
        """Take a new connection in;

        Args:
            random16: 16 bytes for its session id.
        """
        origin = Origin(host, port, listener, bots_only)
        client = Client(conn, origin, session_id(random16), MessageRate(now_ns))
        self.clients[conn] = client
        self.silent[conn] = now_ns
        return client

    def close(self, conn: int) -> Client | None:
        """Remove a connection and return it."""
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
        """Return why a handshake is refused (the reason of close code 1008), or None."""
        if not hello.any_session and hello.session_id != client.session_id:
            return "Missing session id"
        if client.origin.bots_only and hello.role != "bot":
            return "Only bots may come from here"
        if hello.code is not None and hello.role == "operator":
            return None  # `Credentials.redeem` says whether it opens
        if self.credentials.fit(hello.role, hello.secret, client.origin.party, now_ns):
            return None
        wait_s = self.credentials.wait_s(client.origin.party, now_ns)
        return f"Too many wrong secrets: try again in {wait_s} s" if wait_s else INVALID_SECRET

    def admit(self, client: Client, hello: HelloMessage) -> None:
        """Give a connection its role."""
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
        """Take the connections of another lobby; what each said of itself stays."""
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
            role: only spectators that just watch, or only operators. None: both.
            takes: only those that watch in one of these ways. Without any: all.
        """
        known = self._spectators.get((role, takes))
        if known is None:
            roles = ("spectator", "operator") if role is None else (role,)
            there = [c for c in self.clients.values() if c.role in roles]
            known = tuple(c.conn for c in there if not takes or c.takes in takes)
            self._spectators[role, takes] = known
        return known

    def readers(self) -> tuple[int, ...]:
        """Return those of them that read battles piece by piece."""
        return self.spectators(*_READERS)

    def our_spectators(self) -> tuple[int, ...]:
        """Return those of them that read errors."""
        return tuple(conn for conn in self.spectators() if self.clients[conn].ours)

    def has_foreign_operators(self) -> bool:
        """Return whether an operator of another project is connected."""
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
        """Return the introductions and addresses of the connected bots.

        In order of arrival.
        """
        return [(c.hello, c.origin.address) for c in self.bots() if c.hello is not None]

    def shown_secrets(self) -> list[str]:
        """Return the secrets that these bots showed, "" for none."""
        return [c.secret for c in self.bots() if c.hello is not None]


def _meant(address: RemoteAddress) -> list[RemoteAddress]:
    """Return the addresses that an operator's address may mean, in order."""
    name, mark, listener = address.host.partition(_ZONE)
    if name != "localhost":
        return [address]
    return [RemoteAddress(f"{host}{mark}{listener}", address.port) for host in _LOOPBACK]


# The list of bots is sent to spectators whole, encoded once for all, and only as often as is paid for.
#
# The first change is sent at once, and what follows it together with all that has changed by then. Otherwise
# a hundred bots that come one after the other would cost each of a thousand spectators a hundred lists, 1.5
# GB in all, and a bot that introduces itself again and again would cost as much.


LIST_GAP_NS = 20_000_000
"""From one list to the next one to the same spectators, at least."""
LISTS_BYTES_PER_S = 16 << 20
"""The most that lists to all spectators take together, and those to all operators; so with a thousand
spectators and a hundred bots two seconds go by from one list to the next."""
_ROLES: tuple[Role, ...] = ("operator", "spectator")
"""Operators choose from the list: theirs does not wait until all spectators' lists are paid for."""


class BotList:
    """The list of bots that spectators were sent last.

    Args:
        lobby: the bots and spectators.
    """

    def __init__(self, lobby: Lobby, protocol: GameProtocol) -> None:
        self._lobby = lobby
        self._protocol = protocol
        self._data: bytes | None = None
        self._due_ns: dict[Role, int] = {}
        """By role, the time from which its connections are sent a change that they have not got."""
        self._paid_ns: dict[Role, int] = dict.fromkeys(_ROLES, 0)

    def data(self) -> bytes:
        """Return the list as a message."""
        if self._data is None:
            self._data = self._protocol.bot_list(self._lobby.introduced_bots())
        return self._data

    def changed(self, now_ns: int) -> None:
        """Note that a bot came, left or introduced itself again."""
        self._data = None
        for role in _ROLES:
            self._due_ns.setdefault(role, max(now_ns, self._paid_ns[role]))

    @property
    def due_ns(self) -> int | None:
        """The time of the next list to send; None: all recipients have the newest one."""
        return min(self._due_ns.values()) if self._due_ns else None

    def told(self, now_ns: int, *, early: bool = False) -> list[fx.Publish]:
        """Return the lists to send now.

        Args:
            early: also those not due yet.
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
