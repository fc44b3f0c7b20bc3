"""Every message of the Royale protocol, declared once.

The `type` of a message is its class name. Three classes are declared elsewhere and have another `type`:
TankIntent ("BotIntent"), Observation ("TickEventForBot") and Frame ("TickEventForObserver"). MAY_SEND and
MAY_RECEIVE list the messages of each role. Optional fields that are not set are left out, null counts as
absent, and unknown fields are ignored.
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
_History = Annotated[int, says("extension: 1 = send History in place of TickEventForObserver and results")]


class _Message(msgspec.Struct, rename="camel", tag_field="type", tag=True, omit_defaults=True):
    """Base of all messages. `type` is the class name, and fields that are not set are left out."""


class _Handshake(_Message, kw_only=True):
    """Base of the three handshakes."""

    session_id: (
        Annotated[
            str,
            says(
                "the `sessionId` that ServerHandshake gave this socket",
                max_length=limits.SESSION_ID_CHARS_MAX,
            ),
        ]
        | None
    ) = None
    name: Annotated[Name, _limit(min_length=1, max_length=limits.CLIENT_NAME_CHARS_MAX)]
    version: Annotated[Version, _limit(min_length=1, max_length=limits.CLIENT_NAME_CHARS_MAX)]
    secret: (
        Annotated[str, says("the server's secret for this role", max_length=limits.SECRET_CHARS_MAX)] | None
    ) = None
    turnwright: (
        Annotated[int, says("extension: 1 = understands turnwright's messages, such as ErrorReply")] | None
    ) = None

    def __repr__(self) -> str:
        """Show name and version, and never the secret."""
        return f"{type(self).__name__}(name={self.name!r}, version={self.version!r})"


class BotHandshake(_Handshake, kw_only=True):
    """A bot introduces itself. This is its first message, after ServerHandshake.

    The server refuses too long or blank fields and a wrong session or secret. It then closes with 1008 and
    the reason. Source: bot-handshake schema.
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
        says("game types that it is made for; not enforced", max_length=limits.GAME_TYPES_MAX),
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
    """A spectator introduces itself. The answer is one BotListUpdate.

    Source: observer-handshake schema.
    """

    author: Annotated[str, says("its author", max_length=limits.AUTHOR_CHARS_MAX)] | None = None
    history: _History | None = None


class ControllerHandshake(_Handshake):
    """An operator introduces itself. The answer is one BotListUpdate.

    Source: controller-handshake schema.

    If the handshake has a `code`, the first answer is an OperatorToken. The code is a one-time code that the
    server has printed. Both are an extension.
    """

    author: Annotated[str, says("its author", max_length=limits.AUTHOR_CHARS_MAX)] | None = None
    history: _History | None = None
    code: (
        Annotated[
            str, says("extension: a one-time code in place of a secret", max_length=limits.SECRET_CHARS_MAX)
        ]
        | None
    ) = None


class BotReady(_Message):
    """A bot is ready to play. It answers each GameStartedEventForBot.

    The server ignores this message at any other time.
    """


class StartGame(_Message):
    """An operator starts a game with bots of the last BotListUpdate.

    The server refuses it while a game runs, or if a setting is out of its limits. The socket stays open. The
    order of the addresses is the order of the seats.
    """

    game_setup: Annotated[GameSetup, says("the settings; StartGame needs them")] | None = None
    bot_addresses: Annotated[
        tuple[BotAddress, ...], says("the players, one or more", max_length=limits.BOTS_MAX)
    ] = ()
    debug_mode: Annotated[bool, says("whether the game pauses after each turn; absent = false")] | None = None


class StopGame(_Message):
    """An operator aborts the game."""


class PauseGame(_Message):
    """An operator pauses the game."""


class ResumeGame(_Message):
    """An operator resumes a paused game. This also ends debug mode."""


class NextTurn(_Message):
    """An operator plays one turn of a paused game."""


class ChangeTps(_Message):
    """An operator sets the turns per second."""

    tps: Annotated[int, says("below 0: no wait, 0: pause, 1…1000 turns per second")]


