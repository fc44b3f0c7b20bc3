from __future__ import annotations

import errno
import gzip
import os
import time
from datetime import datetime
from pathlib import Path

import pytest

from packages.tank.tests.wire.recording.shown_battles import a_setup, play, some_seats
from turnwright.errors import SetupError
from turnwright.net.files.new_file import NewFile
from turnwright_tank.app.recordings import GameFile, RoyaleFiles, chunks_of, dated_names, numbered_names
from turnwright_tank.wire.recording.read import Notes, read_messages

MESSAGES = play(a_setup(), some_seats(3)).messages
ABORTED = b'{"type":"GameAbortedEvent"}'


def _lines(path: Path) -> list[bytes]:
    return gzip.decompress(path.read_bytes()).splitlines()


def test_each_game_is_written_to_a_file_as_received(tmp_path: Path) -> None:
    changes: list[tuple[str, bool, str | None]] = []
    files = RoyaleFiles(
        numbered_names(tmp_path / "x.battle.gz"),
        lambda file: changes.append((file.path.name, file.closed, file.ending)),
    )
    received = [b'{"type":"BotListUpdate","bots":[]}', *MESSAGES, *MESSAGES[:5], ABORTED, ABORTED]
    for data in received:
        files.take(data)
    files.finish()
    assert changes == [
        ("x.battle.gz", False, None),
        ("x.battle.gz", True, "over"),
        ("x-2.battle.gz", False, None),
        ("x-2.battle.gz", True, "aborted"),
    ]
    assert [_lines(file.path) for file in files.files] == [MESSAGES, [*MESSAGES[:5], ABORTED]]
    assert [(file.lines, file.error) for file in files.files] == [(len(MESSAGES), None), (6, None)]


def test_a_game_without_an_end_is_written_as_far_as_it_went(tmp_path: Path) -> None:
    files = RoyaleFiles(numbered_names(tmp_path / "x.battle.gz"))
    for data in (*MESSAGES[:9], *MESSAGES[:7]):
        files.take(data)
    files.finish()
    files.finish()
    assert [_lines(file.path) for file in files.files] == [MESSAGES[:9], MESSAGES[:7]]
    assert [(file.closed, file.ending, file.error) for file in files.files] == [(True, None, None)] * 2


def test_a_failed_disk_is_reported_with_the_file(tmp_path: Path) -> None:
    taken = tmp_path / "x.battle.gz"
    taken.mkdir()
    files = RoyaleFiles(numbered_names(taken))
    for data in MESSAGES:
        files.take(data)
    files.finish()
    assert files.files[0].error == "Is a directory"


@pytest.mark.parametrize("numbered", [False, True])
def test_a_full_disk_leaves_no_file_and_keeps_older_ones(
    numbered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: NewFile, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(NewFile, "write", full)
    first = tmp_path / "x.battle.gz"
    first.touch()  # empty, but older
    files = RoyaleFiles(numbered_names(first) if numbered else dated_names(tmp_path))
    for data in (*MESSAGES, *MESSAGES, *MESSAGES[:9]):
        files.take(data)
    files.finish()
    assert [file.error for file in files.files] == [os.strerror(errno.ENOSPC)] * 3
    assert list(tmp_path.iterdir()) == [first]


def test_nothing_is_written_before_a_game_is_seen(tmp_path: Path) -> None:
    files = RoyaleFiles(dated_names(tmp_path))
    files.take(b'{"type":"ServerHandshake"}')
    files.finish()
    assert (files.files, list(tmp_path.iterdir())) == ([], [])


def test_names_are_official_and_never_given_twice(tmp_path: Path) -> None:
    named = dated_names(tmp_path, lambda: datetime(2026, 1, 2, 3, 4, 5))
    (tmp_path / "game-2026-01-02-03-04-05-2.battle.gz").touch()
    assert [named.path_of(game).name for game in (1, 2)] == [
        "game-2026-01-02-03-04-05.battle.gz",
        "game-2026-01-02-03-04-05-3.battle.gz",
    ]


def test_a_numbered_name_that_is_taken_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "x-2.battle.gz").write_text("mine")
    named = numbered_names(tmp_path / "x.battle.gz")
    assert [named.path_of(game).name for game in (1, 2)] == ["x.battle.gz", "x-3.battle.gz"]
    assert (tmp_path / "x-2.battle.gz").read_text() == "mine"


def test_a_missing_folder_is_reported_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=f"gone.*cannot be written: {os.strerror(errno.ENOENT)}"):
        dated_names(tmp_path / "gone").path_of(1)


@pytest.mark.parametrize(
    ("line", "place"), [(MESSAGES[3], (1, 3)), (MESSAGES[0], (0, 0)), (b"x", (0, 0)), (b"", (0, 0))]
)
def test_a_file_says_how_far_its_game_has_come(line: bytes, place: tuple[int, int]) -> None:
    assert GameFile(Path("x"), last=line).place == place


def test_a_file_is_read_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "x.battle.gz"
    path.write_bytes(gzip.compress(b"\n".join(MESSAGES)))
    assert [line.data for line in read_messages(chunks_of(path), Notes())] == MESSAGES


@pytest.mark.process
def test_messages_are_on_disk_soon_while_the_game_continues(tmp_path: Path) -> None:
    files = RoyaleFiles(numbered_names(tmp_path / "x.battle.gz"))
    for data in MESSAGES[:20]:
        files.take(data)
    ends = time.monotonic() + 10
    lines: list[bytes] = []
    while len(lines) < 20 and time.monotonic() < ends:
        path = tmp_path / "x.battle.gz"
        lines = [line.data for line in read_messages(chunks_of(path), Notes())] if path.exists() else []
    assert lines == MESSAGES[:20]
    files.finish()
