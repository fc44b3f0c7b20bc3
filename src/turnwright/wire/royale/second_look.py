"""A message that the typed decoder refused: repair it where that is safe, else say what is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self, get_args

import msgspec

from turnwright.games.tank.intent import TankIntent
from turnwright.wire.royale import lenient
from turnwright.wire.royale.faults import CLOSE_BAD_TEXT, CLOSE_POLICY, Fault, FaultCode
from turnwright.wire.royale.handshakes import HANDSHAKES
from turnwright.wire.royale.mend import mend_intent
from turnwright.wire.royale.messages import type_name

__all__ = ["Expected", "second_look"]

_SHOWN_CHARS_MAX = 40
_ADVICE_CHARS_MAX = 200


@dataclass(frozen=True, slots=True)
class Expected:
    """The messages of one direction by their type names, and the names of the other direction's."""

    types: dict[str, Any]
    not_from_here: frozenset[str]

    @classmethod
    def of(cls, union: Any, not_from_here: Any) -> Self:
        """Return it for two unions of messages."""
        names = frozenset(type_name(message) for message in get_args(not_from_here))
        return cls({type_name(message): message for message in get_args(union)}, names)


def second_look(data: bytes, expected: Expected, notes: list[Fault]) -> Any:
    """Return one of the expected messages, or a Fault. notes: see `codec.decode`."""
    try:
        value = lenient.parse(bytes(data).decode())
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
        return mend_intent(value, notes)
    return _convert(value, message)


def _unexpected(kind: str, expected: Expected) -> Fault:
    shown = lenient.whole_text(kind[:_SHOWN_CHARS_MAX])
    if kind in expected.not_from_here:
        return Fault(FaultCode.SERVER_ONLY, f"{shown} goes the other way; it is ignored", refers_to=shown)
    return Fault(FaultCode.UNKNOWN_TYPE, f"{shown!r} is no type of this protocol; it is ignored")


def _convert(value: Any, message: Any) -> Any:
    try:
        return msgspec.convert(lenient.plain(value), message)
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
