"""Tests marked `long` run when they are asked for by name: `pytest tests/games/tank -m long`."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave this folder's long tests out, unless `-m` speaks of them; the summary counts them."""
    if "long" in (config.getoption("-m") or ""):
        return
    left_out = [i for i in items if "games/tank" in i.path.as_posix() and i.get_closest_marker("long")]
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)
