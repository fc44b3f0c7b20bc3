"""A progress bar on stderr for what takes long: only on a terminal, and only once it has taken a moment."""

from __future__ import annotations

import sys

__all__ = ["SHOWN_AFTER_S", "Bar"]

SHOWN_AFTER_S = 0.5


class Bar:
    """A bar, from `with` to its end; then it is taken away.

    whole: of how many, None: `reach` says so; unit: of what.
    """

    def __init__(self, whole: int | None = None, unit: str = "turns") -> None:
        from tqdm import tqdm

        self._bar = tqdm(
            total=whole,
            unit=f" {unit}",
            unit_scale=True,
            file=sys.stderr,
            leave=False,
            delay=SHOWN_AFTER_S,
            disable=None,  # where stderr is no terminal
        )

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def step(self) -> None:
        """Count one more."""
        self._bar.update()

    def reach(self, done: int, whole: int) -> None:
        """Show that so many of so many are done."""
        self._bar.total = whole
        self._bar.update(done - self._bar.n)
