"""The version, and the speed of the rules here, without heavy imports."""

from __future__ import annotations

import platform
from importlib import metadata
from importlib.util import find_spec

from turnwright._version import __version__

__all__ = ["compiled_by", "speed_text", "version_text"]


def compiled_by() -> str | None:
    """Return the version of Numba that compiles the rules, or None.

    None: the rules are interpreted.
    """
    if find_spec("numba") is None or find_spec("numpy") is None:
        return None
    try:
        return metadata.version("numba")
    except metadata.PackageNotFoundError:
        return "(version unknown)"


def speed_text() -> str:
    """Return the speed in a few words."""
    numba = compiled_by()
    return "interpreted" if numba is None else f"compiled (numba {numba})"


def version_text() -> str:
    """Return the line that `turnwright --version` prints."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    what = "rules" if compiled_by() is None else "rules and observations"
    return f"turnwright {__version__} on {python}, {what}: {speed_text()}"
