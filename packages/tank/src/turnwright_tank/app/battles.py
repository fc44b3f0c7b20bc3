"""Battles of tanks: settings, rules, and battles in one process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwright.app.game.battles import GameBattles
from turnwright.app.options import BattleOptions
from turnwright.app.prepared_battle import NewGame, PreparedBattle, Report
from turnwright.app.progress import Follower
from turnwright.app.results import Standing
from turnwright.host.protocol import BattleSetup
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import RoundProgress, Seat, SeatInfo, unique_names
from turnwright_tank.app.in_process import TankBattle
from turnwright_tank.app.options import TankOptions, TankServeOptions, check_seats, game_setup
from turnwright_tank.backends import Speed, extension
from turnwright_tank.game import TankGame, new_game
from turnwright_tank.host.royale import RoyaleProtocol, battle_setup
from turnwright_tank.seats import check_seats as check_room
from turnwright_tank.settings import read_settings
from turnwright_tank.wire.royale.results import results_for_observers
from turnwright_tank.wire.royale.setup import GAME_TYPES


def royale_protocol(rules: TankGame, options: TankServeOptions | TankOptions | None) -> RoyaleProtocol:
    """Return the Royale protocol with the game types of a server's options, otherwise with all game types."""
    if options is None:
        return RoyaleProtocol()
    offered = options.game_types if isinstance(options, TankServeOptions) else GAME_TYPES
    return RoyaleProtocol(game_types=offered, initial_positions=options.initial_positions)


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


class TankBattles(GameBattles):
    """The battles of tanks."""

    def new_game(self, options: TankServeOptions | TankOptions) -> NewGame:
        """Return a function that makes the rules of battles at the speed of the options.

        Battles that continue after an error of the rules are always interpreted.

        Raises:
            SetupError: the requested speed is not available.
        """
        speed: Speed = options.speed if isinstance(options, TankServeOptions) else "auto"
        if speed == "compiled":
            extension.load()
        return lambda tolerant: new_game(tolerant=tolerant, speed=speed)

    def is_tolerant(self, options: TankServeOptions | TankOptions) -> bool:
        """Return whether a battle continues if a stage of the rules fails."""
        return options.on_rules_error == "continue"

    def setup(self, options: BattleOptions, seats: Sequence[SeatInfo]) -> BattleSetup:
        """Return the settings of a battle.

        Raises:
            SetupError: a setting is wrong, or there are too few or too many bots.
        """
        assert isinstance(options, TankOptions)
        setup = game_setup(options)
        check_seats(setup, len(seats))
        found = battle_setup(setup)
        check_room(read_settings(found.settings), seats)
        return found

    def in_process(self, battle: PreparedBattle, report: Report) -> TankBattle:
        """Return a battle of Bots and functions."""
        return TankBattle(battle, report)

    def follower(self) -> TankFollower:
        """Return the object that reports the progress of battles."""
        return TankFollower()

    def tournament_settings(self, form: str, seats: int | None, *, teams: bool) -> Mapping[str, Any]:
        """Return the game type 1v1 as a setting for battles of two single bots, otherwise no settings."""
        if form != "melee" and seats in (None, 2) and not teams:
            return {"game_type": "1v1"}
        return {}
