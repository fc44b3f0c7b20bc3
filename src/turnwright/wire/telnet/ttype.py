"""Asking for the terminal: up to three answers, the client's name, its terminal's, and "MTTS n".

Sources: RFC 1091, and the MTTS convention. Programs without MTTS say their terminal first and then repeat it.
"""

from __future__ import annotations

from turnwright.wire.telnet.codes import IAC, Command, Option
from turnwright.wire.telnet.events import Mtts, Terminal

__all__ = ["ANSWERS_MAX", "NAME_CHARS_MAX", "TerminalTalk"]

ANSWERS_MAX = 3
NAME_CHARS_MAX = 40
_IS, _SEND = 0, 1
_MTTS_MAX = 0xFFFF_FFFF
_ASK = bytes([IAC, Command.SB, Option.TTYPE, _SEND, IAC, Command.SE])


class TerminalTalk:
    """What was asked and answered so far."""

    __slots__ = ("_answers", "_asked", "terminal")

    def __init__(self) -> None:
        self.terminal = Terminal()
        self._answers: list[str] = []
        self._asked = False

    def begin(self) -> bytes:
        """The peer is ready to be asked: return the first question; once it has said all, there is none."""
        if self._asked or len(self._answers) >= ANSWERS_MAX:
            return b""
        self._asked = True
        return _ASK

    def receive(self, data: bytes) -> tuple[bytes, Terminal | None]:
        """Take a subnegotiation; return the next question, and the terminal if more is known of it now."""
        if not self._asked or data[:1] != bytes([_IS]):
            return b"", None
        self._asked = False
        answer = _name(data[1:])
        before = self.terminal
        said_again = bool(self._answers) and answer == self._answers[-1]
        self._answers.append(answer)
        mtts = _mtts(answer)
        if mtts is not None:
            self.terminal = Terminal(before.client, before.kind, mtts)
        elif len(self._answers) == 1:
            self.terminal = Terminal(client=answer)
        elif not said_again and not before.kind:
            self.terminal = Terminal(before.client, answer)
        question = b"" if said_again or mtts is not None else self.begin()
        return question, self.terminal if self.terminal != before else None


def _name(data: bytes) -> str:
    return "".join(chr(byte) for byte in data if 32 <= byte < 127)[:NAME_CHARS_MAX].strip().upper()


def _mtts(answer: str) -> Mtts | None:
    word, _, number = answer.partition(" ")
    if word != "MTTS" or not number.isdecimal():
        return None
    value = int(number)
    return Mtts(value) if value <= _MTTS_MAX else None
