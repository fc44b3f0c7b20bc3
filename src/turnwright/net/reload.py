"""Content that changes while the world runs: looked at every second, checked aside, then swapped in.

While nobody is connected it is looked at less often: a world that stands still costs next to nothing.

A change with a mistake changes nothing: it is told with file and line, once, and the old content goes on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import Path

from turnwright.errors import SetupError
from turnwright.net.content_files import Stamp, keep_content, read_folder, stamp_of
from turnwright.net.content_trial import why_not
from turnwright.wire.world.content import Content, content_hash, read_content

__all__ = ["IDLE_POLL_S", "POLL_S", "ContentWatch", "load_content"]

POLL_S = 1.0
"""From one look to the next."""
IDLE_POLL_S = 10.0
"""The same while nobody is connected."""
_log = logging.getLogger("turnwright")


def load_content(folder: Path, kept: Path | None = None) -> Content:
    """Return the content of a folder. kept: where it is kept for old records. Raises: SetupError."""
    return _load(read_folder(folder), kept)


def _load(texts: dict[str, str], kept: Path | None) -> Content:
    content = read_content(texts)
    for warning in content.warnings:
        _log.warning("content: %s", warning)
    if kept is not None:
        keep_content(kept, content.hash, texts)
    return content


class ContentWatch:
    """Watches one folder. apply: takes new content; it must count from the next turn on. tell: takes lines
    for people: what has changed, or what is wrong. awake: whether anybody is connected. trial: returns what
    is wrong with files before they are loaded here; see `content_trial`.
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
        """Look for ever; to be run as a task, and cancelled. A look that fails is not the last one."""
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
                _log.exception("content: it could not be looked at or used; the old one goes on")
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
            _log.warning("content: not used, the old one goes on: %s", found)
            self._tell(f"The content has a mistake, the old one goes on:\n{found}")
        elif found is not None and found.hash != self._hash:
            self._hash = found.hash
            self._apply(found)
            _log.info("content: now %s", found.hash)
            self._tell("The content has changed; the new one counts from the next turn.")
