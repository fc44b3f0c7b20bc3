"""The generic protocol: JSON messages for the programs of any game.

Text messages over a WebSocket, one JSON object each, with its `type`. Everything a client sends is bounded;
what cannot be read is a Fault, never an exception. See packages/core/docs/generic-protocol.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from turnwright.wire.escape import is_unsafe
from turnwright.wire.faults import CLOSE_TOO_BIG, MESSAGE_BYTES_MAX, Fault, FaultCode
from turnwright.wire.nesting_bound import TOO_DEEP, nested_too_deeply

PROTOCOL_VERSION = 1
"""Raised when a message changes so that older programs would misread it."""
BATTLE_BOTS_MAX = 1000
"""Bots that one `start` or `boot` names, at most."""
_SHORT_CHARS, _SECRET_CHARS, _ID_CHARS = 100, 1000, 200
_HOUR_US = 3_600_000_000

_Turn = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


def _says(text: str, **limits: Any) -> msgspec.Meta:
    return msgspec.Meta(extra_json_schema={"description": text}, **limits)


# ---- what clients say ------------------------------------------------------------------------------------


class GenericClientHello(msgspec.Struct, tag_field="type", tag="hello", rename="camel", kw_only=True):
    """The first message of a client: the protocol it speaks, its role and its name."""

    protocol: Annotated[int, _says("the version of this protocol", ge=1, le=1000)]
    name: Annotated[str, _says("of the program", min_length=1, max_length=_SHORT_CHARS)]
    role: Annotated[
        Literal["bot", "spectator", "operator"],
        _says("a bot plays, a spectator gets frames, an operator also commands"),
    ] = "bot"
    version: Annotated[str, _says("of the program", min_length=1, max_length=_SHORT_CHARS)] = "1.0"
    session: Annotated[
        Annotated[str, msgspec.Meta(max_length=_SHORT_CHARS)] | None, _says("of the server's hello")
    ] = None
    secret: Annotated[
        Annotated[str, msgspec.Meta(max_length=_SECRET_CHARS)] | None,
        _says("of its role, where the server wants one"),
    ] = None
    code: Annotated[
        Annotated[str, msgspec.Meta(max_length=_SECRET_CHARS)] | None,
        _says("of an operator, in place of a secret: it opens once"),
    ] = None
    history: Annotated[bool, _says("whether it gets every frame, at its own pace")] = False


class GenericClientReady(msgspec.Struct, tag_field="type", tag="ready"):
    """The answer of a bot to `ready`: it can play."""


class GenericIntent(msgspec.Struct, tag_field="type", tag="intent", kw_only=True):
    """The intent of a bot for a turn.

    A second one for the same turn replaces the first.
    """

    intent: Annotated[Any, _says("JSON as the game reads it")]
    turn: Annotated[_Turn | None, _says("of the observation that it answers; absent: the newest")] = None


class RemoteBot(msgspec.Struct):
    """A connected bot, by its address in `bots`."""

    host: Annotated[str, _says("", max_length=_SHORT_CHARS)]
    port: Annotated[int, _says("", ge=0, le=2**31)]


class GenericStart(msgspec.Struct, tag_field="type", tag="start", rename="camel", kw_only=True):
    """An operator starts a battle."""

    bots: Annotated[
        tuple[RemoteBot, ...], _says("by seat; of `bots`", min_length=1, max_length=BATTLE_BOTS_MAX)
    ]
    settings: Annotated[dict[str, Any], _says("over the game's defaults")] = {}
    turn_timeout_us: Annotated[int, _says("how long a bot has for an answer, µs", ge=1, le=_HOUR_US)] = 30_000
    ready_timeout_us: Annotated[
        int, _says("how long bots have to say that they are ready, µs", ge=1, le=_HOUR_US)
    ] = 10_000_000


class GenericStop(msgspec.Struct, tag_field="type", tag="stop"):
    """An operator ends the battle."""


class GenericPause(msgspec.Struct, tag_field="type", tag="pause"):
    """An operator pauses the battle: the next turn waits."""


class GenericResume(msgspec.Struct, tag_field="type", tag="resume"):
    """An operator resumes a paused battle."""


class GenericStep(msgspec.Struct, tag_field="type", tag="step"):
    """An operator plays one turn of a paused battle."""


class GenericSetSpeed(msgspec.Struct, tag_field="type", tag="speed"):
    """An operator changes the speed."""

    tps: Annotated[int, _says("turns per second; below 0: no waiting, 0: paused", le=1000)]


class GenericPolicy(msgspec.Struct, tag_field="type", tag="policy"):
    """An operator changes how one bot is treated."""

    seat: Annotated[int, _says("from 0", ge=0, le=BATTLE_BOTS_MAX)]
    debugging: Annotated[bool | None, _says("whether its debug output is shown; absent: as before")] = None
    breakpoints: Annotated[
        bool | None, _says("whether turns wait for it without a deadline; absent: unchanged")
    ] = None


class GenericDebug(msgspec.Struct, tag_field="type", tag="debug"):
    """An operator turns debug mode on or off: the battle pauses after each turn."""

    on: bool


class GenericListDirectories(msgspec.Struct, tag_field="type", tag="directories"):
    """An operator asks which bots the server can start."""


class GenericBoot(msgspec.Struct, tag_field="type", tag="boot"):
    """An operator asks the server to start bots."""

    ids: Annotated[
        tuple[Annotated[str, msgspec.Meta(max_length=_ID_CHARS)], ...],
        _says("of `directories`", max_length=BATTLE_BOTS_MAX),
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


# ---- what the server says --------------------------------------------------------------------------------


class GenericServerHello(msgspec.Struct, tag_field="type", tag="hello", rename="camel", kw_only=True):
    """The first message of a connection."""

    protocol: Annotated[int, _says("the version of this protocol")]
    server: Annotated[str, _says("name and version of the program")]
    game: Annotated[str, _says("the name of the game")]
    session: Annotated[str, _says("the id of this connection")]
    settings: Annotated[Any, _says("of the battle before, or else the game's defaults")] = {}


class GenericSeat(msgspec.Struct, rename="camel", omit_defaults=True):
    """A bot that plays."""

    name: Annotated[str, _says("no other seat has it")]
    version: Annotated[str, _says("of the program")]
    team: Annotated[int | None, _says("that it plays for; absent: none")] = None
    authors: Annotated[tuple[str, ...], _says("of the program")] = ()


class GenericReady(
    msgspec.Struct, tag_field="type", tag="ready", rename="camel", kw_only=True, omit_defaults=True
):
    """A battle begins. A bot answers with `ready`; a spectator need not."""

    game: Annotated[str, _says("the name of the game")]
    seats: Annotated[tuple[GenericSeat, ...], _says("all bots, by seat")]
    settings: Annotated[Any, _says("the game's settings")]
    turn_timeout_us: Annotated[int, _says("how long a bot has for an answer, µs")]
    seat: Annotated[int | None, _says("the bot's own, from 0; absent for a spectator")] = None
    seed: Annotated[
        str | None,
        _says("in a file: of the battle; to a bot that may have played before: its new BOT_SEED"),
    ] = None
    verified: Annotated[bool | None, _says("whether all turns came out as recorded; only in a file")] = None


class GenericObservation(msgspec.Struct, tag_field="type", tag="observation", rename="camel", kw_only=True):
    """The knowledge of a bot in a turn, to be answered with an `intent`."""

    turn: Annotated[int, _says("the number that the answer repeats")]
    deadline_us: Annotated[int, _says("µs from its sending until an answer is late; 0: none is awaited")]
    observation: Annotated[Any, _says("the game's own")]


class GenericSkipped(msgspec.Struct, tag_field="type", tag="skipped"):
    """A bot missed a turn: its answer did not arrive in time."""

    turn: Annotated[int, _says("of the observation")]
    reason: Annotated[str, _says("why: no answer, late, refused, or released by an operator")]


class GenericFrame(msgspec.Struct, tag_field="type", tag="frame", omit_defaults=True):
    """A turn as spectators see it. A spectator that reads slowly may miss frames."""

    turn: Annotated[int, _says("how many turns are over")]
    frame: Annotated[Any, _says("the game's own")]
    events: Annotated[Sequence[Any], _says("of this turn, the game's own")] = ()
    skipped: Annotated[Sequence[int], _says("the seats that missed this turn")] = ()
    scores: Annotated[
        Sequence[float] | None, _says("of each seat so far; absent: not known before the end")
    ] = None


class GenericResultRow(msgspec.Struct, rename="camel"):
    """The result of one seat."""

    rank: Annotated[int, _says("1 is best, equal scores share it")]
    seat: Annotated[int, _says("from 0")]
    name: Annotated[str, _says("of the bot")]
    score: Annotated[float, _says("higher is better")]
    columns: Annotated[Sequence[Any], _says("further results, in order of `headings`")] = ()
    skipped: Annotated[int, _says("turns that it missed")] = 0
    left: Annotated[bool, _says("whether it left before the end")] = False
    disqualified: Annotated[bool, _says("whether it missed too many turns in a row")] = False
    failure: Annotated[str, _says("why it played no more, in a few words, or empty")] = ""


class GenericResult(msgspec.Struct, tag_field="type", tag="result", kw_only=True):
    """The battle is over."""

    ending: Annotated[Literal["over", "aborted"], _says("aborted: there are no rows")]
    rows: Annotated[tuple[GenericResultRow, ...], _says("best first")] = ()
    headings: Annotated[Sequence[str], _says("of the further columns that the game names")] = ()
    details: Annotated[Any, _says("the game's own results, or null")] = None


class GenericBot(msgspec.Struct):
    """A bot that is connected."""

    name: Annotated[str, _says("of its hello")]
    version: Annotated[str, _says("of its hello")]
    host: Annotated[str, _says("with `port` its address, by which `start` names it")]
    port: int


class GenericBots(msgspec.Struct, tag_field="type", tag="bots"):
    """The connected bots, for spectators and operators; sent again at each change."""

    bots: tuple[GenericBot, ...]


class GenericToken(msgspec.Struct, tag_field="type", tag="token"):
    """The secret that an operator gets for its code."""

    token: Annotated[str, _says("the `secret` of its next connections")]


class GenericDirectory(msgspec.Struct, omit_defaults=True):
    """A bot that the server can start."""

    id: Annotated[str, _says("for `boot`")]
    name: str
    kind: Literal["bot", "team", "house"]
    description: str | None = None


class GenericDirectories(msgspec.Struct, tag_field="type", tag="directories"):
    """The bots that the server can start, for an operator that asks."""

    entries: tuple[GenericDirectory, ...]


class GenericSpeed(msgspec.Struct, tag_field="type", tag="speed"):
    """The speed, for spectators and operators."""

    tps: Annotated[int, _says("turns per second; -1: no waiting, 0: paused")]
    pacing: Annotated[
        Literal["apart", "together"],
        _says(
            "together: turns wait for this speed. apart: turns never wait, each spectator has its own pace"
        ),
    ] = "together"


class GenericHistory(msgspec.Struct, tag_field="type", tag="history"):
    """Frames of a battle, for a `hello` with `history`.

    The messages follow, each behind a newline: a `frame` for each turn, and at the end the `result`. A server
    keeps the newest ones. Where turns wait for their pace, a late spectator begins near the newest one.
    """

    first: Annotated[int, _says("the number of the first message, from 0; those before it are forgotten")]


class GenericPaused(msgspec.Struct, tag_field="type", tag="paused"):
    """The battle is paused."""

    cause: Annotated[Literal["pause", "debug_step", "breakpoint"], _says("the cause of the pause")]


class GenericResumed(msgspec.Struct, tag_field="type", tag="resumed"):
    """The battle continues."""


class GenericPolicies(msgspec.Struct, tag_field="type", tag="policies", rename="camel"):
    """The settings of operators for bots, by seat."""

    debugging: Annotated[Sequence[int], _says("their debug output is shown")]
    breakpoints: Annotated[Sequence[int], _says("turns wait for them")]
    waited_for: Annotated[
        Sequence[int],
        _says("this turn waits for them: some of `breakpoints`, or bots without a first answer"),
    ]


class GenericError(msgspec.Struct, tag_field="type", tag="error", omit_defaults=True):
    """A mistake of the client, or a warning, in one line.

    The connection usually stays open.
    """

    code: Annotated[str, _says("for programs, e.g. wrong-type")]
    message: Annotated[str, _says("for people")]
    about: Annotated[str | None, _says("the type of the message that was wrong")] = None
    turn: Annotated[int | None, _says("the turn that it is about, for spectators")] = None


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
    """Return the message of a client in one text message, or what is wrong with it.

    Never raises.
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
    """Return why a program cannot be called like this, "" if it can."""
    if not hello.name.strip() or not hello.version.strip():
        return "name and version must not be blank"
    if is_unsafe(hello.name) or is_unsafe(hello.version):
        return "name and version must not have control characters"
    return ""


def encode_generic(message: msgspec.Struct) -> bytes:
    """Return a message as JSON."""
    return msgspec.json.encode(message)
