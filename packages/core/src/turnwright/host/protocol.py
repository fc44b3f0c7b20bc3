"""The interface between a host and a game's wire protocol.

    bytes ── GameProtocol.decode ──▶ one of the messages below ──▶ Host, Room
    Room ── GameProtocol, BattleMessages ──▶ bytes for seats and for spectators

A host knows no wire format. It receives messages of the classes below, or a Fault. It sends bytes that the
protocol made. `turnwright_tank/host/royale.py` implements the protocol of Robocode Tank Royale. A protocol is
pure: bytes and values in, bytes and values out.

A spectator gets frames ("ticks"). Each frame shows a whole turn, and a slow spectator may miss some frames.
Alternatively, a spectator reads the battle piece by piece at its own pace, if its handshake asks for this.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import msgspec

from turnwright.host.watching.history import Excerpt
from turnwright.kernel.battle import Battle
from turnwright.kernel.deadline import SkipReason
from turnwright.kernel.game import Seat, SeatInfo
from turnwright.kernel.pace import Pacing
from turnwright.kernel.printed import Prints
from turnwright.kernel.record import Footer, Header, TurnEntry
from turnwright.wire.faults import Fault

Role = Literal["bot", "spectator", "operator"]
Takes = Literal["pieces", "frames", "paced frames"]
"""How a spectator watches. pieces: it reads the battle piece by piece at its own pace. frames: it gets every
frame as soon as the frame is made. paced frames: it gets frames at the room's speed, even if turns do not
wait for spectators.
"""
PauseCause = Literal["pause", "debug_step", "breakpoint"]
"""Why a battle is paused. pause: by an operator. debug_step: after a turn in debug mode. breakpoint: at a
bot's breakpoint.
"""


DIRECTORY_ID_CHARS_MAX = 200
"""The largest length of a `BootEntry`'s id."""


class RemoteAddress(NamedTuple):
    """The address by which a StartMessage names a bot: the remote end of its connection.

    Attributes:
        host: the IP address. It is "ADDRESS%LISTENER" if the connection came through a listener other than
            the first.
    """

    host: str
    port: int


# ---- messages of clients -------------------------------------------------------------------------------


class HelloMessage(msgspec.Struct):
    """A client's handshake: the role that it asks for, and a description of its program.

    Attributes:
        session_id: the session id from the server's first message. "" means that the client sent none.
        any_session: whether the client left out the session id, and the protocol allows this.
        secret: the secret for the role.
        code: an operator's one-time code.
        ours: whether the client reads `GameProtocol.error` and the messages that only our clients know.
        takes: how the client watches.
        debugged: whether a debugger is attached to the program.
        outdated: the reason why the program may be too old to read an observation, or "".
        team: the number of the bot's team, or None.
        details: other data of the protocol.
    """

    role: Role
    name: str
    version: str
    session_id: str = ""
    secret: str | None = None
    code: str | None = None
    any_session: bool = False
    ours: bool = False
    takes: Takes = "paced frames"
    debugged: bool = False
    outdated: str = ""
    team: int | None = None
    details: Any = None


class ReadyMessage(msgspec.Struct):
    """A chosen bot is ready for its battle."""


class IntentMessage(msgspec.Struct, gc=False):
    """An intent of a seat.

    Attributes:
        turn: the number of the observation that the intent answers. None means that the intent does not say.
    """

    intent: Any
    turn: int | None


class StartMessage(msgspec.Struct):
    """An operator starts a battle.

    Attributes:
        setup: the settings in the client's format, for `GameProtocol.read_setup`.
    """

    setup: Any
    bots: Sequence[RemoteAddress]
    debug_mode: bool = False


class StopMessage(msgspec.Struct):
    """An operator ends the battle."""


class PauseMessage(msgspec.Struct):
    """An operator pauses the battle before the next turn."""


class ResumeMessage(msgspec.Struct):
    """An operator resumes the battle."""


