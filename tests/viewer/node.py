"""Finds Node and says how it has to be started, for the tests that run the viewer's modules with it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache

NODE = shutil.which("node")
OLDEST = (18, 19)
SEES_MODULES = (20, 19)
"""Older ones do not see by themselves that a .js file is a module."""


@cache
def _version() -> tuple[int, int]:
    text = subprocess.run([str(NODE), "--version"], capture_output=True, text=True, check=True).stdout
    found = re.match(r"v(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


@cache
def why_no_node() -> str | None:
    """Return why the tests cannot run, or None if they can."""
    if NODE is None:
        return "node is not installed (apt-get install nodejs)"
    if _version() < OLDEST:
        return f"node is older than {OLDEST[0]}.{OLDEST[1]}"
    return None


def environment(**more: str) -> dict[str, str]:
    """Return the environment to start it in."""
    found = {**os.environ, **more}
    if _version() < SEES_MODULES:
        found["NODE_OPTIONS"] = "--experimental-default-type=module"
    return found
