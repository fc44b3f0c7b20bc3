"""Puts the tests' own folder on the path, so that test files can share helpers by package name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs a quiet machine, unless `-m` speaks of it; the summary counts them."""
    if "quiet" in (config.getoption("-m") or ""):
        return
    left_out = [item for item in items if item.get_closest_marker("quiet")]
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)
