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

LINES = [
    line
    for line in (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    if not line.lstrip().startswith("#")
]
PINS = [Requirement(line) for line in LINES]


def wanted() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    return [Requirement(text) for text in chain(project["dependencies"], *extras)]


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
