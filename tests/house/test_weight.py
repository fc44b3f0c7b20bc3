"""Installing and starting stay cheap: few dependencies, few megabytes, a quick import."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.source import ROOT, SRC

MODULES_MAX = 150
INSTALL_BYTES_MAX = 40_000_000
DEPENDENCIES_MAX = 8


def _direct() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [Requirement(text) for text in project["dependencies"]]


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
        file.stat().st_size for file in SRC.rglob("*") if file.is_file() and "__pycache__" not in file.parts
    )
    total = sum(brought.values()) + 2 * ours  # pip compiles what it installs: about as much again
    assert total <= INSTALL_BYTES_MAX, {"turnwright": ours, **brought}


def test_no_extra_is_needed_by_the_base_install() -> None:
    brought = set(_closure())
    assert not brought & {"numpy", "pytest", "hypothesis", "mypy", "ruff"}
