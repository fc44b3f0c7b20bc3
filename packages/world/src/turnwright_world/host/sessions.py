"""Sessions: one for each connection, with its queue of commands."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from turnwright.host.accounts import fold
from turnwright.host.admission import is_loopback
from turnwright_world.host.accounts import Account
from turnwright_world.host.limits import SpamGuard
from turnwright_world.host.minds.pasted_source import Paste
from turnwright_world.rules.view import ViewData
from turnwright_world.wire.clock import Latency

# A queue holds the commands of one player that wait for their turn. It is bounded, and the player can see it.
# A turn takes one command when the player's body is free. A full queue refuses a command with a message.
# `stop` empties the queue immediately.
QUEUE_MAX = 16
"""The most commands that may wait. A turn takes one command, so the last one waits some seconds."""
REPEATS_MAX = 4
"""The most equal commands in a row at the end of the queue."""


class CommandQueue:
    """The lines of waiting commands, in order."""

    __slots__ = ("_lines", "version")

    def __init__(self) -> None:
        self._lines: deque[str] = deque()
        self.version = 0
        """Increases with each change."""

    def __len__(self) -> int:
        return len(self._lines)

    def lines(self) -> list[str]:
        """Return the waiting lines, the next one first."""
        return list(self._lines)

    def put(self, line: str) -> str | None:
        """Append a command, and return why it was refused, or None."""
        if len(self._lines) >= QUEUE_MAX:
            return f"Your queue is full ({QUEUE_MAX}); {line!r} was not taken. Type stop to empty it."
        if is_repeated(self._lines, line):
            return f"{line!r} waits {REPEATS_MAX} times already; it was not taken once more."
        self._lines.append(line)
        self.version += 1
        return None

    def take(self) -> str | None:
        """Remove and return the next command, or return None if none waits."""
        if not self._lines:
            return None
        self.version += 1
        return self._lines.popleft()

    def purge(self) -> list[str]:
        """Empty the queue, and return the removed lines."""
        dropped = list(self._lines)
        self._lines.clear()
        self.version += bool(dropped)
        return dropped


def is_repeated(waiting: deque[str], line: str) -> bool:
    """Return whether each of the last REPEATS_MAX waiting commands is this line."""
    last = list(waiting)[-REPEATS_MAX:]
    return len(last) == REPEATS_MAX and all(other == line for other in last)


ClientKind = Literal["telnet", "gmcp", "packed", "terminal", "program"]
"""How a client connects: by telnet, by a WebSocket with one of three sub-protocols, or as a program that
sends JSON.

The sub-protocol `packed.` is like `gmcp.`, but its client writes its own text on threats.
"""
Stage = Literal[
    "name", "passphrase", "checking", "new", "again", "making", "entering", "playing", "watching", "gone"
]
"""The input that the server expects from a session.

`new` and `again` are the two entries of a passphrase for a new account, while the session plays.
"""

WIDTH_DEFAULT, WIDTH_MIN, WIDTH_MAX = 80, 20, 200


# It is large because each attribute is a fact about the connection that several commands read.
@dataclass(slots=True, eq=False)
class Session:
    """One connection.

    Attributes:
        body: the id of its creature while it plays.
        owner: the owner of its creature, e.g. "account:ann". A guest's owner has a hash of its address.
        secret: the first entry of a new passphrase, until it is repeated.
        misses: the number of wrong passphrases.
        stop: whether the next turn interrupts the action of its body.
        place: the id of the place that it was shown last, or None before the first.
        said: text that is sent at the end of this call.
        sent: the data that its program received last, by package.
    """

    conn: int
    client_kind: ClientKind
    address: str
    stage: Stage = "name"
    name: str = ""
    account: Account | None = None
    body: int | None = None
    owner: str = ""
    width: int = WIDTH_DEFAULT
    colours: bool = False
    screen_reader: bool = False
    brief: bool = False
    """Whether descriptions of places are shown only after the command `look`."""
    packages: bool = False
    watches: tuple[str, int | str, str] = ("", "", "")
    """What a spectator watches: "place" or "body", the id, and the name."""
    changes: bool = False
    """Whether its program asked for only the changes of each turn."""
    entered: bool = False
    """Whether it has been shown its place since it entered."""
    paste: Paste | None = None
    """The mind that the player is pasting, if any."""
    secret: str = ""
    operates: bool = False
    """Whether it has given the port's secret and may control time."""
    misses: int = 0
    stop: bool = False
    acts: bool = False
    """Whether it acts in the turn that is ending or ended last."""
    early_us: dict[int, int] = field(default_factory=dict)
    """How long before its stamp each reaction arrived, by the game time at which the reaction counts."""
    ahead: list[str] = field(default_factory=list)
    """Lines that arrived before it had a body."""
    place: str | None = None
    told: int = 0
    """The number of messages of the open turn that it has received."""
    talker: str = ""
    """The name of the last player who sent it a `tell`."""
    latency: Latency = field(default_factory=Latency)
    guard: SpamGuard = field(default_factory=SpamGuard)
    queue: CommandQueue = field(default_factory=CommandQueue)
    said: list[str] = field(default_factory=list)
    prompted: bool = True
    """Whether the last text that it received was a prompt."""
    awaits_turn: bool = False
    """Whether the next turn shows the result of the last line and then a prompt. Until then no prompt is
    shown.
    """
    sent: dict[str, Any] = field(default_factory=dict)
    view: ViewData | None = None
    """The knowledge of its body after the last turn."""

    @property
    def loopback(self) -> bool:
        """Whether the connection comes from this machine."""
        return is_loopback(self.address)

    @property
    def playing(self) -> bool:
        """Whether the session has a body in the world."""
        return self.body is not None and self.stage in ("playing", "new", "again", "making")

    @property
    def reads_text(self) -> bool:
        """Whether the session has a terminal."""
        return self.client_kind != "program"


