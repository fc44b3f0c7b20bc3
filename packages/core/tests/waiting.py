"""Waits for a condition that soon holds."""

from __future__ import annotations

import time
from collections.abc import Callable

WAIT_S = 120.0


def wait_until(holds: Callable[[], object], within_s: float = WAIT_S) -> None:
    """Wait until a condition holds. Fail if it does not in time."""
    end = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)
