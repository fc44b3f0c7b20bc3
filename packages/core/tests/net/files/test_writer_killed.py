"""Every written line of a record can be read, whatever happens to the process or the disk."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import missing, says
from packages.core.tests.net.files.nearly_full import room_for
from turnwright import run_battle
from turnwright.app.verify import verify_file
from turnwright.cli.__main__ import main
from turnwright.errors import RecordError, SetupError
from turnwright.net.files import new_file as newfile
from turnwright.net.files.reader import read_record

pytestmark = pytest.mark.process

S = 1_000_000_000
SNAKES = ("Greedy", "Wanderer")
LONG: dict[str, Any] = {"game": "snake", "turns": 600, "food": 9, "seed": 3}
KILLED = 200
AT_ONCE = 25
TURN_NS = 10_000_000
"""The time between two turns of a writer that runs."""


def stamps_of(path: Path) -> list[int]:
    """Return when each turn that can be read was handed to the archive."""
    try:
        record = read_record(path)
    except RecordError:
        return []
    assert record.truncated
    assert [entry.turn for entry in record.turns] == list(range(1, len(record.turns) + 1))
    return [int(entry.faults[0][1]) for entry in record.turns]


def starved_ns(stamps: list[int]) -> int:
    """Return the longest time for which a writer got no processor. On a busy machine it writes later."""
    return max((after - before for before, after in itertools.pairwise(stamps)), default=0) - TURN_NS


@pytest.mark.long
def test_after_a_kill_at_any_moment_all_but_the_last_second_can_be_read(tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    words = [
        sys.executable,
        "-m",
        "packages.core.tests.net.kill_writers",
        str(tmp_path),
        str(KILLED),
        str(AT_ONCE),
        str(seed),
    ]
    here = Path(__file__).parents[5]
    done = subprocess.run(words, cwd=here, capture_output=True, text=True, timeout=120, check=True)
    killed = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(killed) == KILLED
    lost_ns: list[int] = []
    missing: list[bool] = []
    for one in killed:
        stamps = stamps_of(Path(one["file"]))
        if stamps:
            lost_ns.append(one["killed_ns"] - stamps[-1])
            assert lost_ns[-1] <= S + 2 * starved_ns(stamps), (
                f"seed {seed}: {lost_ns[-1] / S:.3f} s are missing"
            )
        else:  # not a second old, or never run
            missing.append(one["killed_ns"] - one["began_ns"] > S)
    assert statistics.median(lost_ns) < S / 2, f"seed {seed}"
    assert len(lost_ns) > KILLED // 2
    assert sum(missing) <= KILLED // 50, f"seed {seed}"


@pytest.mark.parametrize("number", range(3))
def test_a_battle_that_is_killed_leaves_a_record_that_says_it_was_cut_off(
    tmp_path: Path, number: int
) -> None:
    path = tmp_path / "battle.twr"
    path.write_bytes(b"older")
    words = [
        "battle",
        "--game",
        "snake",
        "Greedy",
        "Greedy",
        "Wanderer",
        "--set",
        "turns=100000",
        "--set",
        "width=200",
        "--set",
        "height=200",
        "--set",
        "food=40",
        "--tps",
        "100",
        "--record",
        str(path),
    ]
    process = subprocess.Popen([sys.executable, "-m", "turnwright.cli", *words], stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 60
        while path.stat().st_size < 2_000:  # more than twenty turns
            assert time.monotonic() < end, "no record began"
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(random.Random(number).uniform(0, 0.7))
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    one = verify_file(path)
    assert one.truncated
    assert one.found is not None
    assert one.found.ok
    assert one.found.turns > 20
    assert main(["verify", str(path)]) == 2
    assert main(["verify", "--accept-truncated", str(path)]) == 0


# ---- the disk --------------------------------------------------------------------------------------------


def test_a_disk_that_fills_up_ends_the_record_and_not_the_battle(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "battle.twr"
    plain = run_battle(*SNAKES, **LONG)
    with room_for(1_200):  # at this pace some of it is written before there is too much
        result = run_battle(*SNAKES, **LONG, tps=80, record=path)
    assert result.results == plain.results
    assert (result.record, result.record_error) == (None, f"{path}: File too large")
    assert result.to_data()["record_error"] == result.record_error
    assert says(caplog.text, "battle.twr … File too large")
    one = verify_file(path)
    assert one.truncated
    assert one.found is not None
    assert one.found.ok
    assert 0 < one.found.turns < result.turns


def test_a_full_disk_leaves_an_older_record_alone(tmp_path: Path) -> None:
    path = tmp_path / "battle.twr"
    path.write_bytes(b"older")
    with room_for(0):
        result = run_battle(*SNAKES, game="snake", turns=9, record=path)
    assert result.record_error is not None
    assert path.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [path]


def test_a_record_that_is_required_is_tried_before_the_battle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "battle.twr"
    with room_for(newfile.ROOM_BYTES - 1):
        assert main(["battle", "--game", "snake", *SNAKES, "--record", str(path), "--record-required"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert not missing(said.err, f"--record {path}", "File too large", "another place", "--record-required")
    assert said.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("words", "code"), [(["--record-required"], 5), ([], 0)])
def test_when_the_disk_fails_later_the_battle_is_played_and_the_exit_code_tells(
    tmp_path: Path,
    words: list[str],
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(newfile, "ROOM_BYTES", 1_000)
    path = tmp_path / "battle.twr"
    play = ["battle", "--game", "snake", *SNAKES, "--seed", "3", "--json", "--record", str(path)]
    play += [word for name in ("turns", "food") for word in ("--set", f"{name}={LONG[name]}")]
    with room_for(1_200):
        assert main([*play, *words]) == code
    said = capsys.readouterr()
    result = json.loads(said.out)
    assert (result["record"], result["record_error"]) == (None, f"{path}: File too large")
    assert len(result["results"]) == 2
    assert says(said.err, "battle.twr … File too large")


def test_a_required_record_needs_a_name() -> None:
    with pytest.raises(SetupError, match="record_required without a record"):
        run_battle(*SNAKES, game="snake", record_required=True)


def test_an_unwritable_place_is_reported_and_the_battle_is_still_played(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    run_battle(*SNAKES, game="snake", turns=9, record=tmp_path / "battle.twr")
    assert not missing(caplog.text, "may not be written", "without a record")
