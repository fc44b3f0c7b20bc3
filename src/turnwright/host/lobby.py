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
from turnwright.host.protocol import GameProtocol, HelloMessage, RemoteAddress, Role, Takes
from turnwright.kernel.units import NS_PER_S
from turnwright.wire.faults import INVALID_SECRET

RATE_PER_S = 200
"""Messages a second that any connection may send, besides ANSWERS_FREE for each turn that it answers."""
RATE_BURST = 400
ANSWERS_FREE = 4
BYTES_PER_CREDIT = 65_536
"""A message counts once more for each of these many bytes: reading the largest ones takes a while."""
FAULTY_BYTES_PER_CREDIT = 1_024
"""For a message that cannot be read: finding out what is wrong with a long one takes a while."""
DROPPED_BYTES_MAX = 16 << 20
"""A connection above its rate is read without a pause until so many bytes were dropped: a short flood passes
sooner than it could be paused."""
OVER_RATE_CLOSE_NS = 10_000_000_000
"""A connection that is over its rate again and again for longer than this is closed."""
_MESSAGE_BYTES = 256
"""The cost of dropping a message, besides its bytes."""
_ZONE = "%"
"""The mark between an address and its listener, as between an address and its zone (RFC 4007 §11)."""
_LOOPBACK = ("127.0.0.1", "::1")
REFUSALS_KEPT = 100
"""Refused handshakes of bots that are remembered, the newest."""
_CALM_NS = 1_000_000_000
"""A connection that was within its rate for so long begins anew."""


def session_id(random16: bytes) -> str:
    """Return the id of a connection's session, made from 16 random bytes."""
    return base64.b64encode(random16).decode().rstrip("=")


@dataclass(slots=True)
class Client:
    """One connection of a client.

    role: None until its handshake. ours: it reads what is wrong with its messages.
    """

    conn: int
    peer_host: str
    peer_port: int
    since_ns: int
    session_id: str
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
    listener: str = ""
    """The listener that took it in, "": the first one."""
    bots_only: bool = False
    """No spectator or operator may come from there: it is the box of a bot."""
    credited_turn: int = -1
    spared_turn: int = -1
    """The turn in which a message above the rate passed."""
    _credit: float = RATE_BURST
    _credited_ns: int = field(init=False)
    _over_since_ns: int = field(init=False)
    _refused_ns: int = field(init=False)
    _dropped_bytes: int = 0

    def __post_init__(self) -> None:
        """Begin with a full burst."""
        self._credited_ns = self._over_since_ns = self.since_ns
        self._refused_ns = self.since_ns - _CALM_NS

    @property
    def name(self) -> str:
        """Its role, name and address, for the log."""
        who = f"{self.hello.name} {self.hello.version}" if self.hello else "a stranger"
        host, port = self.address
        return f"{self.role or 'connection'} {who} ({host}:{port})"

    @property
    def party(self) -> str:
        """The party that its connections are counted for."""
        return party_of(self.peer_host, self.listener)

    @property
    def address(self) -> RemoteAddress:
        """Its address as operators see it.

        With its listener, unless that is the first one.
        """
        zone = f"{_ZONE}{self.listener}" if self.listener else ""
        return RemoteAddress(self.peer_host + zone, self.peer_port)

    def charge(self, now_ns: int, size: int = 0) -> bool:
        """Charge a connection for a message and return whether it may pass.

        size: in bytes; a large message counts several times.
        """
        price = 1 + size // BYTES_PER_CREDIT
        if self._credit >= price:
            self._credit -= price
            return True
        earned = (now_ns - self._credited_ns) * RATE_PER_S / 1e9
        self._credited_ns = now_ns
        self._credit = min(RATE_BURST, self._credit + earned)
        if self._credit >= price:
            self._credit -= price
            return True
        if now_ns - self._refused_ns >= _CALM_NS:
            self._over_since_ns, self._dropped_bytes = now_ns, 0
        self._refused_ns = now_ns
        return False

    def must_pause(self, size: int) -> bool:
        """Note that a message of `size` bytes was dropped and return whether reading must pause."""
        self._dropped_bytes += size + _MESSAGE_BYTES
        return self._dropped_bytes > DROPPED_BYTES_MAX

    def spare(self, turn: int, size: int) -> bool:
        """Return whether a message above the rate passes: one in each turn, so that no turn waits for it."""
        if self.spared_turn == turn or self.credited_turn == turn or size >= BYTES_PER_CREDIT:
            return False
        self.spared_turn = turn
        return True

    def charge_mistake(self, size: int) -> None:
        """Charge a connection for a message that could not be read.

        Once for each KiB of its `size` bytes: more often than a good message.
        """
        self._credit -= size // FAULTY_BYTES_PER_CREDIT

    def credit_turn(self, turn: int) -> None:
        """Credit a connection for its answer to a turn, be it late or early.

        Each turn pays for ANSWERS_FREE messages.
        """
        self.credited_turn = turn
        if self._credit < RATE_BURST:
            self._credit += ANSWERS_FREE

    def begin_anew(self) -> None:
        """Forget what concerns the battles of another host."""
        self.seat, self.malformed, self.credited_turn, self.spared_turn = None, 0, -1, -1
        self.debugging = self.breakpoint = False

    def is_flooding(self, now_ns: int) -> bool:
        """Return whether it must be closed for being over its rate too long."""
        return now_ns - self._over_since_ns > OVER_RATE_CLOSE_NS


