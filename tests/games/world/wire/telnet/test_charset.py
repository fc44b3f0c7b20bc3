"""Character sets: who proposes, what is agreed, what becomes of letters that are not in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.world.wire.telnet.peer import sub
from turnwright.games.world.wire.telnet.options import CharsetTalk, simplified

OURS = sub(42, b"\1;UTF-8;ISO-8859-1;US-ASCII")


@pytest.mark.parametrize(
    ("answer", "encoding"),
    [
        (b"\2UTF-8", "utf-8"),
        (b"\2utf-8", "utf-8"),
        (b"\2ISO-8859-1", "latin-1"),
        (b"\2US-ASCII", "ascii"),
        (b"\2KLINGON", None),
        (b"\3", "ascii"),
    ],
)
def test_our_proposal_is_answered_with_one_set_or_none(answer: bytes, encoding: str | None) -> None:
    talk = CharsetTalk()
    assert talk.begin() == OURS
    assert talk.receive(answer) == b""
    assert talk.encoding == encoding


@pytest.mark.parametrize(
    ("proposal", "answer", "encoding"),
    [
        (b"\1;UTF-8", sub(42, b"\2UTF-8"), "utf-8"),
        (b"\1 latin1 utf8 ascii", sub(42, b"\2utf8"), "utf-8"),
        (b"\1,KOI8-R,iso-8859-1", sub(42, b"\2iso-8859-1"), "latin-1"),
        (b"\1[TTABLE]\1;US-ASCII", sub(42, b"\2US-ASCII"), "ascii"),
        (b"\1;KOI8-R", sub(42, b"\3"), None),
        (b"\1", sub(42, b"\3"), None),
        (b"\4\1;x", sub(42, b"\5"), None),
        (b"", b"", None),
    ],
)
def test_a_proposal_of_the_peer_is_answered_with_the_best_that_we_know(
    proposal: bytes, answer: bytes, encoding: str | None
) -> None:
    talk = CharsetTalk()
    assert talk.receive(proposal) == answer
    assert talk.encoding == encoding


def test_of_two_proposals_that_cross_ours_counts() -> None:
    talk = CharsetTalk()
    talk.begin()
    assert talk.receive(b"\1;US-ASCII") == sub(42, b"\3")
    talk.receive(b"\2UTF-8")
    assert talk.encoding == "utf-8"


def test_an_answer_that_nobody_waits_for_changes_nothing() -> None:
    talk = CharsetTalk()
    talk.receive(b"\2US-ASCII")
    assert talk.encoding is None


@pytest.mark.parametrize(
    ("text", "encoding", "raw"),
    [
        ("Zoë — “naïve”… łódź ☃", "ascii", b'Zoe - "naive"... ?odz ?'),
        ("Zoë ☃", "latin-1", b"Zo\xeb ?"),
        ("Zoë ☃", "utf-8", "Zoë ☃".encode()),
    ],
)
def test_letters_that_a_set_lacks_lose_their_accents_first(text: str, encoding: str, raw: bytes) -> None:
    assert simplified(text, encoding) == raw


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(["utf-8", "latin-1", "ascii"]))
def test_any_text_can_be_said_in_any_set(text: str, encoding: str) -> None:
    raw = simplified(text, encoding)
    assert raw.decode(encoding) == text or encoding != "utf-8"
