"""The wheels work alone: tried from an empty environment, in an empty folder, without this repository."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from release.build import Built
from release.contents import (
    WHEELS_BYTES_MAX,
    problems_of_metadata,
    problems_of_sdist,
    problems_of_wheel,
    sdist_files,
    wheel_files,
)
from release.source import projects

from tests.house.source import ROOT
from tests.once import shared_folder
from tests.tools.wheel_trial import Installed, built_once, fetch, from_the_source_itself, installed_once

pytestmark = [pytest.mark.process, pytest.mark.long, pytest.mark.timeout(1200)]
INSTALL_BYTES_MAX = 60_000_000
GLIBC_MINOR_MAX = 17
"""The compiled rules run on systems since 2014."""
EXTRAS = ["dask", "distributed", "gymnasium", "numpy", "openskill", "pettingzoo", "psycopg", "ray"]
_IMPORT_ALL = f"""
import importlib, pkgutil
packages = [one.name for one in pkgutil.iter_modules() if one.name.partition("_")[0] == "turnwright"]
assert len(packages) == 4, packages
paths = [(importlib.import_module(name).__path__, name + ".") for name in packages]
for found in (one for path, start in paths for one in pkgutil.walk_packages(path, start)):
    if "demo" in found.name.split("."):
        continue
    try:
        importlib.import_module(found.name)
    except ModuleNotFoundError as error:
        if error.name.partition(".")[0] not in {EXTRAS}:
            print(found.name, "needs", error.name)
"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    return shared_folder(tmp_path_factory, request.config)


@pytest.fixture(scope="module")
def built(shared: Path) -> Mapping[str, Built]:
    return built_once(shared)


@pytest.fixture(scope="module")
def installed(built: Mapping[str, Built], shared: Path) -> Installed:
    return installed_once(built, shared)


def test_wheels_and_sdists_have_exactly_the_committed_files(built: Mapping[str, Built]) -> None:
    assert built.keys() == projects(ROOT).keys()
    for name, one in built.items():
        files = wheel_files(one.wheel)
        assert problems_of_wheel(files, ROOT, name) == []
        assert problems_of_sdist(sdist_files(one.sdist), ROOT, name) == []
        assert problems_of_metadata(files, ROOT) == []
    assert sum(one.wheel.stat().st_size for one in built.values()) <= WHEELS_BYTES_MAX


@pytest.mark.parametrize("name", ["turnwright-core", "turnwright-tank"])
def test_the_sdist_builds_the_same_wheel_as_the_source(
    built: Mapping[str, Built], name: str, tmp_path: Path
) -> None:
    ours = wheel_files(from_the_source_itself(built, name, tmp_path))
    theirs = wheel_files(built[name].wheel)
    assert [file for file in sorted(ours | theirs) if ours.get(file) != theirs.get(file)] == []


def test_the_installation_is_small_and_every_module_can_be_imported(installed: Installed) -> None:
    installed.run("python", "-m", "pip", "check")
    home = Path(installed.run("python", "-c", "import turnwright; print(turnwright.__path__[0])").strip())
    assert ROOT not in home.parents
    assert (home / "py.typed").is_file()
    assert installed.run("python", "-c", _IMPORT_ALL) == ""
    size = sum(
        path.stat().st_size
        for path in home.parent.rglob("*")
        if path.is_file() and not path.relative_to(home.parent).parts[0].startswith(("pip", "setuptools"))
    )
    assert size <= INSTALL_BYTES_MAX


def test_the_rules_are_compiled_for_old_systems_and_every_python(
    built: Mapping[str, Built], installed: Installed
) -> None:
    found = re.search(r"-cp311-abi3-.*manylinux_2_(\d+)_", built["turnwright-tank"].wheel.name)
    assert found is not None
    assert int(found[1]) <= GLIBC_MINOR_MAX
    assert "rules: compiled" in installed.run("turnwright", "--version")


def test_the_demo_needs_nothing_but_the_wheel(installed: Installed) -> None:
    shown = json.loads(installed.run("turnwright", "demo", "--no-open", "--json", "-n", "1", "-t", "-1"))
    assert len(shown["results"]) > 1
    assert list((installed.folder / "records").glob("*.twr"))


def test_a_newcomer_writes_plays_verifies_and_replays(installed: Installed) -> None:
    folder = installed.folder / "mine"
    folder.mkdir()
    installed.run("turnwright", "new", "bot", "MyBot", cwd=folder)
    words = ("./MyBot", "Spinner", "--rounds", "1", "--json", "--record", "duel.twr")
    battle = json.loads(installed.run("turnwright", "battle", *words, cwd=folder))
    assert {row["name"] for row in battle["results"]} == {"MyBot", "Spinner"}
    installed.run("turnwright", "verify", "duel.twr", cwd=folder)
    installed.run("turnwright", "replay", "duel.twr", "--html", "duel.html", cwd=folder)
    assert b"<script" in (folder / "duel.html").read_bytes()


def test_a_new_game_is_created_and_played(installed: Installed) -> None:
    folder = installed.folder / "game"
    folder.mkdir()
    installed.run("turnwright", "new", "game", "guess", cwd=folder)
    installed.run("turnwright", "new", "bot", "--game", "./guess", "Guesser", cwd=folder)
    words = ("--game", "./guess", "./Guesser", "Middle", "--json")
    battle = json.loads(installed.run("turnwright", "battle", *words, cwd=folder))
    assert {row["name"] for row in battle["results"]} == {"Guesser", "Middle"}


@pytest.mark.parametrize(
    "words",
    [("serve",), ("serve", "--game", "snake"), ("world", "serve", "--telnet-port", "0")],
    ids=" ".join,
)
def test_a_server_shows_its_page_with_all_that_it_loads(installed: Installed, words: tuple[str, ...]) -> None:
    folder = installed.folder / "-".join(words)
    folder.mkdir()
    with installed.serving(*words, "--port", "0", "--no-open", cwd=folder) as addresses:
        origin = re.match(r"https?://[^/]+", addresses[0])
        assert origin is not None
        page = fetch(f"{origin[0]}/").decode()
        loaded = re.findall(r'(?:src|href)="([^"#:]+)"', page)
        assert len(loaded) > 2
        assert all(fetch(f"{origin[0]}/{name.lstrip('./')}") for name in loaded)
        assert fetch(f"{origin[0]}/healthz").strip() == b"ok"


def test_the_documentation_is_installed(installed: Installed, tmp_path: Path) -> None:
    site = tmp_path / "site"
    installed.run("turnwright", "docs", "--out", str(site))
    pages = [
        path.relative_to(ROOT).with_suffix(".html")
        for path in [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("packages/*/docs/*.md")]
    ]
    assert [page for page in pages if not (site / page).is_file()] == []
    installed.run("turnwright", "docs", "--out", str(site), code=2)
    with installed.serving("docs", "--no-open", cwd=tmp_path) as addresses:
        assert b"docs/README.html" in fetch(addresses[0])
