from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from turnwright import run_battle
from turnwright.cli.__main__ import main
from turnwright.games.tank.game import TankGame
from turnwright.kernel.record import Footer
from turnwright.net.files.reader import read_record
from turnwright.wire.record.v2 import Encoder


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a small battle."""
    path = tmp_path_factory.mktemp("records") / "good.twr"
    run_battle("Spinner", "Rammer", rounds=1, seed=3, record=path)
    return path


@pytest.fixture(scope="module")
def bad(good: Path) -> Path:
    """The same record with another seed: a well-formed one that does not come out as it says."""
    record = read_record(good)
    encoder = Encoder(TankGame("python").write_intent)
    header = type(record.header)(**{name: getattr(record.header, name) for name in record.header.__slots__})
    object.__setattr__(header, "seed", 4)
    lines = [encoder.encode_header(header), *map(encoder.encode_turn, record.turns)]
    lines.append(encoder.encode_footer(record.footer or Footer("over", 0)))
    path = good.with_name("bad.twr")
    path.write_bytes(gzip.compress(b"".join(lines)))
    return path


def test_a_good_record_is_0(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(good)]) == 0
    assert re.fullmatch(rf"{good}: verified, [\d,]+ turns, 1 round\n", capsys.readouterr().out)


def test_a_record_that_comes_out_differently_is_4_and_says_where(
    good: Path, bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(good), str(bad)]) == 4
    lines = capsys.readouterr().out.splitlines()
    assert "verified" in lines[0]
    where = r"in turn 1: recorded \w{6}, replayed \w{6}; tanks 1 \(Spinner\), 2 \(Rammer\) differ in x, y.*"
    assert re.fullmatch(rf"{bad}: differs {where}", lines[1])


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
    assert (first["file"], first["game"], first["seed"], first["ending"]) == (str(good), "tank", 3, "over")
    assert (first["mismatch"], first["error"], first["rounds"]) == (None, None, 1)
    keys = ["turn", "what", "recorded", "replayed", "line", "seats", "fields", "seen", "names"]
    assert list(second["mismatch"]) == keys
    assert (second["turns"], second["mismatch"]["turn"], second["mismatch"]["line"]) == (0, 1, None)


def test_a_changed_line_is_4_and_is_named(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = gzip.decompress(good.read_bytes()).splitlines(keepends=True)
    path = tmp_path / "changed.twr"
    for spaces in (1, 2, 3):
        changed = [*lines[:4], lines[4].replace(b'"', b" " * spaces + b'"', 1), *lines[5:]]
        path.write_bytes(gzip.compress(b"".join(changed)))
        assert main(["verify", str(path)]) == 4
        assert re.fullmatch(
            rf"{path}: differs in line 5, turn 4: it was changed, or a line before it is missing; "
            r"it says that its hash is \w{4}, but it is \w{4}\n",
            capsys.readouterr().out,
        )


def test_a_changed_intent_is_4_and_named_with_what_comes_of_it(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = gzip.decompress(good.read_bytes()).splitlines(keepends=True)
    number = next(k for k, line in enumerate(lines, 1) if k > 9 and b'"gunTurnRate":' in line)
    seat = int(re.search(rb'"(\d)":\{[^}]*"gunTurnRate"', lines[number - 1]).group(1))  # type: ignore[union-attr]
    lines[number - 1] = re.sub(rb'"gunTurnRate":[-.\d]+', b'"gunTurnRate":3.25', lines[number - 1], count=1)
    path = tmp_path / "changed.twr"
    path.write_bytes(gzip.compress(b"".join(lines)))
    assert main(["verify", str(path)]) == 4
    said = capsys.readouterr().out
    where = rf"in line {number}, turn {number - 1}: it was changed, .*; as it stands by turn \d+ tanks?"
    assert re.search(rf"{where} .*{seat + 1} \(\w+\).* differs? in ", said), said


def test_a_record_that_was_cut_off_is_2_unless_that_is_accepted(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cut.twr"
    path.write_bytes(good.read_bytes()[:-2000])
    assert main(["verify", str(path)]) == 2
    said = capsys.readouterr().out
    assert re.fullmatch(
        rf"{path}: truncated after [\d,]+ turns, 1 round: the part that is there .*--accept-truncated.*\n",
        said,
    )
    assert main(["verify", "--accept-truncated", str(path)]) == 0
    assert re.fullmatch(rf"{path}: verified, [\d,]+ turns, 1 round, truncated.*\n", capsys.readouterr().out)
    assert main(["verify", "--json", "--accept-truncated", str(path)]) == 0
    data = json.loads(capsys.readouterr().out)["files"][0]
    assert (data["ok"], data["truncated"], data["ending"]) == (True, True, None)


def test_a_file_packed_anew_is_verified_and_said_to_be(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "again.twr"
    path.write_bytes(gzip.compress(gzip.decompress(good.read_bytes())))
    assert main(["verify", str(path)]) == 0
    assert capsys.readouterr().out.endswith(", compressed again by another program\n")


def test_one_bad_file_keeps_no_other_from_its_turn(
    good: Path, bad: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(tmp_path / "gone"), str(bad), str(good)]) == 4
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 2
    assert said.err.startswith(f"turnwright: {tmp_path}/gone: cannot be read: No such file or directory; exp")


@pytest.mark.parametrize("content", [None, b"", b"hello", gzip.compress(b"{}\n", mtime=0)])
def test_what_is_no_record_is_2(
    tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.twr"
    if content is not None:
        path.write_bytes(content)
    assert main(["verify", str(path)]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert str(path) in captured.err


def test_a_battle_that_went_on_after_failures_of_its_rules_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tolerant.twr"
    run_battle("Spinner", "Rammer", rounds=1, seed=3, record=path, on_rules_error="continue")
    assert read_record(path).header.tolerant
    assert main(["verify", str(path)]) == 0


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


@pytest.mark.parametrize("command", [["trace"], ["replay", "--once"], ["replay", "--text"]])
def test_other_commands_show_it_too(
    good: Path, command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("turnwright.cli.terminal.SHOWN_AFTER_S", 0.0)
    assert main([*command, str(good)]) == 0
    plain = capsys.readouterr()
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert main([*command, str(good)]) == 0
    shown = capsys.readouterr()
    assert shown.out == plain.out
    assert "bytes/s" in shown.err
