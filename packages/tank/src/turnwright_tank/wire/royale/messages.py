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
    DebuggerAttached,
    Description,
    HistoryStart,
    Homepage,
    IsDroid,
    Language,
    Name,
    Platform,
    TeamId,
    TeamMemberName,
    TeamName,
    TeamVersion,
    Version,
    says,
)
from turnwright_tank.wire.royale.message_parts import BotAddress as BotAddress
from turnwright_tank.wire.royale.message_parts import BotInfo as BotInfo
from turnwright_tank.wire.royale.message_parts import BotName as BotName
from turnwright_tank.wire.royale.message_parts import DirectoryEntry as DirectoryEntry
from turnwright_tank.wire.royale.message_parts import Features as Features
from turnwright_tank.wire.royale.message_parts import GameSetup as GameSetup
from turnwright_tank.wire.royale.message_parts import InitialPosition as InitialPosition
from turnwright_tank.wire.royale.message_parts import Participant as Participant
from turnwright_tank.wire.royale.message_parts import ResultsForBot as ResultsForBot
from turnwright_tank.wire.royale.message_parts import ResultsForObserver as ResultsForObserver

Role = Literal["bot", "observer", "controller"]
PauseCause = Literal["pause", "debug_step", "breakpoint"]

_limit = msgspec.Meta
_History = Annotated[
    int,
    says(
        "extension: with 1, the server sends History instead of TickEventForObserver and the messages with"
        " results"
    ),
]


class _Message(msgspec.Struct, rename="camel", tag_field="type", tag=True, omit_defaults=True):
    """Base of all messages. `type` is the class name, and fields that are not set are left out."""


