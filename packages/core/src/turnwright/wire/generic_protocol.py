"""The generic protocol: JSON messages for the programs of any game.

Each message is a WebSocket text message with one JSON object, which has a `type`. All parts of client
messages have limits. A message that cannot be read becomes a Fault. It never raises an exception. See
packages/core/docs/generic-protocol.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from turnwright.wire.escape import is_unsafe
from turnwright.wire.faults import CLOSE_TOO_BIG, MESSAGE_BYTES_MAX, Fault, FaultCode
from turnwright.wire.nesting_bound import TOO_DEEP, nested_too_deeply

PROTOCOL_VERSION = 1
"""The version of the protocol. It increases with each change of a message that older programs would
misunderstand.
"""
BATTLE_BOTS_MAX = 1000
"""The largest number of bots that one `start` or `boot` may name."""
_SHORT_CHARS, _SECRET_CHARS, _ID_CHARS = 100, 1000, 200
_HOUR_US = 3_600_000_000

_Turn = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


def _says(text: str, **limits: Any) -> msgspec.Meta:
    return msgspec.Meta(extra_json_schema={"description": text}, **limits)


# ---- messages of clients ---------------------------------------------------------------------------------


class GenericClientHello(msgspec.Struct, tag_field="type", tag="hello", rename="camel", kw_only=True):
    """The first message of a client, with its protocol version, role and name."""

    protocol: Annotated[int, _says("the version of this protocol", ge=1, le=1000)]
    name: Annotated[str, _says("the program's name", min_length=1, max_length=_SHORT_CHARS)]
    role: Annotated[
        Literal["bot", "spectator", "operator"],
        _says("bot: plays; spectator: gets frames; operator: gets frames and sends commands"),
    ] = "bot"
    version: Annotated[str, _says("the program's version", min_length=1, max_length=_SHORT_CHARS)] = "1.0"
    session: Annotated[
        Annotated[str, msgspec.Meta(max_length=_SHORT_CHARS)] | None,
        _says("the session from the server's `hello`"),
    ] = None
    secret: Annotated[
        Annotated[str, msgspec.Meta(max_length=_SECRET_CHARS)] | None,
        _says("the secret for this role, if the server requires one"),
    ] = None
    code: Annotated[
        Annotated[str, msgspec.Meta(max_length=_SECRET_CHARS)] | None,
        _says("the operator's one-time code, instead of a secret"),
    ] = None
    history: Annotated[
        bool, _says("whether the server sends all frames of the battle, in messages `history`")
    ] = False


class GenericClientReady(msgspec.Struct, tag_field="type", tag="ready"):
    """A bot's answer to the server's `ready`: the bot can play."""


class GenericIntent(msgspec.Struct, tag_field="type", tag="intent", kw_only=True):
    """A bot's intent for a turn.

    A second intent for the same turn replaces the first, unless the game combines them.
    """

    intent: Annotated[Any, _says("the intent, in the game's JSON format")]
    turn: Annotated[
        _Turn | None,
        _says("the `turn` of the observation that the intent answers; absent: the newest observation"),
    ] = None


class RemoteBot(msgspec.Struct):
    """The address of a connected bot, as in the message `bots`."""

    host: Annotated[str, _says("the bot's host", max_length=_SHORT_CHARS)]
    port: Annotated[int, _says("the bot's port", ge=0, le=2**31)]


class GenericStart(msgspec.Struct, tag_field="type", tag="start", rename="camel", kw_only=True):
    """Starts a battle."""

    bots: Annotated[
        tuple[RemoteBot, ...],
        _says(
            "the bots that play, in order of their seats; the addresses are those in the message `bots`",
            min_length=1,
            max_length=BATTLE_BOTS_MAX,
        ),
    ]
    settings: Annotated[dict[str, Any], _says("settings that replace the game's defaults")] = {}
    turn_timeout_us: Annotated[int, _says("a bot's time for an answer, µs", ge=1, le=_HOUR_US)] = 30_000
    ready_timeout_us: Annotated[int, _says("the bots' time to answer `ready`, µs", ge=1, le=_HOUR_US)] = (
        10_000_000
    )


class GenericStop(msgspec.Struct, tag_field="type", tag="stop"):
    """Ends the battle."""


class GenericPause(msgspec.Struct, tag_field="type", tag="pause"):
    """Pauses the battle before the next turn."""


class GenericResume(msgspec.Struct, tag_field="type", tag="resume"):
    """Resumes a paused battle."""


class GenericStep(msgspec.Struct, tag_field="type", tag="step"):
    """Plays one turn of a paused battle."""


class GenericSetSpeed(msgspec.Struct, tag_field="type", tag="speed"):
    """Changes the speed."""

    tps: Annotated[int, _says("turns per second; below 0: as fast as possible, 0: paused", le=1000)]


class GenericPolicy(msgspec.Struct, tag_field="type", tag="policy"):
    """Changes the settings for one bot."""

    seat: Annotated[int, _says("the seat, from 0", ge=0, le=BATTLE_BOTS_MAX)]
    debugging: Annotated[
        bool | None, _says("whether spectators see the bot's debug output; absent: unchanged")
    ] = None
    breakpoints: Annotated[
        bool | None, _says("whether turns wait for the bot without a deadline; absent: unchanged")
    ] = None


class GenericDebug(msgspec.Struct, tag_field="type", tag="debug"):
    """Turns debug mode on or off, in which the battle pauses after each turn."""

    on: Annotated[bool, _says("true: on; false: off")]


class GenericListDirectories(msgspec.Struct, tag_field="type", tag="directories"):
    """Asks for the list of bots that the server can start."""


class GenericBoot(msgspec.Struct, tag_field="type", tag="boot"):
    """Starts bots on the server."""

    ids: Annotated[
        tuple[Annotated[str, msgspec.Meta(max_length=_ID_CHARS)], ...],
        _says("ids of the bots, from the message `directories`", max_length=BATTLE_BOTS_MAX),
    ]


ClientMessage = (
    GenericClientHello
    | GenericClientReady
    | GenericIntent
    | GenericStart
    | GenericStop
    | GenericPause
    | GenericResume
    | GenericStep
    | GenericSetSpeed
    | GenericPolicy
    | GenericDebug
    | GenericListDirectories
    | GenericBoot
)
CLIENT_MESSAGES: tuple[type, ...] = ClientMessage.__args__


# ---- messages of the server ------------------------------------------------------------------------------


class GenericServerHello(msgspec.Struct, tag_field="type", tag="hello", rename="camel", kw_only=True):
    """The first message of a connection."""

    protocol: Annotated[int, _says("the version of this protocol")]
    server: Annotated[str, _says("the server program's name and version")]
    game: Annotated[str, _says("the name of the game")]
    session: Annotated[str, _says("the id of this connection")]
    settings: Annotated[
        Any, _says("the settings of the last battle; before the first battle: the game's defaults")
    ] = {}


class GenericSeat(msgspec.Struct, rename="camel", omit_defaults=True):
    """A bot in a battle."""

    name: Annotated[str, _says("the bot's name, unique in this battle")]
    version: Annotated[str, _says("the program's version")]
    team: Annotated[int | None, _says("the bot's team; absent: none")] = None
    authors: Annotated[tuple[str, ...], _says("the program's authors")] = ()


class GenericReady(
    msgspec.Struct, tag_field="type", tag="ready", rename="camel", kw_only=True, omit_defaults=True
):
    """A battle begins. A bot answers with `ready`, a spectator with nothing."""

    game: Annotated[str, _says("the name of the game")]
    seats: Annotated[tuple[GenericSeat, ...], _says("all bots, in order of their seats")]
    settings: Annotated[Any, _says("the game's settings")]
    turn_timeout_us: Annotated[int, _says("a bot's time for an answer, µs")]
    seat: Annotated[int | None, _says("the bot's own seat, from 0; absent for a spectator")] = None
    seed: Annotated[
        str | None,
        _says(
            "for a bot whose process has played a battle before: the bot's new BOT_SEED; in a file: the"
            " battle's seed"
        ),
    ] = None
    verified: Annotated[
        bool | None, _says("only in a file: whether all turns match the record when they are played again")
    ] = None


class GenericObservation(msgspec.Struct, tag_field="type", tag="observation", rename="camel", kw_only=True):
    """What a bot may know in a turn. The bot answers with an `intent`."""

    turn: Annotated[int, _says("the number of the turn, which the answer must repeat")]
    deadline_us: Annotated[
        int,
        _says(
            "the time for an answer, measured from the sending of this message, µs; 0: no answer is needed"
        ),
    ]
    observation: Annotated[Any, _says("the observation, in the game's format")]


class GenericSkipped(msgspec.Struct, tag_field="type", tag="skipped"):
    """A bot missed a turn, because it sent no valid answer in time."""

    turn: Annotated[int, _says("the number of the missed turn")]
    reason: Annotated[
        str,
        _says(
            'the reason: "no answer"; "late": the answer came too late; "refused": the answer was not valid;'
            ' "released": an operator ended the wait for the bot'
        ),
    ]


class GenericFrame(msgspec.Struct, tag_field="type", tag="frame", omit_defaults=True):
    """A turn as spectators see it. If a spectator reads slowly, the server may leave out frames."""

    turn: Annotated[int, _says("the number of turns played")]
    frame: Annotated[Any, _says("the frame, in the game's format")]
    events: Annotated[Sequence[Any], _says("the events of this turn, in the game's format")] = ()
    skipped: Annotated[Sequence[int], _says("the seats that missed this turn")] = ()
    scores: Annotated[
        Sequence[float] | None,
        _says("each seat's score after this turn; absent: the game has no scores during a battle"),
    ] = None


class GenericResultRow(msgspec.Struct, rename="camel"):
    """The result of one seat."""

    rank: Annotated[int, _says("the rank: 1 is the best, and equal scores share a rank")]
    seat: Annotated[int, _says("the seat, from 0")]
    name: Annotated[str, _says("the bot's name")]
    score: Annotated[float, _says("the score; higher is better")]
    columns: Annotated[
        Sequence[Any], _says("the values of the game's own columns, in the order of `headings`")
    ] = ()
    skipped: Annotated[int, _says("the number of turns that the bot missed")] = 0
    left: Annotated[bool, _says("whether the bot left before the end")] = False
    disqualified: Annotated[bool, _says("whether the bot missed too many turns in a row")] = False
    failure: Annotated[str, _says("why the bot stopped playing, in a few words, or empty")] = ""


class GenericResult(msgspec.Struct, tag_field="type", tag="result", kw_only=True):
    """The battle is over."""

    ending: Annotated[
        Literal["over", "aborted"],
        _says(
            "over: the battle was played to its end; aborted: the battle ended early, e.g. because an"
            " operator stopped it, the rules failed, too few bots got ready, all bots left, or it reached a"
            " limit of turns. Then there are no rows"
        ),
    ]
    rows: Annotated[tuple[GenericResultRow, ...], _says("the results, with the best seat first")] = ()
    headings: Annotated[Sequence[str], _says("the headings of the game's own columns")] = ()
    details: Annotated[Any, _says("the game's own results, or null")] = None


class GenericBot(msgspec.Struct):
    """A connected bot."""

    name: Annotated[str, _says("the name in the bot's `hello`")]
    version: Annotated[str, _says("the version in the bot's `hello`")]
    host: Annotated[str, _says("the bot's host; `start` names a bot by `host` and `port`")]
    port: Annotated[int, _says("the bot's port")]


class GenericBots(msgspec.Struct, tag_field="type", tag="bots"):
    """The connected bots, for spectators and operators, again after each change."""

    bots: Annotated[tuple[GenericBot, ...], _says("the connected bots")]


class GenericToken(msgspec.Struct, tag_field="type", tag="token"):
    """The secret that an operator gets in exchange for its code."""

    token: Annotated[str, _says("the text that the operator sends as `secret` when it connects again")]


class GenericDirectory(msgspec.Struct, omit_defaults=True):
    """A bot that the server can start."""

    id: Annotated[str, _says("the id to send in `boot`")]
    name: Annotated[str, _says("the bot's name")]
    kind: Annotated[
        Literal["bot", "team", "house"],
        _says("bot: a bot directory; team: a team directory; house: a built-in bot"),
    ]
    description: Annotated[str | None, _says("a description of the bot; absent: there is none")] = None


class GenericDirectories(msgspec.Struct, tag_field="type", tag="directories"):
    """The bots that the server can start, for an operator that asked for them."""

    entries: Annotated[tuple[GenericDirectory, ...], _says("the bots that the server can start")]


class GenericSpeed(msgspec.Struct, tag_field="type", tag="speed"):
    """The speed of the battle, for spectators and operators."""

    tps: Annotated[int, _says("turns per second; -1: as fast as possible, 0: paused")]
    pacing: Annotated[
        Literal["apart", "together"],
        _says(
            "together: the battle runs at `tps`; apart: the battle runs as fast as bots answer, and each"
            " spectator has its own speed"
        ),
    ] = "together"


class GenericHistory(msgspec.Struct, tag_field="type", tag="history"):
    """Frames of a battle, for clients whose `hello` asked for `history`.

    After this object, the same WebSocket message contains further messages, each after a newline: a `frame`
    for each turn, and `result` at the end of the battle. A server keeps only the newest frames. If the battle
    runs at a limited speed (`together`), a spectator that joins late starts near the newest frame.
    """

    first: Annotated[
        int,
        _says(
            "the number of the first message that follows. The messages of a battle count from 0. If"
            " `first` is above 0, the server has deleted the earlier messages"
        ),
    ]


class GenericPaused(msgspec.Struct, tag_field="type", tag="paused"):
    """The battle is paused."""

    cause: Annotated[Literal["pause", "debug_step", "breakpoint"], _says("why the battle is paused")]


class GenericResumed(msgspec.Struct, tag_field="type", tag="resumed"):
    """The battle continues."""


class GenericPolicies(msgspec.Struct, tag_field="type", tag="policies", rename="camel"):
    """The settings that operators have chosen for bots."""

    debugging: Annotated[Sequence[int], _says("seats whose debug output spectators see")]
    breakpoints: Annotated[Sequence[int], _says("seats for which turns wait without a deadline")]
    waited_for: Annotated[
        Sequence[int],
        _says("the seats for which this turn waits without a deadline"),
    ]


class GenericError(msgspec.Struct, tag_field="type", tag="error", omit_defaults=True):
    """A mistake of the client, or a warning, in one line.

    After most mistakes the connection stays open.
    """

    code: Annotated[str, _says("a word for the kind of mistake, which programs can compare, e.g. wrong-type")]
    message: Annotated[str, _says("the mistake in words")]
    about: Annotated[str | None, _says("the type of the message with the mistake")] = None
    turn: Annotated[int | None, _says("for spectators: the turn in which it happened")] = None


SERVER_MESSAGES: tuple[type, ...] = (
    GenericServerHello,
    GenericReady,
    GenericObservation,
    GenericSkipped,
    GenericFrame,
    GenericResult,
    GenericError,
    GenericBots,
    GenericToken,
    GenericDirectories,
    GenericSpeed,
    GenericHistory,
    GenericPaused,
    GenericResumed,
    GenericPolicies,
)


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


_TAGS: dict[str, Any] = {_tag(kind): kind for kind in CLIENT_MESSAGES}
_SERVER_TAGS = frozenset(map(_tag, SERVER_MESSAGES)) - _TAGS.keys()


class _Head(msgspec.Struct):
    type: Any = None


def decode_generic(data: bytes) -> ClientMessage | Fault:
    """Return the message in `data`, or the Fault that describes what is wrong with it.

    The function never raises.
    """
    if len(data) > MESSAGE_BYTES_MAX:
        advice = f"the message has {len(data)} bytes; at most {MESSAGE_BYTES_MAX} are read"
        return Fault(FaultCode.TOO_BIG, advice, closes=CLOSE_TOO_BIG)
    if nested_too_deeply(data):
        return Fault(FaultCode.TOO_DEEP, f"the message cannot be read: {TOO_DEEP}")
    try:
        kind = msgspec.json.decode(data, type=_Head).type
    except UnicodeDecodeError:
        return Fault(FaultCode.NOT_UTF8, "the message is not UTF-8")
    except (msgspec.DecodeError, RecursionError) as error:
        return Fault(FaultCode.MALFORMED, f"the message is not a JSON object: {error}")
    if not isinstance(kind, str):
        return Fault(FaultCode.NO_TYPE, f"the message has no type; give one of {', '.join(_TAGS)}")
    if kind not in _TAGS:
        code = FaultCode.SERVER_ONLY if kind in _SERVER_TAGS else FaultCode.UNKNOWN_TYPE
        return Fault(code, f"a client sends {', '.join(_TAGS)}, not {kind[:_SHORT_CHARS]!r}")
    try:
        message: ClientMessage = msgspec.json.decode(data, type=_TAGS[kind])
    except UnicodeDecodeError:
        return Fault(FaultCode.NOT_UTF8, "the message is not UTF-8", refers_to=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        said = str(error)
        missing = "missing required field" in said
        bounds = any(sign in said for sign in (">=", "<=", "length"))
        wrong = FaultCode.OUT_OF_BOUNDS if bounds else FaultCode.WRONG_TYPE
        code = FaultCode.MISSING_FIELD if missing else wrong
        return Fault(code, f"{kind}: {said}", refers_to=kind)
    if isinstance(message, GenericClientHello) and message.protocol != PROTOCOL_VERSION:
        advice = f"the server speaks version {PROTOCOL_VERSION} of the protocol, not {message.protocol}"
        return Fault(FaultCode.OUT_OF_BOUNDS, advice, refers_to=kind)
    if isinstance(message, GenericClientHello) and (advice := _unfit_name(message)):
        return Fault(FaultCode.OUT_OF_BOUNDS, advice, refers_to=kind)
    return message


def _unfit_name(hello: GenericClientHello) -> str:
    """Return why the server refuses the client's name or version, or "" if it accepts both."""
    if not hello.name.strip() or not hello.version.strip():
        return "name and version must not be blank"
    if is_unsafe(hello.name) or is_unsafe(hello.version):
        return "name and version must not have control characters"
    return ""


def encode_generic(message: msgspec.Struct) -> bytes:
    """Return a message as JSON."""
    return msgspec.json.encode(message)
