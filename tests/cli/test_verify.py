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
from turnwright.net.records import read_record
from turnwright.wire.record.v1 import Encoder


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
    encoder = Encoder(TankGame("python").intent_to_data)
    header = type(record.header)(**{name: getattr(record.header, name) for name in record.header.__slots__})
    object.__setattr__(header, "seed", 4)
    lines = [encoder.encode_header(header), *map(encoder.encode_turn, record.turns)]
    lines.append(encoder.encode_footer(record.footer or Footer("over", 0)))
    path = good.with_name("bad.twr")
    path.write_bytes(gzip.compress(b"".join(lines)))
    return path


def test_a_good_record_is_0(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(good)]) == 0
    assert re.fullmatch(rf"{good}: ok, [\d,]+ turns as recorded\n", capsys.readouterr().out)


def test_a_record_that_comes_out_differently_is_4_and_says_where(
    good: Path, bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(good), str(bad)]) == 4
    lines = capsys.readouterr().out.splitlines()
    assert "ok" in lines[0]
    assert re.fullmatch(rf"{bad}: differs in turn 1, first in \S+: recorded \w+, replayed \w+", lines[1])


def test_the_json_says_the_same(good: Path, bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--json", str(good), str(bad)]) == 4
    data = json.loads(capsys.readouterr().out)
    assert (data["ok"], [one["ok"] for one in data["files"]]) == (False, [True, False])
    first, second = data["files"]
    assert list(first) == ["file", "ok", "game", "seed", "turns", "ending", "truncated", "mismatch"]
    assert (first["file"], first["game"], first["seed"], first["ending"]) == (str(good), "tank", 3, "over")
    assert first["mismatch"] is None
    assert list(second["mismatch"]) == ["turn", "field", "recorded", "replayed"]
    assert (second["turns"], second["mismatch"]["turn"]) == (0, 1)


def test_a_record_that_was_cut_off_is_verified_as_far_as_it_goes(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cut.twr"
    path.write_bytes(good.read_bytes()[:-2000])
    assert main(["verify", str(path)]) == 0
    assert capsys.readouterr().out.endswith("turns as recorded, cut off\n")


@pytest.mark.parametrize("content", [None, b"", b"hello", gzip.compress(b"{}\n")])
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
