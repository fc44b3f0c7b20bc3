"""RFC 1143: both ends agree, and neither asks for ever."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.world.tests.wire.telnet.peer import said
from turnwright_world.wire.telnet.negotiation import Negotiation
from turnwright_world.wire.telnet.parser import Command

DO, DONT, WILL, WONT = Command.DO, Command.DONT, Command.WILL, Command.WONT
EOR, NAWS = 25, 31


def both() -> Negotiation:
    return Negotiation(ours=[EOR], theirs=[NAWS])


def test_an_offered_option_is_on_once_the_peer_agrees() -> None:
    negotiation = both()
    assert negotiation.offer(EOR) == said(WILL, EOR)
    assert not negotiation.we_do(EOR)
    assert negotiation.receive(DO, EOR) == b""
    assert negotiation.we_do(EOR)


def test_a_requested_option_stays_off_when_the_peer_refuses() -> None:
    negotiation = both()
    assert negotiation.ask(NAWS) == said(DO, NAWS)
    assert negotiation.receive(WONT, NAWS) == b""
    assert not negotiation.they_do(NAWS)


def test_a_request_of_the_peer_is_agreed_to_once() -> None:
    negotiation = both()
    assert negotiation.receive(DO, EOR) == said(WILL, EOR)
    assert negotiation.receive(DO, EOR) == b""
    assert negotiation.receive(WILL, NAWS) == said(DO, NAWS)
    assert negotiation.receive(WILL, NAWS) == b""
    assert negotiation.receive(DONT, EOR) == said(WONT, EOR)
    assert negotiation.receive(DONT, EOR) == b""


@pytest.mark.parametrize(
    ("verb", "option", "answer"),
    [
        (DO, 200, said(WONT, 200)),
        (WILL, 200, said(DONT, 200)),
        (DONT, 200, b""),
        (WONT, 200, b""),
        (DO, NAWS, said(WONT, NAWS)),  # known, but not on this side
        (WILL, EOR, said(DONT, EOR)),
    ],
)
def test_an_unknown_option_is_refused_and_its_refusal_is_not_answered(
    verb: Command, option: int, answer: bytes
) -> None:
    assert both().receive(verb, option) == answer


def test_a_change_of_mind_waits_for_the_answer_to_the_first() -> None:
    negotiation = both()
    assert negotiation.offer(EOR) == said(WILL, EOR)
    assert negotiation.offer(EOR, False) == b""
    assert negotiation.receive(DO, EOR) == said(WONT, EOR)
    assert negotiation.offer(EOR, True) == b""
    assert negotiation.receive(DONT, EOR) == said(WILL, EOR)
    assert negotiation.receive(DO, EOR) == b""
    assert negotiation.we_do(EOR)


def test_a_change_of_mind_and_back_says_nothing_more() -> None:
    negotiation = both()
    negotiation.offer(EOR)
    negotiation.offer(EOR, False)
    assert negotiation.offer(EOR, True) == b""
    assert negotiation.receive(DO, EOR) == b""
    assert negotiation.we_do(EOR)


def test_a_yes_to_our_no_counts_as_no() -> None:
    negotiation = both()
    negotiation.receive(DO, EOR)
    assert negotiation.offer(EOR, False) == said(WONT, EOR)
    assert negotiation.receive(DO, EOR) == b""
    assert not negotiation.we_do(EOR)


@given(st.lists(st.tuples(st.sampled_from([0, 1, 2, 3]), st.booleans()), max_size=30), st.data())
def test_two_ends_that_follow_the_rules_end_up_agreeing(
    wishes: list[tuple[int, bool]], data: st.DataObject
) -> None:
    """Wishes of both ends and deliveries in any mixture; then everything is delivered, and it ends."""
    ends = (Negotiation([EOR], [EOR]), Negotiation([EOR], [EOR]))
    wires: tuple[list[bytes], list[bytes]] = ([], [])

    def deliver(to: int) -> None:
        words = wires[to].pop(0)
        answer = ends[to].receive(Command(words[1]), words[2])
        if answer:
            wires[1 - to].append(answer)

    for who, on in wishes:
        end = who % 2
        words = ends[end].offer(EOR, on) if who < 2 else ends[end].ask(EOR, on)
        if words:
            wires[1 - end].append(words)
        for to in (0, 1):
            if wires[to] and data.draw(st.booleans()):
                deliver(to)
    for _ in range(200):
        if not (wires[0] or wires[1]):
            break
        deliver(0 if wires[0] else 1)
    assert wires == ([], [])
    assert ends[0].we_do(EOR) == ends[1].they_do(EOR)
    assert ends[1].we_do(EOR) == ends[0].they_do(EOR)
