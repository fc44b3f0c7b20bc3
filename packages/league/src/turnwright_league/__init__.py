"""Tournaments, comparisons of two versions of a bot, and a ladder for a class.

from turnwright_league import run_tournament

found = run_tournament("cup", "Spinner", "Tracker", "Crawler", battles=1)
print(found.standings[0].name)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnwright_league.app.compare import ComparisonResult, compare
    from turnwright_league.app.run import run_tournament
    from turnwright_league.app.tournament import Tournament

__all__ = ["ComparisonResult", "Tournament", "compare", "run_tournament"]

_LAZY = {
    "compare": "turnwright_league.app.compare",
    "ComparisonResult": "turnwright_league.app.compare",
    "run_tournament": "turnwright_league.app.run",
    "Tournament": "turnwright_league.app.tournament",
}
"""Names that are imported on first use, because `turnwright --help` loads this package, too."""


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
