"""Folders of content files: read whole, and kept by hash, so that old records can be played again."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from turnwright.errors import SetupError
from turnwright.net.newfile import write_file
from turnwright.wire.world.content import FILE_BYTES_MAX, FILES_MAX, Content, ContentError, read_content

__all__ = ["DEMO", "Stamp", "keep_content", "kept_content", "read_folder", "stamp_of"]

DEMO = Path(__file__).parent.parent / "games" / "world" / "demo"
"""The content that comes with turnwright: a town, a wood and a mine."""
Stamp = tuple[tuple[str, int, int], ...]
"""Of each file of a folder: name, time of the last change (ns), size."""
_HASH = re.compile("[0-9a-f]{32}")
_SEEN_MAX = 4 * FILES_MAX


def read_folder(folder: Path) -> dict[str, str]:
    """Return the texts of a content folder by name, e.g. "verbs/chop.py". Raises: SetupError."""
    if not folder.is_dir():
        raise SetupError(f"{folder} is no folder; give one with *.toml, verbs/*.py and minds/*.py")
    texts = {}
    for name, path in _files(folder):
        if path.exists() and not path.is_file():  # a pipe, say, from which nothing may ever come
            raise SetupError(f"{name}: is no plain file; take it out of the folder")
        try:
            with path.open("rb") as file:
                texts[name] = file.read(FILE_BYTES_MAX + 1).decode("utf-8")
        except UnicodeDecodeError as error:
            raise SetupError(f"{name}: byte {error.start} is no UTF-8; save it as UTF-8") from error
        except OSError as error:
            raise SetupError(f"{name}: cannot be read: {error.strerror}") from error
    if not texts:
        raise SetupError(f"{folder} has no content; it wants *.toml, verbs/*.py and minds/*.py")
    return texts


def stamp_of(folder: Path) -> Stamp:
    """Return what tells whether something in a content folder has changed."""
    found = []
    for name, path in _files(folder):
        try:
            status = path.stat()
        except OSError:
            continue
        found.append((name, status.st_mtime_ns, status.st_size))
    return tuple(found)


def keep_content(folder: Path, hash_: str, texts: dict[str, str]) -> None:
    """Keep content by its hash, once."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hash_}.json"
    if not path.exists():
        write_file(path, json.dumps(texts, indent=0, sort_keys=True))


def kept_content(folder: Path, hash_: str) -> Content | None:
    """Return what `keep_content` kept by a hash; None: nothing, or it cannot be read or is something else.

    Its verbs are run. There may be many more: every change of the content is kept, so each is read alone.
    """
    if not _HASH.fullmatch(hash_):
        return None
    try:
        content = read_content(dict(json.loads((folder / f"{hash_}.json").read_bytes())))
    except (ContentError, ValueError, TypeError, OSError, RecursionError):
        return None
    return content if content.hash == hash_ else None


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the content files of a folder, in order of name; hidden ones and links out of it are left out."""
    root, seen = folder.resolve(), 0
    for where, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        for name in sorted(names):
            seen += 1
            if seen > _SEEN_MAX:
                raise SetupError(f"{folder} has more than {_SEEN_MAX} files; is it the right folder?")
            path = Path(where, name)
            if not name.endswith((".toml", ".py")) or name.startswith("."):
                continue
            if not path.is_symlink() or path.resolve().is_relative_to(root):
                yield path.relative_to(root).as_posix(), path
