"""Every message of the Royale wire, declared once.

The type on the wire is the class name, except three that the rules declare: TankIntent ("BotIntent"),
Observation ("TickEventForBot") and Frame ("TickEventForObserver"). MAY_SEND and MAY_RECEIVE list
the messages of each role. Unset optional fields are left out, null counts as absent, unknown fields are
ignored.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from turnwright_tank.structs import Frame, Observation, TankIntent
from turnwright_tank.wire.royale import limits
from turnwright_tank.wire.royale.message_parts import (
    BatchVersion,
    BotAddress,
    BotInfo,
    BotName,
    DebuggerAttached,
    Description,
    DirectoryEntry,
    Features,
    GameSetup,
    HistoryStart,
    Homepage,
    InitialPosition,
    IsDroid,
    Language,
    Name,
    Participant,
    Platform,
    ResultsForBot,
    ResultsForObserver,
    TeamId,
    TeamMemberName,
    TeamName,
    TeamVersion,
    Version,
    says,
)

__all__ = [
    "MAY_RECEIVE",
    "MAY_SEND",
    "BootBots",
    "BotAddress",
    "BotHandshake",
    "BotInfo",
    "BotListUpdate",
    "BotName",
    "BotPolicies",
    "BotPolicyUpdate",
    "BotReady",
    "ChangeTps",
    "ControllerHandshake",
    "Directories",
    "DirectoryEntry",
    "DisableDebugMode",
    "EnableDebugMode",
    "ErrorReply",
    "Features",
    "GameAbortedEvent",
    "GameEndedEventForBot",
    "GameEndedEventForObserver",
    "GamePausedEventForObserver",
    "GameResumedEventForObserver",
    "GameSetup",
    "GameStartedEventForBot",
    "GameStartedEventForObserver",
    "History",
    "InitialPosition",
    "ListDirectories",
    "NextTurn",
    "ObserverHandshake",
    "OperatorToken",
    "Participant",
    "PauseCause",
    "PauseGame",
    "ResultsForBot",
    "ResultsForObserver",
    "ResumeGame",
    "Role",
    "RoundEndedEventForBot",
    "RoundEndedEventForObserver",
    "RoundStartedEvent",
    "RoundTrips",
    "ServerHandshake",
    "SkippedTurnEvent",
    "StartGame",
    "StopGame",
    "TpsChangedEvent",
    "type_name",
]

Role = Literal["bot", "observer", "controller"]
PauseCause = Literal["pause", "debug_step", "breakpoint"]

_limit = msgspec.Meta
_History = Annotated[int, says("ours: 1 = wants History in place of TickEventForObserver and results")]


class _Message(msgspec.Struct, rename="camel", tag_field="type", tag=True, omit_defaults=True):
    """Base of all messages: `type` is the class name, unset fields left out."""


class _Handshake(_Message, kw_only=True):
    """Base of the three handshakes."""

    session_id: (
        Annotated[
            str,
            says(
                "it must be the one that ServerHandshake gave this socket",
                max_length=limits.SESSION_ID_CHARS_MAX,
            ),
        ]
        | None
    ) = None
    name: Annotated[Name, _limit(min_length=1, max_length=limits.CLIENT_NAME_CHARS_MAX)]
    version: Annotated[Version, _limit(min_length=1, max_length=limits.CLIENT_NAME_CHARS_MAX)]
    secret: (
        Annotated[str, says("what the server asks of this role", max_length=limits.SECRET_CHARS_MAX)] | None
    ) = None
    turnwright: Annotated[int, says("ours: 1 = understands our messages, such as ErrorReply")] | None = None

    def __repr__(self) -> str:
        """Show who it is, and never the secret."""
        return f"{type(self).__name__}(name={self.name!r}, version={self.version!r})"


class BotHandshake(_Handshake, kw_only=True):
    """A bot introduces itself: its first message, after ServerHandshake.

    Over-long or blank fields and a wrong session or secret are refused with close code 1008 and the reason.
    Source: bot-handshake schema; `turnwright` is ours.
    """

    name: Annotated[Name, _limit(min_length=1, max_length=limits.NAME_CHARS_MAX)]
    version: Annotated[Version, _limit(min_length=1, max_length=limits.VERSION_CHARS_MAX)]
    authors: Annotated[
        tuple[Annotated[str, _limit(max_length=limits.AUTHOR_CHARS_MAX)], ...],
        says("its authors", max_length=limits.AUTHORS_MAX),
    ] = ()
    description: Annotated[Description, _limit(max_length=limits.DESCRIPTION_CHARS_MAX)] | None = None
    homepage: Annotated[Homepage, _limit(max_length=limits.HOMEPAGE_CHARS_MAX)] | None = None
    country_codes: Annotated[
        tuple[Annotated[str, _limit(max_length=limits.COUNTRY_CODE_CHARS_MAX)], ...],
        says("ISO 3166-1 alpha-2 codes", max_length=limits.COUNTRY_CODES_MAX),
    ] = ()
    game_types: Annotated[
        tuple[Annotated[str, _limit(max_length=limits.GAME_TYPE_CHARS_MAX)], ...],
        says("game types it is made for; not enforced", max_length=limits.GAME_TYPES_MAX),
    ] = ()
    platform: Annotated[Platform, _limit(max_length=limits.PLATFORM_CHARS_MAX)] | None = None
    programming_lang: Annotated[Language, _limit(max_length=limits.LANGUAGE_CHARS_MAX)] | None = None
    initial_position: InitialPosition | None = None
    team_id: Annotated[TeamId, _limit(ge=0, le=limits.TEAM_ID_MAX)] | None = None
    team_name: Annotated[TeamName, _limit(min_length=1, max_length=limits.NAME_CHARS_MAX)] | None = None
    team_version: Annotated[TeamVersion, _limit(min_length=1, max_length=limits.VERSION_CHARS_MAX)] | None = (
        None
    )
    is_droid: IsDroid | None = None
    debugger_attached: DebuggerAttached | None = None
    team_member_name: (
        Annotated[TeamMemberName, _limit(max_length=limits.TEAM_MEMBER_NAME_CHARS_MAX)] | None
    ) = None
    team_message_batch_version: BatchVersion | None = None


class ObserverHandshake(_Handshake):
    """A spectator introduces itself; the answer is one BotListUpdate.

    Source: observer-handshake schema.
    """

    author: Annotated[str, says("its author", max_length=limits.AUTHOR_CHARS_MAX)] | None = None
    history: _History | None = None


class ControllerHandshake(_Handshake):
    """An operator introduces itself; the answer is one BotListUpdate.

    Source: controller-handshake schema.

    With `code`, a one-time code that the server has printed, the first answer is an OperatorToken (ours).
    """

    author: Annotated[str, says("its author", max_length=limits.AUTHOR_CHARS_MAX)] | None = None
    history: _History | None = None
    code: (
        Annotated[str, says("ours: a one-time code in place of a secret", max_length=limits.SECRET_CHARS_MAX)]
        | None
    ) = None


class BotReady(_Message):
    """A bot is ready to play; after each GameStartedEventForBot.

    Ignored at any other time.
    """


class StartGame(_Message):
    """An operator starts a game with bots of the last BotListUpdate.

    Refused while a game runs, and when `setup.validate_start` refuses it. The socket stays open.
    The order of the addresses is the order of the seats.
    """

    game_setup: Annotated[GameSetup, says("the settings; required to start")] | None = None
    bot_addresses: Annotated[
        tuple[BotAddress, ...], says("the players, one or more", max_length=limits.BOTS_MAX)
    ] = ()
    debug_mode: Annotated[bool, says("pause after each turn; absent = false")] | None = None


class StopGame(_Message):
    """An operator aborts the game."""


class PauseGame(_Message):
    """An operator pauses the game."""


class ResumeGame(_Message):
    """An operator resumes a paused game; ends debug mode."""


class NextTurn(_Message):
    """An operator plays one turn of a paused game."""


class ChangeTps(_Message):
    """An operator sets the turns per second."""

    tps: Annotated[int, says("below 0: no wait, 0: pause, 1…1000 turns per second")]


class BotPolicyUpdate(_Message):
    """An operator changes how one bot is treated. Absent = no change."""

    bot_id: Annotated[int, says("bot id")]
    debugging_enabled: Annotated[bool, says("debug graphics are taken and shown")] | None = None
    breakpoint_enabled: Annotated[bool, says("the game waits for this bot")] | None = None


class EnableDebugMode(_Message):
    """An operator turns on the pause after each turn."""


class DisableDebugMode(_Message):
    """An operator turns off the pause after each turn; a paused game stays paused."""


class ListDirectories(_Message):
    """An operator asks for Directories, the bots that the server can start. Ours."""


class BootBots(_Message):
    """An operator starts bots from the server's bot directories. Ours.

    They join the lobby.
    """

    ids: Annotated[
        tuple[Annotated[str, _limit(min_length=1, max_length=limits.DIRECTORY_ID_CHARS_MAX)], ...],
        says("of Directories, one for each bot or team to start", min_length=1, max_length=limits.BOOTS_MAX),
    ]


class ServerHandshake(_Message, kw_only=True):
    """The server introduces itself: the first message on each connection.

    Bots compare the major version with their own API's. Source: server-handshake schema.
    """

    session_id: Annotated[str, says("this connection's, to be sent back in the handshake")]
    name: Annotated[str, says("the server's name")] | None = None
    variant: Annotated[str, says("Tank Royale")]
    version: Annotated[str, says("protocol version, 1.*")]
    behavior_version: Annotated[int, says("raised when an outcome can change", ge=1)] | None = None
    game_types: Annotated[tuple[str, ...], says("what StartGame may ask for")]
    game_setup: Annotated[GameSetup, says("of the newest game that was started")] | None = None
    features: Annotated[Features, says("what the server offers")] | None = None


class BotListUpdate(_Message):
    """All bots in the lobby.

    Sent after a spectator's handshake and when a bot joins or leaves.
    """

    bots: Annotated[tuple[BotInfo, ...], says("a full list, in no particular order")]


class GameStartedEventForBot(_Message):
    """A game begins: to each bot that is to play, which answers BotReady."""

    my_id: Annotated[int, says("its bot id: 1…N")]
    teammate_ids: Annotated[tuple[int, ...], says("bot ids of its team, without itself")]
    game_setup: Annotated[GameSetup, says("the settings")]
    start_x: Annotated[float, says("never sent: places are drawn with turn 1")] | None = None
    start_y: Annotated[float, says("never sent")] | None = None
    start_direction: Annotated[float, says("never sent")] | None = None
    bot_names: Annotated[tuple[BotName, ...], says("full names of itself and its team, since 1.4")] | None = (
        None
    )
    bot_seed: (
        Annotated[int, says("BOT_SEED of this battle, for a process that plays several; ours")] | None
    ) = None


class GameStartedEventForObserver(_Message):
    """A game begins: to spectators, once all bots are ready."""

    game_setup: Annotated[GameSetup, says("the settings")]
    participants: Annotated[tuple[Participant, ...], says("the bots that play")]


class RoundStartedEvent(_Message):
    """A round begins: just before its first tick."""

    round_number: Annotated[int, says("1…")]


class RoundEndedEventForBot(_Message):
    """A round is over: to every bot of the game, after its last tick."""

    round_number: Annotated[int, says("1…")]
    turn_number: Annotated[int, says("the round's last turn")]
    results: Annotated[ResultsForBot, says("its own, so far")]


class RoundEndedEventForObserver(_Message):
    """A round is over: to spectators, after its last tick."""

    round_number: Annotated[int, says("1…")]
    turn_number: Annotated[int, says("the round's last turn")]
    results: Annotated[tuple[ResultsForObserver, ...], says("so far, best first")]


class GameEndedEventForBot(_Message):
    """A game is over: to every bot of the game."""

    number_of_rounds: Annotated[int, says("rounds played")]
    results: Annotated[ResultsForBot, says("its own")]


class GameEndedEventForObserver(_Message):
    """A game is over: to spectators."""

    number_of_rounds: Annotated[int, says("rounds played")]
    results: Annotated[tuple[ResultsForObserver, ...], says("best first")]


class GameAbortedEvent(_Message):
    """A game was aborted: to spectators.

    Bots get no message, as on the official server.
    """


class GamePausedEventForObserver(_Message):
    """The game is paused: to spectators."""

    pause_cause: Annotated[PauseCause, says("why")] | None = None


class GameResumedEventForObserver(_Message):
    """The game continues: to spectators."""


class SkippedTurnEvent(_Message):
    """A bot has missed a turn: only to that bot."""

    turn_number: Annotated[int, says("the tick that it left unanswered")]
    reason: (
        Annotated[str, says("ours, to our clients: no answer, late, refused, or released (operator)")] | None
    ) = None


class TpsChangedEvent(_Message):
    """The turns per second have changed: to spectators."""

    tps: Annotated[int, says("as in ChangeTps")]
    pacing: (
        Annotated[
            Literal["apart"], says("ours: turns wait for no spectator; each one watches at its own pace")
        ]
        | None
    ) = None


class History(_Message):
    """Lines of a battle's record. Ours, for handshakes with `history`.

    The lines follow the message, behind a newline, as the record has them. They come as they are written. A
    battle that waits for no spectator is sent from its beginning. Of a long battle the server keeps the
    newest part. It reads the part before from the record, if there is one. Where turns wait for their pace, a
    late spectator gets the newest part.
    """

    first: Annotated[int, says("the number of the first line, from 0: its header")]
    start: (
        Annotated[
            HistoryStart,
            says("the lines before are lost: the battle before `first`; the header's line is put in front"),
        ]
        | None
    ) = None


class BotPolicies(_Message, kw_only=True):
    """Operators' settings of bots, and whom a turn waits for. Ours, for handshakes with `turnwright`.

    Each message is complete. Sent at each change, also between two turns, and to late spectators. When a
    game begins, all lists are empty until the first message.
    """

    debugging: Annotated[list[int], says("bots whose debug graphics are asked for")] = []
    breakpoints: Annotated[
        list[int], says("bots in breakpoint mode: turns wait for them without a deadline")
    ] = []
    waited_for: Annotated[
        list[int], says("bots for which the turn waits now: some of these, or bots without a first answer")
    ] = []


class RoundTrips(_Message):
    """The times of the newest pings of bots, there and back. Ours, for handshakes with `turnwright`.

    Sent every few seconds while bots play and a spectator reads History.
    """

    trips: Annotated[list[tuple[int, int]], says("pairs: a bot id and a time, µs")]


class Directories(_Message):
    """The bots that an operator may start with BootBots.

    The answer to ListDirectories. Ours.
    """

    entries: Annotated[tuple[DirectoryEntry, ...], says("bots, teams and built-in bots")]


class OperatorToken(_Message):
    """The `secret` of an operator who used a one-time code, from now on. Ours."""

    token: Annotated[str, says("a secret of this server's run; store it, show it to no one")]

    def __repr__(self) -> str:
        """Show that there is one, and never the token."""
        return "OperatorToken()"


class ErrorReply(_Message):
    """An error in a client's message. Ours.

    Only for clients whose handshake has `"turnwright": 1`.
    """

    code: Annotated[str, says("the kind of mistake, for programs")]
    message: Annotated[str, says("one sentence: what was given, what was expected, what to do")]
    refers_to: Annotated[str, says("the type of the message it answers")] | None = None
    round_number: Annotated[int, says("the round of the turn that it is about, for spectators")] | None = None
    turn_number: Annotated[int, says("that turn of the round")] | None = None


MAY_SEND: dict[Role, tuple[type, ...]] = {
    "bot": (BotHandshake, BotReady, TankIntent),
    "observer": (ObserverHandshake,),
    "controller": (
        ControllerHandshake,
        StartGame,
        StopGame,
        PauseGame,
        ResumeGame,
        NextTurn,
        ChangeTps,
        BotPolicyUpdate,
        EnableDebugMode,
        DisableDebugMode,
        ListDirectories,
        BootBots,
    ),
}
"""The messages that each role may send."""

_SPECTATED: tuple[type, ...] = (
    ServerHandshake,
    BotListUpdate,
    GameStartedEventForObserver,
    RoundStartedEvent,
    Frame,
    RoundEndedEventForObserver,
    GameEndedEventForObserver,
    GameAbortedEvent,
    GamePausedEventForObserver,
    GameResumedEventForObserver,
    TpsChangedEvent,
    BotPolicies,
    RoundTrips,
    History,
    ErrorReply,
)
MAY_RECEIVE: dict[Role, tuple[type, ...]] = {
    "bot": (
        ServerHandshake,
        GameStartedEventForBot,
        RoundStartedEvent,
        Observation,
        SkippedTurnEvent,
        RoundEndedEventForBot,
        GameEndedEventForBot,
        ErrorReply,
    ),
    "observer": _SPECTATED,
    "controller": (*_SPECTATED, Directories, OperatorToken),
}
"""The messages that the server sends to each role."""


def type_name(message: Any) -> str:
    """Return the `type` of a message (an instance or its class) on the wire."""
    return str(message.__struct_config__.tag)
