"""How far a battle has come, looked up now and then: so showing it costs nothing while nobody looks."""

from __future__ import annotations

from collections import deque

from turnwright.kernel.battle import Battle
from turnwright.results import Progress, Standing, unique_names
from turnwright.wire.royale.results import results_for_observers

__all__ = ["SLOW_SHARE", "SLOW_TURNS", "Follower"]

SLOW_SHARE = 0.1
SLOW_TURNS = 100
"""A bot is shown as slow that missed a tenth of its last 100 turns or so."""


class Follower:
    """Looks at a battle of tanks; keeps what it takes to say who is slow and that a round has ended."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._round = 0
        self._history: deque[tuple[int, tuple[int, ...]]] = deque()

    def look(self, battle: Battle) -> Progress:
        """Return where the battle stands: "round over" when a round has ended since the last look."""
        state = battle.state
        if not self._names:
            self._names = unique_names(seat.name for seat in battle.header.seats)
        ended = state.round_number - (0 if state.round_over else 1)
        stage, shown = ("round over", ended) if ended > self._round else ("playing", state.round_number)
        self._round = max(self._round, ended)
        return Progress(
            stage="over" if battle.outcome is not None else stage,  # type: ignore[arg-type]  # of these words
            round=shown,
            rounds=state.settings.number_of_rounds,
            turn=state.turn_number,
            turns=battle.turn,
            standings=self._standings(battle),
        )

    def _standings(self, battle: Battle) -> tuple[Standing, ...]:
        state = battle.state
        energies = {tank.id - 1: tank.energy for tank in battle.game.frame(state).bot_states}
        rows = sorted(results_for_observers(state.results), key=lambda row: row.id)
        scores = {row.id: row.total_score for row in rows if not row.is_team}
        teams = [row for row in rows if row.is_team]
        named = dict(zip((row.id for row in teams), unique_names(row.name for row in teams), strict=True))
        totals = {row.id: row.total_score for row in teams}
        slow = self._slow(battle)
        standings = []
        for seat, name in enumerate(self._names):
            team = battle.header.seats[seat].team
            score = scores.get(seat + 1, 0) if team is None else totals.get(team, 0)
            energy = energies.get(seat) if seat in state.alive else None
            team_name = None if team is None else named.get(team)
            standings.append(Standing(name, score, energy, seat in slow, team_name))
        return tuple(standings)

    def _slow(self, battle: Battle) -> set[int]:
        """Return the seats that missed many of the last turns."""
        missed = tuple(faults.skipped for faults in battle.ledger.seats)
        self._history.append((battle.turn, missed))
        while len(self._history) > 2 and self._history[1][0] <= battle.turn - SLOW_TURNS:
            self._history.popleft()
        turn, before = self._history[0]
        limit = max(1.0, (battle.turn - turn) * SLOW_SHARE)
        return {seat for seat, count in enumerate(missed) if count - before[seat] >= limit}
