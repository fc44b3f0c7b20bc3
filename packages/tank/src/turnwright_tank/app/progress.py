"""Progress of a battle of tanks, with scores and energies."""

from __future__ import annotations

from turnwright.app.progress import Follower
from turnwright.app.results import Standing, unique_names
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import RoundProgress, Seat
from turnwright_tank.wire.royale.results import results_for_observers


class TankFollower(Follower):
    """Reports the progress of a battle of tanks. The level of a bot is its energy.

    Scores are as if the round ended now. They are computed for a report, not in every turn.
    """

    def rounds(self, battle: Battle) -> int:
        """Return the number of rounds in the settings."""
        return int(battle.state.lineup.settings.number_of_rounds)

    def standings(self, battle: Battle, now: RoundProgress, slow: set[Seat]) -> tuple[Standing, ...]:
        """Return the standing of each bot by seat. Members of a team have the team's score."""
        state = battle.state
        energies = {tank.id - 1: tank.energy for tank in battle.game.frame(state).bot_states}
        rows = sorted(results_for_observers(state.results_so_far), key=lambda row: row.id)
        scores = {row.id: row.total_score for row in rows if not row.is_team}
        teams = [row for row in rows if row.is_team]
        named = dict(zip((row.id for row in teams), unique_names(row.name for row in teams), strict=True))
        totals = {row.id: row.total_score for row in teams}
        standings = []
        for seat, name in enumerate(self.names(battle)):
            team = battle.header.seats[seat].team
            score = scores.get(seat + 1, 0) if team is None else totals.get(team, 0)
            level = energies.get(seat) if seat in state.alive else None
            team_name = None if team is None else named.get(team)
            standings.append(Standing(name, score, level is not None, level, seat in slow, team_name))
        return tuple(standings)
