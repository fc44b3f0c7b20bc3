"""Collects what bots print, by turn, from their processes and from their intents, within limits.

This output does not affect the game. A line belongs to the turn in which the end of the line arrived.
Official bot APIs send each printed line twice: to the output of the process, and in an intent. The copy that
arrives second is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from turnwright.kernel.game import Seat

LINE_CHARS_MAX = 1_000
TURN_CHARS_MAX = 4_000
BATTLE_CHARS_MAX = 200_000
"""The number of characters that are kept of one line, of all lines of a bot in one turn, and of all lines of
a bot in the battle. Characters beyond a limit are dropped.
"""
_PIECE_CHARS_MAX = 2 * TURN_CHARS_MAX
"""The number of characters of a piece that are examined. The rest is dropped, so that a flood of output costs
little time.
"""
_KINDS = ((False, False), (False, True), (True, False), (True, True))
"""The kinds of lines in the order in which a turn shows them. A kind says whether a line is from stderr, and
whether it came in an intent.
"""
_TWICE_LINES_MAX = 1_000
"""The largest number of lines from one source that are remembered until the other source sends its copies."""


class TurnPrints(NamedTuple):
    """The output of a bot in a turn. It consists of lines, each with a newline.

    The last line has no newline if an intent sent it without a newline. The official server shows such a line
    in the same way.
    """

    out: str = ""
    err: str = ""


class PrintedLine(NamedTuple):
    """A line that a bot printed.

    Attributes:
        turn: the turn of the round in which the line arrived.
    """

    seat: Seat
    round: int
    turn: int
    text: str
    is_error: bool = False


class _SeatPrints:
    """The output of one bot in the open turn, and the number of characters that still fit."""

    __slots__ = (
        "battle_chars_max",
        "battle_room",
        "heard",
        "is_over",
        "left_out",
        "lines",
        "open_texts",
        "rest",
        "said",
        "turn_room",
    )

    def __init__(self, room: int) -> None:
        self.battle_chars_max = self.battle_room = room
        self.turn_room = TURN_CHARS_MAX
        self.is_over = False
        """Whether the limit for the battle is reached."""
        self.lines: dict[tuple[bool, bool], list[str]] = {key: [] for key in _KINDS}
        self.open_texts: set[bool] = set()
        """The streams (True: stderr, False: stdout) whose last text in an intent ended without a newline."""
        self.left_out = 0
        self.rest = {False: "", True: ""}
        """The unfinished line of stdout (False) and of stderr (True)."""
        self.heard: Counter[str] = Counter()
        self.said: Counter[str] = Counter()
        """`heard` and `said` count the lines of which one copy is still missing: lines that came only from
        the process, and lines that came only in intents.
        """

    def add(self, line: str, *, is_error: bool, is_said: bool) -> None:
        """Add a line, as far as the limits allow."""
        if self.is_over:
            return
        kept = line[:LINE_CHARS_MAX]
        if len(line) > LINE_CHARS_MAX:
            kept += f"… [cut: {LINE_CHARS_MAX:,} characters of a line are kept]"
        size = len(kept) + 1
        if size > self.battle_room:
            self.is_over = True
        if size > self.turn_room or self.is_over:
            self.left_out += size
            return
        self.turn_room -= size
        self.battle_room -= size
        self.lines[is_error, is_said].append(kept)

    def take(self, text: str, *, is_error: bool) -> None:
        """Take a piece of the process's output."""
        if self.is_over:
            return
        text = self.rest[is_error] + text
        looked_at = text[:_PIECE_CHARS_MAX]
        *lines, rest = looked_at.split("\n")
        if len(text) > _PIECE_CHARS_MAX:
            begin = text.rfind("\n", _PIECE_CHARS_MAX) + 1
            if begin:
                lines.append(rest)
                self.left_out += begin - _PIECE_CHARS_MAX
                rest = text[begin : begin + LINE_CHARS_MAX + 1]
        self.rest[is_error] = rest[: LINE_CHARS_MAX + 1]
        for line in map(printable, lines):
            if not _second(self.heard, self.said, line):
                self.add(line, is_error=is_error, is_said=False)

    def say(self, text: str, *, is_error: bool) -> None:
        """Take a text of an intent. A blank text is ignored."""
        if not text.strip():
            return
        (self.open_texts.discard if text.endswith("\n") else self.open_texts.add)(is_error)
        lines = text[:_PIECE_CHARS_MAX].split("\n")
        for line in map(printable, lines if lines[-1] else lines[:-1]):
            if not _second(self.said, self.heard, line):
                self.add(line, is_error=is_error, is_said=True)
        self.left_out += max(0, len(text) - _PIECE_CHARS_MAX)

    def end_lines(self) -> None:
        """End the unfinished lines."""
        for is_error, rest in self.rest.items():
            if rest:
                self.take("\n", is_error=is_error)

    def close(self) -> TurnPrints | None:
        """Return the output of the turn that closes, or None if there is none. Begin the next turn."""
        if not self.left_out and not any(self.lines.values()):
            return None
        texts = ["".join(line + "\n" for line in self.lines[kind]) for kind in _KINDS]
        for is_error in sorted(self.open_texts):
            place = _KINDS.index((is_error, True))
            texts[place] = texts[place].removesuffix("\n")
        out, err = texts[0] + texts[1], texts[2] + texts[3]
        if self.left_out:
            note = self._note()
            self.battle_room -= len(note)
            out = "\n".join([out.removesuffix("\n"), note]) if out else note
        for lines in self.lines.values():
            lines.clear()
        self.open_texts.clear()
        self.left_out, self.turn_room = 0, TURN_CHARS_MAX
        return TurnPrints(out, err) if out or err else None

    def _note(self) -> str:
        """Return a line with the number of characters that were left out, and the limit."""
        if self.is_over:
            bound = f"{self.battle_chars_max:,} characters of a battle"
            return f"[turnwright: all that follows is left out: {bound} are kept]\n"
        more = f"{self.left_out:,} characters more in this turn"
        return f"[turnwright: {more} are left out: {TURN_CHARS_MAX:,} are kept]\n"


