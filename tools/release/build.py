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

from release.source import files_of

DOCS = "src/turnwright/docs.tar.xz"
"""The documentation site, which is made and not committed."""
_STEP_TIMEOUT_S = 600


class Built(NamedTuple):
    """The paths of both distributions; the wheel was built from the sdist."""

    sdist: Path
    wheel: Path


def export(root: Path, folder: Path) -> Path:
    """Copy the files of a working tree that are committed, or would be, into a folder; return it."""
    for name in files_of(root):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, folder / name)
    return folder


def build(source: Path, dist: Path) -> Built:
    """Build the documentation, the sdist, and from it the wheel.

    source: from `export`. dist: the folder for both; what it has of other versions stays.
    Raises: CalledProcessError with what the failed program said.
    """
    site = source / "build" / "site"
    words = ("-q", "-W", "--keep-going", "-d", str(source / "build" / "site-cache"))
    _run(source, "sphinx", *words, "-c", "tools/docs_site", ".", str(site), module=True)
    _run(source, "tools/docs_site/pack.py", str(site), DOCS)
    shutil.rmtree(source / "build")
    before = {path: path.stat().st_mtime_ns for path in dist.glob("*")} if dist.is_dir() else {}
    _run(source, "build", "--outdir", str(dist.absolute()), module=True)
    new = [path for path in sorted(dist.iterdir()) if before.get(path) != path.stat().st_mtime_ns]
    (sdist,) = [path for path in new if path.name.endswith(".tar.gz")]
    (wheel,) = [path for path in new if path.suffix == ".whl"]
    return Built(sdist, _tagged(source, wheel))


def build_wheel(source: Path, dist: Path) -> Path:
    """Build a wheel from the source itself, not from the sdist; return it."""
    _run(source, "build", "--wheel", "--outdir", str(dist.absolute()), module=True)
    (wheel,) = dist.glob("*.whl")
    return _tagged(source, wheel)


def _tagged(source: Path, wheel: Path) -> Path:
    """Return a wheel that names the oldest Linux on which its extension runs; elsewhere the same wheel."""
    if sys.platform != "linux":
        return wheel
    with tempfile.TemporaryDirectory(dir=wheel.parent) as folder:
        _run(source, "auditwheel", "repair", "--wheel-dir", folder, str(wheel), module=True)
        (tagged,) = Path(folder).glob("*.whl")
        wheel.unlink()
        return tagged.rename(wheel.with_name(tagged.name))


def _run(folder: Path, *words: str, module: bool = False) -> None:
    """Run a program of this Python in a folder; its output is shown only when it fails."""
    command = [sys.executable, *(["-m"] if module else []), *words]
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environ.get('PATH', os.defpath)}"
    done = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, timeout=_STEP_TIMEOUT_S
    )
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
        done.check_returncode()
