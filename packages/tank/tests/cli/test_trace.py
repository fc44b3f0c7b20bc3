from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import msgspec
import pytest

from packages.core.tests.messages import missing, naming, says
from turnwright import run_battle
from turnwright.cli.__main__ import main
from turnwright.kernel.record import Footer, Header, TurnRules
from turnwright.net.files.reader import read_record
from turnwright.wire.record.v2 import Encoder
from turnwright_tank.analysis.counts import Tally
from turnwright_tank.analysis.facts import EnergyLoss, Fact, Opening, TankInfo
from turnwright_tank.analysis.findings import NOTES
from turnwright_tank.cli.trace_docs import render
from turnwright_tank.game import TankGame
from turnwright_tank.wire.recording.from_record import messages_of


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a duel of ten rounds."""
    path = tmp_path_factory.mktemp("traces") / "duel.twr"
    run_battle("Spinner", "Rammer", rounds=10, seed=3, record=path)
    return path


def _trace(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main(["trace", *map(str, words)]) == 0
    return capsys.readouterr().out


def test_a_duel_of_ten_rounds_is_one_page(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = _trace(capsys, record)
    assert text.startswith("# duel.twr\n")
    assert text.count("### Round") == 10
    assert len(text.splitlines()) <= 120


def test_json_lines_are_objects_that_begin_with_the_battle(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.loads(line) for line in _trace(capsys, record, "--format", "jsonl").splitlines()]
    assert (lines[0]["kind"], lines[0]["rounds"], lines[0]["seed"]) == ("battle", 10, 3)
    results = {line["name"]: line["bullet_damage"] for line in lines if line["kind"] == "result"}
    totals = {line["name"]: line["tally"]["damage"] for line in lines if line["kind"] == "total"}
    assert {name: pytest.approx(damage, abs=0.51) for name, damage in results.items()} == totals


def test_json_is_one_object_with_the_same_lines(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.loads(line) for line in _trace(capsys, record, "--format", "jsonl").splitlines()]
    assert json.loads(_trace(capsys, record, "--format", "json")) == {"lines": lines}


def test_a_trace_can_be_of_one_round_and_one_bot(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = _trace(capsys, record, "--round", 3, "--seat", "spinner")
    assert "## Round 3" in text
    assert "Round 4" not in text
    lines = [
        json.loads(line)
        for line in _trace(capsys, record, "--round", 3, "--seat", "2", "--format", "jsonl").splitlines()
    ]
    assert {line["round"] for line in lines if "round" in line} == {3}
    assert {line["name"] for line in lines if line["kind"] == "bot"} == {"Rammer"}
    assert lines[0]["kind"] == "battle"


def test_a_trace_can_go_into_a_file(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "trace.md"
    assert _trace(capsys, record, "-o", out) == ""
    assert out.read_text(encoding="utf-8") == _trace(capsys, record)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--round", "11"], "no round 11 … rounds 1 to 10"),
        (["--seat", "Nobody"], "no bot 'Nobody' … Spinner, Rammer"),
        (["-o", "/nowhere/x.md"], "/nowhere/x.md cannot be written"),
    ],
)
def test_a_wrong_choice_is_refused_in_one_line_with_exit_code_2(
    record: Path, words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trace", str(record), *words]) == 2
    said = capsys.readouterr().err
    assert says(said, why)
    assert said.count("\n") == 1


def test_many_bad_lines_of_a_recording_are_one_line_with_their_number(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.battle"
    assert main(["convert", str(record), str(path)]) == 0
    lines = path.read_bytes().splitlines(keepends=True)
    odd = [line.replace(b'"energy"', b'"\x1b[31m"') if 9 < at < 51 else line for at, line in enumerate(lines)]
    path.write_bytes(b"".join(odd))
    capsys.readouterr()
    assert main(["trace", str(path)]) == 0
    said = capsys.readouterr().err
    assert said.startswith(f"turnwright: {path}: line 11: ")
    assert not missing(said, "skipped", "40 more", "line 51")
    assert said.count("\n") == 1
    assert "\x1b" not in said


def test_a_record_of_another_game_is_refused_without_an_option_that_trace_has_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "chess.twr"
    header = Header("chess", 1, 1, {}, (), TurnRules())
    path.write_bytes(gzip.compress(Encoder(lambda intent: intent).encode_header(header)))
    assert main(["trace", str(path)]) == 2
    line = capsys.readouterr().err
    assert not missing(line, "chess.twr", "'chess'", "'tank'")
    assert "--game" not in line


def test_a_record_that_plays_differently_exits_with_4_and_names_the_turn(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = read_record(record)
    header = Header(**{**{name: getattr(whole.header, name) for name in Header.__slots__}, "seed": 4})
    encoder = Encoder(TankGame("interpreted").write_intent)
    lines = [encoder.encode_header(header), *map(encoder.encode_turn, whole.turns)]
    lines.append(encoder.encode_footer(whole.footer or Footer("over", 0)))
    path = record.with_name("bad.twr")
    path.write_bytes(gzip.compress(b"".join(lines)))
    assert main(["trace", str(path)]) == 4
    said = capsys.readouterr()
    assert naming(said.err, "turn 1")
    assert naming(said.out, "turn 1")


PAGE = Path(__file__).parents[2] / "docs" / "trace.md"


def test_the_reference_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), (
        "run `python -m turnwright_tank.cli.trace_docs > packages/tank/docs/trace.md`"
    )


def test_every_key_and_note_is_on_the_page_with_its_meaning() -> None:
    page = render()
    for structure in (*Fact.__args__, TankInfo, Opening, EnergyLoss, Tally):
        for name in msgspec.structs.fields(structure):
            rows = [line for line in page.splitlines() if line.startswith(f"| `{name.encode_name}` |")]
            assert rows, f"{structure.__name__}.{name.encode_name}"
            assert all(not row.endswith("|  |") for row in rows), rows
    assert all(f"| `{name}` |" in page for name in NOTES)


# ---- untrusted recordings with impossible numbers: reported or refused, never an internal error ----


KEYS = (
    "energy",
    "x",
    "y",
    "direction",
    "gunDirection",
    "speed",
    "gunHeat",
    "power",
    "damage",
    "turnNumber",
    "roundNumber",
    "id",
    "bulletId",
    "victimId",
    "totalScore",
    "firstPlaces",
    "arenaWidth",
    "arenaHeight",
    "turnTimeout",
    "numberOfRounds",
    "maxInactivityTurns",
)


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    path = tmp_path_factory.mktemp("hostile") / "x.twr"
    run_battle("Spinner", "Rammer", rounds=1, seed=3, record=path)
    return [msgspec.json.encode(one) for one in messages_of(read_record(path), TankGame("interpreted"))]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("value", [b"1e999", b"-5", b"0", b"1e308"])
def test_impossible_numbers_are_printed_or_refused(
    messages: list[bytes], tmp_path: Path, key: str, value: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    pattern = re.compile(rb'"' + key.encode() + rb'":-?[0-9.e+-]+')
    changed = b'"' + key.encode() + b'":' + value
    path = tmp_path / "x.battle.gz"
    lines = [pattern.sub(changed, line) if k % 3 == 0 else line for k, line in enumerate(messages)]
    path.write_bytes(gzip.compress(b"\n".join(lines), 1))
    for words in (
        ["trace"],
        ["trace", "--format", "jsonl"],
        ["replay", "--text", "--once", "--turn", "1.30"],
    ):
        assert main([words[0], str(path), *words[1:]]) in (0, 2), capsys.readouterr().err
