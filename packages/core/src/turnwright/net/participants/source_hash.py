"""Computes a hash of the program in a bot directory. Equal programs have equal hashes."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

SOURCE_SIZE_MAX = 64 << 20
"""The largest size of all files together, in bytes. A larger directory has no hash."""
SOURCE_FILES_MAX = 10_000
"""The largest number of files. A directory with more files has no hash."""

_MADE = {"__pycache__", "node_modules", "bin", "obj", "venv"}
_DIGEST_SIZE = 16


def source_hash(directory: Path) -> str | None:
    """Return 32 hex digits over the names and bytes of all files of a bot directory.

    Hidden files, and files that are made from sources (byte code, build output, installed packages), are left
    out. For a link, the path to which it leads is part of the hash. None means that the directory is too
    large or cannot be read.
    """
    digest = hashlib.blake2b(digest_size=_DIGEST_SIZE)
    size = 0
    try:
        for count, path in enumerate(source_files(directory), start=1):
            size += path.lstat().st_size
            if count > SOURCE_FILES_MAX or size > SOURCE_SIZE_MAX:
                return None
            content = os.fsencode(os.readlink(path)) if path.is_symlink() else path.read_bytes()
            name = os.fsencode(path.relative_to(directory).as_posix())
            for part in (name, content):
                digest.update(len(part).to_bytes(8, "little"))
                digest.update(part)
    except OSError:
        return None
    return digest.hexdigest()


def source_files(directory: Path) -> Iterator[Path]:
    """Yield the files and links that the hash covers, sorted.

    Raises:
        OSError: a directory cannot be read.
    """
    waiting = [directory]
    while waiting:
        path = waiting.pop()
        if path == directory or (path.is_dir() and not path.is_symlink()):
            own = [one for one in path.iterdir() if not (one.name.startswith(".") or one.name in _MADE)]
            waiting += sorted(own, reverse=True)
        elif path.is_file() or path.is_symlink():
            yield path


def built_in_hash(bots: Iterable[object]) -> str:
    """Return one hash over the source files of all built-in bots of a game."""
    modules = {getattr(bot, "__module__", "") for bot in bots}
    files = sorted(str(sys.modules[name].__file__) for name in modules & sys.modules.keys())
    return _files_hash(tuple(files))


@cache
def _files_hash(files: tuple[str, ...]) -> str:
    """Return a hash of loaded modules.

    If there are several modules, all files in the folder of their package count.
    """
    digest = hashlib.blake2b(digest_size=_DIGEST_SIZE)
    if len(files) > 1:
        digest.update((source_hash(Path(files[0]).parent) or "").encode())
    else:
        for file in files:
            digest.update(hashlib.blake2b(Path(file).read_bytes()).hexdigest().encode())
    return digest.hexdigest()
