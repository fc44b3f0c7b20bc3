"""The tournaments that the teacher started, as the ladder server stores them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from turnwright.kernel.units import NS_PER_US
from turnwright_league.app.ladder.files import OWN
from turnwright_league.app.ladder.people import Refusal
from turnwright_league.app.ladder.store import LadderStore, TeacherTournament, Upload


class StartedTournaments:
    """The tournaments that the teacher started. All threads may use them.

    Args:
        playing: returns the uploads that are on the ladder.
        on_put: is called, with the lock held, when a tournament has started or changed its state.
    """

    def __init__(
        self,
        store: LadderStore,
        lock: threading.RLock,
        playing: Callable[[], Sequence[Upload]],
        on_put: Callable[[], None],
    ) -> None:
        self._store, self._lock, self._playing, self._on_put = store, lock, playing, on_put
        self._by_id = {one.id: one for one in store.tournaments()}

    def all(self) -> list[TeacherTournament]:
        """Return all tournaments, oldest first."""
        with self._lock:
            return list(self._by_id.values())

    def get(self, number: int) -> TeacherTournament | None:
        """Return the tournament with this number, or None."""
        return self._by_id.get(number)

    def bots_in_use(self) -> set[str]:
        """Return the bot directories of running tournaments, relative to the ladder server's folder."""
        return {bot for one in self.all() if one.state == "running" for bot in one.bots}

    def start(self, name: str, battles: int) -> TeacherTournament:
        """Start a tournament of the bots that are on the ladder.

        Raises:
            Refusal: a tournament is running, fewer than two bots play, or the number of battles of each
                pairing is not 1 to 100.
        """
        with self._lock:
            bots = tuple(str(one.directory) for one in self._playing())
            if any(one.state == "running" for one in self._by_id.values()):
                raise Refusal("a tournament is running: wait for its end, or stop it", 409)
            if len(bots) < 2:
                raise Refusal("a tournament needs at least two playing bots", 409)
            if not 1 <= battles <= 100:
                raise Refusal("give 1 to 100 battles of each pairing")
            number = 1 + max(self._by_id, default=0)
            shown = " ".join(one for one in name.split() if one.isprintable())[:40] or f"Tournament {number}"
            now_us = time.time_ns() // NS_PER_US
            started = TeacherTournament(number, shown, f"{OWN}/cups/{number}", battles, now_us, bots=bots)
            self.put(started)
        return started

    def put(self, one: TeacherTournament) -> None:
        """Store a tournament, or its new state."""
        with self._lock:
            self._store.put_tournament(one)
            self._by_id[one.id] = one
            self._on_put()

    def stop(self) -> None:
        """Stop the running tournament, if there is one. Its played battles stay."""
        with self._lock:
            for one in self.all():
                if one.state == "running":
                    self.put(replace(one, state="stopped"))
