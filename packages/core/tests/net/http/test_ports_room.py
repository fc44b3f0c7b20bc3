"""Whether a server can hold as many connections as it admits, tried in separate processes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from turnwright.net.http.ports import SPARE

PROGRAM = """
import logging, resource, sys
logging.basicConfig(format="%(message)s")
from turnwright.net.http.ports import make_room
soft, hard, wanted = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
print(make_room(wanted), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""

pytestmark = pytest.mark.process


def tried(soft: int, hard: int, wanted: int) -> tuple[list[int], str]:
    """Return the possible number of connections, both limits afterwards, and the warning."""
    argv = [sys.executable, "-c", PROGRAM, str(soft), str(hard), str(wanted)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=True)
    return [int(word) for word in done.stdout.split()], done.stderr.strip()


def test_a_low_limit_is_raised_as_far_as_is_needed() -> None:
    assert tried(300, 1_000, 600) == ([600, 600 + SPARE, 1_000], "")


def test_a_sufficient_limit_stays_unchanged() -> None:
    assert tried(900, 1_000, 600) == ([600, 900, 1_000], "")


def test_a_limit_above_that_of_the_system_is_reduced_and_reported() -> None:
    said = f"this system allows {1_000 - SPARE} connections, not 2000: see ulimit -n"
    assert tried(300, 1_000, 2_000) == ([1_000 - SPARE, 1_000, 1_000], said)
