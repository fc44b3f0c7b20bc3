"""Tests of the viewer's modules in JavaScript, run by Node: each *.test.js below `tests`."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.viewer.node import HOMES, NODE, beside_viewer, environment, place_of_tests, why_no_node

PAGES = [page for page in ("viewer", *HOMES) if any(place_of_tests(page).rglob("*.test.js"))]
"""The page of any game, and those of other packages than core."""


pytestmark = pytest.mark.skipif(why_no_node() is not None, reason=str(why_no_node()))


@pytest.mark.parametrize("page", PAGES)
def test_javascript_tests_of_the_viewer_pass(page: str, tmp_path: Path) -> None:
    """All of a page in one process: Node takes longer to start than to run them."""
    files = sorted(map(str, beside_viewer(page, tmp_path).rglob("*.test.js")))
    all_of_them = tmp_path / "all.mjs"
    all_of_them.write_text("".join(f"import {json.dumps(file)};\n" for file in files))
    command = [str(NODE), "--test-reporter=tap", str(all_of_them)]
    done = subprocess.run(
        command,
        env=environment(links=page in HOMES),
        capture_output=True,
        text=True,
        timeout=280,
    )
    failed = [line.strip() for line in done.stdout.splitlines() if line.lstrip().startswith("not ok")]
    assert done.returncode == 0, "\n".join([*failed, done.stdout[-6000:], done.stderr[-2000:]])
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE), "no test ran"
