"""Sessions, one a connection, each with its queue of commands."""

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

# The commands of one player that wait for their turn: bounded, visible, first come, first served.
#
# A turn takes one of them, when its body is free. What finds no room is refused with a word; what is in it
# stays. `stop` empties it at once.


QUEUE_MAX = 16
"""Commands that may wait; at one a turn these are seconds."""
REPEATS_MAX = 4
"""Equal commands that may stand one behind the other at the end of it."""


class CommandQueue:
    """Lines of timed commands, in order."""

    __slots__ = ("_lines", "version")

    def __init__(self) -> None:
        self._lines: deque[str] = deque()
        self.version = 0
        """Goes up with every change."""

    def __len__(self) -> int:
        return len(self._lines)

    def lines(self) -> list[str]:
        """Return what waits, the next one first."""
        return list(self._lines)

    def put(self, line: str) -> str | None:
        """Append a command; return why it was refused, or None."""
        if len(self._lines) >= QUEUE_MAX:
            return f"Your queue is full ({QUEUE_MAX}); {line!r} was not taken. Type stop to empty it."
        if is_repeated(self._lines, line):
            return f"{line!r} waits {REPEATS_MAX} times already; it was not taken once more."
        self._lines.append(line)
        self.version += 1
        return None

    def take(self) -> str | None:
        """Take the next command, or None."""
        if not self._lines:
            return None
        self.version += 1
        return self._lines.popleft()

    def purge(self) -> list[str]:
        """Empty it at once; return what was in it."""
        dropped = list(self._lines)
        self._lines.clear()
        self.version += bool(dropped)
        return dropped


def is_repeated(waiting: deque[str], line: str) -> bool:
    """Return whether the last REPEATS_MAX commands that wait are all this one."""
    last = list(waiting)[-REPEATS_MAX:]
    return len(last) == REPEATS_MAX and all(other == line for other in last)


ClientKind = Literal["telnet", "gmcp", "packed", "terminal", "program"]
"""telnet; a WebSocket with the sub-protocol `packed.` (as `gmcp.`, but it writes of
threats itself), `gmcp.` or `terminal.`; a program that speaks JSON."""
Stage = Literal[
    "name", "passphrase", "checking", "new", "again", "making", "entering", "playing", "watching", "gone"
]
"""The input that is expected of it. new, again: a passphrase for a new account, while it plays."""

WIDTH_DEFAULT, WIDTH_MIN, WIDTH_MAX = 80, 20, 200


@dataclass(slots=True, eq=False)
class Session:
    """One connection.

    It is large because each attribute is a fact about the connection that several commands read.

    Attributes:
        body: its creature's id, once it plays.
        owner: see `GateEvent`.
        said: text that leaves with the end of this call.
        sent: the last data that its program got, by package.
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
    """Whether it reads descriptions of places only where it looks."""
    packages: bool = False
    watches: tuple[str, int | str, str] = ("", "", "")
    """The subject that a spectator watches: "place" or "body", which, and its name."""
    changes: bool = False
    """Whether its program wants of each turn only what has changed."""
    entered: bool = False
    """Whether it has been shown the place where it is since it came."""
    paste: Paste | None = None
    """The mind that is being pasted, if one is."""
    secret: str = ""
    operates: bool = False
    """Whether it has given the port's secret, and may steer time."""
    misses: int = 0
    stop: bool = False
    acts: bool = False
    """Whether it does something in the turn that ends, or ended last."""
    early_us: dict[int, int] = field(default_factory=dict)
    """By how much reactions came before their stamp, by the game time at which they count."""
    ahead: list[str] = field(default_factory=list)
    """Lines that came before it had a body."""
    place: str | None = None
    told: int = 0
    """Messages of the open turn that it has been told already."""
    talker: str = ""
    """The name of the last one who told it something."""
    latency: Latency = field(default_factory=Latency)
    guard: SpamGuard = field(default_factory=SpamGuard)
    queue: CommandQueue = field(default_factory=CommandQueue)
    said: list[str] = field(default_factory=list)
    prompted: bool = True
    """Whether the last thing shown was a prompt."""
    awaits_turn: bool = False
    """Whether the next turn shows what comes of the last line, and a prompt: none is due before."""
    sent: dict[str, Any] = field(default_factory=dict)
    view: ViewData | None = None
    """The knowledge of its body after the last turn."""

    @property
    def loopback(self) -> bool:
        """Whether it comes from this machine."""
        return is_loopback(self.address)

    @property
    def playing(self) -> bool:
        """Whether it has a body in the world."""
        return self.body is not None and self.stage in ("playing", "new", "again", "making")

    @property
    def reads_text(self) -> bool:
        """Whether it has a terminal."""
        return self.client_kind != "program"


class Sessions:
    """All sessions, by connection, body and name."""

    def __init__(self) -> None:
        self._by_conn: dict[int, Session] = {}
        self._by_body: dict[int, Session] = {}
        self._by_name: dict[str, Session] = {}
        self._players: list[Session] | None = None
        self._near: dict[str | None, dict[int, Session]] = {}
        """By place, the sessions that know of it, by body."""
        self._shown: dict[int, str | None] = {}
        """By body, the place where it is shown."""

    def __len__(self) -> int:
        return len(self._by_conn)

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._by_conn.values()))

    def add(self, session: Session) -> None:
        """Take a new connection in."""
        self._by_conn[session.conn] = session

    def of(self, conn: int) -> Session | None:
        """Return the session of a connection."""
        return self._by_conn.get(conn)

    def of_body(self, body: int) -> Session | None:
        """Return who plays a body."""
        return self._by_body.get(body)

    def named(self, name: str) -> Session | None:
        """Return who goes by a name, also while entering."""
        return self._by_name.get(fold(name))

    def name(self, session: Session, name: str) -> None:
        """Let a session go by a name."""
        session.name = name
        self._by_name[fold(name)] = session

    def embody(self, session: Session, body: int) -> None:
        """Give a session its body."""
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
        """A connection has ended."""
        self._by_conn.pop(session.conn, None)
        self.disembody(session)
        session.stage = "gone"

    def players(self) -> list[Session]:
        """Return who plays, in order of body."""
        if self._players is None:
            self._players = [self._by_body[body] for body in sorted(self._by_body)]
        return self._players.copy()

    def watchers(self) -> list[Session]:
        """Return the spectators, in order of connection."""
        return [session for session in self._by_conn.values() if session.stage == "watching"]

    def moved(self, session: Session) -> None:
        """A session that has a body has been shown another place."""
        assert session.body is not None
        self._leave_place(session.body)
        self._shown[session.body] = session.place
        self._near.setdefault(session.place, {})[session.body] = session

    @property
    def places(self) -> set[str | None]:
        """The places that players know of."""
        return set(self._near)

    def near(self, session: Session) -> list[Session]:
        """Return the other players in the same place, in order of body.

        As they were last told.
        """
        there = self._near.get(session.place, {})
        return [there[body] for body in sorted(there) if there[body] is not session]

    def _leave_place(self, body: int) -> None:
        if body in self._shown:
            place = self._shown.pop(body)
            del self._near[place][body]
            if not self._near[place]:
                del self._near[place]

    def find(self, start: str) -> Session | None:
        """Return the player of a name, or the only one whose name begins so."""
        wanted = fold(start.strip())
        playing = [s for s in self.players() if wanted]
        exact = [s for s in playing if fold(s.name) == wanted]
        begins = exact or [s for s in playing if fold(s.name).startswith(wanted)]
        return begins[0] if len(begins) == 1 else None
