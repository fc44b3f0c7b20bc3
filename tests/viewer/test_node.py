"""Tests of the viewer's modules in JavaScript, run by Node: each *.test.js below `tests`."""

from __future__ import annotations

import posixpath
import re
import subprocess
from pathlib import Path

import pytest

from tests.viewer.node import HOMES, NODE, beside_viewer, environment, files, place_of_tests, why_no_node

FOLDERS = sorted(
    {posixpath.dirname(one) for one in files(".js") if place_of_tests(one).with_suffix(".test.js").exists()}
)


pytestmark = pytest.mark.skipif(why_no_node() is not None, reason=str(why_no_node()))


@pytest.mark.parametrize("folder", FOLDERS)
def test_modules_of_the_viewer_do_what_their_tests_say(folder: str, tmp_path: Path) -> None:
    files = sorted(map(str, beside_viewer(folder, tmp_path).glob("*.test.js")))
    command = [str(NODE), "--test", "--test-reporter=tap", *files]
    done = subprocess.run(
        command,
        env=environment(links=folder.startswith(tuple(HOMES))),
        capture_output=True,
        text=True,
        timeout=280,
    )
    failed = [line.strip() for line in done.stdout.splitlines() if line.lstrip().startswith("not ok")]
    assert done.returncode == 0, "\n".join([*failed, done.stdout[-6000:], done.stderr[-2000:]])
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE), "no test ran"
