"""Records of a game: their rules, page and story, and seats that are played again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnwright.app.frames import frame_lines
from turnwright.catalog import FoundGame
from turnwright.errors import RecordError, SetupError
from turnwright.host.protocol import BattleSetup, HelloMessage
from turnwright.kernel.game import Game, SeatInfo
from turnwright.kernel.record import Header, Record
from turnwright.net.files.battle_record import SpectatorFiles
from turnwright.net.files.reader import OnProgress
from turnwright.net.participants.command import Team


class GameRecords:
    """The records of any game. A game with differences derives a class from this one."""

    def __init__(self, game: FoundGame) -> None:
        self.game = game

    def rules(self, record: Record, contents: Path | None = None) -> Game:
        """Return the rules with which a record was made.

        Args:
            contents: a folder in which a server has stored contents of a world.

        Raises:
            SetupError, RecordError: this installation does not have these rules.
        """
        return self.game.rules()

    def story(
        self, path: Path, columns: int, *, colours: bool, contents: Path | None, on_progress: OnProgress
    ) -> Iterator[str] | None:
        """Return a record as lines of text, each at most `columns` wide. Return None if the game draws its
        battles instead.

        Raises:
            RecordError: the record is wrong. The error may come as late as in the caller's iteration over the
                lines.
        """
        return None

    def page(self, record: Record) -> bytes | None:
        """Return the file that a page gets instead of a record, or None if the page plays the record itself.

        Raises:
            RecordError, SetupError: no page can show the record.
        """
        return frame_lines(record, self.rules(record))

    def is_cut_off(self, path: Path, on_progress: OnProgress) -> bool:
        """Return whether a Tank Royale recording ends before the end of its battle.

        Raises:
            RecordError: the game reads no recordings, or this one contains nothing that can be shown.
        """
        raise RecordError(f"{path} is a Tank Royale recording: the game {self.game.name} does not read it")

    def writer(self, path: Path) -> SpectatorFiles:
        """Return a writer of the messages for spectators.

        Raises:
            SetupError: the game has no such format.
        """
        raise SetupError(f"recording {path}: the game has no format for it; write a record (.twr)")

    # ---- seats that are played again -----------------------------------------------------------------------

    def setup(self, header: Header) -> BattleSetup:
        """Return the settings of a recorded battle.

        Raises:
            RecordError: the record's settings are invalid.
        """
        timeout_us = header.rules.timeout_ns // 1000
        return BattleSetup(header.game, header.setup, timeout_us, timeout_us, len(header.seats))

    def hello(self, info: SeatInfo, now: HelloMessage | None) -> HelloMessage:
        """Return the handshake of a seat of a record.

        Args:
            now: the handshake of the bot that plays the seat instead, or None.
        """
        if now is None:
            return HelloMessage("bot", info.name, info.version, ours=True)
        return msgspec.structs.replace(now, name=info.name, version=info.version, secret=None)

    def given_hello(self, info: SeatInfo) -> HelloMessage:
        """Return the handshake for a seat whose intents come from this process."""
        return self.hello(info, None)

    def team(self, info: SeatInfo) -> Team | None:
        """Return the team for which the bot of a seat played, or None."""
        return None

    def intent_data(self, rules: Game, intent: Any) -> Any:
        """Return an intent as JSON values, to be shown to people."""
        return rules.write_intent(intent)

    def intent_differences(self, rules: Game, one: Any, two: Any) -> Sequence[tuple[str, Any, Any]]:
        """Return the name and both values of each field in which two intents differ.

        The value of a missing field is None. An intent that is not a JSON object counts as one field,
        "intent".
        """
        first, second = self.intent_data(rules, one), self.intent_data(rules, two)
        if not isinstance(first, dict) or not isinstance(second, dict):
            return [] if first == second else [("intent", first, second)]
        names = [*first, *(name for name in second if name not in first)]
        pairs = [(name, first.get(name), second.get(name)) for name in names]
        return [pair for pair in pairs if pair[1] != pair[2]]
