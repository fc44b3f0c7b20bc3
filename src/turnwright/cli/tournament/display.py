"""Standings in a terminal, and the progress of a run."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from turnwright.cli.terminal import STANDINGS_MAX, Style, clean, count, cut, duration, join_some, table

if TYPE_CHECKING:
    from turnwright.app.tournament.run import RunProgress
    from turnwright.tournament.standings import EntryStanding, TournamentStandings

__all__ = ["RunDisplay", "standings_lines"]

_HEADERS = ("", "Name", "Version", "APS", "95 %", "Wins", "Survival", "Battles", "Forfeits")
_ALIGN = "><<>>>>>>"
_NAME_COLUMNS_MAX = 40
_CLEAR_BELOW = "\033[J"
_PLAIN_EVERY_S = 10.0
_US_PER_S = 1_000_000


def standings_lines(found: TournamentStandings, style: Style, most: int | None = None) -> list[str]:
    """Return the standings as a table. most: rows, at most."""
    ratings = sorted({name for row in found.rows for name in row.ratings if name in ("glicko2", "openskill")})
    headers = (*_HEADERS, *(name.capitalize() for name in ratings))
    rows = [
        (*_cells(row), *(f"{row.ratings[name]:.0f}" if name in row.ratings else "" for name in ratings))
        for row in found.rows[:most]
    ]
    lines = table(headers, rows, _ALIGN + ">" * len(ratings), style)
    if most is not None and len(found.rows) > most:
        lines.append(f"and {len(found.rows) - most} more")
    return lines


def _cells(row: EntryStanding) -> tuple[str, ...]:
    return (
        str(row.rank) if row.battles else "",
        cut(clean(row.name), _NAME_COLUMNS_MAX),
        clean(row.version)[:20],
        _percent(row.aps),
        "" if row.aps_low is None or row.aps_high is None else f"{row.aps_low:.1f}–{row.aps_high:.1f}",
        _percent(row.win_share),
        _percent(row.survival),
        count(row.battles),
        count(row.failures) if row.failures else "",
    )


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


class RunDisplay:
    """Shows a run on a stream: a picture on a terminal, else a line now and then."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._style = Style(stream)
        self._lines = 0
        self._told_at: float | None = None

    def show(self, progress: RunProgress) -> None:
        """Show the progress of the run."""
        if self._style.terminal:
            self._draw(progress)
            return
        now = self._clock()
        if self._told_at is None:
            self._told_at = now
        elif now - self._told_at >= _PLAIN_EVERY_S:
            self._told_at = now
            print(_headline(progress), file=self._stream, flush=True)

    def note(self, text: str) -> None:
        """Print a line that stays."""
        self.close()
        print(clean(text), file=self._stream, flush=True)

    def close(self) -> None:
        """Remove the picture. Harmless when called again."""
        if self._lines:
            self._stream.write(f"\033[{self._lines}F{_CLEAR_BELOW}")
            self._stream.flush()
            self._lines = 0

    def _draw(self, progress: RunProgress) -> None:
        size = shutil.get_terminal_size()
        lines = [_headline(progress)]
        if progress.running:
            lines.append(f"playing: {join_some([clean(name) for name in progress.running])}")
        if progress.standings is not None:
            lines += standings_lines(
                progress.standings, Style(self._stream, {"NO_COLOR": "1"}), STANDINGS_MAX
            )
        lines = [cut(line, size.columns - 1) for line in lines[: max(1, size.lines - 1)]]
        back = f"\033[{self._lines}F" if self._lines else ""
        self._stream.write(back + _CLEAR_BELOW + "\n".join(lines) + "\n")
        self._stream.flush()
        self._lines = len(lines)


def _headline(progress: RunProgress) -> str:
    """Return the line that says how far a run is."""
    of = "" if progress.total is None else f" of {count(progress.total)}"
    parts = [f"{count(progress.done)}{of} battles", f"{progress.jobs} at once"]
    if progress.again:
        parts.append(f"{count(progress.again)} played again")
    if progress.left_s is not None:
        parts.append(f"{duration(progress.left_s * _US_PER_S)} left")
    if progress.ending:
        parts.append("ends after what is running (Ctrl-C again: at once)")
    return ", ".join(parts)
