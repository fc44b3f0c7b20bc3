"""Tournaments that the teacher starts, each in a folder of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from turnwright.app.arena.arena import ArenaFolder
from turnwright.app.arena.store import Cup
from turnwright.app.tournament.options import TournamentOptions
from turnwright.app.tournament.page_server import TournamentPages
from turnwright.app.tournament.page_source import pages_of, source_of
from turnwright.app.tournament.run import RunProgress, play_tournament
from turnwright.app.tournament.tournament import Tournament
from turnwright.errors import SetupError

__all__ = ["CupPlayer"]

_LOOK_S_MIN = 2.0
_LOOK_TIMES = 20


class _Stopped(Exception):
    """The teacher stopped the tournament, or the arena ends."""


class CupPlayer:
    """Plays one tournament at a time, and shows all of them.

    machine: how bots are started. settings: of the battles, as JSON. jobs: battles at once.
    """

    def __init__(
        self,
        arena: ArenaFolder,
        game: str,
        machine: Mapping[str, Any],
        settings: str,
        jobs: int,
        tell: Callable[[str], None],
    ) -> None:
        self._arena, self._game, self._tell = arena, game, tell
        self._settings = {**msgspec.json.decode(settings), **machine}
        self._jobs = jobs
        self._thread: threading.Thread | None = None
        self._ending = False
        self._pages: dict[int, TournamentPages] = {}
        self._progress: dict[int, RunProgress] = {}
        self._due = 0.0
        self._lock = threading.Lock()

    @property
    def is_playing(self) -> bool:
        """Whether a tournament has the workers."""
        return self._thread is not None and self._thread.is_alive()

    def look(self) -> None:
        """Begin the tournament that was started, if none is played."""
        if self.is_playing:
            return
        cup = next((one for one in self._arena.cups() if one.state == "running"), None)
        if cup is not None:
            self._thread = threading.Thread(
                target=self._play, args=(cup,), name="turnwright-cup", daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """End the tournament that is played; it goes on when the arena is started again."""
        self._ending = True
        if self._thread is not None:
            self._thread.join()

    def progress(self, number: int) -> RunProgress | None:
        """Return how far a tournament is, None where nothing is known."""
        return self._progress.get(number)

    def pages(self, number: int) -> TournamentPages | None:
        """Return the pages of a tournament, None where nothing was played yet."""
        cup = self._arena.cup(number)
        if cup is None:
            return None
        with self._lock:
            if number not in self._pages:
                self._show(cup)
            return self._pages.get(number)

    def _play(self, cup: Cup) -> None:
        def follow(progress: RunProgress) -> None:
            self._progress[cup.id] = progress
            now = self._arena.cup(cup.id)
            if self._ending or now is None or now.state != "running":
                raise _Stopped
            if time.monotonic() >= self._due:
                with self._lock:
                    self._show(cup, progress)

        bots = tuple(str(self._arena.places.path / one) for one in cup.bots)
        options = TournamentOptions(bots=bots, battles=cup.battles, jobs=self._jobs)
        folder = self._arena.places.path / cup.folder
        try:
            play_tournament(folder, options, self._game, self._settings, follow, self._tell)
            self._arena.put_cup(replace(cup, state="over"))
        except _Stopped:
            pass
        except SetupError as error:
            self._arena.put_cup(replace(cup, state="failed", why=str(error)))
            self._tell(f"{cup.name} ended: {error}")
        except Exception as error:
            self._arena.put_cup(replace(cup, state="failed", why=f"internal error: {type(error).__name__}"))
            self._tell(f"{cup.name} ended: internal error: {error}")
        self._progress.pop(cup.id, None)
        with self._lock:
            self._show(cup)

    def _show(self, cup: Cup, progress: RunProgress | None = None) -> None:
        """Show a tournament as its folder has it."""
        began = time.monotonic()
        try:
            tournament = Tournament(self._arena.places.path / cup.folder)
        except SetupError:
            return
        pages = self._pages.get(cup.id) or pages_of(tournament)
        self._pages[cup.id] = pages
        source = source_of(tournament, progress)
        pages.show(replace(source, title=cup.name, replays=pages.replays))
        self._due = time.monotonic() + max(_LOOK_S_MIN, _LOOK_TIMES * (time.monotonic() - began))
