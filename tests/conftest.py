"""Puts the tests' own folder on the path, so that test files can share helpers by package name."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background job: some tests interrupt
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _signals_as_before() -> Iterator[None]:
    """Let no test leave behind what it made of Ctrl-C and SIGTERM: later ones would not end."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    after = {number: signal.getsignal(number) for number in before}
    for number, handler in before.items():
        signal.signal(number, handler)
    assert after == before


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs a quiet machine, unless `-m` speaks of it; the summary counts them."""
    if "quiet" in (config.getoption("-m") or ""):
        return
    left_out = [item for item in items if item.get_closest_marker("quiet")]
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)
