"""The game of a ladder server, with its built-in bots, its rules and the settings of battles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import msgspec

from turnwright.app.game.playable import PlayableGame
from turnwright.errors import SetupError
from turnwright_league.app.folder import TournamentBot
from turnwright_league.app.ladder.folder import LadderFolder
from turnwright_league.app.options import machine_settings, settings_by_field, settings_given
from turnwright_league.app.store import ResultStore
from turnwright_league.app.tournament import RULES, rules_from, rules_text
from turnwright_league.app.worker import BattleJob
from turnwright_league.tournament.battle_spec import BattleSpec, settings_text
from turnwright_league.tournament.pairings import PairingRules

CONNECT_S = 15.0
"""The time in seconds in which an uploaded bot must connect."""
LADDER_ROUNDS = 3
"""The rounds of a battle in a game with rounds, unless a setting says otherwise. It is small, so that results
come soon."""


class LadderGame:
    """The game of a ladder server, its built-in bots and the rules of its pairings.

    For a new store, creating it stores the rules.

    Args:
        store: the tournament's store.
        settings: the settings of its battles, by name.
        sandbox: the sandbox level of uploaded bots.

    Raises:
        SetupError: a setting is unknown or wrong, or the folder was played with other rules.
    """

    def __init__(
        self,
        ladder_folder: LadderFolder,
        store: ResultStore,
        game: PlayableGame,
        settings: Mapping[str, Any],
        sandbox: str,
    ) -> None:
        self.played, self.game = game, game.place
        values = settings_by_field(game, settings)
        self.machine = {
            **machine_settings(values),
            "sandbox": sandbox,
            "connect_timeout_s": values.get("connect_timeout_s", CONNECT_S),
        }
        self.rules = self._rules(store, values)
        folder = ladder_folder.folder
        self.built_in = [folder.one_named(name, game.bots) for name in game.bots.built_in]

    def _rules(self, store: ResultStore, values: Mapping[str, Any]) -> PairingRules:
        light = self.played.rules()
        defaults = dict(self.played.battles.tournament_settings("round-robin", None, teams=False))
        if "rounds" in {one.name for one in fields(self.played.options)}:
            defaults["rounds"] = LADDER_ROUNDS
        text = settings_text(settings_given(self.played, {**defaults, **values}))
        asked = PairingRules(light.name, light.behaviour_version, text, 1, "round-robin", 2)
        if RULES not in store.meta():
            store.put_meta(RULES, rules_text(asked, self.game))
            return asked
        before, played = rules_from(store)
        differs = (before.game, before.behaviour) != (
            asked.game,
            asked.behaviour,
        ) or before.format != asked.format
        if differs or (values and before.settings != asked.settings):
            raise SetupError(
                f"this folder was played with {played}, version {before.behaviour} of the rules and settings"
                f" {before.settings}: start the ladder server with the same, or give another folder with"
                " --data"
            )
        return before

    @property
    def first_opponent(self) -> TournamentBot | None:
        """The built-in bot for first checks, or None if the game has none."""
        name = self.played.bots.first_opponent
        return next((one for one in self.built_in if one.entry.name == name), None)

    def job(
        self, spec: BattleSpec, bots: Mapping[str, TournamentBot], record: Path, **machine: Any
    ) -> BattleJob:
        """Return the job of a battle.

        Args:
            record: the path of its record.
            machine: further settings of its server.
        """
        machine = {**self.machine, **machine}
        return BattleJob.of(spec, self.game, bots, str(record), machine, errors_public=False)

    def first_check_rules(self, upload: int) -> PairingRules:
        """Return the rules of a first check, which is short and has its own seed."""
        settings = msgspec.json.decode(self.rules.settings)
        if "rounds" in settings:
            settings["rounds"] = 1
        return replace(self.rules, settings=settings_text(settings), seed=1_000_000 + upload)
