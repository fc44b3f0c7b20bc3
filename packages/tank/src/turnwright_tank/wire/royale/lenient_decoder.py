"""Lenient decoder of messages, which keeps as much of a message as can be understood.

Like the JSON library of the official server, it accepts a number or boolean in place of a text, a quoted
number, NaN (the field is dropped), and infinities (they become the largest number).
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self, get_args, get_type_hints

import msgspec

from turnwright.wire.escape import is_unsafe
from turnwright.wire.faults import CLOSE_BAD_TEXT, CLOSE_POLICY, Fault, FaultCode
from turnwright.wire.plain_json import camel
from turnwright_tank.structs import TankIntent, TeamMessage
from turnwright_tank.wire.royale.limits import (
    COLOR_CHARS_MAX,
    DEBUG_GRAPHICS_BYTES_MAX,
    OUTPUT_BYTES_MAX,
    TRUNCATED_MARK,
)
from turnwright_tank.wire.royale.messages import (
    BotHandshake,
    ControllerHandshake,
    ObserverHandshake,
    type_name,
)

# ---- JSON as bots really write it -----------------------------------------------------------------------
# Python's and Java's bot APIs may write NaN, Infinity and
# lone surrogates, which are not JSON. Numbers stay texts
# until a value is needed, so no number can overflow or be
# too long to convert.


FLOAT_MAX = sys.float_info.max
"""The number that replaces an infinity. The rules limit it like any number that is too large."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class NumberText(str):
    """A number as it was written, or NaN, Infinity, -Infinity."""

    __slots__ = ()


def parse(text: str) -> Any:
    """Return JSON values with NumberText for numbers. If a key occurs twice, the last value counts.

    Raises:
        ValueError: the text is not JSON.
        RecursionError: the JSON is nested too deeply.
    """
    return json.loads(text, parse_int=NumberText, parse_float=NumberText, parse_constant=NumberText)


def to_float(number: str) -> float | None:
    """Return the value of a number's text. NaN gives None, and numbers that are too large give ±FLOAT_MAX."""
    value = float(number)
    if math.isnan(value):
        return None
    return min(max(value, -FLOAT_MAX), FLOAT_MAX)


def whole_text(text: str) -> str:
    """Return `text` as a plain str that can be encoded, with each lone surrogate replaced."""
    return str(text) if text.isascii() else _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def _plain_number(number: NumberText) -> int | float | None:
    value = float(number)
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < 2.0**53 else value


def plain(value: Any) -> Any:
    """Return the values of `parse` as ordinary values. Null and non-finite fields are dropped, and 30.0
    becomes 30.

    Raises:
        RecursionError: the value is nested too deeply.
    """
    if isinstance(value, NumberText):
        return _plain_number(value)
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        pairs = ((whole_text(name), plain(item)) for name, item in value.items())
        return {name: item for name, item in pairs if item is not None}
    return value


_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?|-?Infinity|NaN")
_INTEGER_MAX = 2.0**53
_TYPE = "BotIntent"


class _WrongType(Exception):
    """A value has the wrong JSON type. str() gives the expected type."""


def _number(value: Any) -> float | None:
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return to_float(value)
    raise _WrongType("a number")


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    raise _WrongType("true or false")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return whole_text(value)
    raise _WrongType("a text")


def _integer(value: Any) -> int | None:
    if not isinstance(value, NumberText):
        raise _WrongType("an integer")
    number = to_float(value)
    if number is None or abs(number) > _INTEGER_MAX:
        return None
    if not number.is_integer():
        raise _WrongType("an integer")
    return int(number)


def _is_finite(value: str) -> bool:
    return math.isfinite(float(value))


def _team_message(value: Any) -> TeamMessage:
    if not isinstance(value, dict):
        raise _WrongType("a list of objects")
    message, kind, receiver = (value.get(key) for key in ("message", "messageType", "receiverId"))
    if type(message) is not str or type(kind) is not str:
        raise _WrongType("a list of objects with the texts message and messageType")
    receiver_id = None if receiver is None else _integer(receiver)
    if receiver_id is None and receiver is not None:
        raise _WrongType("a list of objects whose receiverId is a bot id")
    return TeamMessage(message=whole_text(message), message_type=whole_text(kind), receiver_id=receiver_id)


def _team_messages(value: Any) -> tuple[TeamMessage, ...]:
    if not isinstance(value, list):
        raise _WrongType("a list")
    return tuple(_team_message(item) for item in value)


