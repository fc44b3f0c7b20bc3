"""Development has one lock file, which names every dependency once for each Python that we support."""

from __future__ import annotations

import re
import tomllib
from itertools import chain

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.source import ROOT
from turnwright._version import __version__

LINES = [
    line
    for line in (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    if not line.lstrip().startswith("#")
]
PINS = [Requirement(line) for line in LINES]


def wanted() -> list[Requirement]:
    """Return the requirements of all packages, without those for each other."""
    files = [ROOT / "pyproject.toml", *sorted(ROOT.glob("packages/*/pyproject.toml"))]
    projects = [tomllib.loads(file.read_text("utf-8"))["project"] for file in files]
    texts = chain(
        *(chain(one["dependencies"], *one.get("optional-dependencies", {}).values()) for one in projects)
    )
    return [one for one in map(Requirement, texts) if not one.name.startswith("turnwright")]


def test_all_packages_have_one_version_and_ask_for_it() -> None:
    files = [ROOT / "pyproject.toml", *sorted(ROOT.glob("packages/*/pyproject.toml"))]
    for file in files:
        text = file.read_text("utf-8")
        assert tomllib.loads(text)["project"].get("version", __version__) == __version__, file
        asked = re.findall(r'"turnwright[a-z-]*(?:\[[a-z,]+\])?==([^"]+)"', text)
        assert set(asked) <= {__version__}, file


def on(python: str) -> dict[str, str]:
    """The environment of a marker on Linux, for one Python."""
    return {**default_environment(), "python_version": python, "python_full_version": f"{python}.0"}  # type: ignore[dict-item]


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
def test_every_dependency_is_pinned_to_a_release_that_it_allows(python: str) -> None:
    pins = {canonicalize_name(p.name): p for p in PINS if p.marker is None or p.marker.evaluate(on(python))}
    for requirement in wanted():
        pin = pins[canonicalize_name(requirement.name)]
        version = str(pin.specifier).removeprefix("==")
        assert requirement.specifier.contains(version), f"{requirement} but {pin}: run `make lock`"


def test_every_line_is_a_name_and_one_version() -> None:
    assert all(re.match(r"[a-z0-9-]+==[0-9][0-9a-z.]*( ; .+)?$", line) for line in LINES), LINES
