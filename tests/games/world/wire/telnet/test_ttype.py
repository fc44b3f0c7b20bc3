"""The three answers about the terminal."""

from __future__ import annotations

import pytest

from turnwright.games.world.wire.telnet.events import Mtts, Terminal
from turnwright.games.world.wire.telnet.options import NAME_CHARS_MAX, TerminalTalk

ASK = b"\xff\xfa\x18\x01\xff\xf0"


def told(*answers: bytes) -> tuple[Terminal, int]:
    """The terminal after these answers, and how many questions were asked."""
    talk = TerminalTalk()
    question, asked = talk.begin(), 0
    for answer in answers:
        asked += question == ASK
        question, _ = talk.receive(b"\0" + answer)
    return talk.terminal, asked + (question == ASK)


@pytest.mark.parametrize(
    ("answers", "terminal", "asked"),
    [
        ([], Terminal(), 1),
        ([b"TINTIN++", b"xterm-256color", b"MTTS 271"], Terminal("TINTIN++", "XTERM-256COLOR", Mtts(271)), 3),
        ([b"MUDLET", b"ANSI-TRUECOLOR", b"MTTS 2349"], Terminal("MUDLET", "ANSI-TRUECOLOR", Mtts(2349)), 3),
        ([b"xterm", b"xterm"], Terminal("XTERM"), 2),  # no MTTS: the last is repeated
        ([b"vt220", b"vt100", b"dumb"], Terminal("VT220", "VT100"), 3),
        ([b"VIP", b"MTTS 64"], Terminal("VIP", "", Mtts.SCREEN_READER), 2),
        ([b"x", b"y", b"MTTS many"], Terminal("X", "Y"), 3),
        ([b"x", b"y", b"MTTS " + b"9" * 30], Terminal("X", "Y"), 3),
        ([b"\xff\x1b[2J" + b"A" * 99], Terminal("[2J" + "A" * (NAME_CHARS_MAX - 3)), 2),
        ([b"a", b"b", b"c", b"d", b"e"], Terminal("A", "B"), 3),
    ],
)
def test_three_answers_tell_client_terminal_and_abilities(
    answers: list[bytes], terminal: Terminal, asked: int
) -> None:
    assert told(*answers) == (terminal, asked)


def test_an_answer_that_nobody_asked_for_is_ignored() -> None:
    talk = TerminalTalk()
    assert talk.receive(b"\0liar") == (b"", None)
    talk.begin()
    assert talk.receive(b"\1") == (b"", None)
    assert talk.receive(b"") == (b"", None)
    assert talk.receive(b"\0honest") == (ASK, Terminal("HONEST"))


def test_a_second_beginning_asks_nothing_while_the_first_is_open() -> None:
    talk = TerminalTalk()
    assert (talk.begin(), talk.begin()) == (ASK, b"")
