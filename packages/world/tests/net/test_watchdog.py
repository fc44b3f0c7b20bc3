"""A call into C that never ends is ended by the system and named. No other code is."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

PROGRAM = """
import sys, time
from turnwright_world.net.watchdog import Watchdog
watchdog = Watchdog(0.2)
watchdog.begin()
with watchdog:
    pass
sum(range(30_000_000))
with watchdog:
    time.sleep(0.5)
print("still here", flush=True)
if sys.argv[1] == "hang":
    with watchdog:
        sum(range(10**12))
watchdog.end()
"""


@pytest.mark.parametrize("what", ["hang", "go on"])
def test_only_a_call_that_holds_the_process_ends_it_and_its_line_is_named(what: str) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, what], capture_output=True, text=True, timeout=100)
    assert "still here" in done.stdout
    if what == "hang":
        assert done.returncode == -signal.SIGVTALRM
        assert 'File "<string>", line 14' in done.stderr
    else:
        assert (done.returncode, done.stderr) == (0, "")
