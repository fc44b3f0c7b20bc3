"""`make release`: builds and checks a release in `dist`; publishing it is a person's act."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from release.build import DOCS, Built, build, build_site, export
from release.contents import (
    WHEELS_BYTES_MAX,
    problems_of_metadata,
    problems_of_sdist,
    problems_of_wheel,
    sdist_files,
    wheel_files,
)
from release.source import problems_of_source, version_of

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"
TRIAL = "tests/tools/test_wheel.py"
_NEXT = """\
{files}
All are checked. What is left to a person:
  git tag -a v{version} -m 'turnwright {version}'    # on this commit; then push it
  twine upload {files}    # to the package index, with its account
  turnwright-docs.zip, wheels and sdists may go along with the tag on the code host
Then raise the version (docs/maintainers/release.md says where) and begin "## Unreleased" in CHANGELOG.md."""


def main() -> int:
    """Check the source, build the release and check it. Return the exit code: 2 if the source cannot be
    released, 1 for any other failure.

    Older packages in `dist` are deleted.
    """
    try:
        return _release()
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        _told([_reason(error)])
        return 1


def _reason(error: Exception) -> str:
    """Return why the release failed, in one line that names the command that failed."""
    command = " ".join(map(str, getattr(error, "cmd", ())))
    if isinstance(error, subprocess.TimeoutExpired):
        return f"gave up after {error.timeout:g} s: {command}"
    if isinstance(error, subprocess.CalledProcessError):
        return f"exit code {error.returncode} of {command}: the lines above say why"
    return str(error)


def _release() -> int:
    if _told(problems_of_source(ROOT)):
        return 2
    version = version_of(ROOT)
    DIST.mkdir(exist_ok=True)
    for old in (*DIST.glob("turnwright*.whl"), *DIST.glob("turnwright*.tar.gz")):
        old.unlink()
    with tempfile.TemporaryDirectory(prefix="turnwright-release-") as folder:
        print("building documentation, sdists and wheels", file=sys.stderr)
        source = export(ROOT, Path(folder) / "source")
        built = build(source, DIST, build_site(source, Path(folder) / "docs"))
        if _told(_problems_of(built, source)):
            return 1
        shutil.copy2(source / DOCS, ROOT / DOCS)
    print("trying the wheels in an empty environment", file=sys.stderr)
    tried = subprocess.run(
        [sys.executable, "-m", "pytest", TRIAL],
        cwd=ROOT,
        env={**os.environ, "TURNWRIGHT_DIST": str(DIST)},
        stdout=sys.stderr,
    )
    if tried.returncode:
        return 1
    files = " ".join(str(path.relative_to(ROOT)) for one in built.values() for path in one)
    print(_NEXT.format(version=version, files=files))
    return 0


def _problems_of(built: Mapping[str, Built], source: Path) -> list[str]:
    problems = []
    for name, one in built.items():
        files = wheel_files(one.wheel)
        problems += [
            *problems_of_wheel(files, ROOT, name),
            *problems_of_sdist(sdist_files(one.sdist), ROOT, name),
            *problems_of_metadata(files, ROOT),
        ]
    size = sum(one.wheel.stat().st_size for one in built.values())
    if size > WHEELS_BYTES_MAX:
        problems.append(f"the wheels have {size:,} bytes, at most {WHEELS_BYTES_MAX:,} are allowed")
    return problems


def _told(problems: list[str]) -> bool:
    """Print problems to stderr. Return whether there are any."""
    for problem in problems:
        print(f"release: {problem}", file=sys.stderr)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
