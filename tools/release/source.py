"""The state of the source: its version, the newest heading of the changelog, and uncommitted files."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

VERSION_FILE = Path("packages/core/src/turnwright/_version.py")
CHANGELOG = Path("CHANGELOG.md")
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_RELEASED = re.compile(r"(?P<version>\S+) - (?P<date>\d{4}-\d{2}-\d{2})")


def projects(root: Path) -> dict[str, Path]:
    """Return the folder of each distribution by its name. The one of the root only requires the others."""
    files = sorted(root.glob("packages/*/pyproject.toml"))
    return {"turnwright": root} | {f"turnwright-{file.parent.name}": file.parent for file in files}


def version_of(root: Path) -> str:
    """Return the version that the source has.

    Raises:
        ValueError: there is none.
    """
    found = _VERSION.search((root / VERSION_FILE).read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f'{VERSION_FILE} has no line __version__ = "…"')
    return found[1]


def heading_of(root: Path) -> str:
    """Return the newest heading of the changelog, e.g. "0.1.0 - 2026-12-01", or "" without one."""
    found = _HEADING.search((root / CHANGELOG).read_text(encoding="utf-8"))
    return "" if found is None else found[1].strip()


def files_of(root: Path) -> list[str]:
    """Return the paths of all files that are committed, or would be with `git add --all`."""
    listed = _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    return sorted(name for name in set(listed) if name and (root / name).is_file())


def problems_of_source(root: Path) -> list[str]:
    """Return the reasons why this source cannot be released. Each is a line that says what to do."""
    problems = []
    changed = _git(root, "status", "--porcelain").splitlines()
    if changed:
        names = ", ".join(line[3:] for line in changed[:5])
        problems.append(f"{len(changed)} files are not committed ({names}): commit or remove them")
    version, heading = version_of(root), heading_of(root)
    released = _RELEASED.fullmatch(heading)
    if released is None or released["version"] != version:
        problems.append(
            f'the newest heading of {CHANGELOG} is "## {heading}", expected "## {version} - YEAR-MONTH-DAY",'
            f" the version of {VERSION_FILE}: rename it, or change the version"
        )
    tag = f"v{version}"
    if _git(root, "tag", "--list", tag).strip() and _git(root, "rev-list", "-1", tag) != _git(
        root, "rev-list", "-1", "HEAD"
    ):
        problems.append(f"the tag {tag} is on another commit: raise the version in {VERSION_FILE}")
    return problems


def _git(root: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, text=True, check=True, timeout=60
    ).stdout
