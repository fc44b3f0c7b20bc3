"""Watches content files. Changed content is checked in a separate process, then replaces the old content.

Without connections the server looks at the files less often, so that an idle world uses almost no time.

If changed content has a mistake, the server reports the file and the line once and keeps the old content.
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

# Content folders are read completely. A copy is stored by its hash, so that old records can be played again.


DEMO = Path(__file__).parents[1] / "demo"
"""The folder of the content that comes with turnwright: a town, a wood and a mine."""
Stamp = tuple[tuple[str, int, int], ...]
"""The name, the time of the last change (ns) and the size of each file in a folder."""
_HASH = re.compile("[0-9a-f]{32}")
_SEEN_MAX = 4 * FILES_MAX


def read_folder(folder: Path) -> dict[str, str]:
    """Return the texts of a content folder by file name, e.g. "verbs/chop.py".

    Raises:
        SetupError: the folder does not exist or has no content, or a file cannot be read.
    """
    if not folder.is_dir():
        raise SetupError(f"{folder} is not a folder; give one with *.toml, verbs/*.py and minds/*.py")
    texts = {}
    for name, path in _files(folder):
        if path.exists() and not path.is_file():  # for example a pipe, whose reader may wait for ever
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
    """Return the names, times of change and sizes of the files in a content folder.

    Raises:
        SetupError: the folder has too many files.
    """
    found = []
    for name, path in _files(folder):
        try:
            status = path.stat()
        except OSError:
            continue
        found.append((name, status.st_mtime_ns, status.st_size))
    return tuple(found)


def keep_content(folder: Path, hash_: str, texts: dict[str, str]) -> None:
    """Write content to a file that is named by its hash, unless this file exists."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hash_}.json"
    if not path.exists():
        write_file(path, json.dumps(texts, indent=0, sort_keys=True))


def kept_content(folder: Path, hash_: str) -> Content | None:
    """Return the content that `keep_content` stored by a hash.

    Return None if there is none, if it cannot be read or if its hash differs. Loading runs the verb files.
    Only this content is read: every change is stored, so there may be many.
    """
    if not _HASH.fullmatch(hash_):
        return None
    try:
        content = read_content(dict(json.loads((folder / f"{hash_}.json").read_bytes())))
    except (ContentError, ValueError, TypeError, OSError, RecursionError):
        return None
    return content if content.hash == hash_ else None


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the content files of a folder in order of name, without hidden files and links to the outside."""
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
"""The time between two looks at the files, in seconds."""
IDLE_POLL_S = 10.0
"""The time between two looks without connections, in seconds."""
_log = logging.getLogger("turnwright")


def load_content(folder: Path, kept: Path | None = None) -> Content:
    """Return the content of a folder. This runs the verb files, and logs warnings.

    Args:
        kept: the folder in which a copy is stored for old records, or None.

    Raises:
        SetupError: the folder cannot be read, or its files have mistakes.
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
        apply: receives new content. The receiver must use this content from the next turn on.
        tell: receives lines of text about changes and mistakes.
        awake: returns whether there are connections.
        trial: checks files before they are loaded in this process, and returns why they fail, or None. See
            `content_trial`.
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
        """Look for changes until the task is cancelled.

        If a look fails, the loop continues.
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
        """Return the content, or the mistakes in it, or None if no file has changed since the last look.

        Files that change during a look wait for the next look. This blocks during the trial, and then runs
        the verb files of good content here. It does not touch the world, so any thread may call it.
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
        """Apply the content that `look` has found, or report its mistakes."""
        if isinstance(found, str):
            _log.warning("content: not used, the old content remains: %s", found)
            self._tell(f"The content has a mistake, the old content remains:\n{found}")
        elif found is not None and found.hash != self._hash:
            self._hash = found.hash
            self._apply(found)
            _log.info("content: now %s", found.hash)
            self._tell("The content has changed; the new one counts from the next turn.")