class StepMessage(msgspec.Struct):
    """An operator plays one turn of a paused battle."""


class SpeedMessage(msgspec.Struct):
    """An operator changes the speed.

    Attributes:
        tps: turns per second. A value below 0 sets no limit, and 0 is paused.
    """

    tps: int


class PolicyMessage(msgspec.Struct):
    """An operator changes the settings for one seat. None means unchanged.

    Attributes:
        debugging: whether the debug output of the seat is shown.
        breakpoints: whether turns wait for the seat without a deadline.
    """

    seat: Seat
    debugging: bool | None = None
    breakpoints: bool | None = None


class DebugMessage(msgspec.Struct):
    """An operator turns debug mode on or off. In debug mode the battle pauses after each turn."""

    on: bool


class DirectoriesMessage(msgspec.Struct):
    """An operator asks which bot directories the server can start."""


class BootMessage(msgspec.Struct):
    """An operator starts bots from directories.

    Attributes:
        ids: the ids of `BootEntry` objects.
    """

    ids: tuple[str, ...]


Incoming = (
    HelloMessage
    | ReadyMessage
    | IntentMessage
    | StartMessage
    | StopMessage
    | PauseMessage
    | ResumeMessage
    | StepMessage
    | SpeedMessage
    | PolicyMessage
    | DebugMessage
    | DirectoriesMessage
    | BootMessage
)

MAY_SEND: Mapping[Role, frozenset[type]] = {
    "bot": frozenset((HelloMessage, ReadyMessage, IntentMessage)),
    "spectator": frozenset((HelloMessage,)),
    "operator": frozenset(Incoming.__args__) - {ReadyMessage, IntentMessage},
}
"""The messages that each role may send."""


# ---- data of the host ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RecordedSeats:
    """Seats of a battle whose intents come from a record.

    Attributes:
        live: the seats that bots play, in the order of the chosen bots.
        hellos: the handshakes of all seats.
        begin: returns the battle before its first turn.
    """

    live: tuple[Seat, ...]
    hellos: Sequence[HelloMessage]
    begin: Callable[[], Battle]


@dataclass(slots=True)
class BattleSetup:
    """The settings of one battle.

    Attributes:
        game_type: the name of the preset, for people.
        settings: the settings of the rules (JSON values). Timeouts are in µs.
        bots_min: the number of ready bots that a battle needs.
        wire: the setup in the protocol's own format.
        recorded: the seats whose intents come from a record. None means that all seats have connections.
        bot_seeds: by seat, new seeds for bots of our protocol that may have been started for an earlier
            battle. Any other bot already has the right seed.
        untimed: the seats without a deadline. Each turn waits until these seats answer or leave.
    """

    game_type: str
    settings: Mapping[str, Any]
    turn_timeout_us: int
    ready_timeout_us: int
    bots_min: int = 1
    wire: Any = None
    recorded: RecordedSeats | None = None
    bot_seeds: Mapping[Seat, int] = field(default_factory=dict)
    untimed: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class BootEntry:
    """A bot, team or built-in bot that the server can start.

    Attributes:
        id: the id that a BootMessage names.
    """

    id: str
    name: str
    kind: Literal["bot", "team", "house"]
    description: str | None = None


