"""A progress bar on stderr for what takes long: only on a terminal, and only once it has taken a moment."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from tqdm import tqdm

__all__ = ["SHOWN_AFTER_S", "Bar"]

SHOWN_AFTER_S = 0.5


class Bar:
    """A bar, from `with` to its end; then it is taken away. Each part of a work begins it anew.

    about: what stands before it; wanted: False shows nothing.
    """

    def __init__(self, about: str = "", *, wanted: bool = True) -> None:
        self._about = about
        self._wanted = wanted and sys.stderr.isatty()
        self._unit = ""
        self._bar: tqdm[NoReturn] | None = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def reach(self, done: int, whole: int, unit: str) -> None:
        """Show that so many of so many are done. unit: of what; another one is another part of the work."""
        if not self._wanted:
            return
        if self._bar is None or unit != self._unit:
            self._begin(whole, unit)
        assert self._bar is not None
        self._bar.update(done - self._bar.n)

    def _begin(self, whole: int, unit: str) -> None:
        from tqdm import tqdm

        if self._bar is not None:
            self._bar.close()
        self._unit = unit
        self._bar = tqdm(
            total=whole,
            desc=self._about or None,
            unit=f" {unit}",
            unit_scale=True,
            file=sys.stderr,
            leave=False,
            delay=SHOWN_AFTER_S,
        )
