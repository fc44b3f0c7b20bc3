"""Plays tournaments for tests, and compares two of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from turnwright_league import Tournament
from turnwright_league.app.options import TournamentOptions
from turnwright_league.app.run import TournamentEnd, play_tournament
from turnwright_league.app.tournament import RunProgress


def play(
    folder: Path, *bots: str, game: str | None = None, settings: Any = None, **options: Any
) -> tuple[Tournament, list[str]]:
    """Play a tournament, and return it and its notices."""
    told: list[str] = []
    end = play_tournament(
        folder, TournamentOptions(bots=bots, jobs=2, **options), game, settings, on_notice=told.append
    )
    return end.tournament, told


def play_on(
    folder: Path, *bots: str, on_progress: Callable[[RunProgress], None], game: str | None, **options: Any
) -> TournamentEnd:
    """Play a tournament, report the progress, and return the end of the run."""
    return play_tournament(
        folder, TournamentOptions(bots=bots, jobs=2, **options), game, on_progress=on_progress
    )


def facts(tournament: Tournament) -> list[tuple[Any, ...]]:
    """Return facts of a tournament, which are the same for equal tournaments."""
    return [(b.id, b.state, b.digest, [(r.entry, r.score, r.rounds) for r in b.scores])
            for b in tournament.battles()]  # fmt: skip


def results(folder: Path) -> int:
    """Return the number of battles in a tournament's folder, even during a run. Without results, it is 0."""
    try:
        with sqlite3.connect(f"file:{folder / 'results.sqlite'}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM battles").fetchone()[0])
    except sqlite3.Error:
        return 0
