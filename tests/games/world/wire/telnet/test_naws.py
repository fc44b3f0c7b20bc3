"""Window sizes."""

from __future__ import annotations

import pytest

from turnwright.games.world.wire.telnet import options as naws
from turnwright.games.world.wire.telnet.events import Size


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (b"\0\x50\0\x18", Size(80, 24)),
        (b"\xff\xff\xff\xff", Size(65_535, 65_535)),
        (b"\0\x01\0\x01", Size(1, 1)),
        (b"\0\0\0\x18", None),
        (b"\0\x50\0\0", None),
        (b"", None),
        (b"\0\x50\0", None),
        (b"\0\x50\0\x18\0", None),
    ],
)
def test_a_size_is_two_numbers_that_are_known(data: bytes, size: Size | None) -> None:
    assert naws.read(data) == size
