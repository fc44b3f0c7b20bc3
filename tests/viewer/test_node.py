"""The viewer's own tests, by Node's runner: *.test.js, one for each module that needs no page."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = sorted(path.relative_to(HERE).as_posix() for path in HERE.rglob("*.test.js"))
NODE = shutil.which("node")

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(NODE is None, reason="node is not installed (apt-get install nodejs)"),
]


@pytest.mark.parametrize("file", FILES)
def test_a_module_does_what_its_tests_say(file: str) -> None:
    command = [str(NODE), "--test", "--test-reporter=tap", str(HERE / file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-1_000:]
    assert "# tests 0\n" not in done.stdout