_BY_TYPE: dict[Any, Callable[[Any], Any]] = {
    float | None: _number,
    bool | None: _boolean,
    str | None: _text,
    int | None: _integer,
    tuple[TeamMessage, ...] | None: _team_messages,
}
_READERS = {camel(name): (name, _BY_TYPE[kind]) for name, kind in get_type_hints(TankIntent).items()}


def _wrong_type(name: str, expected: str) -> Fault:
    team_messages = name == "teamMessages"
    return Fault(
        FaultCode.TEAM_MESSAGE if team_messages else FaultCode.WRONG_TYPE,
        f"{name} must be {expected}: send the intent again without that mistake",
        closes=CLOSE_POLICY if team_messages else None,
        refers_to=_TYPE,
    )


def _bad_number(name: str, value: object, expected: str) -> Fault:
    what = "is dropped" if value is None else "counts as the largest number"
    return Fault(
        FaultCode.BAD_NUMBER, f"{name} is not {expected}: it {what}", definite=False, refers_to=_TYPE
    )


def repair_intent(fields: Mapping[str, Any], notes: list[Fault]) -> TankIntent | Fault:
    """Return the intent in `fields` (values of `parse`), or the Fault that makes it unusable.

    Faults for floats that are not finite, and for a turn number that is NaN or beyond ±2**53 and therefore
    dropped, are added to `notes`. Values of another type are converted without a Fault if possible. Null
    counts as absent. Unknown fields are ignored.
    """
    said: dict[str, Any] = {}
    for name, (attribute, read) in _READERS.items():
        value = fields.get(name)
        if value is None:
            continue
        try:
            said[attribute] = read(value)
        except _WrongType as error:
            return _wrong_type(name, str(error))
        if read is _number and not _is_finite(value):
            notes.append(_bad_number(name, said[attribute], "a finite number"))
        if read is _integer and said[attribute] is None:
            notes.append(_bad_number(name, None, "a number within ±2**53"))
    return TankIntent(**said)


# ---- handshakes: names that can be shown safely anywhere ------------------------------------------------


Handshake = BotHandshake | ObserverHandshake | ControllerHandshake
HANDSHAKES = (BotHandshake, ObserverHandshake, ControllerHandshake)

_LINE_BREAKS = frozenset("\t\n\r")


def _lines(handshake: Handshake) -> Iterator[tuple[str, str]]:
    yield "name", handshake.name
    yield "version", handshake.version
    if not isinstance(handshake, BotHandshake):
        yield "author", handshake.author or ""
        return
    yield from (("authors", text) for text in handshake.authors)
    yield from (("countryCodes", text) for text in handshake.country_codes)
    yield from (("gameTypes", text) for text in handshake.game_types)
    yield "homepage", handshake.homepage or ""
    yield "platform", handshake.platform or ""
    yield "programmingLang", handshake.programming_lang or ""
    yield "teamName", handshake.team_name or ""
    yield "teamVersion", handshake.team_version or ""
    yield "teamMemberName", handshake.team_member_name or ""


def check_handshake(handshake: Handshake) -> Fault | None:
    """Return why a handshake is refused (close code 1008), or None.

    A blank name or version is refused. So are control characters, line breaks (except in a description) and
    characters that change the direction of writing.
    """
    if not handshake.name.strip() or not handshake.version.strip():
        return _refused(handshake, "name and version must not be blank")
    for field, text in _lines(handshake):
        if is_unsafe(text):
            return _refused(handshake, f"{field} must not have control characters")
    if isinstance(handshake, BotHandshake) and is_unsafe(handshake.description or "", _LINE_BREAKS):
        return _refused(handshake, "description must not have control characters")
    return None


def _refused(handshake: Handshake, advice: str) -> Fault:
    return Fault(FaultCode.OUT_OF_BOUNDS, advice, closes=CLOSE_POLICY, refers_to=type_name(handshake))


# ---- repair of messages that the typed decoder refused, or a fault --------------------------------------


_SHOWN_CHARS_MAX = 40
_ADVICE_CHARS_MAX = 200


@dataclass(frozen=True, slots=True)
class Expected:
    """The messages of one direction by type name, and the type names of the other direction."""

    types: dict[str, Any]
    not_from_here: frozenset[str]
    to_server: bool

    @classmethod
    def of(cls, union: Any, not_from_here: Any, *, to_server: bool) -> Self:
        """Return the expected messages.

        Args:
            union: the messages of this direction.
            not_from_here: the messages of the other direction.
        """
        names = frozenset(type_name(message) for message in get_args(not_from_here))
        return cls({type_name(message): message for message in get_args(union)}, names, to_server)


