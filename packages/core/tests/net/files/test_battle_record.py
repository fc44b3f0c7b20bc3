from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright.errors import SetupError
from turnwright.games.snake.game import SnakeGame
from turnwright.host.summary import BattleSummary
from turnwright.kernel.record import Footer, Header, TurnRules
from turnwright.net.files.battle_record import BattleRecord, write_bundle
from turnwright.net.files.reader import read_record

HEADER = Header("snake", 1, 5, {}, (), TurnRules())
VOID = BattleSummary("void", 5, "classic", 1, 0, why="the rules failed", traceback="Traceback: oops\n")


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def record_files(wanted: Path | None) -> BattleRecord:
    return BattleRecord(SnakeGame(), wanted)


def test_a_requested_record_is_written(tmp_path: Path, own_temporary_folder: Path) -> None:
    path = tmp_path / "b.twr"
    one = record_files(path)
    one.recorder.open(1, HEADER)
    one.recorder.close(1, Footer("over", 0))
    assert one.finish() == path
    assert read_record(path).footer == Footer("over", 0)
    assert list(own_temporary_folder.iterdir()) == []


def test_without_a_request_no_recording_is_written(tmp_path: Path) -> None:
    one = record_files(tmp_path / "b.twr")
    one.finish()
    assert (one.shown, one.recorded) == (None, None)


def test_an_unrequested_record_is_deleted(own_temporary_folder: Path) -> None:
    one = record_files(None)
    one.recorder.open(1, HEADER)
    one.recorder.close(1, Footer("over", 0))
    assert one.path.exists()
    assert one.finish() is None
    assert list(own_temporary_folder.iterdir()) == []


def test_a_record_without_its_end_is_not_called_whole(tmp_path: Path) -> None:
    path = tmp_path / "b.twr"
    one = record_files(path)
    one.recorder.open(1, HEADER)
    assert one.finish() is None
    assert read_record(path).truncated


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("gone/b.twr", "directory .*gone"),
        (".", "is a directory"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_battle(
    tmp_path: Path, own_temporary_folder: Path, path: str, words: str
) -> None:
    with pytest.raises(SetupError, match=words):
        record_files(tmp_path / path)
    assert list(own_temporary_folder.iterdir()) == []


def test_a_void_battle_leaves_a_bundle(tmp_path: Path) -> None:
    one = record_files(None)
    one.recorder.open(1, HEADER)
    one.recorder.close(1, Footer("void", 0))
    error = one.void(VOID, tmp_path)
    one.finish()
    assert error.bundle == str(tmp_path / "void-classic-5")
    assert not missing(str(error), "void", "the rules failed")
    report = (tmp_path / "void-classic-5" / "report.txt").read_text()
    assert "seed 5" in report
    assert "Traceback: oops" in report
    assert read_record(tmp_path / "void-classic-5" / "record.twr").header.seed == 5


def test_bundles_do_not_overwrite_each_other(tmp_path: Path) -> None:
    names = [write_bundle(tmp_path, VOID, None).name for _ in range(3)]
    assert names == ["void-classic-5", "void-classic-5-2", "void-classic-5-3"]
    assert "serve with --records" in (tmp_path / names[0] / "report.txt").read_text()


def test_a_failed_bundle_is_reported(tmp_path: Path) -> None:
    one = record_files(None)
    error = one.void(VOID, tmp_path / "gone")
    one.finish()
    assert error.bundle is None
    assert not missing(str(error), "no bundle")