class RefusedBot(NamedTuple):
    """A bot whose handshake was refused.

    listener: through which it came. reason: of the close code.
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
        """Take a new connection in; random16: 16 bytes for its session id."""
        client = Client(
            conn, host, port, now_ns, session_id(random16), listener=listener, bots_only=bots_only
        )
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
            self.watchers[client.party] -= 1
            if not self.watchers[client.party]:
                del self.watchers[client.party]
        return client

    def refusal(self, client: Client, hello: HelloMessage, now_ns: int) -> str | None:
        """Return why a handshake is refused (the reason of close code 1008), or None."""
        if not hello.any_session and hello.session_id != client.session_id:
            return "Missing session id"
        if client.bots_only and hello.role != "bot":
            return "Only bots may come from here"
        if hello.code is not None and hello.role == "operator":
            return None  # `Credentials.redeem` says whether it opens
        if self.credentials.fit(hello.role, hello.secret, client.party, now_ns):
            return None
        wait_s = self.credentials.wait_s(client.party, now_ns)
        return f"Too many wrong secrets: try again in {wait_s} s" if wait_s else INVALID_SECRET

    def admit(self, client: Client, hello: HelloMessage) -> None:
        """Give a connection its role."""
        if hello.role == "spectator" and client.role is None:
            self.watchers[client.party] += 1
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

        All, or the spectators that only watch, or the operators. takes: only those that watch in one of these
        ways; none: all.
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

        Unknown ones and repetitions are left out.

        Raises: SetupError when one of the addresses is that of two bots.
        """
        by_address: dict[RemoteAddress, list[Client]] = {}
        for bot in self.bots():
            by_address.setdefault(bot.address, []).append(bot)
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
        return [(c.hello, c.address) for c in self.bots() if c.hello is not None]

    def shown_secrets(self) -> list[str]:
        """Return the secrets that these bots showed, "" for none."""
        return [c.secret for c in self.bots() if c.hello is not None]


def _meant(address: RemoteAddress) -> list[RemoteAddress]:
    """Return the addresses that an operator's address may mean, in order."""
    name, mark, listener = address.host.partition(_ZONE)
    if name != "localhost":
        return [address]
    return [RemoteAddress(f"{host}{mark}{listener}", address.port) for host in _LOOPBACK]


# The list of bots as spectators are told it: whole, encoded once for all, and only as often as is paid for.
#
# The first change is told at once, what follows it together with all that has changed by then. Otherwise a
# hundred bots that come one after the other would cost each of a thousand spectators a hundred lists, 1.5
# GB in all, and a bot that introduces itself again and again would cost as much.


LIST_GAP_NS = 20_000_000
"""From one list to the next one to the same spectators, at least."""
LISTS_BYTES_PER_S = 16 << 20
"""The most that lists to all spectators take together, and those to all operators; so with a thousand
spectators and a hundred bots two seconds go by from one list to the next."""
_ROLES: tuple[Role, ...] = ("operator", "spectator")
"""Operators choose from the list: theirs does not wait until all spectators' lists are paid for."""


class BotList:
    """The list of bots that spectators were sent last. lobby: the bots and spectators."""

    def __init__(self, lobby: Lobby, protocol: GameProtocol) -> None:
        self._lobby = lobby
        self._protocol = protocol
        self._data: bytes | None = None
        self._due_ns: dict[Role, int] = {}
        """By role: from when on those of it are told of a change that they have not been told of."""
        self._paid_ns: dict[Role, int] = dict.fromkeys(_ROLES, 0)

    def data(self) -> bytes:
        """Return the list as a message."""
        if self._data is None:
            self._data = self._protocol.bot_list(self._lobby.introduced_bots())
        return self._data

    def changed(self, now_ns: int) -> None:
        """Note that a bot came, left or introduced itself anew."""
        self._data = None
        for role in _ROLES:
            self._due_ns.setdefault(role, max(now_ns, self._paid_ns[role]))

    @property
    def due_ns(self) -> int | None:
        """The time of the next list to send; None: all recipients have the newest one."""
        return min(self._due_ns.values()) if self._due_ns else None

    def told(self, now_ns: int, *, early: bool = False) -> list[fx.Publish]:
        """Return the lists to send now. early: also those not due yet."""
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