class BotPolicyUpdate(_Message):
    """An operator switches debug graphics or breakpoint mode of one bot. An absent field changes nothing."""

    bot_id: Annotated[int, says("bot id")]
    debugging_enabled: Annotated[bool, says("whether debug graphics are shown")] | None = None
    breakpoint_enabled: Annotated[bool, says("whether the game waits for this bot")] | None = None


class EnableDebugMode(_Message):
    """An operator turns on the pause after each turn."""


class DisableDebugMode(_Message):
    """An operator turns off the pause after each turn. A paused game stays paused."""


class ListDirectories(_Message):
    """An operator asks for the bots that the server can start. The answer is Directories. Extension."""


class BootBots(_Message):
    """An operator starts bots from the server's bot directories. Extension.

    The bots join the lobby.
    """

    ids: Annotated[
        tuple[Annotated[str, _limit(min_length=1, max_length=limits.DIRECTORY_ID_CHARS_MAX)], ...],
        says(
            "ids of entries of Directories, one for each bot or team to start",
            min_length=1,
            max_length=limits.BOOTS_MAX,
        ),
    ]


class ServerHandshake(_Message, kw_only=True):
    """The server introduces itself. This is the first message on each connection.

    Bots compare the major version with that of their API. Source: server-handshake schema.
    """

    session_id: Annotated[str, says("id of this connection; the client's handshake repeats it")]
    name: Annotated[str, says("the server's name")] | None = None
    variant: Annotated[str, says("Tank Royale")]
    version: Annotated[str, says("protocol version, 1.*")]
    behavior_version: (
        Annotated[int, says("increased when the outcome of a battle can change", ge=1)] | None
    ) = None
    game_types: Annotated[tuple[str, ...], says("game types that StartGame may use")]
    game_setup: Annotated[GameSetup, says("settings of the game that was started last")] | None = None
    features: Annotated[Features, says("what the server offers")] | None = None


class BotListUpdate(_Message):
    """The list of all bots in the lobby.

    The server sends it after a spectator's handshake, and when a bot joins or leaves.
    """

    bots: Annotated[tuple[BotInfo, ...], says("a full list, in no particular order")]


class GameStartedEventForBot(_Message):
    """A game begins. Each bot that plays gets this message and answers BotReady."""

    my_id: Annotated[int, says("its bot id: 1…N")]
    teammate_ids: Annotated[tuple[int, ...], says("bot ids of its team, without itself")]
    game_setup: Annotated[GameSetup, says("the settings")]
    start_x: Annotated[float, says("never sent, because places are chosen in turn 1")] | None = None
    start_y: Annotated[float, says("never sent")] | None = None
    start_direction: Annotated[float, says("never sent")] | None = None
    bot_names: (
        Annotated[tuple[BotName, ...], says("full names of the bot and its team, since 1.4")] | None
    ) = None
    bot_seed: (
        Annotated[int, says("extension: BOT_SEED of this battle, for a process that plays several battles")]
        | None
    ) = None


class GameStartedEventForObserver(_Message):
    """A game begins. Spectators get this message when all bots are ready."""

    game_setup: Annotated[GameSetup, says("the settings")]
    participants: Annotated[tuple[Participant, ...], says("the bots that play")]


class RoundStartedEvent(_Message):
    """A round begins. The server sends this just before the first tick."""

    round_number: Annotated[int, says("1…")]


class RoundEndedEventForBot(_Message):
    """A round is over. Every bot of the game gets this message after the last tick."""

    round_number: Annotated[int, says("1…")]
    turn_number: Annotated[int, says("the round's last turn")]
    results: Annotated[ResultsForBot, says("the bot's results so far")]


class RoundEndedEventForObserver(_Message):
    """A round is over. Spectators get this message after the last tick."""

    round_number: Annotated[int, says("1…")]
    turn_number: Annotated[int, says("the round's last turn")]
    results: Annotated[tuple[ResultsForObserver, ...], says("the results so far, best first")]


