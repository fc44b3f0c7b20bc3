"""Who is here: connections, their roles, and the list of bots that operators choose from.

A connection gets a session id that counts on that connection alone, says once who it is, and keeps that
role. Secrets are compared in constant time and never leave `keys`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from turnwright.host.greeting import session_id
from turnwright.host.keys import Keys
from turnwright.wire.royale import messages as m

Handshake = m.BotHandshake | m.ObserverHandshake | m.ControllerHandshake

__all__ = [
    "ANSWERS_FREE",
    "BYTES_PER_CREDIT",
    "FAULTY_BYTES_PER_CREDIT",
    "OVER_RATE_CLOSE_NS",
    "RATE_BURST",
    "RATE_PER_S",
    "Client",
    "Lobby",
]

RATE_PER_S = 200
"""Messages a second that any connection may send, besides ANSWERS_FREE for each turn that it answers."""
RATE_BURST = 400
ANSWERS_FREE = 4
BYTES_PER_CREDIT = 65_536
"""A message counts once more for each of these many bytes: reading the largest ones takes a while."""
FAULTY_BYTES_PER_CREDIT = 1_024
"""For a message that cannot be read: finding out what is wrong with a long one takes a while."""
OVER_RATE_CLOSE_NS = 10_000_000_000
"""Who is over its rate again and again for longer than this is closed."""
_CALM_NS = 1_000_000_000
"""Who was within its rate for so long begins anew."""


@dataclass(slots=True)
class Client:
    """One connection. role: None until its handshake. ours: it understands ErrorReply."""

    conn: int
    peer_host: str
    peer_port: int
    since_ns: int
    session_id: str
    role: m.Role | None = None
    hello: Handshake | None = None
    ours: bool = False
    frames: bool = False
    """Whether it wants our stream in place of official ticks."""
    rtt_ns: int | None = None
    """How long the newest ping took, there and back."""
    seat: int | None = None
    malformed: int = 0
    debugging: bool = False
    breakpoint: bool = False
    closing: bool = False
    """It is being closed: what it still says counts for nothing."""
    paid_turn: int = -1
    _credit: float = RATE_BURST
    _credited_ns: int = field(init=False)
    _over_since_ns: int = field(init=False)
    _refused_ns: int = field(init=False)

    def __post_init__(self) -> None:
        """Begin with a full burst."""
        self._credited_ns = self._over_since_ns = self.since_ns
        self._refused_ns = self.since_ns - _CALM_NS

    @property
    def name(self) -> str:
        """Who it is, for the log."""
        who = f"{self.hello.name} {self.hello.version}" if self.hello else "a stranger"
        return f"{self.role or 'connection'} {who} ({self.peer_host}:{self.peer_port})"

    def spend(self, now_ns: int, size: int = 0) -> bool:
        """Count a message of `size` bytes, a large one several times; return whether it may pass."""
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
            self._over_since_ns = now_ns
        self._refused_ns = now_ns
        return False

    def fine(self, size: int) -> None:
        """Count a message of `size` bytes, which could not be read, more often: once for each KiB."""
        self._credit -= size // FAULTY_BYTES_PER_CREDIT

    def pay(self, turn: int) -> None:
        """It says something in this turn, be it late or early: each turn pays for ANSWERS_FREE messages."""
        self.paid_turn = turn
        if self._credit < RATE_BURST:
            self._credit += ANSWERS_FREE

    def is_flooding(self, now_ns: int) -> bool:
        """Return whether it has been over its rate for so long that it is closed."""
        return now_ns - self._over_since_ns > OVER_RATE_CLOSE_NS


_FRAMED: tuple[None, bool] = (None, True)
_CONTROLLERS: tuple[m.Role, None] = ("controller", None)


class Lobby:
    """All connections, by number, in order of arrival."""

    def __init__(
        self,
        bot_secrets: frozenset[str],
        controller_secrets: frozenset[str],
        *,
        open_to_observers: bool = False,
    ) -> None:
        self.clients: dict[int, Client] = {}
        self.silent: dict[int, int] = {}
        """The connections that have not said who they are, and since when (ns)."""
        self.keys = Keys(bot_secrets, controller_secrets, open_to_observers=open_to_observers)
        self._spectators: dict[tuple[m.Role | None, bool | None], tuple[int, ...]] = {}

    def open(self, conn: int, host: str, port: int, now_ns: int, random16: bytes) -> Client:
        """Take a new connection in; random16: 16 bytes for its session id."""
        client = Client(conn, host, port, now_ns, session_id(random16))
        self.clients[conn] = client
        self.silent[conn] = now_ns
        return client

    def close(self, conn: int) -> Client | None:
        """Forget a connection and return what it was."""
        self._spectators.clear()
        self.silent.pop(conn, None)
        return self.clients.pop(conn, None)

    def refusal(self, client: Client, role: m.Role, hello: Handshake) -> str | None:
        """Return why a handshake is refused (the reason of close code 1008), or None."""
        if hello.session_id != client.session_id:
            return "Missing session id"
        if isinstance(hello, m.ControllerHandshake) and hello.code is not None:
            return None  # `Keys.redeem` says whether it opens
        return None if self.keys.fit(role, hello.secret) else "Invalid secret"

    def admit(self, client: Client, role: m.Role, hello: Handshake) -> None:
        """Give a connection its role."""
        client.role, client.hello, client.ours = role, hello, bool(hello.turnwright)
        hello.secret = None
        if isinstance(hello, m.ControllerHandshake):
            hello.code = None
        if not isinstance(hello, m.BotHandshake):
            client.frames = bool(hello.frames)
        self.silent.pop(client.conn, None)
        self._spectators.clear()

    def spectators(self, role: m.Role | None = None, frames: bool | None = None) -> tuple[int, ...]:
        """Return the connections that watch, in order of arrival: all, or the observers or controllers.

        frames: True: only those that get our stream, False: only those that get official ticks.
        """
        key = role, frames
        if key not in self._spectators:
            roles = ("observer", "controller") if role is None else (role,)
            there = [c for c in self.clients.values() if c.role in roles]
            self._spectators[key] = tuple(c.conn for c in there if frames is None or c.frames is frames)
        return self._spectators[key]

    def plain(self, role: m.Role | None = None) -> tuple[int, ...]:
        """Return those of them that get official ticks."""
        known = self._spectators.get((role, False))
        return self.spectators(role, False) if known is None else known

    def framed(self) -> tuple[int, ...]:
        """Return those of them that get our stream."""
        known = self._spectators.get(_FRAMED)
        return self.spectators(*_FRAMED) if known is None else known

    def has_foreign_controllers(self) -> bool:
        """Return whether there is a controller that is not of ours."""
        there = self._spectators.get(_CONTROLLERS)
        if there is None:
            there = self.spectators("controller")
        return any(not self.clients[conn].ours for conn in there)

    def bots(self) -> list[Client]:
        """Return the connected bots in order of arrival."""
        return [c for c in self.clients.values() if c.role == "bot"]

    def choose(self, addresses: tuple[m.BotAddress, ...]) -> list[Client]:
        """Return the bots at these addresses, in their order; unknown ones and repetitions are left out."""
        by_address = {(c.peer_host, c.peer_port): c for c in self.bots()}
        chosen: dict[int, Client] = {}
        for address in addresses:
            host = "127.0.0.1" if address.host == "localhost" else address.host
            client = by_address.get((host, address.port))
            if client is None and address.host == "localhost":
                client = by_address.get(("::1", address.port))
            if client is not None:
                chosen.setdefault(client.conn, client)
        return list(chosen.values())

    def bot_list(self) -> m.BotListUpdate:
        """Return the list that spectators are sent."""
        return m.BotListUpdate(bots=tuple(_info(c) for c in self.bots()))


def _info(client: Client) -> m.BotInfo:
    hello = client.hello
    assert isinstance(hello, m.BotHandshake)
    return m.BotInfo(
        session_id=client.session_id,
        name=hello.name,
        version=hello.version,
        authors=hello.authors or (),
        country_codes=hello.country_codes or (),
        game_types=hello.game_types or (),
        host=client.peer_host,
        port=client.peer_port,
        description=hello.description,
        homepage=hello.homepage,
        platform=hello.platform,
        programming_lang=hello.programming_lang,
        initial_position=hello.initial_position,
        team_id=hello.team_id,
        team_name=hello.team_name,
        team_version=hello.team_version,
        is_droid=hello.is_droid,
        debugger_attached=hello.debugger_attached,
        team_member_name=hello.team_member_name,
        team_message_batch_version=hello.team_message_batch_version,
    )
