"""Installing and starting stay cheap, and no class is heavy."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.source import ROOT, modules, source_files

MODULES_MAX = 150
INSTALL_BYTES_MAX = 60_000_000
DEPENDENCIES_MAX = 12
BASE = ("core", "league", "tank")
"""The packages that `pip install turnwright` brings."""
CLASS_LINES_MAX, ATTRIBUTES_MAX = 300, 15
_EXCUSED = re.compile(r"^# .*is large because.*\n(?:#.*\n)*(?:@.*\n)*class (\w+)", re.MULTILINE)
"""The name of a class below a comment that says why it is large."""


def _direct() -> list[Requirement]:
    """Return what the packages of a base install require, without each other."""
    found = {}
    for package in BASE:
        text = (ROOT / "packages" / package / "pyproject.toml").read_text(encoding="utf-8")
        for needed in map(Requirement, tomllib.loads(text)["project"]["dependencies"]):
            if not needed.name.startswith("turnwright"):
                found[canonicalize_name(needed.name)] = needed
    return list(found.values())


def _applies(requirement: Requirement) -> bool:
    environment = {**default_environment(), "extra": ""}
    return requirement.marker is None or requirement.marker.evaluate(dict(environment))


def _closure() -> dict[str, metadata.Distribution]:
    """Every distribution that `pip install turnwright` brings, by canonical name."""
    found: dict[str, metadata.Distribution] = {}
    waiting = [requirement for requirement in _direct() if _applies(requirement)]
    while waiting:
        name = canonicalize_name(waiting.pop().name)
        if name in found:
            continue
        found[name] = metadata.distribution(name)
        needs = [Requirement(text) for text in found[name].requires or ()]
        waiting += [requirement for requirement in needs if _applies(requirement)]
    return found


def _size(distribution: metadata.Distribution) -> int:
    paths = [Path(str(distribution.locate_file(file))) for file in distribution.files or ()]
    return sum(path.stat().st_size for path in paths if path.is_file())


def test_importing_turnwright_starts_nothing_heavy() -> None:
    question = "import sys, turnwright; print(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", question], capture_output=True, text=True, check=True, timeout=60
    )
    heavy = {"asyncio", "msgspec", "numpy", "picows", "uvloop", "websockets", "tqdm", "socket"}
    loaded = set(done.stdout.split())
    assert not heavy & loaded
    assert len(loaded) <= MODULES_MAX  # how long that takes is measured by bench/promptness.py


def test_the_direct_dependencies_are_few() -> None:
    assert len(_direct()) <= DEPENDENCIES_MAX


def test_a_base_install_is_small() -> None:
    brought = {name: _size(distribution) for name, distribution in _closure().items()}
    ours = sum(
        file.stat().st_size
        for package in BASE
        for file in (ROOT / "packages" / package / "src").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    )
    total = sum(brought.values()) + 2 * ours  # pip compiles what it installs: about as much again
    assert total <= INSTALL_BYTES_MAX, {"turnwright": ours, **brought}


def test_no_extra_is_needed_by_the_base_install() -> None:
    brought = set(_closure())
    assert not brought & {"numpy", "pytest", "hypothesis", "mypy", "ruff"}


def test_a_class_holds_the_state_of_one_idea() -> None:
    """At most 300 lines and 15 attributes, unless a comment above it or its docstring says why."""
    assert list(_heavy_classes()) == [], "let two or three smaller objects come out of it"


def _heavy_classes() -> Iterator[str]:
    """Yield the classes above the limits. Without methods, or frozen, they are messages or settings."""
    files = source_files("*.py")
    for module in modules():
        excused = _EXCUSED.findall(files[module.path].read_text(encoding="utf-8"))
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.ClassDef) or node.name in excused:
                continue
            if "is large because" in (ast.get_docstring(node) or ""):
                continue
            has_methods = any(isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) for item in node.body)
            frozen = any(
                "frozen=True" in ast.unparse(word) for word in (*node.decorator_list, *node.keywords)
            )
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if (
                has_methods
                and not frozen
                and (lines > CLASS_LINES_MAX or len(_attributes(node)) > ATTRIBUTES_MAX)
            ):
                yield f"{module.path}:{node.name}"


def _attributes(node: ast.ClassDef) -> set[str]:
    """Return the attributes that a class declares, or assigns to itself."""
    stored = {
        item.attr
        for item in ast.walk(node)
        if isinstance(item, ast.Attribute) and isinstance(item.ctx, ast.Store)
        if isinstance(item.value, ast.Name) and item.value.id == "self"
    }
    return stored | {
        item.target.id
        for item in node.body
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    }
