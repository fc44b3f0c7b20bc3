"""Frames between the server and a process that plans, also hostile ones."""

from __future__ import annotations

import random
import struct

import msgspec
import pytest

from turnwright_world.planning.messages import (
    ANSWER_SIZE_MAX,
    COMMAND_CHARS_MAX,
    DEPTH_MAX,
    ERROR_CHARS_MAX,
    MEMORY_SIZE_MAX,
    PRINTED_CHARS_MAX,
    TIME_NS_MAX,
    AnswerReader,
    BadAnswer,
    BodyToPlan,
    PlanAnswer,
    PlanBatch,
    Source,
    frame_of,
    read_answer,
    read_batch,
)


def _nested(depth: int) -> bytes:
    return b'{"a":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"


def test_a_batch_comes_back_as_it_was() -> None:
    body = BodyToPlan(7, "wolf", 2**64 - 1, msgspec.Raw(b'{"turn":3}'), msgspec.Raw(b"null"))
    frame = frame_of(PlanBatch((Source("wolf", "minds/wolf.py", "x = 1"),), (body,)))
    batch = read_batch(frame[4:])
    assert struct.unpack(">I", frame[:4]) == (len(frame) - 4,)
    assert batch.sources[0].text == "x = 1"
    assert (batch.bodies[0].seed, bytes(batch.bodies[0].view)) == (2**64 - 1, b'{"turn":3}')


def test_answers_are_found_however_their_bytes_arrive() -> None:
    frames = b"".join(
        frame_of(PlanAnswer(n, "go", msgspec.Raw(b'{"n":%d}' % n), printed="é" * n)) for n in range(20)
    )
    for seed in range(20):
        chance, reader, found, start = random.Random(seed), AnswerReader(), [], 0
        while start < len(frames):
            end = start + chance.randrange(1, 40)
            found += reader.feed(frames[start:end])
            start = end
        assert [(a.id, bytes(a.memory)) for a in found] == [(n, b'{"n":%d}' % n) for n in range(20)]


@pytest.mark.parametrize(
    "answer",
    [
        PlanAnswer(1, "x" * COMMAND_CHARS_MAX, msgspec.Raw(b"null")),
        PlanAnswer(1, None, msgspec.Raw(b'{"a":"' + b"x" * (MEMORY_SIZE_MAX - 8) + b'"}')),
        PlanAnswer(1, None, msgspec.Raw(_nested(DEPTH_MAX))),
        PlanAnswer(1, None, error="e" * ERROR_CHARS_MAX, printed="p" * PRINTED_CHARS_MAX),
        PlanAnswer(1, None, wall_ns=TIME_NS_MAX, cpu_ns=0),
    ],
)
def test_answers_at_their_bounds_are_taken(answer: PlanAnswer) -> None:
    assert read_answer(frame_of(answer)[4:]).id == 1


@pytest.mark.parametrize(
    "answer",
    [
        PlanAnswer(1, "x" * (COMMAND_CHARS_MAX + 1)),
        PlanAnswer(1, "two\nlines"),
        PlanAnswer(1, "\x1b[2J"),
        PlanAnswer(1, None, msgspec.Raw(b'{"a":"' + b"x" * (MEMORY_SIZE_MAX - 7) + b'"}')),
        PlanAnswer(1, None, msgspec.Raw(_nested(DEPTH_MAX + 1))),
        PlanAnswer(1, None, msgspec.Raw(_nested(2_000))),
        PlanAnswer(1, None, msgspec.Raw(b"[1]")),
        PlanAnswer(1, None, error="e" * (ERROR_CHARS_MAX + 1)),
        PlanAnswer(1, None, printed="p" * (PRINTED_CHARS_MAX + 1)),
        PlanAnswer(1, None, wall_ns=-1),
        PlanAnswer(1, None, cpu_ns=-1),
        PlanAnswer(1, None, wall_ns=TIME_NS_MAX + 1),
        PlanAnswer(1, None, cpu_ns=10**30),
    ],
)
def test_answers_beyond_their_bounds_are_refused(answer: PlanAnswer) -> None:
    with pytest.raises(BadAnswer):
        read_answer(frame_of(answer)[4:])


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"{}",
        b"[1]",
        b'["1","go"]',
        b"[1,2]",
        b'[1,"go",{]',
        b"\xff\xfe",
        b"[" * 5_000,
        b'[1,null,{"a":NaN}]',
        b'[1,"\\ud800"]',
    ],
)
def test_an_invalid_answer_is_refused(text: bytes) -> None:
    with pytest.raises(BadAnswer):
        read_answer(text)


def test_a_frame_that_claims_to_be_too_long_is_refused_immediately() -> None:
    reader = AnswerReader()
    with pytest.raises(BadAnswer, match="at most"):
        reader.feed(struct.pack(">I", ANSWER_SIZE_MAX + 1))


def test_random_bytes_raise_only_bad_answer() -> None:
    for seed in range(300):
        data = random.Random(seed).randbytes(200)
        try:
            AnswerReader().feed(b"\x00\x00\x00" + bytes([len(data) - 40]) + data)
        except BadAnswer:
            continue