class GameEndedEventForBot(_Message):
    """A game is over. Every bot of the game gets this message."""

    number_of_rounds: Annotated[int, says("rounds played")]
    results: Annotated[ResultsForBot, says("the bot's results")]


class GameEndedEventForObserver(_Message):
    """A game is over. Spectators get this message."""

    number_of_rounds: Annotated[int, says("rounds played")]
    results: Annotated[tuple[ResultsForObserver, ...], says("the results, best first")]


class GameAbortedEvent(_Message):
    """A game was aborted. Only spectators get this message, as on the official server."""


class GamePausedEventForObserver(_Message):
    """The game is paused. Spectators get this message."""

    pause_cause: Annotated[PauseCause, says("why")] | None = None


class GameResumedEventForObserver(_Message):
    """The game continues. Spectators get this message."""


class SkippedTurnEvent(_Message):
    """A bot has missed a turn. Only that bot gets this message."""

    turn_number: Annotated[int, says("turn of the tick that the bot left unanswered")]
    reason: (
        Annotated[str, says("extension: no answer, late, refused, or released (by an operator)")] | None
    ) = None


class TpsChangedEvent(_Message):
    """The turns per second have changed. Spectators get this message."""

    tps: Annotated[int, says("as in ChangeTps")]
    pacing: (
        Annotated[
            Literal["apart"],
            says("extension: turns wait for no spectator, and each spectator watches at its own pace"),
        ]
        | None
    ) = None


class History(_Message):
    """Lines of a battle's record, for clients whose handshake has `history`. Extension.

    The JSON object is followed by a newline and by lines exactly as in the record. The server sends each line
    when it is written. If turns wait for no spectator (`apart`), a spectator gets the battle from its
    beginning. The server keeps only the newest part of a long battle in memory and reads the earlier part
    from the record, if there is one. If turns wait for their pace (`together`), a late spectator gets the
    newest part.
    """

    first: Annotated[int, says("number of the first line; the header is line 0")]
    start: (
        Annotated[
            HistoryStart,
            says("present if earlier lines are lost: the state before `first`; the header comes first"),
        ]
        | None
    ) = None


class BotPolicies(_Message, kw_only=True):
    """Operators' settings of bots, for clients whose handshake has `turnwright`. Extension.

    Each message has the complete lists. The server sends it at each change, also between two turns, and to
    late spectators. When a game begins, all lists are empty until the first message.
    """

    debugging: Annotated[list[int], says("bots whose debug graphics are switched on")] = []
    breakpoints: Annotated[
        list[int], says("bots in breakpoint mode, for which turns wait without a deadline")
    ] = []
    waited_for: Annotated[
        list[int], says("bots in breakpoint mode or without a first answer that the turn waits for now")
    ] = []


class RoundTrips(_Message):
    """Round-trip times of the newest pings to bots, for clients whose handshake has `turnwright`. Extension.

    The server sends it every few seconds while bots play and a spectator reads History.
    """

    trips: Annotated[list[tuple[int, int]], says("pairs of a bot id and a time in µs")]


class Directories(_Message):
    """The bots that an operator may start with BootBots. Extension.

    The message answers ListDirectories.
    """

    entries: Annotated[tuple[DirectoryEntry, ...], says("bots, teams and built-in bots")]


class OperatorToken(_Message):
    """The new `secret` of an operator who used a one-time code. Extension."""

    token: Annotated[str, says("a secret, valid until the server ends; store it, and show it to no one")]

    def __repr__(self) -> str:
        """Show the class name, and never the token."""
        return "OperatorToken()"


class ErrorReply(_Message):
    """A client's message has an error. Extension.

    Only clients whose handshake has `"turnwright": 1` get this message.
    """

    code: Annotated[str, says("the kind of mistake, for programs")]
    message: Annotated[str, says("one sentence with what was given, what was expected, and what to do")]
    refers_to: Annotated[str, says("the type of the message that it answers")] | None = None
    round_number: Annotated[int, says("the round of the turn in question, for spectators")] | None = None
    turn_number: Annotated[int, says("the turn in question, for spectators")] | None = None


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
