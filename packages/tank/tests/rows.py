"""Rows of results of tanks, for tests."""

from __future__ import annotations

from typing import Any

from turnwright.app.results import ResultRow
from turnwright_tank.app.results import COLUMNS


def tank_row(rank: int, name: str, version: str, *scores: int, **marks: Any) -> ResultRow:
    """Return a row with these scores, in the order of the columns."""
    return ResultRow(rank, name, version, dict(zip(COLUMNS, scores, strict=True)), **marks)