class GameProtocol(ABC):
    """A wire protocol. Each server has one such object.

    It stores nothing about clients or battles.
    """

    @abstractmethod
    def decode(self, data: bytes, notes: list[Fault]) -> Incoming | Fault:
        """Return the decoded text message, or its Fault. Never raises.

        Args:
            notes: gets Faults about parts that were dropped from an otherwise valid message.
        """

    @abstractmethod
    def name_of(self, message: Incoming | type) -> str:
        """Return the name that a message has in this protocol, for errors.

        If `message` is a class, return the name of the messages of this class.
        """

    def role_name(self, role: Role) -> str:
        """Return the protocol's name of a role, for errors."""
        return role

    def no_such_seat(self, seat: Seat, seats: int) -> str:
        """Return the error text for a seat that does not exist.

        Args:
            seats: the number of seats. 0 means that no battle is running.
        """
        there = f"there are seats 0 to {seats - 1}" if seats else "no battle is running"
        return f"there is no seat {seat}: {there}"

    @abstractmethod
    def greeting(
        self, session_id: str, last_setup: BattleSetup | None, *, debug_mode: bool, breakpoint_mode: bool
    ) -> bytes:
        """Return the first message on a new connection.

        Args:
            last_setup: the setup of the last battle, or None.
            debug_mode, breakpoint_mode: whether operators may use this mode.
        """

    @abstractmethod
    def read_setup(self, message: StartMessage) -> BattleSetup:
        """Return the settings of a battle.

        Raises:
            SetupError: the battle cannot be played with these settings.
        """

    @abstractmethod
    def error(
        self, code: str, text: str, refers_to: str | None = None, place: tuple[int, int] | None = None
    ) -> bytes:
        """Return the message that answers a mistake, or warns.

        Args:
            refers_to: the name of the message with the mistake.
            place: the round, and the turn of this round, in which the mistake happened.
        """

    @abstractmethod
    def bot_list(self, bots: Sequence[tuple[HelloMessage, RemoteAddress]]) -> bytes:
        """Return the message with the list of connected bots, for spectators."""

    @abstractmethod
    def operator_token(self, token: str) -> bytes:
        """Return the message with the token that an operator gets for its one-time code."""

    @abstractmethod
    def directories(self, entries: Sequence[BootEntry]) -> bytes:
        """Return the message with the bot directories that can be started, for an operator."""

    @abstractmethod
    def speed(self, tps: int, pacing: Pacing = "together") -> bytes:
        """Return the message for spectators that the speed is now `tps`.

        Args:
            pacing: "together" if turns wait for this speed, or "apart" if they do not.
        """

    @abstractmethod
    def history(self, part: Excerpt) -> bytes:
        """Return the message with pieces of a battle, for spectators that read it at their own pace."""

    @abstractmethod
    def paused(self, cause: PauseCause) -> bytes:
        """Return the message for spectators that the battle is paused."""

    @abstractmethod
    def resumed(self) -> bytes:
        """Return the message for spectators that the battle continues."""

    @abstractmethod
    def aborted(self) -> bytes:
        """Return the message for spectators that the battle ended without results."""

    def aborted_for_seats(self) -> bytes:
        """Return the message for bots that their battle ended without results. Empty: there is none."""
        return b""

    @abstractmethod
    def seat_infos(self, bots: Sequence[HelloMessage]) -> list[SeatInfo]:
        """Return the seats of a battle for the rules, in order of `bots`."""

    @abstractmethod
    def chosen(self, setup: BattleSetup, bots: Sequence[HelloMessage]) -> Sequence[bytes]:
        """Return, for each bot, the message that it was chosen for a battle.

        A bot answers this message when it is ready.
        """

    def announced(
        self, setup: BattleSetup, bots: Sequence[HelloMessage], seats: Sequence[SeatInfo]
    ) -> Mapping[str, Any]:
        """Return the protocol's additions to a record's header, as JSON values."""
        return {}

    @abstractmethod
    def battle(self, battle: Battle, setup: BattleSetup, bots: Sequence[HelloMessage]) -> BattleMessages:
        """Return an object that makes the messages of a battle that begins.

        Args:
            bots: the handshakes by seat.
        """


