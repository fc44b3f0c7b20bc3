"""If no package offers a default game, commands that need one report it in one line, and snake is still
there.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from packages.core.tests.adder_game import install_points
from packages.core.tests.messages import missing

pytestmark = pytest.mark.process
FROM_PYTHON = "from turnwright import run_battle; run_battle('One', 'Two')"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder in which Python finds no tank: an empty package of that name hides it."""
    install_points(tmp_path, "turnwright_tank", "none")
    return tmp_path


def told(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], cwd=place, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("words", ["battle One Two", "new bot Mine", "serve --port 0 --no-open"])
def test_a_command_says_that_no_game_is_the_default(words: str, place: Path) -> None:
    done = told(place, "-m", "turnwright.cli", *words.split())
    assert done.returncode == 2
    assert not missing(done.stderr, "default", "--game", "snake")
    assert done.stderr.count("\n") == 1


def test_a_battle_from_python_says_it_too(place: Path) -> None:
    assert not missing(
        told(place, "-c", FROM_PYTHON).stderr.splitlines()[-1], "SetupError", "default", "snake"
    )


def test_a_game_that_is_named_is_played(place: Path) -> None:
    words = ("battle", "--game", "snake", "Greedy", "Wanderer", "--set", "turns=9")
    assert told(place, "-m", "turnwright.cli", *words).returncode == 0
