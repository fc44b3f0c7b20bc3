from __future__ import annotations

import errno
import gzip
import os
import threading
import time
import zlib
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import missing
from packages.core.tests.waiting import wait_until
from turnwright.net.files import writer as module
from turnwright.net.files.new_file import NewFile
from turnwright.net.files.writer import GZIP_START, LineFiles, RecordWriter, SmallGzip, one_file
from turnwright.net.portability import IS_LINUX

pytestmark = pytest.mark.process


def readable(path: Path) -> bytes:
    """Return what can be read of a gzip file, even of one that is cut off."""
    return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(path.read_bytes())


def wakings_of(thread: threading.Thread) -> int:
    """Return how often another thread has gone to sleep."""
    status = Path(f"/proc/self/task/{thread.native_id}/status").read_text(encoding="utf-8")
    (line,) = [line for line in status.splitlines() if line.startswith("voluntary_ctxt_switches")]
    return int(line.split()[1])


def wait_for(path: Path, content: bytes) -> None:
    wait_until(lambda: path.exists() and readable(path) == content)


def test_the_lines_of_a_battle_are_a_gzip_file(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "battle.twr"
    records = LineFiles(one_file(path))
    records.open(1, b"header")
    for n in range(1_000):
        records.turn(1, b"turn %d\n" % n)
    assert records.close(1, b"footer\n") == path
    lines = gzip.decompress(path.read_bytes()).splitlines()
    assert lines == [b"header", *(b"turn %d" % n for n in range(1_000)), b"footer"]
    assert records.error(1) is None


@pytest.mark.parametrize("parts", [[b""], [b"a line\n"], [b"some\n", b"", b"more\n" * 5_000, b"end\n"]])
def test_a_packed_record_is_whole_gzip_under_the_header_of_ours(parts: list[bytes]) -> None:
    pack = SmallGzip()
    packed = b"".join(pack.compress(part) + pack.flush(zlib.Z_SYNC_FLUSH) for part in parts)
    packed += pack.compress(b"") + pack.flush(zlib.Z_FINISH)
    assert packed.startswith(GZIP_START)
    assert gzip.decompress(packed) == b"".join(parts)  # which checks sum and length


def test_a_second_of_play_at_most_is_not_on_disk_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FLUSH_S", 0.05)
    path = tmp_path / "battle.twr"
    records = LineFiles(one_file(path))
    records.open(1, b"header")
    wait_for(path, b"header\n")
    records.turn(1, b"one")
    wait_for(path, b"header\none\n")
    records.turn(1, b"two")
    records.turn(1, b"three")
    wait_for(path, b"header\none\ntwo\nthree\n")
    records.close(1, b"footer")


@pytest.mark.skipif(not IS_LINUX, reason="only Linux counts a thread's wakings in /proc")
def test_an_idle_record_causes_no_wakeups(tmp_path: Path) -> None:
    path = tmp_path / "battle.twr"
    records = LineFiles(one_file(path))
    records.open(1, b"header")
    wait_for(path, b"header\n")
    threads = [thread for thread in threading.enumerate() if thread.name == "turnwright-record"]
    before = wakings_of(threads[-1])
    time.sleep(1.3)
    assert wakings_of(threads[-1]) - before < 2
    records.close(1, b"footer")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_ends_only_the_record(caplog: pytest.LogCaptureFixture) -> None:
    records = LineFiles(one_file("/dev/full"))
    records.open(1, b"header")
    wait_until(lambda: records.error(1) is not None)
    records.turn(1, b"on it goes")
    assert records.close(1, b"footer") is None
    assert records.error(1) == os.strerror(errno.ENOSPC)
    assert "/dev/full" in caplog.text


@pytest.mark.parametrize("where", ["a/file/is/no/folder.twr", "."])
def test_a_place_that_cannot_be_written_is_an_error_of_the_record(tmp_path: Path, where: str) -> None:
    (tmp_path / "a").write_text("a file")
    records = LineFiles(one_file(tmp_path / where))
    records.open(1, b"header")
    records.turn(1, b"turn")
    assert records.close(1, b"footer") is None
    assert records.error(1)


def test_a_disk_too_far_behind_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PENDING_BYTES_MAX", 1_000)
    hangs, answers, write = threading.Event(), threading.Event(), NewFile.write

    def hang(self: NewFile, data: bytes) -> None:
        hangs.set()
        answers.wait()
        write(self, data)

    monkeypatch.setattr(NewFile, "write", hang)
    records = LineFiles(one_file(tmp_path / "battle.battle"))
    records.open(1, b"header")
    assert hangs.wait(60)
    records.turn(1, b"x" * 1_000)
    assert records.error(1) is None
    records.turn(1, b"y")
    assert "behind" in str(records.error(1))
    records.turn(1, b"z" * 10_000)
    answers.set()
    assert records.close(1, b"footer") is None
    assert (tmp_path / "battle.battle").read_bytes() == b"header\n" + b"x" * 1_000 + b"\ny\n"


def test_a_disk_that_hangs_does_not_hold_the_server_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CLOSE_WAIT_S", 0.1)
    answers = threading.Event()
    monkeypatch.setattr(NewFile, "write", lambda self, data: answers.wait())
    records = LineFiles(one_file(tmp_path / "battle.twr"))
    records.open(1, b"header")
    assert records.close(1, b"footer") is None  # while it hangs
    answers.set()
    assert "did not answer" in str(records.error(1))


def test_a_disk_that_answers_late_is_waited_for_as_long_as_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CLOSE_WAIT_S", 0.0)
    answers, write = threading.Event(), NewFile.write

    def late(self: NewFile, data: bytes) -> None:
        answers.wait()
        write(self, data)

    monkeypatch.setattr(NewFile, "write", late)
    records = LineFiles(one_file(tmp_path / "battle.twr"), close_wait_s=60)
    records.open(1, b"header")
    threading.Timer(0.1, answers.set).start()
    assert records.close(1, b"footer") == tmp_path / "battle.twr"


def test_a_battle_that_was_never_opened_has_no_record(tmp_path: Path) -> None:
    records = LineFiles(one_file(tmp_path / "battle.twr"))
    records.turn(3, b"turn")
    assert records.reading(3) is None
    assert records.close(3, b"footer") is None
    assert records.error(3) is None
    assert list(tmp_path.iterdir()) == []


def test_an_unclosed_record_can_be_abandoned_and_read(tmp_path: Path) -> None:
    path = tmp_path / "battle.twr"
    records = LineFiles(one_file(path))
    records.open(1, b"header")
    records.turn(1, b"turn")
    records.abandon()
    assert gzip.decompress(path.read_bytes()) == b"header\nturn\n"
    assert not missing(records.error(1), "battle", "did not end")


def test_battles_of_one_server_have_files_of_their_own() -> None:
    names = one_file("some/where/battle.twr")
    assert [str(names(n)) for n in (1, 2, 10)] == [
        "some/where/battle.twr",
        "some/where/battle-2.twr",
        "some/where/battle-10.twr",
    ]


class Encoder:
    """Records the order of its calls."""

    def __init__(self) -> None:
        self.lines = 0

    def encode_header(self, header: Any) -> bytes:
        return b"h %s\n" % header

    def encode_turn(self, entry: Any) -> bytes:
        self.lines += 1
        return b"%d %s\n" % (self.lines, entry)

    def encode_footer(self, footer: Any) -> bytes:
        return b"f %s\n" % footer


def test_a_recorder_has_an_encoder_for_each_battle(tmp_path: Path) -> None:
    recorder = RecordWriter(LineFiles(one_file(tmp_path / "b.twr")), Encoder)
    values: Any = [b"A", b"B"]
    for battle in (1, 2):
        recorder.open(battle, values[0])
        recorder.turn(battle, values[0])
        recorder.turn(battle, values[1])
        path = recorder.close(battle, values[1])
        assert path is not None
        assert gzip.decompress(path.read_bytes()) == b"h A\n1 A\n2 B\nf B\n"
        assert recorder.paths[battle] == path


def test_a_name_that_ends_with_battle_gets_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "x.battle"
    archive = LineFiles(lambda battle: path)
    archive.open(1, b"one")
    archive.turn(1, b"two")
    assert archive.close(1, b"three") == path
    assert path.read_bytes() == b"one\ntwo\nthree\n"