class Sessions:
    """All sessions, by connection, body and name."""

    def __init__(self) -> None:
        self._by_conn: dict[int, Session] = {}
        self._by_body: dict[int, Session] = {}
        self._by_name: dict[str, Session] = {}
        self._players: list[Session] | None = None
        self._near: dict[str | None, dict[int, Session]] = {}
        """Sessions by the place that they were shown last, then by body."""
        self._shown: dict[int, str | None] = {}
        """The place that each session was shown last, by body."""

    def __len__(self) -> int:
        return len(self._by_conn)

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._by_conn.values()))

    def add(self, session: Session) -> None:
        """Add the session of a new connection."""
        self._by_conn[session.conn] = session

    def of(self, conn: int) -> Session | None:
        """Return the session of a connection, or None if the connection has ended."""
        return self._by_conn.get(conn)

    def of_body(self, body: int) -> Session | None:
        """Return the session that plays a body, or None if no session does."""
        return self._by_body.get(body)

    def named(self, name: str) -> Session | None:
        """Return the session with a name, even if it is still entering, or None if no session has it."""
        return self._by_name.get(fold(name))

    def name(self, session: Session, name: str) -> None:
        """Give a session a name."""
        session.name = name
        self._by_name[fold(name)] = session

    def embody(self, session: Session, body: int) -> None:
        """Give a session its body, with which it now plays."""
        session.body, session.stage = body, "playing"
        self._by_body[body] = session
        self._players = None
        self.moved(session)

    def disembody(self, session: Session) -> None:
        """Take body and name from a session."""
        if session.body is not None and self._by_body.get(session.body) is session:
            del self._by_body[session.body]
            self._players = None
            self._leave_place(session.body)
        if session.name and self._by_name.get(fold(session.name)) is session:
            del self._by_name[fold(session.name)]
        session.body = None

    def remove(self, session: Session) -> None:
        """Remove the session of an ended connection."""
        self._by_conn.pop(session.conn, None)
        self.disembody(session)
        session.stage = "gone"

    def players(self) -> list[Session]:
        """Return the sessions with a body, in order of body."""
        if self._players is None:
            self._players = [self._by_body[body] for body in sorted(self._by_body)]
        return self._players.copy()

    def watchers(self) -> list[Session]:
        """Return the spectators, in order of connection."""
        return [session for session in self._by_conn.values() if session.stage == "watching"]

    def moved(self, session: Session) -> None:
        """Note that a session has been shown another place."""
        assert session.body is not None
        self._leave_place(session.body)
        self._shown[session.body] = session.place
        self._near.setdefault(session.place, {})[session.body] = session

    @property
    def places(self) -> set[str | None]:
        """The places that players were shown last, and None if a player has not been shown any."""
        return set(self._near)

    def near(self, session: Session) -> list[Session]:
        """Return the other players in the place that the session was shown last, in order of body."""
        there = self._near.get(session.place, {})
        return [there[body] for body in sorted(there) if there[body] is not session]

    def _leave_place(self, body: int) -> None:
        if body in self._shown:
            place = self._shown.pop(body)
            del self._near[place][body]
            if not self._near[place]:
                del self._near[place]

    def find(self, start: str) -> Session | None:
        """Return the player with the name `start`, or the only player whose name begins with it, or None."""
        wanted = fold(start.strip())
        playing = [s for s in self.players() if wanted]
        exact = [s for s in playing if fold(s.name) == wanted]
        begins = exact or [s for s in playing if fold(s.name).startswith(wanted)]
        return begins[0] if len(begins) == 1 else None
