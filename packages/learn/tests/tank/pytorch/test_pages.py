"""The pages about training are true: the tutorial is typed, the examples are run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.transcript import blocks_of, commands_of, environment, words_of

LEARN = Path(__file__).parents[3]
BIN = Path(sys.executable).parent


@pytest.mark.timeout(400)
def test_the_tank_of_the_tutorial_is_trained_and_fights(tmp_path: Path) -> None:
    """It is trained for 5 seconds, which print the same words as a minute."""
    page = (LEARN.parents[1] / "docs/tutorial/05-train-a-tank.md").read_text(encoding="utf-8")
    typed = [
        command
        for block in blocks_of(page)
        if block.language == "console"
        for command in commands_of(block.text)
    ]
    assert [command.typed.split()[1] for command in typed] == ["train", "battle"]
    for command in typed:
        words = ["-m", "turnwright.cli", *command.typed.replace("--for 1m", "--for 5s").split()[1:]]
        done = subprocess.run(
            [sys.executable, *words],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        found = [line.replace("--for Ns", "--for Nm") for line in words_of(done.stdout)]
        assert sorted(found) == sorted(words_of("\n".join(command.printed))), done.stdout
    table = page[page.index("## What is in the folder") :]
    files = {path.relative_to(tmp_path / "MyTank").as_posix() for path in (tmp_path / "MyTank").rglob("*")}
    for name in (
        "MyTank.py",
        "MyTank.json",
        "policy.npz",
        "training/checkpoint.pt",
        "training/progress.jsonl",
    ):
        assert f"`{name}`" in table
        assert name in files


@pytest.mark.parametrize(
    ("word", "leaves"), [("stable_baselines3", "Stable/Stable.py"), ("parallel_env(", None)]
)
def test_an_example_with_another_library_runs(tmp_path: Path, word: str, leaves: str | None) -> None:
    page = (LEARN / "docs/train-an-agent.md").read_text(encoding="utf-8")
    found = [block.text for block in blocks_of(page) if block.language == "python" and word in block.text]
    text = next(block for block in found if "for seed in" in block or word != "parallel_env(")
    (tmp_path / "example.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "example.py"],
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    if leaves is not None:
        assert (tmp_path / leaves).exists()
        fought = subprocess.run(
            [sys.executable, "-m", "turnwright.cli", "battle", "./Stable", "Duck", "--rounds", "1"],
            cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert fought.returncode == 0, fought.stderr
