"""The slow path of intents: as much of one as can be understood.

What the official server's JSON library takes, this takes too: a number or boolean where a text is asked for,
a quoted number, NaN (that field is dropped), infinities (brought to the largest number).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from turnwright.games.tank.intent import TankIntent, TeamMessage
from turnwright.wire.royale.faults import CLOSE_POLICY, Fault, FaultCode
from turnwright.wire.royale.lenient import NumberText, to_float, whole_text

__all__ = ["mend_intent"]

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?|-?Infinity|NaN")
_INTEGER_MAX = 2.0**53
_TYPE = "BotIntent"


class _WrongType(Exception):
    """A value of another JSON type than the field's; str() is what was expected."""


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
_READERS = {
    field.encode_name: (field.name, _BY_TYPE[field.type]) for field in msgspec.structs.fields(TankIntent)
}


def _wrong_type(name: str, expected: str) -> Fault:
    team_messages = name == "teamMessages"
    return Fault(
        FaultCode.TEAM_MESSAGE if team_messages else FaultCode.WRONG_TYPE,
        f"{name} must be {expected}: send the intent again without that mistake",
        closes=CLOSE_POLICY if team_messages else None,
        refers_to=_TYPE,
    )


def _bad_number(name: str, value: object) -> Fault:
    what = "is dropped" if value is None else "counts as the largest number"
    return Fault(
        FaultCode.BAD_NUMBER, f"{name} is not a finite number: it {what}", definite=False, refers_to=_TYPE
    )


def mend_intent(fields: Mapping[str, Any], notes: list[Fault]) -> TankIntent | Fault:
    """Return the intent in `fields` (values of `lenient.parse`), or what makes it useless.

    Appends to `notes` what was dropped or changed; null counts as absent and unknown fields are ignored.
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
            notes.append(_bad_number(name, said[attribute]))
    return TankIntent(**said)
