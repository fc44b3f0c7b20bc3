from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright import run_battle
from turnwright.cli.__main__ import main
from turnwright.games.snake.game import SnakeGame
from turnwright.kernel.record import Footer
from turnwright.net.files.reader import read_record
from turnwright.wire.record.v2 import Encoder


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a small battle."""
    path = tmp_path_factory.mktemp("records") / "good.twr"
    run_battle("Greedy", "Wanderer", game="snake", turns=60, seed=3, record=path)
    return path


@pytest.fixture(scope="module")
def bad(good: Path) -> Path:
    """The same record with another seed: it is well-formed, but its replay differs."""
    record = read_record(good)
    encoder = Encoder(SnakeGame().write_intent)
    header = type(record.header)(**{name: getattr(record.header, name) for name in record.header.__slots__})
    object.__setattr__(header, "seed", 4)
    lines = [encoder.encode_header(header), *map(encoder.encode_turn, record.turns)]
    lines.append(encoder.encode_footer(record.footer or Footer("over", 0)))
    path = good.with_name("bad.twr")
    path.write_bytes(gzip.compress(b"".join(lines)))
    return path


def test_a_good_record_ends_with_exit_code_0(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(good)]) == 0
    assert re.fullmatch(rf"{good}: verified, [\d,]+ turns\n", capsys.readouterr().out)


def test_a_record_whose_replay_differs_ends_with_exit_code_4_and_the_place(
    good: Path, bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(good), str(bad)]) == 4
    lines = capsys.readouterr().out.splitlines()
    assert "verified" in lines[0]
    assert not missing(lines[1], bad, "differs", "turn 1")
    assert re.search(r"recorded \w{6}\b.*replayed \w{6}\b", lines[1])


def test_the_json_says_the_same(good: Path, bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--json", str(good), str(bad)]) == 4
    data = json.loads(capsys.readouterr().out)
    assert (data["ok"], [one["ok"] for one in data["files"]]) == (False, [True, False])
    first, second = data["files"]
    keys = [
        "file",
        "ok",
        "game",
        "seed",
        "turns",
        "rounds",
        "ending",
        "truncated",
        "as_packed",
        "deterministic",
        "mismatch",
        "error",
    ]
    assert list(first) == keys
    assert (first["file"], first["game"], first["seed"], first["ending"]) == (str(good), "snake", 3, "over")
    assert (first["mismatch"], first["error"], first["rounds"]) == (None, None, 0)
    keys = ["turn", "what", "recorded", "replayed", "line", "seats", "fields", "seen", "names"]
    assert list(second["mismatch"]) == keys
    assert (second["turns"], second["mismatch"]["turn"], second["mismatch"]["line"]) == (0, 1, None)


def test_a_changed_line_is_named_with_exit_code_4(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = gzip.decompress(good.read_bytes()).splitlines(keepends=True)
    path = tmp_path / "changed.twr"
    for spaces in (1, 2, 3):
        changed = [*lines[:4], lines[4].replace(b'"', b" " * spaces + b'"', 1), *lines[5:]]
        path.write_bytes(gzip.compress(b"".join(changed)))
        assert main(["verify", str(path)]) == 4
        said = capsys.readouterr().out
        assert not missing(said, path, "differs", "line 5", "turn 4", "hash")
        assert said.count("\n") == 1


def test_a_record_that_was_cut_off_ends_with_exit_code_2_unless_that_is_accepted(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cut.twr"
    path.write_bytes(good.read_bytes()[:-300])
    assert main(["verify", str(path)]) == 2
    said = capsys.readouterr().out
    assert not missing(said, path, "truncated", "--accept-truncated")
    assert main(["verify", "--accept-truncated", str(path)]) == 0
    assert re.fullmatch(rf"{path}: verified, [\d,]+ turns, truncated.*\n", capsys.readouterr().out)
    assert main(["verify", "--json", "--accept-truncated", str(path)]) == 0
    data = json.loads(capsys.readouterr().out)["files"][0]
    assert (data["ok"], data["truncated"], data["ending"]) == (True, True, None)


def test_a_recompressed_file_is_verified_and_reported_as_such(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "again.twr"
    path.write_bytes(gzip.compress(gzip.decompress(good.read_bytes())))
    assert main(["verify", str(path)]) == 0
    assert not missing(capsys.readouterr().out, path, "verified", "recompressed")


def test_one_bad_file_keeps_no_other_from_its_turn(
    good: Path, bad: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(tmp_path / "gone"), str(bad), str(good)]) == 4
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 2
    assert not missing(said.err, tmp_path / "gone", "there is no file")


@pytest.mark.parametrize("content", [None, b"", b"hello", gzip.compress(b"{}\n", mtime=0)])
def test_a_file_that_is_not_a_record_is_refused_with_2(
    tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.twr"
    if content is not None:
        path.write_bytes(content)
    assert main(["verify", str(path)]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert str(path) in captured.err


# ---- while it takes long -------------------------------------------------------------------------------


def test_a_terminal_sees_how_far_each_file_has_come(
    good: Path, bad: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("turnwright.cli.terminal.SHOWN_AFTER_S", 0.0)
    assert main(["verify", str(good)]) == 0
    plain = capsys.readouterr()
    assert plain.err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert main(["verify", str(good)]) == 0
    shown = capsys.readouterr()
    assert shown.out == plain.out
    assert f"{good.name}:" in shown.err
    assert "bytes/s" in shown.err
    assert "turns/s" in shown.err
    assert main(["verify", "--json", str(good), str(bad)]) == 4
    assert capsys.readouterr().err == ""
