"""Plays the tournaments that the teacher starts, each in its own folder."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import msgspec

from turnwright.errors import SetupError
from turnwright_league.app.ladder.folder import LadderFolder
from turnwright_league.app.ladder.store import TeacherTournament
from turnwright_league.app.options import TournamentOptions
from turnwright_league.app.page.server import TournamentPages
from turnwright_league.app.page.source import pages_of, source_of
from turnwright_league.app.run import RunProgress, play_tournament
from turnwright_league.app.tournament import Tournament

_LOOK_S_MIN = 2.0
_LOOK_TIMES = 20
_TRIES_MAX = 3
"""The number of errors, e.g. of the disk, after which a tournament has failed. Before, it continues."""
PAUSE_S = 10.0
"""The pause in seconds before a tournament continues after an error."""


class _Stopped(Exception):
    """The teacher stopped the tournament, or the ladder server ends."""


class TournamentPlayer:
    """Plays one tournament at a time, and shows the pages of all tournaments.

    Args:
        machine: the settings for starting bots.
        settings: the settings of the battles, as JSON.
        jobs: the number of battles at the same time.
    """

    def __init__(
        self,
        ladder_folder: LadderFolder,
        game: str,
        machine: Mapping[str, Any],
        settings: str,
        jobs: int,
        tell: Callable[[str], None],
    ) -> None:
        self._ladder_folder, self._game, self._tell = ladder_folder, game, tell
        self._settings = {**msgspec.json.decode(settings), **machine}
        self._jobs = jobs
        self._thread: threading.Thread | None = None
        self._ending = False
        self._pages: dict[int, TournamentPages] = {}
        self._progress: dict[int, RunProgress] = {}
        self._due = 0.0
        self._tries: Counter[int] = Counter()
        self._begin_due = 0.0
        self._lock = threading.Lock()

    @property
    def is_playing(self) -> bool:
        """Whether a tournament is running. The ladder then begins no battles."""
        return self._thread is not None and self._thread.is_alive()

    def look(self) -> None:
        """Play the tournament that the teacher has started, in a thread, unless one is being played."""
        if self.is_playing or time.monotonic() < self._begin_due:
            return
        started = next((one for one in self._ladder_folder.tournaments.all() if one.state == "running"), None)
        if started is not None:
            self._thread = threading.Thread(
                target=self._play, args=(started,), name="turnwright-tournament", daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """Stop the running tournament, and wait for its thread. After a restart, the server resumes it."""
        self._ending = True
        if self._thread is not None:
            self._thread.join()

    def progress(self, number: int) -> RunProgress | None:
        """Return the progress of a tournament, or None if it is not being played."""
        return self._progress.get(number)

    def pages(self, number: int) -> TournamentPages | None:
        """Return the pages of a tournament, or None if it does not exist or nothing was played yet."""
        started = self._ladder_folder.tournaments.get(number)
        if started is None:
            return None
        with self._lock:
            if number not in self._pages:
                self._show(started)
            return self._pages.get(number)

    def _play(self, started: TeacherTournament) -> None:
        def follow(progress: RunProgress) -> None:
            self._progress[started.id] = progress
            now = self._ladder_folder.tournaments.get(started.id)
            if self._ending or now is None or now.state != "running":
                raise _Stopped
            if time.monotonic() >= self._due:
                with self._lock:
                    self._show(started, progress)

        bots = tuple(str(self._ladder_folder.places.path / one) for one in started.bots)
        options = TournamentOptions(bots=bots, battles=started.battles, jobs=self._jobs)
        folder = self._ladder_folder.places.path / started.folder
        end: Callable[[], None] | None = None
        try:
            play_tournament(
                folder, options, self._game, self._settings, follow, self._tell, errors_public=False
            )
            end = partial(self._end, started, "over")
        except _Stopped:
            pass
        except SetupError as error:
            self._tell(f"{started.name} was interrupted: {error}")
            end = partial(self._try_again, started, str(error))
        except Exception as error:
            self._tell(f"{started.name} ended: internal error: {error}")
            end = partial(self._end, started, "failed", f"internal error: {type(error).__name__}")
        self._progress.pop(started.id, None)
        try:
            with self._lock:
                self._show(started)
        finally:
            if end is not None:
                end()  # the page has all results by now

    def _try_again(self, started: TeacherTournament, why: str) -> None:
        """Let a tournament continue after a pause, unless this is its error number _TRIES_MAX."""
        self._tries[started.id] += 1
        self._begin_due = time.monotonic() + PAUSE_S
        if self._tries[started.id] >= _TRIES_MAX:
            self._end(started, "failed", why)

    def _end(self, started: TeacherTournament, state: Literal["over", "failed"], why: str = "") -> None:
        """Store how a tournament ended, unless it was stopped in the meantime."""
        now = self._ladder_folder.tournaments.get(started.id)
        if now is not None and now.state == "running":
            self._ladder_folder.tournaments.put(replace(now, state=state, why=why))

    def _show(self, started: TeacherTournament, progress: RunProgress | None = None) -> None:
        """Show a tournament with the results in its folder."""
        began = time.monotonic()
        try:
            tournament = Tournament(self._ladder_folder.places.path / started.folder)
        except SetupError:
            return
        pages = self._pages.get(started.id) or pages_of(tournament)
        self._pages[started.id] = pages
        source = source_of(tournament, progress)
        pages.show(replace(source, title=started.name, replays=pages.replays, errors_public=False))
        self._due = time.monotonic() + max(_LOOK_S_MIN, _LOOK_TIMES * (time.monotonic() - began))
