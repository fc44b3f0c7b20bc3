"""Which Python starts a bot that is written in it: `python`, then `python3`, then the one we run on.

That is the booter's convention. A bot that is written with our own library needs a Python that has it: it
gets the first of these that does, so that it also plays where ours sits in an environment of its own.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from turnwright.errors import SetupError

__all__ = ["choose_python", "python_for"]

_OURS = re.compile(rb"^[ \t]*(from|import)[ \t]+turnwright\b", re.MULTILINE)
_SOURCE_SIZE_MAX = 1 << 20
_PROBE_TIMEOUT_S = 10.0


def choose_python(python: str | None) -> str:
    """Return the interpreter for Python bots: the given one, or the first that there is.

    Raises: SetupError when the given one is not there.
    """
    if python is None:
        return _candidates()[0]
    if shutil.which(python) is None:
        raise SetupError(f"--python {python}: no such program; give the path of a Python interpreter")
    return os.path.abspath(python) if os.sep in python else python


def python_for(script: Path, python: str | None) -> str:
    """Return the interpreter for one bot. Raises: SetupError when the given one is not there."""
    if python is not None or not _uses_our_library(script):
        return choose_python(python)
    candidates = _candidates()
    return next((one for one in candidates if _has_our_library(shutil.which(one) or one)), candidates[0])


def _candidates() -> list[str]:
    return [*(name for name in ("python", "python3") if shutil.which(name)), sys.executable]


def _uses_our_library(script: Path) -> bool:
    try:
        with script.open("rb") as file:
            return _OURS.search(file.read(_SOURCE_SIZE_MAX)) is not None
    except OSError:
        return False


@lru_cache(maxsize=16)
def _has_our_library(path: str) -> bool:
    if path == sys.executable:
        return True
    try:
        done = subprocess.run(
            [path, "-c", "import turnwright.bots"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
