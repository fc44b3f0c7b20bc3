"""`make test` leaves out the tests marked for `make test-all`, and reports them, also with many workers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from packages.core.tests.messages import missing, naming
from tests.house.source import ROOT
from tests.parts import LATER, few

LONG_TESTS = ROOT / "tests" / "long_tests.txt"
CONFTEST = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from tests.parts import Parts

def pytest_addoption(parser):
    parser.addoption("--part", default="all")

def pytest_configure(config):
    for name in {list(LATER)!r}:
        config.addinivalue_line("markers", name)
    config.pluginmanager.register(Parts(config), "parts")
"""
TESTS = """
import pytest

def test_quick(): pass

@pytest.mark.long
def test_long(): pass

@pytest.mark.quiet
def test_quiet(): pass

@pytest.mark.explore
def test_seed(): pass

@pytest.mark.browser
@pytest.mark.long
def test_page(): pass

def test_lacking(): pytest.skip("no node here")
"""


def said(folder: Path, *words: str) -> list[str]:
    """Return the lines that a run of these tests ends with."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_some.py").write_text(TESTS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(folder),
        *words,
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    return done.stdout.splitlines()


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "in workers"])
def test_tests_left_out_and_skipped_are_reported_in_one_line_each(
    tmp_path: Path, workers: tuple[str, ...]
) -> None:
    lines = said(tmp_path, "--part", "quick", *workers)
    assert "1 passed, 1 skipped" in lines[-1]
    (left_out,) = naming(lines, "left out")
    assert not missing(left_out, "2 over a second", "1 measurements", "make test-all")
    (skipped,) = naming(lines, "skipped, because")
    assert not missing(skipped, "1: no node here")


def test_all_but_measurements_run_where_nothing_is_left_out(tmp_path: Path) -> None:
    lines = said(tmp_path)
    assert "3 passed, 1 skipped, 2 deselected" in lines[-1]
    (left_out,) = naming(lines, "left out")
    assert not missing(left_out, "1 measurements", "m quiet", "1 with more seeds", "m explore")


def test_a_marker_on_the_command_line_selects_its_tests(tmp_path: Path) -> None:
    assert "1 passed, 5 deselected" in said(tmp_path, "-m", "quiet")[-1]
    assert "2 passed, 4 deselected" in said(tmp_path, "--part", "quick", "-m", "long")[-1]
    assert "1 passed, 5 deselected" in said(tmp_path, "-m", "explore")[-1]


@pytest.mark.parametrize(
    ("count", "quick", "kept"), [(5, 1, [0]), (5, 2, [0, 2]), (6, 3, [0, 2, 4]), (3, 3, [0, 1, 2])]
)
def test_a_few_of_many_parameters_are_quick_and_the_others_are_the_matrix(
    count: int, quick: int, kept: list[int]
) -> None:
    given = few(range(count), quick)
    assert [one.values[0] for one in given] == list(range(count))
    assert [one.values[0] for one in given if not one.marks] == kept


def test_more_values_are_left_to_explore() -> None:
    given = few(range(8), 2, 4)
    assert [[mark.name for mark in one.marks] for one in given] == [
        [], ["explore"], ["matrix"], ["explore"], [], ["explore"], ["matrix"], ["explore"]
    ]  # fmt: skip


def test_the_list_of_long_tests_names_functions_that_are_there() -> None:
    """A whole run checks each parameter, too, when it collects; this says it before the whole is run."""
    gone = []
    for line in LONG_TESTS.read_text(encoding="utf-8").splitlines():
        file, _, name = line.partition("::")
        function = name.partition("[")[0].removesuffix("::runTest").rpartition("::")[2]
        path = ROOT / file
        if not path.is_file() or function not in path.read_text(encoding="utf-8"):
            gone.append(line)
    assert not gone
