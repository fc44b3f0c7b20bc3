"""The live display of a battle on stderr: redrawn in place on a terminal, else one line a round."""

from __future__ import annotations

import contextlib
import logging
import shutil
import time
from collections.abc import Callable
from typing import Protocol, TextIO

from turnwright.cli.output import Style, cut
from turnwright.cli.render import progress_text, standing_lines
from turnwright.results import Progress

__all__ = ["REDRAW_S", "DisplayHandler", "LiveDisplay", "Speaker"]

REDRAW_S = 0.1
"""At least so many seconds are between two pictures, so that drawing costs the battle nothing."""

_CLEAR_BELOW = "\033[J"


class LiveDisplay:
    """Shows progress on a stream. Give `show` every progress there is: it draws at most ten a second."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._style = Style(stream)
        self._since: tuple[float, int] | None = None
        self._drawn_at: float | None = None
        self._lines = 0
        self.playing = False

    def show(self, progress: Progress) -> None:
        """Take note of how far the battle is."""
        self.playing = progress.stage != "starting"
        if self._style.terminal:
            now = self._clock()
            if self._drawn_at is None or now - self._drawn_at >= REDRAW_S or progress.stage == "over":
                self._drawn_at = now
                self._draw(progress, self._rate(progress, now))
        elif progress.stage == "round over":
            print(progress_text(progress), file=self._stream, flush=True)

    def note(self, text: str) -> None:
        """Say something that stays, above the picture."""
        self.close()
        print(text, file=self._stream, flush=True)

    def close(self) -> None:
        """Take the picture away, so that what is printed next stands alone. Harmless when called again."""
        if self._lines:
            self._stream.write(f"\033[{self._lines}F{_CLEAR_BELOW}")
            self._stream.flush()
            self._lines = 0

    def _rate(self, progress: Progress, now: float) -> float:
        """Return the turns a second since the first turn that was shown."""
        if progress.stage == "starting":
            return 0.0
        if self._since is None:
            self._since = (now, progress.turns)
        start, turns = self._since
        return (progress.turns - turns) / (now - start) if now > start else 0.0

    def _draw(self, progress: Progress, rate: float) -> None:
        size = shutil.get_terminal_size()
        columns = size.columns - 1
        lines = [cut(_headline(progress, rate, columns), columns)]
        lines += standing_lines(progress.standings, columns, self._style)
        lines = lines[: max(1, size.lines - 1)]
        back = f"\033[{self._lines}F" if self._lines else ""
        self._stream.write(back + _CLEAR_BELOW + "\n".join(lines) + "\n")
        self._stream.flush()
        self._lines = len(lines)


def _headline(progress: Progress, rate: float, columns: int) -> str:
    """Return the first line: what is waited for, or a bar of the rounds played."""
    if progress.stage == "starting":
        return progress_text(progress)
    from tqdm import tqdm

    done = progress.rounds if progress.stage == "over" else max(0, progress.round - 1)
    text = f"round {progress.round}/{progress.rounds}, turn {progress.turn}, {rate:,.0f} turns/s"
    bar: str = tqdm.format_meter(
        done, progress.rounds, 0.0, ncols=columns, bar_format="{percentage:3.0f}% |{bar}| " + text
    )
    return bar


class Speaker(Protocol):
    """A display that can say something; playing: whether the battle runs."""

    playing: bool

    def note(self, text: str) -> None: ...


class DisplayHandler(logging.Handler):
    """Lets the log speak through the display: what goes wrong, and once the battle runs also warnings."""

    def __init__(self, display: Speaker) -> None:
        super().__init__(logging.WARNING)
        self._display = display

    def emit(self, record: logging.LogRecord) -> None:
        """Show a record beside the battle, if anybody still reads: who went away stops no battle."""
        if record.levelno >= logging.ERROR or self._display.playing:
            with contextlib.suppress(OSError):
                self._display.note(self.format(record))
