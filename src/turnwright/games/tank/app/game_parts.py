"""The tank's parts: Royale's protocol, bots, rules, battles, results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnwright.app.game_parts import GameParts
from turnwright.app.options import BattleOptions
from turnwright.app.prepared_battle import Compilation, PreparedBattle, Report
from turnwright.app.results import Ranking, ResultRow
from turnwright.games.tank.app.game_bots import TANK_BOTS
from turnwright.games.tank.app.in_process import TankBattle
from turnwright.games.tank.app.options import TankOptions, TankServeOptions, check_seats, game_setup
from turnwright.games.tank.app.progress import TankFollower
from turnwright.games.tank.app.recordings import Names, RoyaleFiles
from turnwright.games.tank.app.results import COLUMNS, ranking_of
from turnwright.games.tank.backends.warm_up import COMPILE, GOES_ON_S, RulesSpeed, to_compile, warm_up
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.host.handshakes import recorded_hello
from turnwright.games.tank.host.royale import RoyaleProtocol, battle_setup
from turnwright.games.tank.intent import TankIntent
from turnwright.games.tank.intent_rows import Difference, differences
from turnwright.games.tank.settings import check_seats as check_room
from turnwright.games.tank.settings import read_settings
from turnwright.games.tank.wire.recording.from_record import opening_of
from turnwright.games.tank.wire.royale.setup import GAME_TYPES
from turnwright.host.protocol import BattleSetup, HelloMessage
from turnwright.host.summary import BattleSummary
from turnwright.kernel.game import Game, SeatInfo
from turnwright.kernel.record import Header, TurnEntry
from turnwright.net.participants.command import Team
from turnwright.net.participants.game_bots import GameBots

__all__ = ["PARTS", "TankParts"]


class TankParts(GameParts):
    """The parts of the tank."""

    analyses = True

    def game_bots(self) -> GameBots:
        """Return how tanks are played."""
        return TANK_BOTS

    def protocol(self, options: TankServeOptions | TankOptions | None) -> RoyaleProtocol:
        """Return Royale's protocol, which offers the game types of the options."""
        if options is None:
            return RoyaleProtocol()
        offered = options.game_types if isinstance(options, TankServeOptions) else GAME_TYPES
        return RoyaleProtocol(game_types=offered, initial_positions=options.initial_positions)

    def rules(self, options: TankServeOptions, tell: Callable[[str], None]) -> RulesSpeed:
        """Return interpreted rules, and compiled ones as soon as they are there."""
        return RulesSpeed(options.speed, options.on_rules_error, tell)

    def battle_rules(
        self, options: BattleOptions, tell: Callable[[str], None], *, watched: bool, compiles: bool = True
    ) -> RulesSpeed:
        """Return compiled rules.

        For a watched battle, or one that may not compile, those that are ready, so that it begins at once.
        """
        assert isinstance(options, TankOptions)
        between_rounds = watched and compiles
        rules = RulesSpeed(
            "auto", options.on_rules_error, tell, between_rounds=between_rounds, compiles=compiles
        )
        if watched or not compiles:
            rules.load_cached()
        else:
            warm_up(options.on_rules_error, tell)
        return rules

    def compilation(self, settings: Mapping[str, Any]) -> Compilation | None:
        """Return the program that compiles the rules, if that is of use and not done yet."""
        about_s = 0 if settings.get("on_rules_error") == "continue" else to_compile()
        return Compilation((sys.executable, "-c", COMPILE), about_s, GOES_ON_S) if about_s else None

    def battle_setup(self, options: BattleOptions, seats: Sequence[SeatInfo]) -> BattleSetup:
        """Return the settings of a battle.

        Raises: SetupError, also for too few bots, or too many.
        """
        assert isinstance(options, TankOptions)
        setup = game_setup(options)
        check_seats(setup, len(seats))
        found = battle_setup(setup)
        check_room(read_settings(found.settings), seats)
        return found

    def play_in_process(self, battle: PreparedBattle, report: Report) -> BattleSummary:
        """Play a battle of Bots and functions."""
        return TankBattle(battle, report).play()

    def follower(self) -> TankFollower:
        """Return who says how far a battle is."""
        return TankFollower()

    def headings(self, rows: Sequence[ResultRow]) -> Mapping[str, str]:
        """Return the columns of a table of results, by name: its heading."""
        return COLUMNS

    def ranking(self, summary: BattleSummary) -> Ranking:
        """Return the results; a team is one row."""
        return ranking_of(summary)

    def is_tolerant(self, options: TankServeOptions | TankOptions) -> bool:
        """Return whether a battle goes on without a stage of the rules that fails."""
        return options.on_rules_error == "continue"

    def tournament_settings(self, form: str, seats: int | None, *, teams: bool) -> Mapping[str, Any]:
        """Return the game type: 1v1 for two single bots, else the default."""
        if form != "melee" and seats in (None, 2) and not teams:
            return {"game_type": "1v1"}
        return {}

    def recorded_setup(self, header: Header) -> BattleSetup:
        """Return the settings of a recorded battle, as spectators were told.

        Raises: RecordError.
        """
        return battle_setup(opening_of(header).game_setup)

    def recorded_hello(self, info: SeatInfo, now: HelloMessage | None) -> HelloMessage:
        """Return the handshake of a seat of a record, with its authors and team."""
        return recorded_hello(info, now)

    def recorded_team(self, info: SeatInfo) -> Team | None:
        """Return the team for which the bot of a seat played, or None."""
        if info.team is None:
            return None
        name, version = (str(info.options.get(key, "")) for key in ("team_name", "team_version"))
        return Team(info.team, name, version)

    def intent_data(self, rules: Game, intent: TankIntent) -> dict[str, Any]:
        """Return what an intent says, without what it answers."""
        data: dict[str, Any] = msgspec.to_builtins(intent)
        return {name: value for name, value in data.items() if name not in ("type", "turnNumber")}

    def intent_differences(self, rules: Game, one: TankIntent, two: TankIntent) -> Sequence[Difference]:
        """Return the fields in which two intents differ for the rules."""
        return differences(one, two)

    def printed(self, turns: Iterable[TurnEntry]) -> dict[int, list[str]]:
        """Return what tanks printed by their intents, oldest first."""
        found: dict[int, list[str]] = {}
        for entry in turns:
            for seat, intent in entry.intents.items():
                texts = (intent.std_out, intent.std_err)
                found.setdefault(seat, []).extend(text for text in texts if text)
        return found

    def recording(self, path: Path) -> RoyaleFiles:
        """Return a writer of Tank Royale's recordings."""
        return RoyaleFiles(Names(lambda game: path))

    def light_rules(self) -> TankGame:
        """Return the interpreted rules."""
        return TankGame("python")


PARTS = TankParts("tank")
