from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

PROGRAM = """
import time
from turnwright.net.processes.parent import end_with_stdin
end_with_stdin()
print("begun", flush=True)
time.sleep(600)
"""


def test_a_process_ends_when_the_pipe_of_its_starter_does() -> None:
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdin is not None
    with process:
        assert process.stdout.readline().strip() == b"begun"
        assert process.poll() is None
        process.stdin.close()
        assert process.wait(60) == 1
