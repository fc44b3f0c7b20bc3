"""A record is read while it is written: every line once, in order, and a little at a time."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from turnwright.net.files import record_lines as module
from turnwright.net.files.record_lines import PACKED_BYTES, UNPACKED_BYTES, FileState, RecordLines
from turnwright.net.files.writer import SmallGzip

LINES = [b'{"turn":%d,"d":"%x"}\n' % (n, hash((n, 7)) & (1 << 64) - 1) for n in range(20_000)]


class Growing:
    """A record that a test writes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.state: FileState = "growing"
        self.pack = SmallGzip()
        self.lines = RecordLines(path, lambda: self.state)

    def write(self, lines: list[bytes]) -> None:
        with self.path.open("ab") as stream:
            stream.write(self.pack.compress(b"".join(lines)) + self.pack.flush(zlib.Z_SYNC_FLUSH))

    def end(self) -> None:
        with self.path.open("ab") as stream:
            stream.write(self.pack.flush(zlib.Z_FINISH))
        self.state = "ended"

    def readings(self, at: int = 0) -> Iterator[bytes]:
        """Yield what each reading returns, until there is nothing more."""
        empty = 0
        while empty < 10_000:
            lines = self.lines.read(at)
            if lines is None:
                return
            at += lines.count(b"\n")
            empty = 0 if lines else empty + 1
            if lines:
                yield lines


@pytest.fixture
def growing(tmp_path: Path) -> Growing:
    return Growing(tmp_path / "battle.twr")


def test_all_lines_are_read_while_they_are_written(growing):
    growing.write(LINES[:5_000])
    first = b"".join(growing.readings())
    assert first == b"".join(LINES[:5_000])
    growing.write(LINES[5_000:])
    growing.end()
    assert first + b"".join(growing.readings(5_000)) == b"".join(LINES)
    assert growing.lines.read(len(LINES)) is None, "a whole file is read to its end"


@pytest.mark.parametrize("at", [1, 4_999, 12_345])
def test_a_reader_begins_at_any_line(growing, at):
    growing.write(LINES)
    assert b"".join(growing.readings(at)) == b"".join(LINES[at:])


def test_a_reading_is_short(growing):
    growing.write([b"x" * 100 + b"\n"] * 40_000)
    assert growing.path.stat().st_size < PACKED_BYTES, "packed it is small"
    assert max(map(len, growing.readings())) <= UNPACKED_BYTES + 101


def test_a_line_that_is_half_written_waits_for_its_end(growing):
    growing.write([b"one\n", b"tw"])
    assert b"".join(growing.readings()) == b"one\n"
    growing.write([b"o\n"])
    assert b"".join(growing.readings(1)) == b"two\n"


def test_a_file_that_is_still_to_come_gives_nothing_even_if_an_older_one_exists(growing):
    growing.path.write_bytes(gzip.compress(b"older\n"))
    growing.state = "coming"
    assert growing.lines.read(0) == b""


@pytest.mark.parametrize("why", ["failed", "deleted", "replaced", "damaged"])
def test_a_lost_record_gives_no_further_lines(growing, why):
    growing.write(LINES)
    assert growing.lines.read(0)
    if why == "failed":
        growing.state = "failed"
    elif why == "deleted":
        growing.path.unlink()
    elif why == "replaced":
        other = growing.path.with_name("other")
        other.write_bytes(growing.path.read_bytes())
        os.replace(other, growing.path)
    else:
        size = growing.path.stat().st_size
        growing.path.write_bytes(b"\xff" * size)
        growing.state = "ended"
    assert len(b"".join(growing.readings())) < len(b"".join(LINES))
    assert growing.lines.read(len(LINES)) is None


@pytest.mark.parametrize(("more", "lines"), [(0, 1), (2 * UNPACKED_BYTES, 0)])
def test_a_line_without_an_end_is_not_kept_for_ever(growing, monkeypatch, more, lines):
    longest = 1 << 20
    monkeypatch.setattr(module, "LINE_BYTES_MAX", longest)
    growing.write([b"x" * (longest + more - 1) + b"\n"])
    assert len(list(growing.readings())) == lines
