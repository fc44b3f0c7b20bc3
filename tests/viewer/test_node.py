"""The tests of the viewer's modules, run by Node: each *.test.js beside this file."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NODE = shutil.which("node")
NODE_MIN = (20, 19)
"""Older ones do not see that a .js file is a module."""
FOLDERS = sorted({path.parent.relative_to(HERE).as_posix() for path in HERE.rglob("*.test.js")})


def _version() -> tuple[int, int]:
    text = subprocess.run([str(NODE), "--version"], capture_output=True, text=True, check=True).stdout
    found = re.match(r"v(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


@pytest.mark.parametrize("folder", FOLDERS)
def test_modules_of_the_viewer_do_what_their_tests_say(folder: str) -> None:
    if NODE is None:
        pytest.skip("no node: the viewer's modules are not tested")
    if _version() < NODE_MIN:
        pytest.skip(f"node is older than {NODE_MIN[0]}.{NODE_MIN[1]}: the viewer's modules are not tested")
    files = sorted(path.name for path in (HERE / folder).glob("*.test.js"))
    command = [NODE, "--test", "--test-reporter=tap", *files]
    done = subprocess.run(command, cwd=HERE / folder, capture_output=True, text=True, timeout=280)
    failed = [line.strip() for line in done.stdout.splitlines() if line.lstrip().startswith("not ok")]
    assert done.returncode == 0, "\n".join([*failed, done.stdout[-6000:], done.stderr[-2000:]])
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE), "no test ran"
