"""The record and the history of a battle, and the data of a battle that is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from turnwright.host import effects as fx
from turnwright.host.config import HostConfig
from turnwright.host.protocol import BattleMessages
from turnwright.host.turn_output import TurnOutput
from turnwright.host.watching.history import BattlePieces
from turnwright.kernel.failure import Failure
from turnwright.kernel.game import Seat
from turnwright.kernel.printed import PrintedLine, Prints, TurnPrints, lines_of
from turnwright.kernel.record import Footer, Header, TurnEntry


class BattleRecording:
    """The data of a battle for its record, and for spectators with their own pace.

    Errors of bots are included only if `HostConfig.errors_public` is set.

    Args:
        number: the number of the battle.
        prints: the output of bots, from their processes and from intents.

    Attributes:
        lines: the lines that bots have printed, in order.
    """

    def __init__(
        self, config: HostConfig, output: TurnOutput, messages: BattleMessages, number: int, prints: Prints
    ) -> None:
        self._config, self._output, self._messages = config, output, messages
        self._number = number
        self._history: BattlePieces | None = None
        """The battle in pieces for spectators with their own pace. None means that there is no history."""
        self._shares = config.record and config.history_bytes_max > 0 and messages.has_record_lines
        """Whether the pieces of the history are lines of the record. If so, each line is made only once."""
        self._opening = b""
        self._is_over = False
        self.prints = prints
        self.lines: list[PrintedLine] = []

    @property
    def is_kept(self) -> bool:
        """Whether there is a record or a history. Both need a footer."""
        return self._config.record or self._history is not None

    def begin(self, header: Header) -> None:
        """Begin the record of a battle, if battles are recorded."""
        if self._config.record:
            self._opening = self._messages.history_opened(header) if self._shares else b""
            self._output.do(fx.RecordOpen(self._number, header, self._opening))

    def begin_history(self, header: Header) -> None:
        """If the server keeps a history, begin it, and let all spectators with their own pace read it."""
        if bytes_max := self._config.history_bytes_max:
            self._history = BattlePieces(bytes_max)
            self._history.add(self._opening or self._messages.history_opened(header))
            self._let_read(self._history, self._output.readers())

    def welcome(self, conn: int) -> bool:
        """Let a late spectator read the history, and return whether this is possible.

        The spectator reads from the beginning. A spectator that must follow the newest turn reads from a
        recent piece.
        """
        history = self._history
        if history is None or conn not in self._output.readers():
            return False
        follows = not self._output.apart and not self._is_over
        self._output.send(conn, self._messages.started)
        self._let_read(history, (conn,), history.near() if follows else 0)
        return True

    def _let_read(self, history: BattlePieces, conns: tuple[int, ...], begin: int = 0) -> None:
        if conns:
            number = self._number if self._config.record and self._messages.has_record_lines else None
            self._output.do(fx.ReadHistory(conns, history, number, begin, hurry=not self._output.apart))

    def _grow(self, history: BattlePieces, piece: bytes, start: bytes | None = None) -> None:
        history.add(piece, start)
        if self._output.readers():
            self._output.do(fx.HistoryGrew())

    def note_printed(
        self, entry: TurnEntry, printed: Mapping[Seat, TurnPrints], place: tuple[int, int]
    ) -> None:
        """Store the lines that bots printed in the turn that was just resolved.

        They are added to `entry`, for the record and spectators, only if `errors_public` is set.

        Args:
            place: the round, and the turn of this round.
        """
        self.lines += lines_of(printed, *place)
        if self._config.errors_public:
            entry.printed = printed

    def add(self, entry: TurnEntry, *, is_void: bool = False) -> None:
        """Append a turn.

        Args:
            is_void: whether the rules failed in this turn. Such a turn has no frame.
        """
        if (entry.failures or entry.out) and not self._config.errors_public:
            entry = replace(entry, failures=_public(entry.failures), out=_public(entry.out))
        shows = self._history is not None and not is_void
        piece = self._messages.history_turn(entry) if shows or self._shares else b""
        if self._config.record:
            self._output.do(fx.RecordTurn(self._number, entry, piece if self._shares else b""))
        if self._history is not None and not is_void:
            self._grow(self._history, piece, self._messages.history_start(entry))

    def close(self, footer: Footer, place: tuple[int, int]) -> None:
        """End the record and the history. Add the lines that bots printed after the last turn.

        Args:
            place: the round, and the turn of this round.
        """
        printed = self.prints.end()
        self.lines += lines_of(printed, *place)
        if self._config.errors_public:
            footer = replace(footer, printed=printed)
        self._is_over = True
        piece = self._messages.history_closed(footer) if self._shares or self._history is not None else b""
        if self._history is not None:
            self._grow(self._history, piece)
        if self._config.record:
            self._output.do(fx.RecordClose(self._number, footer, piece if self._shares else b""))


def _public(failures: Mapping[Seat, Failure]) -> dict[Seat, Failure]:
    return {seat: one.public for seat, one in failures.items()}


class Over:
    """A battle that is over. The host keeps it until the next battle begins.

    Args:
        messages: the messages of the battle, for spectators that connect after its end. None means that these
            spectators get no messages.
        footer: the footer of the record. None means that there is no footer to write.
        place: the round and turn of the last turn.
    """

    def __init__(
        self,
        recording: BattleRecording,
        messages: BattleMessages | None,
        footer: Footer | None,
        place: tuple[int, int],
    ) -> None:
        self._recording = recording
        self._messages = messages
        self._footer = footer
        self._place = place
        self._datas: Sequence[bytes] = ()

    def close_record(self) -> bool:
        """Close the record. Return False if it is already closed, or if there is no footer to write."""
        footer, self._footer = self._footer, None
        if footer is not None:
            self._recording.close(footer, self._place)
        return footer is not None

    def welcome(self, conn: int, output: TurnOutput) -> None:
        """Send a late spectator the last turn and the results. The messages are encoded when the first late
        spectator connects.

        If the messages cannot be made, this is logged once.
        """
        messages, self._messages = self._messages, None
        if messages is not None:
            try:
                self._datas = messages.ended_before()
            except Exception as error:
                output.log("error", f"the battle that is over cannot be shown: {error}")
        for data in self._datas:
            output.send(conn, data)
