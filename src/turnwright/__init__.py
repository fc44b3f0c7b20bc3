"""A turn engine and game server for games whose players are programs.

A battle of bots from Python:

    from turnwright import run_battle

    result = run_battle("bots/MyBot", "Spinner", rounds=3, seed=7)
    print(result.results[0].name)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from turnwright._version import __version__

if TYPE_CHECKING:
    from turnwright.app.battle import run_battle
    from turnwright.app.results import BattleResult
    from turnwright.app.tournament.compare import ComparisonResult, compare
    from turnwright.app.tournament.run import run_tournament
    from turnwright.app.tournament.tournament import Tournament

__all__ = [
    "BattleResult",
    "ComparisonResult",
    "Tournament",
    "__version__",
    "compare",
    "run_battle",
    "run_tournament",
]

_LAZY = {
    "run_battle": "turnwright.app.battle",
    "BattleResult": "turnwright.app.results",
    "compare": "turnwright.app.tournament.compare",
    "ComparisonResult": "turnwright.app.tournament.compare",
    "run_tournament": "turnwright.app.tournament.run",
    "Tournament": "turnwright.app.tournament.tournament",
}
"""Imported when first asked for, so that `import turnwright` stays quick."""


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
