"""Builds sdist and wheel in a folder that has the source and nothing else.

A clone has more than what is committed: files of an editor, and `build/lib`, in which setuptools keeps
modules that were deleted since.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from release.source import files_of, projects, version_of

DOCS = "packages/core/src/turnwright/docs.tar.xz"
"""The documentation site, which is made and not committed."""
_STEP_TIMEOUT_S = 600
_BY_UV = ("--installer", "uv")
"""uv makes the environment of a build in a tenth of pip's time."""


class Built(NamedTuple):
    """The paths of the files of one distribution. The wheel was built from the sdist."""

    sdist: Path
    wheel: Path


def export(root: Path, folder: Path) -> Path:
    """Copy the files of a working tree that are committed, or would be, into a folder. Return the folder."""
    for name in files_of(root):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, folder / name)
    return folder


def build_site(source: Path, folder: Path) -> Path:
    """Build the documentation site in an empty folder, as `make docs` does. Return the folder of its pages.

    Raises:
        CalledProcessError: Sphinx reported an error or a warning.
    """
    site = folder / "site"
    words = ("-q", "-W", "--keep-going", "-d", str(folder / "cache"))
    _run(source, "sphinx", *words, "-c", "tools/docs_site", ".", str(site), module=True)
    return site


def build(source: Path, dist: Path, site: Path) -> dict[str, Built]:
    """Build the sdist of each distribution, and its wheel from the sdist.

    Args:
        source: from `export`.
        dist: the folder for all files. Its files of other versions stay.
        site: the documentation, from `build_site`.

    Raises:
        CalledProcessError: a program failed. Its output was printed to stderr.
        TimeoutExpired: a program took longer than ten minutes.
    """
    _run(source, "tools/docs_site/pack.py", str(site), DOCS)
    for folder in projects(source).values():
        _run(folder, "build", *_BY_UV, "--outdir", str(dist.absolute()), module=True)
    return built_in(source, dist, tag=True)


def built_in(source: Path, dist: Path, *, tag: bool = False) -> dict[str, Built]:
    """Return the distributions of this version in a folder.

    Args:
        tag: whether to replace each wheel with compiled code by a wheel that names the oldest system.

    Raises:
        ValueError: the folder does not have exactly one wheel of a distribution.
    """
    found = {}
    for name in projects(source):
        start = f"{name.replace('-', '_')}-{version_of(source)}"
        (wheel,) = dist.glob(f"{start}-*.whl")
        found[name] = Built(dist / f"{start}.tar.gz", _tagged(source, wheel) if tag else wheel)
    return found


def build_wheel(source: Path, name: str, dist: Path) -> Path:
    """Build the wheel of a distribution from the source itself, not from the sdist. Return its path."""
    _run(projects(source)[name], "build", *_BY_UV, "--wheel", "--outdir", str(dist.absolute()), module=True)
    (wheel,) = dist.glob("*.whl")
    return _tagged(source, wheel)


def _tagged(source: Path, wheel: Path) -> Path:
    """Return a wheel that names the oldest Linux on which its extension runs. It replaces the given wheel. On
    other systems, or if the wheel has no extension, return the given wheel.
    """
    if sys.platform != "linux" or wheel.stem.endswith("-none-any"):
        return wheel
    with tempfile.TemporaryDirectory(dir=wheel.parent) as folder:
        _run(source, "auditwheel", "repair", "--wheel-dir", folder, str(wheel), module=True)
        (tagged,) = Path(folder).glob("*.whl")
        wheel.unlink()
        return tagged.rename(wheel.with_name(tagged.name))


def _run(folder: Path, *words: str, module: bool = False) -> None:
    """Run a program of this Python in a folder. If it fails, print its output and raise an error."""
    command = [sys.executable, *(["-m"] if module else []), *words]
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environ.get('PATH', os.defpath)}"
    done = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, timeout=_STEP_TIMEOUT_S
    )
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
        done.check_returncode()
