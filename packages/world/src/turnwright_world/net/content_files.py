"""Watches content files; checks changes aside, then swaps them in.

They are checked less often without connections, so that an idle world costs next to nothing.

A change with a mistake changes nothing. It is reported once, with file and line, and the old content remains.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from turnwright.errors import SetupError
from turnwright.net.files.new_file import write_file
from turnwright_world.content.read import (
    FILE_BYTES_MAX,
    FILES_MAX,
    Content,
    ContentError,
    content_hash,
    read_content,
)
from turnwright_world.net.content_trial import why_not

# Folders of content files: read whole, and kept by hash, so that old records can be played again.


DEMO = Path(__file__).parents[1] / "demo"
"""The content that comes with turnwright: a town, a wood and a mine."""
Stamp = tuple[tuple[str, int, int], ...]
"""Of each file of a folder: name, time of the last change (ns), size."""
_HASH = re.compile("[0-9a-f]{32}")
_SEEN_MAX = 4 * FILES_MAX


def read_folder(folder: Path) -> dict[str, str]:
    """Return the texts of a content folder by name, e.g. "verbs/chop.py".

    Raises:
        SetupError: there is no such folder, it has no content, or a file cannot be read.
    """
    if not folder.is_dir():
        raise SetupError(f"{folder} is not a folder; give one with *.toml, verbs/*.py and minds/*.py")
    texts = {}
    for name, path in _files(folder):
        if path.exists() and not path.is_file():  # a pipe, say, from which nothing may ever come
            raise SetupError(f"{name}: is not a plain file; take it out of the folder")
        try:
            with path.open("rb") as file:
                texts[name] = file.read(FILE_BYTES_MAX + 1).decode("utf-8")
        except UnicodeDecodeError as error:
            raise SetupError(f"{name}: byte {error.start} is not UTF-8; save it as UTF-8") from error
        except OSError as error:
            raise SetupError(f"{name}: cannot be read: {error.strerror}") from error
    if not texts:
        raise SetupError(f"{folder} has no content; it needs *.toml, verbs/*.py and minds/*.py")
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
    """Return what `keep_content` kept by a hash.

    None: nothing, or it cannot be read or is something else.

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


POLL_S = 1.0
"""From one look to the next."""
IDLE_POLL_S = 10.0
"""The same without connections."""
_log = logging.getLogger("turnwright")


def load_content(folder: Path, kept: Path | None = None) -> Content:
    """Return the content of a folder.

    Args:
        kept: where a copy is kept for old records, or None.

    Raises:
        SetupError: the folder cannot be read, or there are mistakes in its files.
    """
    return _load(read_folder(folder), kept)


def _load(texts: dict[str, str], kept: Path | None) -> Content:
    content = read_content(texts)
    for warning in content.warnings:
        _log.warning("content: %s", warning)
    if kept is not None:
        keep_content(kept, content.hash, texts)
    return content


class ContentWatch:
    """Watches a content folder for changes.

    Args:
        apply: takes new content. It must count from the next turn on.
        tell: takes lines for people: what has changed, or what is wrong.
        awake: whether there are connections.
        trial: returns what is wrong with files before they are loaded here. See `content_trial`.
    """

    def __init__(
        self,
        folder: Path,
        hash_: str,
        apply: Callable[[Content], None],
        tell: Callable[[str], None],
        *,
        kept: Path | None = None,
        awake: Callable[[], bool] = lambda: True,
        trial: Callable[[Mapping[str, str]], str | None] = why_not,
    ) -> None:
        self._trial = trial
        self._awake = awake
        self._folder = folder
        self._hash = hash_
        self._apply = apply
        self._tell = tell
        self._kept = kept
        self._stamp: Stamp | None = None

    async def run(self) -> None:
        """Look for ever; to be run as a task, and cancelled.

        A look that fails is not the last one.
        """
        looked_s = -IDLE_POLL_S
        loop = asyncio.get_running_loop()
        while True:
            if not self._awake() and loop.time() - looked_s < IDLE_POLL_S:
                await asyncio.sleep(POLL_S)
                continue
            looked_s = loop.time()
            try:
                self.take(await asyncio.to_thread(self.look))
            except Exception:
                _log.exception("content: it could not be read or used; the old content remains")
            await asyncio.sleep(POLL_S)

    def look(self) -> Content | str | None:
        """Return new content, or what is wrong with it, or None where nothing has changed.

        Reads files and compiles them, in any thread; changes nothing of the world.
        """
        stamp: Stamp = ()
        try:
            stamp = stamp_of(self._folder)
            if stamp == self._stamp:
                return None
            texts = read_folder(self._folder)
            problem = None if content_hash(texts) == self._hash else self._trial(texts)
            if stamp_of(self._folder) != stamp:
                return None
            if problem is not None:
                self._stamp = stamp
                return problem
            content = _load(texts, self._kept)
        except (SetupError, OSError) as error:
            changed, self._stamp = stamp != self._stamp, stamp
            return str(error) if changed else None
        self._stamp = stamp
        return content

    def take(self, found: Content | str | None) -> None:
        """Apply what `look` has found, or tell what is wrong."""
        if isinstance(found, str):
            _log.warning("content: not used, the old content remains: %s", found)
            self._tell(f"The content has a mistake, the old content remains:\n{found}")
        elif found is not None and found.hash != self._hash:
            self._hash = found.hash
            self._apply(found)
            _log.info("content: now %s", found.hash)
            self._tell("The content has changed; the new one counts from the next turn.")