class _Handshake(_Message, kw_only=True):
    """Base of the three handshakes."""

    session_id: (
        Annotated[
            str,
            says(
                "the `sessionId` of the ServerHandshake on this socket",
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
        Annotated[
            int, says("extension: 1 if the client understands turnwright's messages, such as ErrorReply")
        ]
        | None
    ) = None

    def __repr__(self) -> str:
        """Show name and version, and never the secret."""
        return f"{type(self).__name__}(name={self.name!r}, version={self.version!r})"


class BotHandshake(_Handshake, kw_only=True):
    """Introduces a bot. It is the bot's first message, after ServerHandshake.

    The server closes the connection with 1008 and the reason if a field is too long or blank, or if the
    session or the secret is wrong. The fields are from the schema bot-handshake.
    """

    name: Annotated[Name, _limit(min_length=1, max_length=limits.NAME_CHARS_MAX)]
    version: Annotated[Version, _limit(min_length=1, max_length=limits.VERSION_CHARS_MAX)]
    authors: Annotated[
        tuple[Annotated[str, _limit(max_length=limits.AUTHOR_CHARS_MAX)], ...],
        says("the bot's authors", max_length=limits.AUTHORS_MAX),
    ] = ()
    description: Annotated[Description, _limit(max_length=limits.DESCRIPTION_CHARS_MAX)] | None = None
    homepage: Annotated[Homepage, _limit(max_length=limits.HOMEPAGE_CHARS_MAX)] | None = None
    country_codes: Annotated[
        tuple[Annotated[str, _limit(max_length=limits.COUNTRY_CODE_CHARS_MAX)], ...],
        says("the authors' countries, as ISO 3166-1 alpha-2 codes", max_length=limits.COUNTRY_CODES_MAX),
    ] = ()
    game_types: Annotated[
        tuple[Annotated[str, _limit(max_length=limits.GAME_TYPE_CHARS_MAX)], ...],
        says(
            "game types for which the bot is made. The server does not use this field",
            max_length=limits.GAME_TYPES_MAX,
        ),
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
    """Introduces a spectator. The server answers with one BotListUpdate.

    The fields are from the schema observer-handshake.
    """

    author: Annotated[str, says("the client's author", max_length=limits.AUTHOR_CHARS_MAX)] | None = None
    history: _History | None = None


class ControllerHandshake(_Handshake):
    """Introduces an operator. The server answers with one BotListUpdate.

    The fields are from the schema controller-handshake.

    Extension: `code` is a one-time code that the server has printed. If the handshake contains a code, the
    server first answers with an OperatorToken.
    """

    author: Annotated[str, says("the client's author", max_length=limits.AUTHOR_CHARS_MAX)] | None = None
    history: _History | None = None
    code: (
        Annotated[
            str, says("extension: a one-time code in place of a secret", max_length=limits.SECRET_CHARS_MAX)
        ]
        | None
    ) = None


class BotReady(_Message):
    """The bot is ready to play. It sends this after each GameStartedEventForBot.

    If no game is about to begin, the server ignores the message.
    """


class StartGame(_Message):
    """Starts a game with bots of the last BotListUpdate.

    The server refuses the message while a game runs, or if a setting is outside its limits, and keeps the
    controller's socket open. The bots get their seats in the order of their addresses in this message.
    """

    game_setup: (
        Annotated[GameSetup, says("the settings of the game. StartGame must contain this field")] | None
    ) = None
    bot_addresses: Annotated[
        tuple[BotAddress, ...], says("the bots that play, one or more", max_length=limits.BOTS_MAX)
    ] = ()
    debug_mode: Annotated[bool, says("whether the game pauses after each turn. Absent: false")] | None = None


class StopGame(_Message):
    """Aborts the game."""


class PauseGame(_Message):
    """Pauses the game."""


class ResumeGame(_Message):
    """Resumes a paused game and ends debug mode."""


class NextTurn(_Message):
    """Plays one turn of a paused game."""


class ChangeTps(_Message):
    """Sets the turns per second."""

    tps: Annotated[
        int,
        says(
            "turns per second, 1…1000. With 0 the game pauses. With a negative number the game is as fast"
            " as its bots"
        ),
    ]


class BotPolicyUpdate(_Message):
    """Switches debug graphics or breakpoint mode of one bot on or off. An absent field changes nothing."""

    bot_id: Annotated[int, says("bot id")]
    debugging_enabled: Annotated[bool, says("whether debug graphics are shown")] | None = None
    breakpoint_enabled: (
        Annotated[
            bool,
            says(
                "whether the bot is in breakpoint mode. The game then waits for this bot without a deadline"
            ),
        ]
        | None
    ) = None


class EnableDebugMode(_Message):
    """Turns on the pause after each turn."""


class DisableDebugMode(_Message):
    """Turns off the pause after each turn. A paused game stays paused."""


class ListDirectories(_Message):
    """Asks which bots the server can start. The server answers with Directories. Extension."""


class BootBots(_Message):
    """Starts bots from the server's bot directories. They join the lobby. Extension."""

    ids: Annotated[
        tuple[Annotated[str, _limit(min_length=1, max_length=limits.DIRECTORY_ID_CHARS_MAX)], ...],
        says(
            "ids of entries of Directories, one for each bot or team to start",
            min_length=1,
            max_length=limits.BOOTS_MAX,
        ),
    ]


class ServerHandshake(_Message, kw_only=True):
    """The server introduces itself, in the first message on each connection.

    A bot compares the first number of `version` with the version of its API. The fields are from the schema
    server-handshake.
    """

    session_id: Annotated[str, says("id of this connection. The client's handshake must contain it")]
    name: Annotated[str, says("the server's name")] | None = None
    variant: Annotated[str, says("always Tank Royale")]
    version: Annotated[str, says("version of the protocol. It begins with 1")]
    behavior_version: (
        Annotated[
            int,
            says(
                "a number for the version of the rules. It grows with each change of the rules that can alter"
                " the outcome of a battle",
                ge=1,
            ),
        ]
        | None
    ) = None
    game_types: Annotated[tuple[str, ...], says("game types that StartGame may use")]
    game_setup: Annotated[GameSetup, says("settings of the newest game")] | None = None
    features: Annotated[Features, says("features that the server offers")] | None = None


class BotListUpdate(_Message):
    """The list of all bots in the lobby.

    The server sends this list after a spectator's handshake, and when a bot joins or leaves.
    """

    bots: Annotated[tuple[BotInfo, ...], says("all bots, in no particular order")]


class GameStartedEventForBot(_Message):
    """A game begins. The bot answers with BotReady."""

    my_id: Annotated[int, says("the receiver's bot id, 1…N")]
    teammate_ids: Annotated[tuple[int, ...], says("bot ids of the receiver's teammates")]
    game_setup: Annotated[GameSetup, says("the settings")]
    start_x: (
        Annotated[float, says("the server never sends this field, because the rules choose places in turn 1")]
        | None
    ) = None
    start_y: Annotated[float, says("the server never sends this field")] | None = None
    start_direction: Annotated[float, says("the server never sends this field")] | None = None
    bot_names: (
        Annotated[tuple[BotName, ...], says("the full names of the bot and of its teammates (since 1.4)")]
        | None
    ) = None
    bot_seed: (
        Annotated[
            int,
            says(
                "extension: only if the bot's process plays several battles: the value of BOT_SEED for this"
                " battle"
            ),
        ]
        | None
    ) = None


class GameStartedEventForObserver(_Message):
    """All bots are ready, and the game begins."""

    game_setup: Annotated[GameSetup, says("the settings")]
    participants: Annotated[tuple[Participant, ...], says("the bots that play")]


class RoundStartedEvent(_Message):
    """A round begins. The first tick follows."""

    round_number: Annotated[int, says("the round, from 1")]


class RoundEndedEventForBot(_Message):
    """A round is over. The message follows the last tick."""

    round_number: Annotated[int, says("the round, from 1")]
    turn_number: Annotated[int, says("the round's last turn")]
    results: Annotated[ResultsForBot, says("the bot's results so far")]


class RoundEndedEventForObserver(_Message):
    """A round is over. The message follows the last tick."""

    round_number: Annotated[int, says("the round, from 1")]
    turn_number: Annotated[int, says("the round's last turn")]
    results: Annotated[tuple[ResultsForObserver, ...], says("the results so far, best first")]


class GameEndedEventForBot(_Message):
    """A game is over."""

    number_of_rounds: Annotated[int, says("rounds played")]
    results: Annotated[ResultsForBot, says("the bot's results")]


class GameEndedEventForObserver(_Message):
    """A game is over, with these results."""

    number_of_rounds: Annotated[int, says("rounds played")]
    results: Annotated[tuple[ResultsForObserver, ...], says("the results, best first")]


class GameAbortedEvent(_Message):
    """A game was aborted. Bots do not get this message, as on the official server."""


class GamePausedEventForObserver(_Message):
    """The game is paused."""

    pause_cause: Annotated[PauseCause, says("why the game is paused")] | None = None


class GameResumedEventForObserver(_Message):
    """The game continues after a pause."""


class SkippedTurnEvent(_Message):
    """The bot has missed a turn. Other bots do not get this message."""

    turn_number: Annotated[int, says("number of the turn that the bot missed")]
    reason: (
        Annotated[
            str,
            says(
                "extension: why the bot missed the turn. `no answer`. `late`: the answer came too late."
                " `refused`: the answer was not valid. `released`: an operator ended the wait for the bot"
            ),
        ]
        | None
    ) = None


class TpsChangedEvent(_Message):
    """The turns per second have changed."""

    tps: Annotated[int, says("the new number of turns per second, as in ChangeTps")]
    pacing: (
        Annotated[
            Literal["apart"],
            says(
                "extension: `apart` means that bots do not wait for spectators, and that each spectator"
                " watches at its own pace. Absent: bots and spectators see each turn at the same time"
            ),
        ]
        | None
    ) = None


class History(_Message):
    """Lines of a battle's record. Only clients whose handshake has `history` get this message. Extension.

    After the JSON object, the message contains a newline and lines of the record, each sent when the server
    writes it into the record. If bots do not wait for spectators (`apart`), a client that connects late gets
    the battle from its beginning, whose earlier part the server reads from its record, if it writes one. If
    bots and spectators see each turn at the same time (`together`), a client that connects late gets only the
    newest part.
    """

    first: Annotated[
        int, says("number of the first line in this message. The header of the record is line 0")
    ]
    start: (
        Annotated[
            HistoryStart,
            says(
                "only if the server no longer has the lines before `first`: the state before line `first`."
                " The message then contains the header, followed by line `first` and later lines"
            ),
        ]
        | None
    ) = None


class BotPolicies(_Message, kw_only=True):
    """The bots whose debug graphics or breakpoint mode operators have switched on. Only clients whose
    handshake has `turnwright` get this message. Extension.

    Each message contains the complete lists, and is sent after each change and to each client that connects
    late. Until the first message of a game, all lists are empty.
    """

    debugging: Annotated[list[int], says("ids of bots whose debug graphics are switched on")] = []
    breakpoints: Annotated[
        list[int], says("ids of bots in breakpoint mode. Turns wait for these bots without a deadline")
    ] = []
    waited_for: Annotated[
        list[int],
        says(
            "ids of bots for which the current turn waits. The bots are in breakpoint mode, or have not yet"
            " given their first answer"
        ),
    ] = []


class RoundTrips(_Message):
    """Round-trip times of pings to bots. Only clients whose handshake has `turnwright` get this message.
    Extension.

    While bots play and at least one client gets History, the server sends this message every few seconds.
    """

    trips: Annotated[list[tuple[int, int]], says("pairs of a bot id and a round-trip time in µs")]


class Directories(_Message):
    """The bots that an operator may start with BootBots, in answer to ListDirectories. Extension."""

    entries: Annotated[tuple[DirectoryEntry, ...], says("bots, teams and built-in bots")]


class OperatorToken(_Message):
    """A new secret for an operator that has sent a one-time code. Extension."""

    token: Annotated[
        str, says("the new secret. It is valid until the server ends. The client should store it")
    ]

    def __repr__(self) -> str:
        """Show the class name, and never the token."""
        return "OperatorToken()"


class ErrorReply(_Message):
    """A client's message has an error. Extension.

    Only clients whose handshake has `"turnwright": 1` get this message.
    """

    code: Annotated[str, says("a name for the kind of mistake")]
    message: Annotated[str, says("a sentence that says what was given, what was expected, and what to do")]
    refers_to: Annotated[str, says("the type of the message with the error")] | None = None
    round_number: Annotated[int, says("for spectators: the round in which the error happened")] | None = None
    turn_number: Annotated[int, says("for spectators: the turn in which the error happened")] | None = None


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
