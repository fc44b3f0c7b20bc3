"""Reads files of a bot's directory safely in the server's process.

A link that leads out of the directory is not followed. Such a link could name a file that only the server may
read, or a system file whose reading never ends.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_own_file(directory: Path, path: Path) -> bool:
    """Return whether a path leads to an ordinary file in the bot's directory."""
    try:
        real = os.path.realpath(path)
        return os.path.isfile(real) and real.startswith(os.path.join(os.path.realpath(directory), ""))
    except ValueError:  # the name has a character that no path can have
        return False


def beginning_of(directory: Path, path: Path, size_max: int) -> bytes:
    """Return the first bytes of a file of a bot's directory.

    Return b"" if the file is not in the directory or cannot be read.
    """
    try:
        if is_own_file(directory, path):
            with path.open("rb") as file:
                return file.read(size_max)
    except OSError:
        pass
    return b""
