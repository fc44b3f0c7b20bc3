from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from turnwright.errors import RecordError
from turnwright.net.files.reader import kind_of_file

OURS = b'{"turnwright":1}\n'
MUCH = bytes(random.Random(1).choices(range(32, 127), k=2_000))
TICK = b'{"type":"TickEventForObserver"}\n'


def packed(data: bytes) -> bytes:
    """Return the same bytes at any time of day."""
    return gzip.compress(data, mtime=0)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (packed(OURS), "record"),
        (OURS, "record"),
        (packed(TICK), "royale"),
        (TICK, "royale"),
        (b"\xef\xbb\xbf\r\n" + TICK, "royale"),
        (packed(TICK + MUCH)[:300], "royale"),
        (packed(OURS + MUCH)[:300], "record"),
    ],
)
def test_the_beginning_says_what_a_file_is(tmp_path: Path, data: bytes, kind: str) -> None:
    path = tmp_path / "any.name"
    path.write_bytes(data)
    assert kind_of_file(path) == kind


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "is empty: expected a record"),
        (b"hello", "is no record: expected a record"),
        (b"\x1f\x8bnonsense that is no gzip", "damaged or cut off"),
        (packed(OURS)[:11], "damaged or cut off"),
        (packed(b"<html>"), "is no record"),
        (b"\n\n", "is no record"),
    ],
)
def test_what_is_no_battle_is_refused_in_one_line(tmp_path: Path, data: bytes, complaint: str) -> None:
    path = tmp_path / "x.twr"
    path.write_bytes(data)
    with pytest.raises(RecordError, match=complaint) as caught:
        kind_of_file(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(RecordError, match="cannot be read: "):
            kind_of_file(path)
