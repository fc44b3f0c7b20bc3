"""The interface between a host and a game's wire protocol.

    bytes ── GameProtocol.decode ──▶ one of the messages below ──▶ Host, Room
    Room ── GameProtocol, BattleMessages ──▶ bytes for seats and for spectators

A host speaks no wire format: what it takes is one of these messages or a Fault, what it sends are bytes that
it was given here. `turnwright_tank/host/royale.py` implements it for Robocode Tank Royale's programs. A
protocol is pure: bytes and values in, bytes and values out.

A spectator gets frames ("ticks": a whole turn each, which a slow one may miss), or, if its handshake asks for
it, the battle piece by piece, which it reads at its own pace.
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
"""The way in which a spectator watches: the battle piece by piece at its own pace, every frame as it is made,
or frames at the room's speed, also where turns wait for no spectator."""
PauseCause = Literal["pause", "debug_step", "breakpoint"]
"""Why a battle stands still: an operator's pause, a step of debug mode, a bot at a breakpoint."""


DIRECTORY_ID_CHARS_MAX = 200
"""The id of a `BootEntry`."""


class RemoteAddress(NamedTuple):
    """The address by which operators name a bot in a StartMessage: the remote end of its connection.

    Attributes:
        host: its IP address, or "ADDRESS%LISTENER" if another listener than the first accepted the
            connection.
    """

    host: str
    port: int


# ---- what clients say ------------------------------------------------------------------------------------


class HelloMessage(msgspec.Struct):
    """A handshake of a client: the role that its connection asks for, and how its program describes itself.

    Attributes:
        session_id: the session of the greeting; "": not given.
        any_session: whether the session may be left out, and is.
        secret: the secret of its role.
        code: an operator's one-time code.
        ours: whether it reads messages of `GameProtocol.error`, and those of a protocol that are only ours.
        takes: how it watches.
        debugged: whether a debugger is attached to it.
        outdated: why a program like it may be unable to read an observation; "": it can.
        team: the number of its team, or None.
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
        turn: the number of the observation that it answers, None: it does not say.
    """

    intent: Any
    turn: int | None


class StartMessage(msgspec.Struct):
    """An operator starts a battle.

    Attributes:
        setup: as the client wrote it, for `GameProtocol.read_setup`.
    """

    setup: Any
    bots: Sequence[RemoteAddress]
    debug_mode: bool = False


class StopMessage(msgspec.Struct):
    """An operator ends the battle."""


class PauseMessage(msgspec.Struct):
    """An operator holds the next turn."""


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
    """An operator changes how one seat is treated; None leaves it.

    Attributes:
        debugging: its debug output is shown.
        breakpoints: its turn waits for it, without a deadline.
    """

    seat: Seat
    debugging: bool | None = None
    breakpoints: bool | None = None


class DebugMessage(msgspec.Struct):
    """An operator turns debug mode on or off: the battle pauses after each turn."""

    on: bool


class DirectoriesMessage(msgspec.Struct):
    """An operator asks which bot directories the server can start."""


