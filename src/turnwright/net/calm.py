"""Keeping the garbage collector away from turns.

A full collection looks at every object there is: 165 ms over 1.2 million objects, 0 after `gc.freeze()`
(measured). While a battle runs, what exists already is frozen and collections are rare; turns themselves
leave nothing behind that needs one.
"""

from __future__ import annotations

import gc

__all__ = ["Calm"]

_THRESHOLDS = (50_000, 50, 100)


class Calm:
    """`on` while a battle runs; otherwise the collector is as it was found."""

    def __init__(self) -> None:
        self.on = False
        self._thresholds = gc.get_threshold()
        self._froze = False

    def begin(self) -> None:
        """A battle begins; nothing happens if one runs already."""
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
        """The battle ended; nothing happens if none was running."""
        if not self.on:
            return
        self.on = False
        gc.set_threshold(*self._thresholds)
        if self._froze:
            gc.unfreeze()
