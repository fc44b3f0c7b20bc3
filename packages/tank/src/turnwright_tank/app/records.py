"""Rules, results and pages of tank records and Tank Royale recordings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnwright.app.game.records import GameRecords
from turnwright.errors import RecordError
from turnwright.host.protocol import BattleSetup, HelloMessage
from turnwright.kernel.game import Game, SeatInfo
from turnwright.kernel.record import Header, Record
from turnwright.kernel.replay import rebuild
from turnwright.net.files.reader import EXPECTED, OnProgress
from turnwright.net.participants.command import Team
from turnwright_tank.app.recordings import Names, RoyaleFiles, chunks_of
from turnwright_tank.game import TankGame, new_game
from turnwright_tank.host.handshakes import bot_hello, recorded_hello
from turnwright_tank.host.royale import battle_setup
from turnwright_tank.intent_rows import Difference, differences
from turnwright_tank.structs import TankIntent
from turnwright_tank.wire.recording.from_record import opening_of
from turnwright_tank.wire.recording.read import Notes, read_lines, read_messages
from turnwright_tank.wire.royale.messages import BotHandshake


class TankRecords(GameRecords):
    """The rules of tank records, and the results of records."""

    def rules(self, record: Record, contents: Path | None = None) -> TankGame:
        """Return the rules with which a record was made."""
        return new_game(tolerant=record.header.tolerant)

    def page(self, record: Record) -> None:
        """Return None, because the page replays the record itself.

        Raises:
            RecordError: the record cannot be replayed.
        """
        rebuild(record, TankGame("interpreted"))

    def is_cut_off(self, path: Path, on_progress: OnProgress) -> bool:
        """Return whether a recording is truncated.

        Raises:
            RecordError: the recording has nothing that can be shown.
        """
        if next(read_messages(chunks_of(path), Notes()), None) is None:
            raise RecordError(f"{path} has no turn of a battle: {EXPECTED}")
        notes = Notes()
        for _ in read_lines(chunks_of(path, on_progress), notes):
            pass
        return notes.truncated

    def writer(self, path: Path) -> RoyaleFiles:
        """Return an object that writes the messages to spectators into a Tank Royale recording."""
        return RoyaleFiles(Names(lambda game: path))

    def setup(self, header: Header) -> BattleSetup:
        """Return the settings of a recorded battle, as spectators got them.

        Raises:
            RecordError: the record is of another game, or its announcement cannot be read.
        """
        return battle_setup(opening_of(header).game_setup)

    def hello(self, info: SeatInfo, now: HelloMessage | None) -> HelloMessage:
        """Return the handshake of a seat of a record, with its authors and team."""
        return recorded_hello(info, now)

    def given_hello(self, info: SeatInfo) -> HelloMessage:
        """Return the handshake of a seat whose intents come from this process.

        The seat gets the same messages as bots with our library.
        """
        return recorded_hello(
            info, bot_hello(BotHandshake(name=info.name, version=info.version, turnwright=1))
        )

    def team(self, info: SeatInfo) -> Team | None:
        """Return the team for which the bot of a seat played, or None."""
        if info.team is None:
            return None
        name, version = (str(info.options.get(key, "")) for key in ("team_name", "team_version"))
        return Team(info.team, name, version)

    def intent_data(self, rules: Game, intent: TankIntent) -> dict[str, Any]:
        """Return the fields of an intent as JSON values, without the turn that it answers."""
        data: dict[str, Any] = msgspec.to_builtins(intent)
        return {name: value for name, value in data.items() if name not in ("type", "turnNumber")}

    def intent_differences(self, rules: Game, one: TankIntent, two: TankIntent) -> Sequence[Difference]:
        """Return the fields in which two intents differ for the rules."""
        return differences(one, two)
