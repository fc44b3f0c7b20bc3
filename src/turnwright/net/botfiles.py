"""Which file of a bot directory means what: its JSON, its start script, its platform.

Order and names are the booter's. Systems are "linux", "darwin" and "windows"; macOS and Windows only put
their own scripts before the list that all share.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

__all__ = ["THIS_SYSTEM", "System", "config_file", "detect_platform", "find_script", "first_line"]

System = Literal["linux", "darwin", "windows"]

THIS_SYSTEM: System = (
    "windows" if sys.platform == "win32" else "darwin" if sys.platform == "darwin" else "linux"
)

_OWN_SCRIPTS: dict[System, tuple[str, ...]] = {
    "windows": (".bat", ".cmd"),
    "darwin": (".command",),
    "linux": (),
}
_SHARED_SCRIPTS = (".sh", ".py")
_PLATFORMS = (
    ("jvm", (".jar", ".class", ".java")),
    ("python", (".py",)),
    ("dotnet", (".cs", ".csproj", ".dll")),
)
_FIRST_LINE_MAX = 1024


def config_file(directory: Path) -> Path:
    """Return where the JSON file of a bot directory is, or would be."""
    return directory / f"{directory.name}.json"


def detect_platform(directory: Path) -> str | None:
    """Return "jvm", "python" or "dotnet" by the main file in `directory`, or None."""
    for platform, suffixes in _PLATFORMS:
        if any((directory / (directory.name + suffix)).is_file() for suffix in suffixes):
            return platform
    return None


def find_script(directory: Path, system: System = THIS_SYSTEM) -> Path | None:
    """Return the file that starts the bot by itself, or None.

    First the system's own scripts, then `<Dir>.sh`, then `<Dir>.py`, then (in any case of letters) a file
    named exactly like the directory, or like it with a suffix if its first line begins with `#!`.
    """
    for suffix in (*_OWN_SCRIPTS[system], *_SHARED_SCRIPTS):
        path = directory / (directory.name + suffix)
        if path.is_file():
            return path
    name = directory.name.lower()
    for path in sorted(directory.iterdir()):
        lower = path.name.lower()
        if not path.is_file() or not (lower == name or lower.startswith(name + ".")):
            continue
        if lower == name or first_line(path).startswith("#!"):
            return path
    return None


def first_line(path: Path) -> str:
    """Return the start of the first line of a file (at most 1 KiB), "" when it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.readline(_FIRST_LINE_MAX).decode("utf-8", "replace").strip()
    except OSError:
        return ""