class BootMessage(msgspec.Struct):
    """An operator starts bots of directories.

    Attributes:
        ids: the ids of each `BootEntry`.
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
"""The messages of each role."""


# ---- what the host says ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RecordedSeats:
    """Seats of a battle that are answered from a record.

    Attributes:
        live: the others, in the order of the bots that are chosen for them.
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
        bots_min: the smallest number of ready bots that makes a battle.
        wire: the protocol's own form of the setup.
        recorded: the seats that are answered from a record. With None, connections answer all seats.
        bot_seeds: the seeds that bots of our protocol are sent, by seat, because they may have been
            started for another battle. A seat that is missing has its seed already.
        untimed: the seats without a deadline. Each turn waits until they answer or leave.
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
        id: the number that a BootMessage names.
    """

    id: str
    name: str
    kind: Literal["bot", "team", "house"]
    description: str | None = None


class GameProtocol(ABC):
    """A wire protocol, one object a server.

    It remembers nothing of clients or battles.
    """

    @abstractmethod
    def decode(self, data: bytes, notes: list[Fault]) -> Incoming | Fault:
        """Return the decoded text message, or its Fault. Never raises.

        Args:
            notes: gets what was dropped from a message that otherwise counts.
        """

    @abstractmethod
    def name_of(self, message: Incoming | type) -> str:
        """Return the name of a message on the wire, for people.

        Of a class: the name of its messages.
        """

    def role_name(self, role: Role) -> str:
        """Return the name of a role in the protocol's words, for people."""
        return role

    def no_such_seat(self, seat: Seat, seats: int) -> str:
        """Return the error text for a seat that does not exist.

        Args:
            seats: how many there are. 0: no battle is running.
        """
        there = f"there are seats 0 to {seats - 1}" if seats else "no battle is on"
        return f"there is no seat {seat}: {there}"

    @abstractmethod
    def greeting(
        self, session_id: str, last_setup: BattleSetup | None, *, debug_mode: bool, breakpoint_mode: bool
    ) -> bytes:
        """Return the first message on a new connection.

        Args:
            last_setup: the setup of the battle before.
            debug_mode, breakpoint_mode: whether operators may use them.
        """

    @abstractmethod
    def read_setup(self, message: StartMessage) -> BattleSetup:
        """Return the settings of a battle.

        Raises:
            SetupError: impossible ones.
        """

    @abstractmethod
    def error(
        self, code: str, text: str, refers_to: str | None = None, place: tuple[int, int] | None = None
    ) -> bytes:
        """Return the answer to a mistake, or a warning.

        Args:
            refers_to: the name of a message.
            place: the round, and its turn, that the warning is about.
        """

    @abstractmethod
    def bot_list(self, bots: Sequence[tuple[HelloMessage, RemoteAddress]]) -> bytes:
        """Return the list of connected bots, for spectators."""

    @abstractmethod
    def operator_token(self, token: str) -> bytes:
        """Return the token that an operator gets for its one-time code."""

    @abstractmethod
    def directories(self, entries: Sequence[BootEntry]) -> bytes:
        """Return the bot directories that can be started, for an operator."""

    @abstractmethod
    def speed(self, tps: int, pacing: Pacing = "together") -> bytes:
        """Return the message that the speed is now `tps`, for spectators.

        Args:
            pacing: whether turns wait for it.
        """

    @abstractmethod
    def history(self, part: Excerpt) -> bytes:
        """Return pieces of a battle for spectators that read it at their own pace."""

    @abstractmethod
    def paused(self, cause: PauseCause) -> bytes:
        """Return the message that the battle is paused, for spectators."""

    @abstractmethod
    def resumed(self) -> bytes:
        """Return the message that the battle continues, for spectators."""

    @abstractmethod
    def aborted(self) -> bytes:
        """Return the message that the battle ended without results, for spectators."""

    def aborted_for_seats(self) -> bytes:
        """Return the same for bots that are chosen or play; empty: no message."""
        return b""

    @abstractmethod
    def seat_infos(self, bots: Sequence[HelloMessage]) -> list[SeatInfo]:
        """Return the seats of a battle for the rules, in order of `bots`."""

    @abstractmethod
    def chosen(self, setup: BattleSetup, bots: Sequence[HelloMessage]) -> Sequence[bytes]:
        """Return for each bot the message that it was chosen for a battle.

        The bot answers that it is ready.
        """

    def announced(
        self, setup: BattleSetup, bots: Sequence[HelloMessage], seats: Sequence[SeatInfo]
    ) -> Mapping[str, Any]:
        """Return the protocol's additions to a record's header, as JSON values."""
        return {}

    @abstractmethod
    def battle(self, battle: Battle, setup: BattleSetup, bots: Sequence[HelloMessage]) -> BattleMessages:
        """Return the messages of a battle that begins.

        Args:
            bots: by seat.
        """


