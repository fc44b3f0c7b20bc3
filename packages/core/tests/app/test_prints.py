"""Output of programs: in its turn, in the record, bounded, and no input."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.app.bots import PLAYS, dice_game, write_bot
from packages.core.tests.app.commanding import served
from turnwright import catalog
from turnwright.app.battle import run
from turnwright.app.live.kept_server import KeptServer
from turnwright.app.options import GenericBattleOptions
from turnwright.app.results import BattleResult
from turnwright.app.verify import verify_file
from turnwright.cli.__main__ import main
from turnwright.kernel.printed import BATTLE_CHARS_MAX, TURN_CHARS_MAX
from turnwright.net.files.reader import read_record

pytestmark = pytest.mark.process

TALKS = """\
import atexit
import sys
import time
from turnwright.client import play

print("before")
atexit.register(lambda: print("after"))

def bid(observation):
    print("turn", observation["turn"])
    print("oops", observation["turn"], file=sys.stderr)
    time.sleep(0.05)  # what is printed is read before the answer
    return 2

play(bid)
"""
FLOODS = """\
import os
import threading
from turnwright.client import play

def flood():
    piece = b"spam and eggs\\n" * 5_000
    while True:
        os.write(1, piece)

threading.Thread(target=flood, daemon=True).start()
play(lambda observation: 2)
"""


def options_of(folder: Path, *programs: str, turns: int = 3, **options: Any) -> GenericBattleOptions:
    bots = tuple(str(write_bot(folder, f"Bot{k}", text)) for k, text in enumerate(programs))
    settings = (("turns", turns),)
    options.setdefault("turn_timeout_us", 30_000_000)
    game = dice_game(folder / "dice")
    return GenericBattleOptions(bots=bots, game=game, seed=1, settings=settings, **options)


def said(result: BattleResult, name: str) -> list[tuple[int, str, bool]]:
    return [(line.turn, line.text, line.is_error) for line in result.printed.get(name, ())]


def test_output_of_a_program_is_in_its_turn_of_the_record(tmp_path: Path) -> None:
    record = tmp_path / "x.twr"
    options = options_of(tmp_path, TALKS, PLAYS, record=record)
    result = run(options)
    lines = said(result, "Bot0")
    assert [line for line in lines if not line[2]] == [
        (1, "before", False), (1, "turn 0", False), (2, "turn 1", False), (3, "turn 2", False),
        (3, "after", False),
    ]  # fmt: skip
    assert [line for line in lines if line[2]] == [(n + 1, f"oops {n}", True) for n in range(3)]
    assert "Bot1" not in result.printed
    turns = read_record(record, rules=catalog.load(options.game)).turns
    assert [turn.printed[0].out for turn in turns] == ["before\nturn 0\n", "turn 1\n", "turn 2\nafter\n"]
    assert [turn.printed[0].err for turn in turns] == ["oops 0\n", "oops 1\n", "oops 2\n"]
    data = result.to_data()["printed"]["Bot0"]
    assert {"round": 1, "turn": 2, "text": "turn 1", "error": False} in data


def test_prints_change_no_outcome(tmp_path: Path) -> None:
    records = tmp_path / "quiet.twr", tmp_path / "loud.twr"
    both = [
        options_of(tmp_path / name, program, PLAYS, record=record)
        for name, program, record in zip("ql", (PLAYS, TALKS), records, strict=True)
    ]
    quiet, loud = map(run, both)
    assert quiet.printed == {}
    assert "Bot0" in loud.printed
    assert run(options_of(tmp_path / "again", TALKS, PLAYS)).digest == loud.digest
    assert quiet.digest == loud.digest
    for options, record in zip(both, records, strict=True):
        assert verify_file(record, game=options.game).to_data()["ok"]


def test_a_flood_is_cut_and_slows_no_other_bot(tmp_path: Path) -> None:
    record = tmp_path / "x.twr"
    options = options_of(tmp_path, FLOODS, PLAYS, turns=400, record=record, turn_timeout_us=5_000_000)
    result = run(options)
    assert result.turns == 400
    assert result.latency["Bot1"].skipped == 0
    kept = sum(
        len(turn.printed[0].out)
        for turn in read_record(record, rules=catalog.load(options.game)).turns
        if turn.printed
    )
    assert 0 < kept <= BATTLE_CHARS_MAX + 2 * TURN_CHARS_MAX
    assert b"left out" in gzip.decompress(record.read_bytes())
    assert verify_file(record, game=options.game).to_data()["ok"]


def test_a_kept_process_prints_into_the_battle_that_it_plays(tmp_path: Path) -> None:
    options = options_of(tmp_path, TALKS, PLAYS)
    with KeptServer() as server:
        first, second = (run(options, play_programs=server.play) for _ in range(2))
        assert server.reused
    texts = [
        [text for _, text, is_error in said(result, "Bot0") if not is_error] for result in (first, second)
    ]
    assert texts == [["before", "turn 0", "turn 1", "turn 2"], ["turn 0", "turn 1", "turn 2"]]


def test_prints_that_are_not_public_are_in_the_result_alone(tmp_path: Path) -> None:
    record = tmp_path / "x.twr"
    result = run(options_of(tmp_path, TALKS, PLAYS, record=record), errors_public=False)
    assert (2, "turn 1", False) in said(result, "Bot0")
    assert b"turn 1" not in gzip.decompress(record.read_bytes())


@pytest.mark.skipif(sys.platform != "linux", reason="sandboxes are of Linux")
def test_a_program_in_a_sandbox_is_heard(tmp_path: Path) -> None:
    options = options_of(tmp_path, TALKS, PLAYS, sandbox="full")
    lines = said(run(options), "Bot0")
    assert (2, "turn 1", False) in lines
    assert (3, "after", False) in lines or lines[-1][0] == 3


def printed_by(record: Path, game: str) -> list[dict[int, str]]:
    """Return, turn by turn, what each seat printed to stdout."""
    turns = read_record(record, rules=catalog.load(game)).turns
    return [{seat: texts.out for seat, texts in turn.printed.items()} for turn in turns]


def test_a_program_that_a_server_starts_prints_into_each_battle_that_it_plays(tmp_path: Path) -> None:
    bots, game = tmp_path / "bots", dice_game(tmp_path / "dice")
    write_bot(bots, "Loud", TALKS)
    write_bot(bots, "Quiet", PLAYS)
    records = tmp_path / "records"
    words = ("--game", game, "--bots", bots, "--records", records, "--tps", "-1")
    with served(*words, cwd=tmp_path) as (_url, operator):
        operator.say("boot", ids=["1/Quiet", "1/Loud", "1/Loud"])
        there = operator.bots(3)
        battles = (there, there[::-1])
        for seats in battles:
            operator.say("start", bots=seats, turnTimeoutUs=30_000_000)
            assert operator.hear("result")["ending"] == "over"
    for number, before in enumerate(("before\n", ""), 1):
        record = records / f"battle-{number:04}.twr"
        names = [seat.name for seat in read_record(record, rules=catalog.load(game)).header.seats]
        loud = [seat for seat, name in enumerate(names) if name.startswith("Loud")]
        assert len(loud) == 2
        expected = [f"{before}turn 0\n", "turn 1\n", "turn 2\n"]
        assert printed_by(record, game) == [dict.fromkeys(loud, text) for text in expected]


def test_a_program_that_plays_a_branch_prints_into_its_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, branch = tmp_path / "x.twr", tmp_path / "branch.twr"
    options = options_of(tmp_path, PLAYS, PLAYS, record=record)
    run(options)
    loud = str(write_bot(tmp_path, "Loud", TALKS))
    words = ["--from", "1.1", "--seat", "2", "--with", loud, "--record", str(branch), "--game", options.game]
    assert main(["rerun", str(record), *words, "--json"]) == 0
    outs = ["before\nturn 0\n", "turn 1\n", "turn 2\nafter\n"]
    assert printed_by(branch, options.game) == [{1: text} for text in outs]
    lines = json.loads(capsys.readouterr().out)["result"]["printed"]["Bot1"]
    assert {"round": 1, "turn": 2, "text": "turn 1", "error": False} in lines
