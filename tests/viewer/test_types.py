"""The viewer's types, written in JSDoc, hold: tsc, strict."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.viewer.node import as_served

OFFLINE = {**os.environ, "npm_config_offline": "true", "npm_config_yes": "true"}


def _tsc() -> list[str] | None:
    """Return the command of a TypeScript compiler that this machine has already."""
    here = Path(__file__).parents[2] / "build/npm/node_modules/.bin/tsc"
    if (tsc := str(here) if here.exists() else shutil.which("tsc")) is not None:
        return [tsc]
    if (npx := shutil.which("npx")) is None:
        return None
    command = [npx, "-p", "typescript", "tsc"]
    found = subprocess.run([*command, "--version"], env=OFFLINE, capture_output=True, timeout=120)
    return command if found.returncode == 0 else None


def test_types_of_the_viewer_hold(tmp_path: Path) -> None:
    command = _tsc()
    if command is None:
        pytest.skip("no tsc: get it once with `npx -y -p typescript tsc --version`")
    place = as_served(tmp_path) / "viewer"
    command += ["-p", str(place), "--preserveSymlinks"]
    done = subprocess.run(command, env=OFFLINE, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout[-6000:]