def recover_message(data: bytes, expected: Expected, notes: list[Fault]) -> Any:
    """Return one of the expected messages, or a Fault.

    Args:
        notes: see `codec.decode`.
    """
    try:
        value = parse(bytes(data).decode())
        return _look(value, expected, notes)
    except RecursionError:
        return Fault(FaultCode.TOO_DEEP, "a message nested too deeply; send a flat JSON object")
    except UnicodeDecodeError as error:
        advice = f"a message that is not UTF-8 (byte {error.start}); send JSON as UTF-8 text"
        return Fault(FaultCode.NOT_UTF8, advice, closes=CLOSE_BAD_TEXT)
    except ValueError as error:
        return Fault(FaultCode.MALFORMED, f"not JSON: {str(error)[:_ADVICE_CHARS_MAX]}; send one JSON object")


def _look(value: Any, expected: Expected, notes: list[Fault]) -> Any:
    if not isinstance(value, dict):
        return Fault(FaultCode.MALFORMED, "not a JSON object; send one object with a `type`")
    kind = value.get("type")
    if type(kind) is not str:
        return Fault(FaultCode.NO_TYPE, "a message without a `type` in text; name one of the protocol's")
    message = expected.types.get(kind)
    if message is None:
        return _unexpected(kind, expected)
    if message is TankIntent:
        return repair_intent(value, notes)
    return _convert(value, message)


def _unexpected(kind: str, expected: Expected) -> Fault:
    shown = whole_text(kind[:_SHOWN_CHARS_MAX])
    if kind in expected.not_from_here:
        way = "by the server, not to it" if expected.to_server else "to the server, not by it"
        return Fault(FaultCode.SERVER_ONLY, f"{shown} is sent {way}; it is ignored", refers_to=shown)
    return Fault(FaultCode.UNKNOWN_TYPE, f"{shown!r} is not a type of this protocol; it is ignored")


def _convert(value: Any, message: Any) -> Any:
    try:
        return msgspec.convert(plain(value), message)
    except msgspec.ValidationError as error:
        return _mismatch(str(error), message)


def _mismatch(error: str, message: Any) -> Fault:
    if "missing required field" in error:
        code = FaultCode.MISSING_FIELD
    elif "length" in error or ">=" in error or "<=" in error:
        code = FaultCode.OUT_OF_BOUNDS
    else:
        code = FaultCode.WRONG_TYPE
    name = type_name(message)
    return Fault(
        code,
        f"{name}: {error[:_ADVICE_CHARS_MAX].replace('`', '')}",
        closes=CLOSE_POLICY if message in HANDSHAKES else None,
        refers_to=name,
    )


# ---- over-long texts of an intent: output is cut, graphics and colours are dropped ----------------------


_COLORS = tuple(one.name for one in fields(TankIntent) if one.name.endswith("_color"))


def cut_output(text: str) -> str:
    """Return `text`, cut to OUTPUT_BYTES_MAX including the mark of the cut."""
    if len(text) * 4 <= OUTPUT_BYTES_MAX:
        return text
    data = text.encode("utf-8", "replace")
    if len(data) <= OUTPUT_BYTES_MAX:
        return text
    return data[: OUTPUT_BYTES_MAX - len(TRUNCATED_MARK)].decode("utf-8", "ignore") + TRUNCATED_MARK


def _too_big(name: str, limit: int, what: str) -> Fault:
    return Fault(
        FaultCode.TOO_BIG,
        f"{name} is over {limit} bytes: it is {what}; send less per turn",
        definite=False,
        refers_to="BotIntent",
    )


def limit_texts(intent: TankIntent, notes: list[Fault]) -> TankIntent:
    """Return `intent` within its limits, and add a fault to `notes` for each text that was cut or dropped."""
    changes: dict[str, Any] = {}
    for name in ("std_out", "std_err"):
        text = getattr(intent, name)
        if text is not None and (cut := cut_output(text)) is not text:
            changes[name] = cut
            notes.append(_too_big(name, OUTPUT_BYTES_MAX, "cut"))
    graphics = intent.debug_graphics
    if graphics is not None and len(graphics.encode("utf-8", "replace")) > DEBUG_GRAPHICS_BYTES_MAX:
        changes["debug_graphics"] = None
        notes.append(_too_big("debug_graphics", DEBUG_GRAPHICS_BYTES_MAX, "dropped"))
    for name in _COLORS:
        if len(getattr(intent, name) or "") > COLOR_CHARS_MAX:
            changes[name] = None
            notes.append(_too_big(name, COLOR_CHARS_MAX, "dropped"))
    return replace(intent, **changes) if changes else intent
