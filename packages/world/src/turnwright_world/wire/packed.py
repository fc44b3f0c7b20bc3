"""Packed messages: MessagePack arrays, for programs that begin with one.

    [number of the package, value, value, …]    a package in the table below; fields in order, None = absent
    [0, "Package.Name", {…}]                    any other package

Both sides need only MessagePack and the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

MESSAGE_BYTES_MAX = 65_536

PACKED: Mapping[int, tuple[str, tuple[str, ...]]] = {
    1: ("Time.Ping", ("n", "c", "l")),
    2: ("Time.Pong", ("n", "c", "r", "s")),
    3: ("Time.Segment", ("g", "w", "rate")),
    4: ("Combat.Threat.Add", ("id", "from", "name", "kind", "at", "us", "damage")),
    5: ("Combat.Threat.Gone", ("id", "why", "damage")),
    6: ("Combat.React", ("reaction", "at", "id", "band")),
    7: ("Turn", ("turn", "now_us", "vitals", "heard", "action", "here", "here_more")),
}
"""The package's name and its fields, by number."""
_NUMBERS = {package: number for number, (package, _) in PACKED.items()}

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Any]).decode


def pack_message(package: str, data: Mapping[str, Any]) -> bytes:
    """Return a message as a MessagePack array: the short one of PACKED if that has all fields of `data`."""
    number = _NUMBERS.get(package)
    fields = PACKED[number][1] if number is not None else ()
    if number is None or not set(data) <= set(fields):
        return _encode([0, package, data])
    values = [data.get(name) for name in fields]
    while values and values[-1] is None:
        values.pop()
    return _encode([number, *values])


def unpack_message(packed: bytes) -> tuple[str, dict[str, Any]]:
    """Return the package and the data of a message.

    Raises:
        ValueError: the message is invalid.
    """
    if len(packed) > MESSAGE_BYTES_MAX:
        raise ValueError(f"a message has {len(packed)} bytes; {MESSAGE_BYTES_MAX} are allowed")
    try:
        number, *values = _decode(packed)
    except (ValueError, RecursionError) as error:
        raise ValueError("this is not a packed message") from error
    if number == 0 and len(values) == 2 and isinstance(values[0], str) and isinstance(values[1], dict):
        return values[0], {str(name): value for name, value in values[1].items()}
    if type(number) is not int or number not in PACKED or len(values) > len(PACKED[number][1]):
        raise ValueError(
            f"there is no packed message of number {str(number)[:20]!r} with {len(values)} values"
        )
    package, fields = PACKED[number]
    return package, {name: value for name, value in zip(fields, values, strict=False) if value is not None}
