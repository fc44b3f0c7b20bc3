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

__all__ = ["BattleResult", "__version__", "run_battle"]

_LAZY = {
    "run_battle": "turnwright.app.battle",
    "BattleResult": "turnwright.app.results",
}
"""Where each name is imported from on first use, so that `import turnwright` stays fast."""


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
