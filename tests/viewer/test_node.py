"""Tests of the viewer's modules in JavaScript, run by Node: each *.test.js below `tests`."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.viewer.node import NODE, environment, why_no_node

TESTS = Path(__file__).parents[1]
FOLDERS = sorted({path.parent.relative_to(TESTS).as_posix() for path in TESTS.rglob("*.test.js")})


pytestmark = pytest.mark.skipif(why_no_node() is not None, reason=str(why_no_node()))


@pytest.mark.parametrize("folder", FOLDERS)
def test_modules_of_the_viewer_do_what_their_tests_say(folder: str) -> None:
    files = sorted(path.name for path in (TESTS / folder).glob("*.test.js"))
    command = [str(NODE), "--test", "--test-reporter=tap", *files]
    done = subprocess.run(
        command, cwd=TESTS / folder, env=environment(), capture_output=True, text=True, timeout=280
    )
    failed = [line.strip() for line in done.stdout.splitlines() if line.lstrip().startswith("not ok")]
    assert done.returncode == 0, "\n".join([*failed, done.stdout[-6000:], done.stderr[-2000:]])
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE), "no test ran"
