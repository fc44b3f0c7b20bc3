"""Tests marked `long` run when they are asked for by name: `pytest tests/games/tank -m long`."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip this folder's long tests unless `-m` speaks of them."""
    if "long" in (config.getoption("-m") or ""):
        return
    for item in items:
        if "games/tank" in item.path.as_posix() and item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="takes minutes; ask for it with -m long"))
