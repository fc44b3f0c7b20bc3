"""Messages in few bytes: encoded and decoded. No untrusted message does harm."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright_world.wire.packed import MESSAGE_BYTES_MAX, PACKED, pack_message, unpack_message

THREAT = {
    "id": 7,
    "from": 4_711,
    "name": "a grey wolf",
    "kind": "bite",
    "at": 86_400_000_000,
    "us": 3_000_000,
    "damage": 12,
}


@pytest.mark.parametrize(
    ("package", "data", "size"),
    [
        ("Combat.Threat.Add", THREAT, 38),
        ("Combat.Threat.Gone", {"id": 7, "why": "dodged", "damage": 0}, 11),
        ("Combat.React", {"reaction": "dodge", "at": 86_400_000_000}, 17),
        ("Time.Ping", {"n": 99, "c": 86_400_000_000}, 12),
        ("Time.Ping", {"n": 99, "c": 86_400_000_000, "l": 63_000}, 15),
        ("Time.Pong", {"n": 99, "c": 86_400_000_000, "r": 86_400_000_000, "s": 86_400_000_000}, 30),
        ("Time.Segment", {"g": 86_400_000_000, "w": 86_400_000_000, "rate": 0}, 21),
        ("Room.Info", {"num": 3}, 18),
        ("Combat.Threat.Add", {**THREAT, "more": 1}, 94),
    ],
)
def test_a_message_comes_back_and_is_small(package: str, data: dict, size: int) -> None:
    packed = pack_message(package, data)
    assert unpack_message(packed) == (package, data)
    assert len(packed) == size


@pytest.mark.parametrize(
    "value",
    [
        [],
        [1, 2, 3, 4, 5],
        [99, 1],
        [0],
        [0, 1, {}],
        [0, "x", []],
        [0, "x", {}, 1],
        ["1"],
        [True, 1],
        [None],
        {},
        7,
    ],
)
def test_an_invalid_message_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="packed message"):
        unpack_message(msgspec.msgpack.encode(value))


def test_a_message_that_is_too_large_is_refused_unread() -> None:
    with pytest.raises(ValueError, match="65536 are allowed"):
        unpack_message(b"\x00" * (MESSAGE_BYTES_MAX + 1))


@given(st.binary(max_size=60))
def test_any_bytes_are_a_message_or_an_error(packed: bytes) -> None:
    try:
        package, data = unpack_message(packed)
    except ValueError:
        return
    assert isinstance(package, str)
    assert isinstance(data, dict)


def test_no_package_has_two_numbers() -> None:
    assert len({package for package, _ in PACKED.values()}) == len(PACKED)