class Prints:
    """Collects what the bots of a battle print.

    Args:
        chars_max: how many characters of each bot are kept in a battle.
    """

    def __init__(self, chars_max: int = BATTLE_CHARS_MAX) -> None:
        self._chars_max = chars_max
        self._seats: dict[Seat, _SeatPrints] = {}

    def take(self, seat: Seat, text: str, *, is_error: bool = False) -> None:
        """Take a piece of the output of a bot's process. A piece may begin and end anywhere in a line."""
        self._of(seat).take(text, is_error=is_error)

    def say(self, seat: Seat, out: str | None, err: str | None) -> None:
        """Take the text that an intent sends as the bot's output."""
        one = self._of(seat)
        if err:
            one.say(err, is_error=True)
        if out:
            one.say(out, is_error=False)

    def close_turn(self) -> Mapping[Seat, TurnPrints]:
        """Return, by seat, the complete lines since the last call. Seats without output are left out."""
        found = {}
        for seat, one in self._seats.items():
            printed = one.close()
            if printed is not None:
                found[seat] = printed
        return found

    def end(self) -> Mapping[Seat, TurnPrints]:
        """Return, by seat, the output after the last turn.

        Unfinished lines are ended.
        """
        for one in self._seats.values():
            one.end_lines()
        return self.close_turn()

    def _of(self, seat: Seat) -> _SeatPrints:
        found = self._seats.get(seat)
        if found is None:
            found = self._seats[seat] = _SeatPrints(self._chars_max)
        return found


def lines_of(printed: Mapping[Seat, TurnPrints], round_number: int, turn: int) -> Iterator[PrintedLine]:
    """Yield the lines that were printed in a turn."""
    for seat, texts in sorted(printed.items()):
        for is_error, text in enumerate(texts):
            for line in text.removesuffix("\n").split("\n") if text else ():
                yield PrintedLine(seat, round_number, turn, line, bool(is_error))


def printable(line: str) -> str:
    """Return a line in which U+FFFD replaces each character that cannot be printed, except tabs. A carriage
    return at its end is removed. Control characters could send commands to a terminal.
    """
    line = line.removesuffix("\r")
    if line.isprintable():
        return line
    return "".join(
        letter if letter.isprintable() or letter == "\t" else "\N{REPLACEMENT CHARACTER}" for letter in line
    )


def _second(own: Counter[str], other: Counter[str], line: str) -> bool:
    """Return whether the other source has already sent this line. If not, remember the line."""
    if other[line] > 0:
        other[line] -= 1
        return True
    if len(own) >= _TWICE_LINES_MAX:
        own.clear()
    own[line] += 1
    return False
