"""Sandboxes for tests, which are skipped with the reason if this machine cannot make sandboxes."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest

from tests.house.source import ROOT, SRC
from turnwright.net.sandbox.level import ability

NOBODY = 65_534
Ordinary = Callable[[str], "subprocess.CompletedProcess[str]"]


@pytest.fixture
def sandboxed() -> None:
    """Skip the test if this machine cannot make sandboxes."""
    found = ability()
    if found.level != "full":
        pytest.skip(f"no sandboxes here: {found.cause}")


@pytest.fixture
def as_nobody(sandboxed: None) -> Iterator[Ordinary]:
    """A function that runs Python code with our sources as an ordinary user, even if root runs the tests."""
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if python is None:
        pytest.skip("another user needs a system Python")
    with tempfile.TemporaryDirectory(prefix="turnwright-sources-") as folder:  # pytest's are closed to others
        sources = Path(folder)
        for package in (SRC, Path(msgspec.__file__).parent):  # the kernel needs the second one
            shutil.copytree(package, sources / package.name, ignore=shutil.ignore_patterns("__pycache__"))
        here = Path(__file__).parent
        shutil.copytree(
            here, sources / here.relative_to(ROOT), ignore=shutil.ignore_patterns("test_*", "__*")
        )
        subprocess.run(["chmod", "-R", "o+rX", folder], check=True)
        yield partial(_run, python, sources)


def _run(python: str, sources: Path, code: str) -> subprocess.CompletedProcess[str]:
    become = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    return subprocess.run(
        [*(become if os.getuid() == 0 else ()), python, "-c", code],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(sources), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
