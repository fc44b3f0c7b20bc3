"""Whatever a peer sends: nothing raises, nothing grows, storms end with a reason."""

from __future__ import annotations

import itertools
import random
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packages.core.tests.messages import missing
from packages.world.tests.wire.telnet.peer import do, said, sub, will
from turnwright_world.wire.telnet.codec import BURST, PER_S, Budget, TelnetCodec
from turnwright_world.wire.telnet.events import Event, Hangup, Notice, TypedLine
from turnwright_world.wire.telnet.parser import Command, Option

SECOND_NS = 1_000_000_000
PARTS = [
    *(bytes([byte]) for byte in (0, 1, 2, 8, 10, 13, 24, 31, 42, 86, 87, 127, 201, *range(239, 256))),
    b"text", "é☃".encode(), b"\xc3", b"Core.Hello {}", b"\0\x50\0\x18", b"MTTS 5", b"\r\n",
    said(Command.SB, Option.GMCP), said(Command.SE), do(Option.MCCP2), said(Command.DONT, Option.MCCP2),
    do(Option.GMCP), will(Option.TTYPE), will(Option.NAWS), do(Option.CHARSET), will(Option.CHARSET),
]  # fmt: skip


def fresh() -> TelnetCodec:
    codec = TelnetCodec()
    codec.open()
    codec.take()
    return codec


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.lists(st.one_of(st.sampled_from(PARTS), st.binary(max_size=30)), max_size=30), max_size=10)
)
def test_random_bytes_never_raise_and_answers_stay_small(pieces: list[list[bytes]]) -> None:
    codec = fresh()
    for number, parts in enumerate(pieces):
        data = b"".join(parts)
        codec.receive(data, number * SECOND_NS)
        codec.text("turn\n")
        assert len(codec.take()) < 40 * len(data) + 1_000
    codec.finish()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PARTS), st.binary(max_size=30)), max_size=60), st.data())
def test_random_bytes_split_anywhere_say_the_same(parts: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    one, two = fresh(), fresh()
    events: list[Event] = []
    for piece in pieces:
        events += two.receive(piece, 0)
    assert events == one.receive(whole, 0)
    assert two.terminal == one.terminal
    assert two.encoding == one.encoding


@pytest.mark.parametrize(
    "kind",
    [do(200), will(1), do(Option.EOR), said(Command.NOP), sub(201, b"x"), b"\r\n",
     said(Command.ARE_YOU_THERE), do(Option.MCCP2) + said(Command.DONT, Option.MCCP2)],
    ids=["do", "will", "known", "nop", "sub", "lines", "ayt", "mccp"],
)  # fmt: skip
def test_a_storm_ends_with_a_reason_and_nothing_more_is_read(kind: bytes) -> None:
    codec = fresh()
    events = codec.receive(kind * 100_000, 0)
    assert isinstance(events[-1], Hangup)
    assert len(events) <= BURST + 1
    assert codec.waiting < 32 * BURST
    assert codec.receive(b"look\r\n", 60 * SECOND_NS) == []


def test_input_as_large_as_the_burst_is_not_a_storm() -> None:
    lines = fresh().receive(b"look\r\n" * BURST, 0)
    assert lines == [TypedLine("look")] * BURST


def test_a_busy_hour_is_not_a_storm() -> None:
    codec = fresh()
    for number in range(PER_S * 60):
        assert codec.receive(b"look\r\n", number * SECOND_NS // PER_S) == [TypedLine("look")]


def test_a_line_of_a_megabyte_gets_one_notice() -> None:
    codec, events = fresh(), []
    for _ in range(256):
        events += codec.receive(b"x" * 4_096, 0)
    events += codec.receive(b"\r\nlook\r\n", 0)
    assert [type(event) for event in events] == [Notice, TypedLine, TypedLine]
    assert events[-1] == TypedLine("look")


def test_a_subnegotiation_of_a_megabyte_gets_one_notice() -> None:
    codec = fresh()
    codec.receive(do(Option.GMCP), 0)
    events = codec.receive(sub(Option.GMCP, b"x" * 1_000_000) + b"look\r\n", 0)
    (notice, line), (other,) = events, codec.receive(sub(222, b"x" * 1_000_000), 0)
    assert line == TypedLine("look")
    for told, option in ((notice, "GMCP"), (other, "option 222")):
        assert isinstance(told, Notice)
        assert not missing(told.text, option, "65,536 bytes")


def test_an_unnegotiated_compressed_stream_is_only_text() -> None:
    """MCCP3 is refused. A client that begins it all the same is not understood, and harms no other."""
    import zlib

    codec = fresh()
    start = sub(Option.MCCP3, b"") + zlib.compress(b"look\r\n" * 50)
    for event in codec.receive(start, 0):
        assert isinstance(event, TypedLine | Notice)


def test_after_its_end_a_connection_hears_nothing() -> None:
    codec = fresh()
    codec.finish()
    assert codec.receive(b"look\r\n", 0) == []


def test_noise_for_long_holds_no_memory() -> None:
    draw, codec = random.Random(7), fresh()
    noise = [draw.randbytes(4_096) for _ in range(20)]
    minutes = itertools.count()

    def feed(rounds: int) -> None:
        for number in range(rounds):
            events = codec.receive(noise[number % len(noise)], next(minutes) * 60 * SECOND_NS)
            assert not any(isinstance(event, Hangup) for event in events)
            codec.take()

    feed(20)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        feed(200)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 100_000


def test_a_storm_of_lines_that_come_one_by_one_ends_with_a_reason() -> None:
    codec = TelnetCodec()
    told = [codec.receive(b"look\r\n", 0) for _ in range(BURST + 5)]
    assert told[:BURST] == [[TypedLine("look")]] * BURST
    assert isinstance(told[BURST][0], Hangup)
    assert told[BURST + 1 :] == [[]] * 4


def test_a_burst_is_allowed_and_one_more_is_not() -> None:
    budget = Budget()
    assert [budget.spend(7 * SECOND_NS) for _ in range(BURST + 1)] == [True] * BURST + [False]


def test_a_clock_that_begins_at_zero_allows_the_burst_too() -> None:
    budget = Budget()
    assert all(budget.spend(0) for _ in range(BURST))


def test_the_rate_is_allowed_for_ever() -> None:
    budget = Budget()
    assert all(budget.spend(n * SECOND_NS // PER_S) for n in range(BURST * 3))


def test_twice_the_rate_is_not() -> None:
    budget = Budget()
    allowed = [budget.spend(n * SECOND_NS // (2 * PER_S)) for n in range(BURST * 3)]
    assert all(allowed[: 2 * BURST - 2])
    assert not all(allowed)
