"""Effects of a host as values. `net.server` carries them out in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from turnwright.host.summary import BattleSummary
from turnwright.host.watching.history import BattlePieces
from turnwright.kernel.record import Footer, Header, TurnEntry


@dataclass(slots=True)
class Send:
    """Write one message to one connection."""

    conn: int
    data: bytes


@dataclass(slots=True)
class SendTurn:
    """Write observations, one to each connection, without a pause between them.

    The server measures the time after each write. Then it calls `host.turn_sent(stamps)` with all times, in
    the order of the observations.
    """

    conns: list[int]
    datas: list[bytes]


@dataclass(slots=True)
class Publish:
    """Write the same bytes to spectators.

    Attributes:
        droppable: a spectator whose backlog is full may miss the message.
    """

    conns: tuple[int, ...]
    data: bytes
    droppable: bool = False


@dataclass(slots=True)
class ForgetHistory:
    """Stop all readers of the history, because another battle begins. Readers that have not read the whole
    history get no more of it.
    """


@dataclass(slots=True)
class ReadHistory:
    """Let these spectators read a battle, each at its own pace.

    Attributes:
        recorded: the number of the battle, if the pieces are lines of its record.
        begin: the number of the piece with which the spectators begin. It is 0, or a piece with a start (see
            `BattlePieces.begin`).
        hurry: whether turns wait for the pace, and these spectators must follow the newest turn.
    """

    conns: tuple[int, ...]
    history: BattlePieces
    recorded: int | None = None
    begin: int = 0
    hurry: bool = False


@dataclass(slots=True)
class HistoryGrew:
    """The history has new pieces for the spectators that read it."""


@dataclass(slots=True)
class Close:
    """Close a connection with a WebSocket close code and reason."""

    conn: int
    code: int
    reason: str


@dataclass(slots=True)
class PauseReading:
    """Stop reading for a time from a connection that sends too fast."""

    conn: int


@dataclass(slots=True)
class SetAlarm:
    """Call `host.wake` at the time `at_ns`. This replaces the previous alarm. None means no alarm."""

    at_ns: int | None


@dataclass(slots=True)
class CallSettled:
    """Call `host.inputs_read(now_ns)` as soon as all input that was read so far has been processed."""


@dataclass(slots=True)
class ReadPending:
    """Read the pending input of the sockets, then call `host.pending_read(now_ns)`."""


@dataclass(slots=True)
class Log:
    """Write a line to the log."""

    level: Literal["info", "warning", "error"]
    text: str


@dataclass(slots=True)
class RecordOpen:
    """Begin the record of battle number `battle`.

    Attributes:
        line: the header as a line of the record. It is empty if the host makes no lines.
    """

    battle: int
    header: Header
    line: bytes = b""


@dataclass(slots=True)
class RecordTurn:
    """Append a turn to the record of a battle."""

    battle: int
    entry: TurnEntry
    line: bytes = b""


@dataclass(slots=True)
class RecordClose:
    """End the record of a battle."""

    battle: int
    footer: Footer
    line: bytes = b""


@dataclass(slots=True)
class BattleOver:
    """A battle ended: over, aborted or void."""

    battle: int
    summary: BattleSummary


@dataclass(slots=True)
class BotsChanged:
    """A bot connected, left or sent a new handshake."""


@dataclass(slots=True)
class ShowDirectories:
    """Send this operator the list of bots that `StartBots` can start.

    Attributes:
        none: the message to send if the list is empty.
    """

    conn: int
    none: bytes


@dataclass(slots=True)
class StartBots:
    """Start the bots with these ids (see `BootEntry`).

    Attributes:
        conn: the operator's connection, which gets the errors.
        refused: the message to send if this server starts no bots.
    """

    conn: int
    ids: tuple[str, ...]
    refused: bytes


Effect = (
    Send
    | SendTurn
    | ForgetHistory
    | ReadHistory
    | HistoryGrew
    | Publish
    | Close
    | PauseReading
    | SetAlarm
    | CallSettled
    | ReadPending
    | Log
    | RecordOpen
    | RecordTurn
    | RecordClose
    | BattleOver
    | BotsChanged
    | ShowDirectories
    | StartBots
)
