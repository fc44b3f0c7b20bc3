"""MSSP: facts for directories of games. Source: mudhalla."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from turnwright_world.wire.telnet.parser import IAC, Command, Option

_VAR, _VAL = b"\1", b"\2"
_NOT_ALLOWED = re.compile("[\x00-\x1f\x7f]")


def write(facts: Mapping[str, str | int | Sequence[str | int]]) -> bytes:
    """Return the facts as a subnegotiation.

    Names become upper case. A list becomes one value for each item.
    """
    said = bytearray([IAC, Command.SB, Option.MSSP])
    for name, given in facts.items():
        said += _VAR + _plain(name.upper())
        values = [given] if isinstance(given, str | int) else given
        for value in values:
            said += _VAL + _plain(str(value))
    return bytes(said + bytes([IAC, Command.SE]))


def read(data: bytes) -> dict[str, list[str]]:
    """Return the facts of a subnegotiation, for programs that list games and for tests."""
    facts = {}
    for part in data.split(_VAR)[1:]:
        name, *values = part.decode("utf-8", "replace").split(_VAL.decode())
        facts[name] = values
    return facts


def _plain(text: str) -> bytes:
    """Return text as UTF-8, which has no byte 255, so that no byte must be doubled."""
    return _NOT_ALLOWED.sub("", text).encode("utf-8", "replace")
