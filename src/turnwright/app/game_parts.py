"""The parts of a game: its protocol, bots, rules, battles and results.

    parts_of("tank")  ──▶ games/tank/app/game_parts.py: PARTS ──▶ protocol, bots, source of rules
    parts_of("snake") ──▶ GameParts("snake")             ──▶ the same, for a game without parts of its own

The root imports no game: it asks here, by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from turnwright import catalog
from turnwright._version import __version__
from turnwright.app.battle_in_process import InProcessBattle
from turnwright.app.function_bots import FunctionBots
from turnwright.app.options import TURN_TIMEOUT_US, BattleOptions
from turnwright.app.prepared_battle import NewGame, PreparedBattle, Report
from turnwright.app.progress import Follower
from turnwright.app.results import Ranking, ResultRow, rounds_of, rounds_out, unique_names
from turnwright.errors import SetupError
from turnwright.host.generic_protocol import GenericProtocol, column_heading, generic_setup, result_columns
from turnwright.host.protocol import BattleSetup, GameProtocol, HelloMessage
from turnwright.host.summary import BattleSummary
from turnwright.kernel.checked_game import CheckedGame
from turnwright.kernel.game import Game, SeatInfo
from turnwright.kernel.record import Header
from turnwright.net.files.battle_record import BattleRecord, SpectatorFiles
from turnwright.net.participants.command import Team
from turnwright.net.participants.game_bots import GameBots
from turnwright.net.participants.seating import Entrant


class GameParts:
    """The parts of one game; those of a game that brings none of its own.

    game: its name, or the path of its folder. options: the settings of a server or a battle, of the game's
    own class.
    """

    analyses: bool = False
    """Whether its page plays records itself, and `turnwright trace` tells why a battle went as it did."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.bots: GameBots = self.game_bots()

    def game_bots(self) -> GameBots:
        """Return the bots of a game without parts of its own.

        Functions of one observation, and those of its bots.py.
        """
        return FunctionBots(self.game)

    def protocol(self, options: Any) -> GameProtocol:
        """Return the wire protocol of a server.

        options: None for those of a server that says nothing. Raises: SetupError for settings that the game
        has not.
        """
        settings = dict(getattr(options, "settings", ()))
        return GenericProtocol(self.light_rules(), f"turnwright {__version__}", settings)

    def new_game(self, options: Any) -> NewGame:
        """Return what makes the rules of battles. options: of a server or a battle."""
        return lambda _tolerant: catalog.load(self.game)

    def is_tolerant(self, options: Any) -> bool:
        """Return whether a battle continues without a stage of the rules that fails."""
        return False

    def spectators_see(self) -> str:
        """Return in one line what spectators see while a battle is played."""
        game = self.light_rules()
        kind = type(game.game if isinstance(game, CheckedGame) else game)
        if kind.live_frame is not Game.live_frame:
            return f"spectators see what live_frame() of {game.name} returns, while a battle is played"
        return f"spectators see the whole state of {game.name} in every turn, while a battle is played"

    def battle_setup(self, options: BattleOptions, seats: Sequence[SeatInfo]) -> BattleSetup:
        """Return the settings of a battle. seats: names alone.

        Raises: SetupError for what cannot be played, or not by so many.
        """
        return generic_setup(
            self.light_rules(),
            dict(getattr(options, "settings", ())),
            len(seats),
            turn_timeout_us=options.turn_timeout_us or TURN_TIMEOUT_US,
            ready_timeout_us=options.ready_timeout_us,
            bots_min=len(seats),
        )

    def prepared(
        self,
        options: BattleOptions,
        setup: BattleSetup,
        places: Sequence[Entrant],
        seed: int,
        record_files: BattleRecord,
        new_game: NewGame,
        on_spectator_message: Callable[[bytes], None] | None = None,
    ) -> PreparedBattle:
        """Return a battle that is ready to begin."""
        return PreparedBattle(
            options,
            setup,
            places,
            seed,
            record_files,
            new_game,
            protocol=self.protocol(options),
            tolerant=self.is_tolerant(options),
            follower=self.follower,
            analysed=self.analyses,
            on_spectator_message=on_spectator_message,
        )

    def in_process_battle(self, battle: PreparedBattle, report: Report) -> InProcessBattle:
        """Return a battle whose bots are all of this process."""
        return InProcessBattle(battle, report)

    def follower(self) -> Follower:
        """Return a reporter of the battle's progress."""
        return Follower()

    def headings(self, rows: Sequence[ResultRow]) -> Mapping[str, str]:
        """Return the columns of a table of results, by name: its heading."""
        known = {"score": "Score", "skipped": "Missed", "left": ""}
        names = rows[0].columns if rows else ()
        found = {name: known.get(name, column_heading(name)) for name in names}
        return {name: heading for name, heading in found.items() if heading}

    def ranking(self, summary: BattleSummary) -> Ranking:
        """Return the results of a battle.

        `Outcome.results` are columns if they are one object of plain values for each seat, else details.
        """
        details = msgspec.to_builtins(summary.details)
        own = result_columns(details, len(summary.seats))
        names = unique_names(seat.name for seat in summary.seats)
        ranked = [(row.rank, row.seat, row.score) for row in summary.rows]
        rows = []
        for rank, number, score in ranked or [(1, number, None) for number in range(len(names))]:
            seat = summary.seats[number]
            columns = {"score": score, **own[number], "skipped": seat.skipped, "left": seat.left}
            marks = seat.disqualified, seat.never_answered
            rounds = rounds_of(summary, [number])
            row = ResultRow(rank, names[number], seat.version, columns, *marks, (number,), rounds)
            out = rounds_out(summary, [number])
            rows.append(replace(row, failure=seat.failure, disqualified_rounds=out))
        return Ranking(rows, names, None if own is details else details)

    def tournament_settings(self, form: str, seats: int | None, *, teams: bool) -> Mapping[str, Any]:
        """Return the settings of a tournament's battles that differ from defaults.

        They are fields of the game's options. form: of the pairings, e.g. "melee". seats: entries of a
        battle, or None. teams: whether any entry is a team.
        """
        return {}

    # ---- seats of a record that are played anew ------------------------------------------------------------

    def recorded_setup(self, header: Header) -> BattleSetup:
        """Return the settings of a recorded battle.

        Raises: RecordError when they are none.
        """
        timeout_us = header.rules.timeout_ns // 1000
        return BattleSetup(header.game, header.setup, timeout_us, timeout_us, len(header.seats))

    def recorded_hello(self, info: SeatInfo, now: HelloMessage | None) -> HelloMessage:
        """Return the handshake of a seat of a record.

        now: of the bot that sits there now, or None.
        """
        if now is None:
            return HelloMessage("bot", info.name, info.version, ours=True)
        return msgspec.structs.replace(now, name=info.name, version=info.version, secret=None)

    def given_hello(self, info: SeatInfo) -> HelloMessage:
        """Return the handshake of a seat whose intents this process gives."""
        return self.recorded_hello(info, None)

    def recorded_team(self, info: SeatInfo) -> Team | None:
        """Return the team for which the bot of a seat played, or None."""
        return None

    def intent_data(self, rules: Game, intent: Any) -> Any:
        """Return an intent as JSON values, for people."""
        return rules.write_intent(intent)

    def intent_differences(self, rules: Game, one: Any, two: Any) -> Sequence[tuple[str, Any, Any]]:
        """Return the fields in which two intents differ: name, and both values.

        None: a field is not there. An intent that is no object is one field, "intent".
        """
        first, second = self.intent_data(rules, one), self.intent_data(rules, two)
        if not isinstance(first, dict) or not isinstance(second, dict):
            return [] if first == second else [("intent", first, second)]
        names = [*first, *(name for name in second if name not in first)]
        pairs = [(name, first.get(name), second.get(name)) for name in names]
        return [pair for pair in pairs if pair[1] != pair[2]]

    def recording(self, path: Path) -> SpectatorFiles:
        """Return a writer of the messages for spectators.

        Raises: SetupError: the game has no such format.
        """
        raise SetupError(f"recording {path}: the game has no format for it; write a record (.twr)")

    def light_rules(self) -> Game:
        """Return rules that load at once, to read and write intents with."""
        return catalog.load(self.game)


def parts_of(game: str) -> GameParts:
    """Return the parts of a game: its own, or those that any game has.

    game: its name, or the path of its folder. Raises: SetupError for one that is unknown.
    """
    kind = catalog.find(game).part("parts") or GameParts
    parts: GameParts = kind(game)
    return parts
