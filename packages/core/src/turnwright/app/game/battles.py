"""Battles of a game: their settings, their rules, and their play in one process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwright.app.battle_in_process import InProcessBattle
from turnwright.app.options import TURN_TIMEOUT_US, BattleOptions
from turnwright.app.prepared_battle import NewGame, PreparedBattle, Report
from turnwright.app.progress import Follower
from turnwright.catalog import FoundGame
from turnwright.host.generic_protocol import generic_setup
from turnwright.host.protocol import BattleSetup
from turnwright.kernel.game import SeatInfo


class GameBattles:
    """The battles of any game. A game with differences derives a class from this one."""

    def __init__(self, game: FoundGame) -> None:
        self.game = game

    def new_game(self, options: Any) -> NewGame:
        """Return a function that makes the rules of battles.

        Args:
            options: the options of a server or a battle, in the game's own class.
        """
        return lambda _tolerant: self.game.rules()

    def is_tolerant(self, options: Any) -> bool:
        """Return whether a battle continues if a stage of its rules fails. The battle then skips the
        stage.
        """
        return False

    def setup(self, options: BattleOptions, seats: Sequence[SeatInfo]) -> BattleSetup:
        """Return the settings of a battle.

        Args:
            seats: the seats, with names only.

        Raises:
            SetupError: the battle cannot be played with these options, or with this number of seats.
        """
        return generic_setup(
            self.game.rules(),
            options.game_settings(),
            len(seats),
            turn_timeout_us=options.turn_timeout_us or TURN_TIMEOUT_US,
            ready_timeout_us=options.ready_timeout_us,
            bots_min=len(seats),
        )

    def in_process(self, battle: PreparedBattle, report: Report) -> InProcessBattle:
        """Return a battle whose bots are all in this process."""
        return InProcessBattle(battle, report)

    def follower(self) -> Follower:
        """Return a reporter of the battle's progress."""
        return Follower()

    def tournament_settings(self, form: str, seats: int | None, *, teams: bool) -> Mapping[str, Any]:
        """Return the settings in which a tournament's battles differ from the defaults.

        The settings are fields of the game's options.

        Args:
            form: the form of the pairings, e.g. "melee".
            seats: the number of entries in a battle, or None if it is not fixed.
            teams: whether any entry is a team.
        """
        return {}
