from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from turnwright.net.processes.parent_watch import GO_ON

pytestmark = pytest.mark.process

PROGRAM = """
import sys, time
from turnwright.net.processes.parent_watch import end_with_stdin
end_with_stdin(float(sys.argv[1]))
print("begun", flush=True)
time.sleep(600)
"""


def begun(after_s: float) -> Any:
    """A process that has begun to sleep."""
    argv = [sys.executable, "-c", PROGRAM, str(after_s)]
    process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline().strip() == b"begun"
    return process


def test_a_process_ends_when_the_pipe_of_its_starter_does() -> None:
    with begun(after_s=600) as process:
        assert process.poll() is None
        process.stdin.close()
        assert process.wait(60) == 1


def test_a_process_that_may_go_on_does_so_for_a_time_and_no_longer() -> None:
    with begun(after_s=600) as process:
        process.stdin.write(GO_ON)
        process.stdin.close()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        process.kill()
    with begun(after_s=0.1) as process:
        process.stdin.write(GO_ON)
        process.stdin.close()
        assert process.wait(60) == 1
