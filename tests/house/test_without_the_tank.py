"""Deleting the tank's folder leaves a package that imports, and whose own tests pass."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.source import ROOT, SRC, modules
from tests.messages import missing

TANK = "turnwright.games.tank"
OF_THE_TANK = (TANK, "turnwright.bots", "tests.games.tank")
"""Modules that no test of another floor imports."""
LEFT_OUT = {
    "tests/browser": "looks at the pages of all games",
    "tests/bench": "measures all games",
    "tests/docs": "follows tutorials of all games",
    "tests/house": "reads the whole tree",
    "tests/peers": "plays with programs that were made for Tank Royale",
    "tests/tools": "translates the rules of the tank",
}
"""Folders of tests that belong to no floor."""
_IMPORT_ALL = """
import importlib, sys
wrong = []
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except Exception as error:
        wrong.append(f"{name}: {type(error).__name__}: {error}")
print("\\n".join(wrong))
"""
_COMMANDS = (
    "battle One Two",
    "compare One Two",
    "new bot Mine",
    "serve --port 0 --no-open",
    "tournament run cup One Two",
)
_TRY_ALL = """
import contextlib, io, json, sys
from turnwright import run_battle
from turnwright.cli.__main__ import main
said = {}
for words in sys.argv[1:]:
    with contextlib.redirect_stderr(io.StringIO()) as told:
        code = main(words.split())
    said[words] = code, told.getvalue()
trials = {"run_battle": lambda: run_battle("One", "Two"), "import": lambda: __import__("turnwright.bots")}
for name, act in trials.items():
    try:
        act()
    except Exception as error:
        said[name] = type(error).__name__, str(error)
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package and its tests in a folder of their own, without the tank's."""
    folder = tmp_path_factory.mktemp("copy")
    leave = shutil.ignore_patterns("__pycache__", "*.egg-info", "node_modules")
    shutil.copytree(SRC.parent, folder / "src", ignore=leave)
    for name in ("tests", "docs", "tools", "examples"):
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, folder / name, ignore=leave)
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copy(ROOT / "conftest.py", folder)
    shutil.rmtree(folder / "src" / "turnwright" / "games" / "tank")
    points = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    info = folder / "src" / "turnwright-0.0.dist-info"  # what is installed without the tank
    info.mkdir()
    lines = []
    for group, places in points.items():
        left = {name: place for name, place in places.items() if not place.startswith(f"{TANK}:")}
        lines += [f"[{group}]", *(f"{name} = {place}" for name, place in left.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: turnwright\nVersion: 0.0\n", encoding="utf-8"
    )
    shutil.rmtree(folder / "tests" / "games" / "tank")
    return folder


def run(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy}"}
    return subprocess.run(
        [sys.executable, *words], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.process
def test_every_module_imports_without_the_tank(copy: Path) -> None:
    names = [
        module.name
        for module in modules()
        if not module.name.startswith((TANK, "turnwright.bots", "turnwright_learn"))
        and "demo.minds" not in module.name
        and not module.name.endswith("__main__")
    ]
    done = run(copy, "-c", _IMPORT_ALL, *names)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


@pytest.mark.process
def test_what_needs_the_tank_says_so_in_one_line(copy: Path) -> None:
    done = run(copy, "-c", _TRY_ALL, *_COMMANDS)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert "tank" in said.pop("import")[1]
    assert said["run_battle"][0] == "SetupError"
    assert {said[words][0] for words in _COMMANDS} == {2}
    for words, (_, line) in said.items():
        assert not missing(line, "default", "--game", "snake"), words
        assert line.count("\n") == (words in _COMMANDS), words


def test_no_code_outside_its_folder_leads_to_the_tank() -> None:
    """No import and no text of a module names its package; docstrings may, as an example."""
    wrong = {
        f"{module.path}: {text}"
        for module in modules()
        if module.game != "tank" and module.path != "bots.py" and module.package != "turnwright_learn"
        for text in (*_imports_of(module.tree), *_texts(module.tree))
        if re.search(r"games\.tank", text)
    }
    assert not wrong, "name it in the GamePackage of the tank: " + "\n".join(sorted(wrong))


def test_no_test_of_another_floor_imports_the_tank() -> None:
    """Quick to find out; that none needs it without an import, the copy's run tells."""
    wrong = {
        f"{file.relative_to(ROOT)} imports {name}"
        for file in (ROOT / "tests").rglob("*.py")
        if "games/tank/" not in file.as_posix() and not _is_left_out(file)
        for name in _imports(file)
        if name.startswith(OF_THE_TANK)
    }
    assert not wrong, "move it below tests/games/tank, or let it play snake: " + "\n".join(sorted(wrong))


@pytest.mark.long
@pytest.mark.process
@pytest.mark.timeout(1_800)
def test_the_tests_of_all_other_floors_pass_without_the_tank(copy: Path) -> None:
    tests = sorted(path.relative_to(copy).as_posix() for path in (copy / "tests").iterdir())
    floors = [
        path for path in tests if path.startswith("tests/test_") or (copy / path / "__init__.py").is_file()
    ]
    words = ["-m", "pytest", "-q", "-n", "2", "--part", "quick"]
    done = run(copy, *words, *(path for path in floors if path not in LEFT_OUT))
    print(done.stdout[-300:])
    assert done.returncode == 0, done.stdout[-6000:]


def _is_left_out(file: Path) -> bool:
    return any(ROOT / folder in file.parents for folder in LEFT_OUT)


def _imports(file: Path) -> Iterator[str]:
    yield from _imports_of(ast.parse(file.read_text(encoding="utf-8")))


def _texts(tree: ast.Module) -> Iterator[str]:
    """Yield the texts of a module without those that stand alone, which are docstrings."""
    alone = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in alone:
            yield node.value


def _imports_of(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
