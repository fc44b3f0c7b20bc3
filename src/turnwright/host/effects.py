"""Everything a host can ask of the world, as values; `net.live` carries them out in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from turnwright.host.summary import BattleSummary
from turnwright.kernel.record import Footer, Header, TurnEntry

__all__ = [
    "BattleOver",
    "Boot",
    "Close",
    "Drain",
    "Effect",
    "ForgetFrames",
    "ListDirectories",
    "Log",
    "Mark",
    "Publish",
    "RecordClose",
    "RecordOpen",
    "RecordTurn",
    "Rest",
    "Send",
    "SendFrame",
    "SendTurn",
    "ShowFrame",
    "Soon",
    "Wake",
]


Mark = tuple[int, int]
"""Which frame it is: the number of the battle, and of the turn in it."""


@dataclass(slots=True)
class Send:
    """Write one message to one connection."""

    conn: int
    data: bytes


@dataclass(slots=True)
class SendTurn:
    """Write observations, one for each connection, without a pause between them.

    After each write its time is taken; then `host.observed(stamps)` gets all of them, in this order.
    """

    conns: list[int]
    datas: list[bytes]


@dataclass(slots=True)
class Publish:
    """Write the same bytes to spectators. droppable: a spectator whose backlog is full may miss it."""

    conns: tuple[int, ...]
    data: bytes
    droppable: bool = False


@dataclass(slots=True)
class SendFrame:
    """Write a keyframe to a spectator, which then holds the frame `mark`."""

    conn: int
    mark: Mark
    data: bytes


@dataclass(slots=True)
class ShowFrame:
    """Show frame `mark` to spectators: see `gallery.Followers` for who gets what.

    data: for those who hold the frame `before`; None: nobody can use it. keyframe(): the newest frame and its
    mark, for those who hold any other; encoded at most once a turn, when somebody needs it.
    """

    conns: tuple[int, ...]
    mark: Mark
    before: Mark | None
    data: bytes
    keyframe: Callable[[], tuple[Mark, bytes]]


@dataclass(slots=True)
class ForgetFrames:
    """A game begins: who is behind is not brought to a frame of the one before any more."""


@dataclass(slots=True)
class Close:
    """Close a connection with a WebSocket close code and reason."""

    conn: int
    code: int
    reason: str


@dataclass(slots=True)
class Rest:
    """Listen to a connection no more for a moment: it talks too much."""

    conn: int


@dataclass(slots=True)
class Wake:
    """Ring at `at_ns` (then call `host.wake`); replaces the alarm before. None: no alarm."""

    at_ns: int | None


@dataclass(slots=True)
class Soon:
    """Call `host.settled(now_ns)` once what has been read already is handed over."""


@dataclass(slots=True)
class Drain:
    """Read what the sockets hold already, then call `host.drained(now_ns)`."""


@dataclass(slots=True)
class Log:
    """Write a line to the log."""

    level: Literal["info", "warning", "error"]
    text: str


@dataclass(slots=True)
class RecordOpen:
    """Begin the record of battle number `battle`."""

    battle: int
    header: Header


@dataclass(slots=True)
class RecordTurn:
    """Append a turn to the record of a battle."""

    battle: int
    entry: TurnEntry


@dataclass(slots=True)
class RecordClose:
    """End the record of a battle."""

    battle: int
    footer: Footer


@dataclass(slots=True)
class BattleOver:
    """A battle ended: over, aborted or void."""

    battle: int
    summary: BattleSummary


@dataclass(slots=True)
class ListDirectories:
    """Send this operator a Directories message: what `Boot` can start."""

    conn: int


@dataclass(slots=True)
class Boot:
    """Start these entries of Directories; what is wrong is told to this operator by an ErrorReply."""

    conn: int
    ids: tuple[str, ...]


Effect = (
    Send
    | SendTurn
    | SendFrame
    | ShowFrame
    | ForgetFrames
    | Publish
    | Close
    | Rest
    | Wake
    | Soon
    | Drain
    | Log
    | RecordOpen
    | RecordTurn
    | RecordClose
    | BattleOver
    | ListDirectories
    | Boot
)