class BattleMessages(ABC):
    """The messages of one running battle. It may store what it has encoded.

    In each turn, the host calls `resolved` once, and then the other methods in any order. If a method returns
    empty bytes, nothing is sent.
    """

    started: bytes
    """The message for spectators that the battle has begun. Late spectators get it, too."""
    read_intent: Callable[[Seat, bytes], Any] | None = None
    """A fast reader of common messages, or None if the protocol has none. For a valid intent without notes it
    returns the same intent as `GameProtocol.decode` and `accept`. For any other message, and for a message
    that names a turn, it returns None. The host then calls `decode` and `accept`.
    """

    def accept(self, seat: Seat, intent: Any, prints: Prints) -> Any:
        """Return the intent for the rules, or a Fault if it breaks a rule or the game fails to read it.

        Args:
            prints: collects the text that the intent contains as the bot's output. The text is removed from
                the intent.
        """
        return intent

    @abstractmethod
    def left(self, seat: Seat) -> None:
        """Record that the participant of `seat` has left."""

    @abstractmethod
    def resolved(self, events: Sequence[Any], entry: TurnEntry) -> None:
        """Store a turn that was resolved, and forget the turn before it.

        Args:
            events: the turn's events.
            entry: the turn as spectators may see it.
        """

    @abstractmethod
    def round_started(self) -> bytes:
        """Return the message that announces a new round to spectators and seats."""

    @abstractmethod
    def observations(self, seats: Sequence[Seat], listening: Set[Seat]) -> tuple[list[Seat], list[bytes]]:
        """Return the seats that get a message in this turn, in order, and the message of each.

        Args:
            seats: the seats that may get a message.
            listening: the seats that are still connected.
        """

    @abstractmethod
    def skipped(self, turn: int, reason: SkipReason | None) -> bytes:
        """Return the message that a seat skipped a turn.

        Args:
            turn: the observation's number.
            reason: why the seat missed the turn. None means that the client does not use our protocol.
        """

    @abstractmethod
    def frame(self) -> bytes:
        """Return the message for spectators that shows the newest turn."""

    @abstractmethod
    def round_ended(self) -> bytes:
        """Return the message for spectators that the round is over."""

    @abstractmethod
    def round_ended_for_seats(self) -> Sequence[bytes]:
        """Return, for each seat, the message for the bot that the round is over."""

    @abstractmethod
    def battle_ended(self) -> bytes:
        """Return the message for spectators that the battle is over."""

    @abstractmethod
    def battle_ended_for_seats(self) -> Sequence[bytes]:
        """Return, for each seat, the message for the bot that the battle is over."""

    def ended_before(self) -> Sequence[bytes]:
        """Return the messages for spectators that connect after the battle."""
        return ()

    @abstractmethod
    def result_rows(self) -> Sequence[Any]:
        """Return the results, best first.

        Each participant or team has a structure of JSON values.
        """

    # ---- the battle piece by piece, for spectators that read it at their own pace ------------------------

    has_record_lines: bool = False
    """Whether the pieces of the history are the lines of the battle's record."""

    @abstractmethod
    def history_opened(self, header: Header) -> bytes:
        """Return the first piece of a battle. Empty: there is none."""

    @abstractmethod
    def history_turn(self, entry: TurnEntry) -> bytes:
        """Return the piece of the turn that was just resolved. Call it once for each turn."""

    @abstractmethod
    def history_start(self, entry: TurnEntry) -> bytes | None:
        """Return the data that a reader needs to begin after the newest piece. The data is empty if each
        piece can be read without the earlier pieces. None means that no reader can begin there.
        """

    @abstractmethod
    def history_closed(self, footer: Footer) -> bytes:
        """Return the last piece of a battle. Empty: there is none."""

    # ---- messages between turns; a protocol without them keeps the defaults --------------------------------

    def policies(
        self, debugging: Sequence[Seat], breakpoints: Sequence[Seat], waited_for: Sequence[Seat]
    ) -> bytes:
        """Return the message with the operators' settings for seats, and the seats that a turn waits for."""
        return b""

    def round_trips(self, trips_ns: Mapping[Seat, int]) -> bytes:
        """Return the message with the round-trip times of pings, by seat."""
        return b""
