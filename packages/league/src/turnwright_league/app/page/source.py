"""The page of a tournament's folder, made from its store and the progress of a run."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from turnwright.app.game.playable import find_game
from turnwright.errors import SetupError
from turnwright.kernel.units import NS_PER_US
from turnwright_league.app.page.content import PageProgress, PageSource
from turnwright_league.app.page.server import PAGE_S_MIN, PAGE_TIMES, LivePage, TournamentPages
from turnwright_league.app.tournament import RunProgress, Tournament
from turnwright_league.tournament.ratings import ratings_of

LOOK_S_MIN = 2.0
"""The shortest time in seconds between two reads of the store of a running tournament."""
LOOK_TIMES = 20
"""The pause before the store is read again, as a multiple of the time that the last read and page took."""


def source_of(tournament: Tournament, progress: RunProgress | None = None) -> PageSource:
    """Return the state of a tournament from which its page is made.

    Args:
        progress: the progress of the run, or None if the tournament is not running.
    """
    path = tournament.folder.path
    notes = ratings_of(tournament.entries, ()).missing
    return PageSource(
        title=path.resolve().name,
        entries=tournament.entries,
        played=list(tournament.battles()),
        standings=tournament.table,
        at_us=time.time_ns() // NS_PER_US,
        folder=shlex.quote(str(path)),
        rules=tournament.rules,
        progress=None if progress is None else _page_progress(progress),
        notes=notes,
        versions=tournament.versions,
        explains=bool(find_game(tournament.game).package.analysis),
    )


def _page_progress(run: RunProgress) -> PageProgress:
    return PageProgress(run.done, run.total, run.left_s, run.jobs, run.running, run.ending, run.not_counted)


def pages_of(tournament: Tournament) -> TournamentPages:
    """Return the pages with which a server shows a tournament."""
    return TournamentPages(find_game(tournament.game), tournament.folder.record)


class RunPage:
    """The live page of a run. `show` gets the progress. Call `close` at the end.

    Args:
        folder, store: the tournament's folder and store.
        on_page: is called with the page's address once the page shows something. With None the page is only
            written into the folder, and not served.
        on_notice: gets a line for each problem.
        errors_public: whether the page has the errors of failed bots, in addition to their reasons.
    """

    def __init__(
        self,
        folder: Path,
        store: str | None,
        on_page: Callable[[str], None] | None,
        on_notice: Callable[[str], None],
        errors_public: bool = True,
    ) -> None:
        self._folder, self._store = folder, store
        self._on_page, self._tell = on_page, on_notice
        self._errors_public = errors_public
        self._page: LivePage | None = None
        self._due = 0.0

    def show(self, progress: RunProgress) -> None:
        """Update the page, if enough time has passed since the last update. The first call serves it."""
        began = time.monotonic()
        if began >= self._due:
            self._show(progress, last=False)
            least, times = (PAGE_S_MIN, PAGE_TIMES) if self._on_page is None else (LOOK_S_MIN, LOOK_TIMES)
            self._due = time.monotonic() + max(least, times * (time.monotonic() - began))

    def _show(self, progress: RunProgress | None, *, last: bool) -> None:
        try:
            tournament = Tournament(self._folder, self._store)
            if self._page is None:
                self._page = self._begun(tournament)
        except SetupError as error:
            self._tell(f"the page is not shown: {error}")
            return
        source = replace(source_of(tournament, progress), errors_public=self._errors_public)
        self._page.show(lambda kind: replace(source, replays=kind), last=last)

    def _begun(self, tournament: Tournament) -> LivePage:
        shown = None if self._on_page is None else pages_of(tournament)
        page = LivePage(self._folder, shown, on_notice=self._tell)
        address = page.start()
        if self._on_page is not None and address is not None:
            self._on_page(address)
        return page

    def close(self, *, failed: bool = False) -> None:
        """Write the last page, unless the run has failed, and stop serving."""
        if self._page is not None:
            if not failed:
                self._show(None, last=True)
            self._page.close()
