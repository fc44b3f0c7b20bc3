"""The tank's wheel under another name. No feature depends on the name."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.house.source import ROOT

pytestmark = pytest.mark.process
TANK = "turnwright_tank"
_ASK = """
import json, sys
from turnwright.app.frames import view_files
from turnwright.app.game.playable import find_game
game = find_game("panzer")
said = {
    "page": "games/panzer/view/main.js" in view_files(game)["viewer/main.js"].content.decode(),
    "protocol": type(game.protocol()).__module__,
    "options": game.options.__module__,
    "display": game.display.__module__,
    "battles": type(game.battles).__module__,
    "results": type(game.results).__module__,
    "records": type(game.records).__module__,
    "bots": type(game.bots).__module__,
    "tank": [name for name in sys.modules if name.startswith("turnwright_tank.")],
}
from turnwright_learn.envs import make_env  # it registers the environments of all games
env = make_env("panzer", "TankDuel-v0")
env.reset(seed=1)
print(json.dumps({**said, "env": type(env.episode.plan.spaces).__module__}))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel of the package `panzer`; its commands are below one of that name."""
    folder, source = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("source") / "panzer"
    made = shutil.ignore_patterns("__pycache__", "*.so", "*.egg-info", "build", "tests", "docs")
    shutil.copytree(ROOT / "packages" / "tank", source, ignore=made)
    (source / "src" / TANK).rename(source / "src" / "panzer")
    for file in source.rglob("*"):
        if file.suffix in (".py", ".toml", ".in", ".c", ".h"):
            text = (
                file.read_text(encoding="utf-8").replace(TANK, "panzer").replace("turnwright-tank", "panzer")
            )
            file.write_text(text.replace('= "tank"', '= "panzer"'), encoding="utf-8")
    project = source / "pyproject.toml"
    text = project.read_text(encoding="utf-8").replace("tank = ", "panzer = ")
    project.write_text(re.sub(r'\[project[^]]*default_game"\]\n.*\n', "", text), encoding="utf-8")
    init = source / "src" / "panzer" / "__init__.py"
    text = re.sub(
        r'^        "(\w+)": \(', r'        "panzer \1": (', init.read_text(encoding="utf-8"), flags=re.M
    )
    text = text.replace("commands={", 'commands={"panzer": ("", "tanks of another name", "battles"),')
    init.write_text(text.replace('analysis="trace"', 'analysis="panzer trace"'), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", folder, source], check=True)
    (wheel,) = folder.glob("panzer-*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", folder, wheel], check=True)
    return folder


def run(site: Path, *words: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(
        [sys.executable, *words], cwd=site, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def turnwright(site: Path, *words: str) -> str:
    return run(site, "-m", "turnwright.cli", *words)


def test_all_parts_come_from_the_renamed_package(site: Path) -> None:
    said: dict[str, Any] = json.loads(run(site, "-c", _ASK))
    assert said.pop("page")
    assert said.pop("tank") == [], "nothing of it is loaded from the game of that name"
    assert all(module.startswith("panzer.") for module in said.values()), said


def test_battle_trace_and_tournament_are_played(site: Path) -> None:
    assert "--game-type" in turnwright(site, "battle", "--game", "panzer", "--help")
    words = ["--game", "panzer", "Spinner", "Crawler", "--game-type", "1v1", "--rounds", "1", "--seed", "1"]
    shown = turnwright(site, "battle", *words, "--record", "p.twr", "--record", "p.battle.gz")
    assert "Bullets" in shown
    assert turnwright(site, "verify", "p.twr")
    facts = turnwright(site, "panzer", "trace", "p.twr", "--format", "json", "--no-events")
    assert json.loads(facts)["lines"]
    assert "in the browser" not in turnwright(site, "replay", "p.twr", "--text", "--once")
    assert turnwright(site, "replay", "p.twr", "--html", "p.html")
    words = ["Spinner", "Crawler", "--game", "panzer", "--battles", "1", "--rounds", "1"]
    assert turnwright(site, "tournament", "run", "cup", *words)
    assert turnwright(site, "tournament", "verify", "cup")
    assert "panzer" in (site / "p.html").read_text(encoding="utf-8")
