"""The tank's parts: Royale's protocol, bots, rules, battles, results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnwright.app.game_parts import GameParts
from turnwright.app.options import BattleOptions
from turnwright.app.prepared_battle import NewGame, PreparedBattle, Report
from turnwright.app.results import Ranking, ResultRow
from turnwright.games.tank.app.game_bots import TANK_BOTS
from turnwright.games.tank.app.in_process import TankBattle
from turnwright.games.tank.app.options import TankOptions, TankServeOptions, check_seats, game_setup
from turnwright.games.tank.app.progress import TankFollower
from turnwright.games.tank.app.recordings import Names, RoyaleFiles
from turnwright.games.tank.app.results import COLUMNS, ranking_of
from turnwright.games.tank.backends import Speed, extension
from turnwright.games.tank.game import TankGame, new_game
from turnwright.games.tank.host.handshakes import bot_hello, recorded_hello
from turnwright.games.tank.host.royale import RoyaleProtocol, battle_setup
from turnwright.games.tank.intent import TankIntent
from turnwright.games.tank.intent_rows import Difference, differences
from turnwright.games.tank.settings import check_seats as check_room
from turnwright.games.tank.settings import read_settings
from turnwright.games.tank.wire.recording.from_record import opening_of
from turnwright.games.tank.wire.royale.messages import BotHandshake
from turnwright.games.tank.wire.royale.setup import GAME_TYPES
from turnwright.host.protocol import BattleSetup, HelloMessage
from turnwright.host.summary import BattleSummary
from turnwright.kernel.game import Game, SeatInfo
from turnwright.kernel.record import Header
from turnwright.net.participants.command import Team
from turnwright.net.participants.game_bots import GameBots


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

    def new_game(self, options: TankServeOptions | TankOptions) -> NewGame:
        """Return what makes the rules of battles, compiled where they can be.

        Raises: SetupError where they cannot be as the options ask.
        """
        speed: Speed = options.speed if isinstance(options, TankServeOptions) else "auto"
        if speed == "compiled":
            extension.load()
        return lambda tolerant: new_game(tolerant=tolerant, speed=speed)

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

    def in_process_battle(self, battle: PreparedBattle, report: Report) -> TankBattle:
        """Return a battle of Bots and functions."""
        return TankBattle(battle, report)

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

    def given_hello(self, info: SeatInfo) -> HelloMessage:
        """Return the handshake of a seat whose intents this process gives.

        It sees what bots on our library see.
        """
        return recorded_hello(
            info, bot_hello(BotHandshake(name=info.name, version=info.version, turnwright=1))
        )

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

    def recording(self, path: Path) -> RoyaleFiles:
        """Return a writer of Tank Royale's recordings."""
        return RoyaleFiles(Names(lambda game: path))

    def light_rules(self) -> TankGame:
        """Return the interpreted rules."""
        return TankGame("interpreted")
