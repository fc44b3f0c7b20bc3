"""A release is refused if its source or its contents are wrong."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import release.__main__ as release_command
from release.contents import problems_of_metadata, problems_of_sdist, problems_of_wheel
from release.source import files_of, heading_of, problems_of_source, version_of

from packages.core.tests.messages import missing

CORE = "turnwright-core"
METADATA = """\
Metadata-Version: 2.4
Name: turnwright-core
Version: 1.2.3
Requires-Python: >=3.11
License-Expression: Apache-2.0
License-File: LICENSE
License-File: NOTICE
Description-Content-Type: text/markdown

# turnwright
"""
INFO = "turnwright_core-1.2.3.dist-info"


def git(root: Path, *words: str) -> None:
    identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    subprocess.run(["git", "-C", root, *identity, *words], check=True, capture_output=True, timeout=60)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small source that can be released."""
    root = tmp_path / "source"
    (root / "packages/core/src/turnwright").mkdir(parents=True)
    (root / "packages/core/src/turnwright/_version.py").write_text('__version__ = "1.2.3"\n')
    (root / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 - 2026-12-01\n\n## 1.2.2 - 2026-11-01\n")
    git(tmp_path, "init", "-q", "source")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "all")
    return root


def wheel_of(source: Path, **more: bytes) -> dict[str, bytes]:
    names = ("WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE", "licenses/NOTICE")
    files = {f"{INFO}/{name}": b"" for name in names}
    ours = dict.fromkeys(("turnwright/_version.py", "turnwright/docs.tar.xz"), b"")
    return {**ours, **files, f"{INFO}/METADATA": METADATA.encode(), **more}


def test_a_source_whose_version_is_the_newest_of_its_changelog_is_released(source: Path) -> None:
    assert (version_of(source), heading_of(source)) == ("1.2.3", "1.2.3 - 2026-12-01")
    assert problems_of_source(source) == []


@pytest.mark.parametrize("heading", ["Unreleased", "1.2.2 - 2026-12-01", "1.2.3", "1.2.3 - soon"])
def test_another_heading_is_refused(source: Path, heading: str) -> None:
    (source / "CHANGELOG.md").write_text(f"# Changelog\n\n## {heading}\n")
    git(source, "commit", "-q", "-a", "-m", "heading")
    (problem,) = problems_of_source(source)
    assert not missing(problem, heading, "1.2.3", "CHANGELOG.md")


def test_uncommitted_files_are_named(source: Path) -> None:
    (source / "stray.txt").write_text("x")
    (problem,) = problems_of_source(source)
    assert not missing(problem, "stray.txt")


def test_a_version_that_has_a_tag_elsewhere_is_refused(source: Path) -> None:
    git(source, "tag", "v1.2.3")
    assert problems_of_source(source) == []
    git(source, "commit", "-q", "--allow-empty", "-m", "more")
    (problem,) = problems_of_source(source)
    assert not missing(problem, "v1.2.3")


def test_ignored_files_are_not_part_of_the_source(source: Path) -> None:
    (source / ".gitignore").write_text("*.whl\n")
    (source / "new.py").write_text("")
    (source / "old.whl").write_text("")
    (source / "CHANGELOG.md").unlink()
    assert files_of(source) == [".gitignore", "new.py", "packages/core/src/turnwright/_version.py"]


def test_a_wheel_has_the_committed_files_and_the_documentation(source: Path) -> None:
    files = wheel_of(source)
    assert problems_of_wheel(files, source, CORE) == []
    assert problems_of_metadata(files, source) == []
    for name in ("turnwright/docs.tar.xz", f"{INFO}/licenses/NOTICE", "turnwright/_version.py"):
        (problem,) = problems_of_wheel({key: files[key] for key in files if key != name}, source, CORE)
        assert not missing(problem, name)


@pytest.mark.parametrize("stray", ["tests/test_a.py", "turnwright/notes.txt", "turnwright/view.js~"])
def test_a_stray_file_of_a_wheel_is_named(source: Path, stray: str) -> None:
    (problem,) = problems_of_wheel(wheel_of(source, **{stray: b""}), source, CORE)
    assert stray in problem


def test_a_stray_file_of_an_sdist_is_named(source: Path) -> None:
    problems = problems_of_sdist(["PKG-INFO", "setup.cfg", "tests/test_a.py"], source, CORE)
    assert [problem for problem in problems if "tests/test_a.py" in problem]
    assert not [problem for problem in problems if "PKG-INFO" in problem]
    assert [problem for problem in problems if "src/turnwright/docs.tar.xz" in problem]


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("Version: 1.2.3", "Version: 1.2.4", "1.2.4"),
        ("License-Expression: Apache-2.0", "License-Expression: Apache-3.0", "Apache-3.0"),
        ("License-File: NOTICE\n", "", "License-File"),
        ("Requires-Python: >=3.11", "Requires-Python: >=3.9", "3.9"),
        ("# turnwright", "[tour](docs/tour.md)", "docs/tour.md"),
        ("# turnwright\n", "", "description"),
        ("text/markdown", "text/word", "text/word"),
    ],
)
def test_wrong_metadata_is_named(source: Path, old: str, new: str, named: str) -> None:
    assert old in METADATA
    files = wheel_of(source, **{f"{INFO}/METADATA": METADATA.replace(old, new).encode()})
    (problem,) = problems_of_metadata(files, source)
    assert named in problem


# ---- failing programs ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (subprocess.TimeoutExpired(["sphinx", "."], 600), ("gave up after 600 s", "sphinx .")),
        (subprocess.CalledProcessError(2, ["build", "--wheel"]), ("exit code 2", "build --wheel")),
        (ValueError("no line __version__"), ("no line __version__",)),
    ],
)
def test_a_build_that_fails_ends_in_one_line(
    error: Exception,
    words: tuple[str, ...],
    source: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr(release_command, "ROOT", source)
    monkeypatch.setattr(release_command, "DIST", tmp_path / "dist")
    monkeypatch.setattr(release_command, "build_site", failing)
    assert release_command.main() == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert not missing(last, "release:", *words)
