"""Deleting the tank's folder leaves a package that imports, and whose own tests pass."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.source import ROOT, SRC, modules

pytestmark = pytest.mark.process

TANK = "turnwright.games.tank"
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
    shutil.rmtree(folder / "src" / "turnwright" / "games" / "tank")
    shutil.rmtree(folder / "tests" / "games" / "tank")
    (folder / "src" / "turnwright" / "bots.py").unlink()  # the public name of the tank's bot library
    return folder


def run(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy}"}
    return subprocess.run(
        [sys.executable, *words], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )


def test_every_module_imports_without_the_tank(copy: Path) -> None:
    names = [
        module.name
        for module in modules()
        if not module.name.startswith((TANK, "turnwright.bots"))
        and "demo.minds" not in module.name
        and not module.name.endswith("__main__")
    ]
    done = run(copy, "-c", _IMPORT_ALL, *names)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def of_the_tank(tests: Path) -> set[Path]:
    """Return the test files that import the tank or name it to the catalogue, themselves or by a helper."""
    imports: dict[Path, set[str]] = {}
    for file in tests.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        found = imports[file] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module)
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.Constant) and node.value == "tank":
                found.add(TANK)  # it asks the catalogue for it
    name_of = {file: ".".join(file.relative_to(tests.parent).with_suffix("").parts) for file in imports}
    bad = {f for f, names in imports.items() if any(n.startswith((TANK, "turnwright.bots")) for n in names)}
    while more := {f for f, names in imports.items() if names & {name_of[b] for b in bad}} - bad:
        bad |= more
    return bad


@pytest.mark.long
def test_the_tests_of_the_other_floors_pass_without_the_tank(copy: Path) -> None:
    """Left out: tests that take the tank as their material."""
    for file in of_the_tank(copy / "tests"):
        file.unlink()
    folders = [f"tests/{name}" for name in ("kernel", "wire", "host", "games")]
    done = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--part", "quick", *folders)
    assert done.returncode == 0, done.stdout[-3000:]