class BattleMessages(ABC):
    """The messages of one running battle, which may remember what they have encoded.

    The host calls `resolved` once a turn, then the others in any order. Empty bytes: nothing is sent.
    """

    started: bytes
    """The message that the battle has begun, for spectators, also for late ones."""
    read_intent: Callable[[Seat, bytes], Any] | None = None
    """Reads a usual message of a seat quickly; None where the protocol has no such reader.

    It returns the intent that `GameProtocol.decode` and `accept` would give, without a note. It returns None
    if the message is anything else or names a turn. Then they read it.
    """

    def accept(self, seat: Seat, intent: Any, prints: Prints) -> Any:
        """Return the intent that counts, or a Fault when it breaks a rule of the protocol.

        Args:
            prints: get what an intent says that the bot printed, which is then no part of it any more.
        """
        return intent

    @abstractmethod
    def left(self, seat: Seat) -> None:
        """Note that the participant of `seat` is gone."""

    @abstractmethod
    def resolved(self, events: Sequence[Any], entry: TurnEntry) -> None:
        """Note that a turn was resolved, and forget the one before.

        Args:
            events: what happened in it.
            entry: the turn as spectators may see it.
        """

    @abstractmethod
    def round_started(self) -> bytes:
        """Return the messages that a round begins, for spectators and seats."""

    @abstractmethod
    def observations(self, seats: Sequence[Seat], listening: Set[Seat]) -> tuple[list[Seat], list[bytes]]:
        """Return the messages of the turn to `seats`.

        Only those in `listening` are connected.
        """

    @abstractmethod
    def skipped(self, turn: int, reason: SkipReason | None) -> bytes:
        """Return the message that a seat skipped a turn.

        Args:
            turn: the observation's number.
            reason: None for a client that is not ours.
        """

    @abstractmethod
    def frame(self) -> bytes:
        """Return the turn as spectators see it."""

    @abstractmethod
    def round_ended(self) -> bytes:
        """Return the message that the round is over, for spectators."""

    @abstractmethod
    def round_ended_for_seats(self) -> Sequence[bytes]:
        """Return for each seat the message that the round is over."""

    @abstractmethod
    def battle_ended(self) -> bytes:
        """Return the message that the battle is over, for spectators."""

    @abstractmethod
    def battle_ended_for_seats(self) -> Sequence[bytes]:
        """Return for each seat the message that the battle is over."""

    def ended_before(self) -> Sequence[bytes]:
        """Return the messages for spectators that connect after the end."""
        return ()

    @abstractmethod
    def result_rows(self) -> Sequence[Any]:
        """Return the results.

        A structure of JSON values for each participant or team, best first.
        """

    # ---- the battle piece by piece, for spectators that read it at their own pace ------------------------

    has_record_lines: bool = False
    """Whether the pieces are the lines of the battle's record."""

    @abstractmethod
    def history_opened(self, header: Header) -> bytes:
        """Return the piece with which a battle begins; empty: none."""

    @abstractmethod
    def history_turn(self, entry: TurnEntry) -> bytes:
        """Return the piece of the turn just resolved. To be called once for each turn."""

    @abstractmethod
    def history_start(self, entry: TurnEntry) -> bytes | None:
        """Return what a reader needs that begins behind this turn's piece, which was just made.

        It is empty if each piece can be read without others, and None if no reader can begin there.
        """

    @abstractmethod
    def history_closed(self, footer: Footer) -> bytes:
        """Return the piece with which a battle ends; empty: none."""

    # ---- messages between turns; protocols without such messages leave these ------------------------------

    def policies(
        self, debugging: Sequence[Seat], breakpoints: Sequence[Seat], waited_for: Sequence[Seat]
    ) -> bytes:
        """Return the operators' settings for seats."""
        return b""

    def round_trips(self, trips_ns: Mapping[Seat, int]) -> bytes:
        """Return how long pings of seats took, there and back."""
        return b""
