"""The folder of the compiled rules, for `turnwright doctor`."""

from __future__ import annotations

from turnwright.app.version import compiled_by
from turnwright.cli.doctor import Check

__all__ = ["checks"]


def checks() -> list[Check]:
    """Return where the compiled rules are kept, if they are compiled."""
    if compiled_by() is None:
        return []
    from turnwright.games.tank.backends.compile import cache_directory

    folder = cache_directory()
    if folder is None:
        advice = "every start compiles again: set XDG_CACHE_HOME to a writable one"
        return [Check("cache", "missing", None, advice)]
    return [Check("cache", "ok", folder)]
