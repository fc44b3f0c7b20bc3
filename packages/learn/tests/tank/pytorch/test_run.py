"""A training is a folder that resumes after any stop, and contains a bot that plays."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from turnwright.app.verify import verify_file
from turnwright.errors import SetupError
from turnwright_learn.tank.policy import load
from turnwright_learn.tank.training.ppo import PpoSettings
from turnwright_learn.tank.training.run import Training

SMALL = PpoSettings(battles=16, steps=16, widths=(32,), threads=1)


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "turnwright.cli", *map(str, words)]


def run(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), cwd=cwd, capture_output=True, text=True, timeout=240)


def test_a_training_becomes_a_bot_that_plays_on_record(tmp_path: Path) -> None:
    done = run("train", "MyAgent", "--for", "3s", "--battles", "16", "--threads", "1", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert {one["opponent"] for one in said["opponents"]} == {
        "Spinner",
        "Rammer",
        "Tracker",
        "Crawler",
        "Dodger",
        "Ace",
    }
    assert all(0 <= one["low"] <= one["won"] <= one["high"] <= 1 for one in said["opponents"])
    assert said["turns"] > 0
    folder = tmp_path / "MyAgent"
    chart = ElementTree.parse(folder / "training" / "progress.svg").getroot()
    assert chart.tag.endswith("svg")
    lines = (folder / "training" / "progress.jsonl").read_text().splitlines()
    assert json.loads(lines[-1])["turns"] == said["turns"]
    assert list((folder / "training" / "tensorboard").iterdir())
    record = tmp_path / "battle.twr"
    fought = run("battle", "./MyAgent", "Spinner", "--rounds", "2", "--record", record, cwd=tmp_path)
    assert fought.returncode == 0, fought.stderr
    assert verify_file(record).deterministic


def test_a_training_resumes_where_it_stopped_and_writes_lines_of_figures(tmp_path: Path) -> None:
    folder = tmp_path / "MyAgent"
    first = Training(folder, SMALL, 2.0)
    first.run()
    again = Training(folder, SMALL, 4.0)
    assert again.seconds == first.seconds
    assert again.learner.turns == first.learner.turns
    assert np.array_equal(again.learner.policy().layers[0][0], first.learner.policy().layers[0][0])
    assert again.pool.shown == first.learner.rated
    again.run()
    figures = [json.loads(line) for line in (folder / "training" / "progress.jsonl").read_text().splitlines()]
    seconds = [line["seconds"] for line in figures]
    assert seconds == sorted(seconds)
    assert seconds[-1] >= 4.0
    assert load(folder / "policy.npz").frame_skip == SMALL.frame_skip


def test_a_killed_training_loses_only_the_time_since_the_last_checkpoint(tmp_path: Path) -> None:
    process = subprocess.Popen(
        command("train", "MyAgent", "--for", "1h", "--battles", "16", "--threads", "1"),
        cwd=tmp_path, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    kept = tmp_path / "MyAgent" / "training" / "checkpoint.pt"
    limit = time.monotonic() + 200.0
    while not kept.exists():
        assert time.monotonic() < limit
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    lines = tmp_path / "MyAgent" / "training" / "progress.jsonl"
    lines.write_text(lines.read_text() + '{"seconds": 99999.0, "turns": 1}\n{"secon')
    settings = PpoSettings(battles=16, threads=1)
    again = Training(tmp_path / "MyAgent", settings, 1.0)
    assert again.seconds > 0
    assert again.learner.updates > 0
    assert all(json.loads(line)["seconds"] <= again.seconds for line in lines.read_text().splitlines())


def test_ctrl_c_saves_the_training(tmp_path: Path) -> None:
    process = subprocess.Popen(
        command("train", "MyAgent", "--for", "1h", "--battles", "8", "--threads", "1"),
        cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    assert "turns" in process.stderr.readline(), "a line every ten seconds"
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "train MyAgent" in out
    assert Training(tmp_path / "MyAgent", PpoSettings(battles=8, threads=1), 1.0).learner.turns > 0


def test_settings_and_folders_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    Training(tmp_path / "MyAgent", SMALL, 1.0).run()
    with pytest.raises(SetupError, match="battles"):
        Training(tmp_path / "MyAgent", PpoSettings(battles=18, steps=16, widths=(32,), threads=1), 1.0)
    Training(tmp_path / "MyAgent", PpoSettings(battles=16, steps=16, widths=(32,), threads=2), 1.0)
    (tmp_path / "MyAgent" / "training" / "checkpoint.pt").write_bytes(b"something else")
    with pytest.raises(SetupError, match="checkpoint"):
        Training(tmp_path / "MyAgent", SMALL, 1.0)
    (tmp_path / "Full").mkdir()
    (tmp_path / "Full" / "file").touch()
    for name in ("Full", "my agent", "Ace", "7up"):
        with pytest.raises(SetupError, match="folder"):
            Training(tmp_path / name, SMALL, 1.0)
    for words, part in (
        (("--for", "soon"), "not a time"),
        (("--env", "TankTeams-v0"), "TankMelee-v0"),
        (("--battles", "1"), "battles"),
        (("--threads", "0"), "threads"),
    ):
        done = run("train", "Other", *words, cwd=tmp_path)
        assert done.returncode == 2
        assert part in done.stderr
