"""Battles of tanks: settings, rules, and battles in one process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwright.app.game.battles import GameBattles
from turnwright.app.options import BattleOptions
from turnwright.app.prepared_battle import NewGame, PreparedBattle, Report
from turnwright.host.protocol import BattleSetup
from turnwright.kernel.game import SeatInfo
from turnwright_tank.app.in_process import TankBattle
from turnwright_tank.app.options import TankOptions, TankServeOptions, check_seats, game_setup
from turnwright_tank.app.progress import TankFollower
from turnwright_tank.backends import Speed, extension
from turnwright_tank.game import TankGame, new_game
from turnwright_tank.host.royale import RoyaleProtocol, battle_setup
from turnwright_tank.seats import check_seats as check_room
from turnwright_tank.settings import read_settings
from turnwright_tank.wire.royale.setup import GAME_TYPES


def royale_protocol(rules: TankGame, options: TankServeOptions | TankOptions | None) -> RoyaleProtocol:
    """Return the Royale protocol with the game types of the options."""
    if options is None:
        return RoyaleProtocol()
    offered = options.game_types if isinstance(options, TankServeOptions) else GAME_TYPES
    return RoyaleProtocol(game_types=offered, initial_positions=options.initial_positions)


class TankBattles(GameBattles):
    """The battles of tanks."""

    def new_game(self, options: TankServeOptions | TankOptions) -> NewGame:
        """Return a function that makes the rules of battles, compiled if possible.

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
        """Return the game type: 1v1 for two single bots, otherwise the default."""
        if form != "melee" and seats in (None, 2) and not teams:
            return {"game_type": "1v1"}
        return {}
