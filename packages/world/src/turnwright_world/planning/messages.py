"""Messages between the server and planning processes: bounded JSON frames.

A frame is its length (4 bytes, big-endian) and a JSON array. To a process go the sources of controllers that
it does not know yet and the bodies that shall plan; one answer comes back for each body, as soon as it is
there. Nothing but data crosses; an answer is checked as if an enemy had written it.
"""

from __future__ import annotations

import struct

import msgspec

COMMAND_CHARS_MAX = 200
"""A command is one line as a player would type it."""
MEMORY_SIZE_MAX = 4_096
"""Bytes of JSON that a controller may remember."""
PRINTED_CHARS_MAX = 2_000
"""The most that a controller prints in one plan; the rest is dropped."""
ERROR_CHARS_MAX = 300
DEPTH_MAX = 32
"""Depth of nested lists and objects in what is remembered."""
VIEW_SIZE_MAX = 262_144
"""Bytes of JSON of what a body perceives."""
TIME_NS_MAX = 600_000_000_000
"""The longest time of a plan that an answer may name: ten minutes, longer than any process lives."""
ANSWER_SIZE_MAX = 2 * MEMORY_SIZE_MAX + 6 * (COMMAND_CHARS_MAX + PRINTED_CHARS_MAX + ERROR_CHARS_MAX) + 256
CHECKED = -2
"""The id of the answer for a program that was only looked at."""
_LENGTH = struct.Struct(">I")
_EMPTY = msgspec.Raw(b"null")


class Source(msgspec.Struct, array_like=True, frozen=True):
    """A controller's program.

    Attributes:
        name: by which bodies refer to it.
        file: for messages about mistakes.
    """

    name: str
    file: str
    text: str


class BodyToPlan(msgspec.Struct, array_like=True, frozen=True):
    """A body that shall plan.

    Attributes:
        view: a JSON object.
        memory: what its controller remembers, or null.
        shared: which of the batch's shared objects belongs to its view, from 0; -1: none.
        mine: where in the list `here` of that one it stands itself; -1: nowhere.
    """

    id: int
    mind: str
    seed: int
    view: msgspec.Raw
    memory: msgspec.Raw
    shared: int = -1
    mine: int = -1


class PlanBatch(msgspec.Struct, array_like=True, frozen=True):
    """The next work of a process.

    Attributes:
        canary: rounds of known work instead of bodies; 0: none.
        shared: what several of the bodies see, JSON objects, each once.
        number: comes back with each answer. It cannot be guessed, so nothing that was said before counts for
            it.
        check: a player's program that is only to be looked at.
    """

    sources: tuple[Source, ...]
    bodies: tuple[BodyToPlan, ...]
    canary: int = 0
    shared: tuple[msgspec.Raw, ...] = ()
    number: int = 0
    check: Source | None = None


class PlanAnswer(msgspec.Struct, array_like=True, frozen=True):
    """A body's plan; None: no action.

    Attributes:
        wall_ns, cpu_ns: the time it took, as the process reports it.
        error: why the plan is missing, or "". A body's id is -1 for the canary, and CHECKED for a program
            that was checked. Then error is a line, a colon and what is wrong.
        batch: the number of the batch that it answers.
    """

    id: int
    command: str | None
    memory: msgspec.Raw = _EMPTY
    error: str = ""
    printed: str = ""
    wall_ns: int = 0
    cpu_ns: int = 0
    batch: int = 0


class BadAnswer(ValueError):
    """An invalid answer: too long, not JSON, wrong fields, or too deep."""


_encoder = msgspec.json.Encoder()
_batches = msgspec.json.Decoder(PlanBatch)
_answers = msgspec.json.Decoder(PlanAnswer)


def frame_of(message: PlanBatch | PlanAnswer) -> bytes:
    """Return the frame of a message."""
    body = _encoder.encode(message)
    return _LENGTH.pack(len(body)) + body


def read_batch(body: bytes) -> PlanBatch:
    """Return a batch, in the process that plans."""
    return _batches.decode(body)


def read_answer(body: bytes) -> PlanAnswer:
    """Return an answer.

    Raises:
        BadAnswer: the body is not an answer, or a part of it is too long.
    """
    try:
        answer = _answers.decode(body)
        remembered = bytes(answer.memory)
        _check(len(remembered) <= MEMORY_SIZE_MAX, "it remembers too much")
        value = None if remembered == b"null" else msgspec.json.decode(remembered)
    except (msgspec.DecodeError, RecursionError, UnicodeError, OverflowError) as error:
        raise BadAnswer(f"not an answer: {error}") from None
    if value is not None:
        _check(isinstance(value, dict), "what it remembers is not an object")
        _check(_depth_of(value, remembered) <= DEPTH_MAX, "it remembers something too deep")
    command = answer.command or ""
    _check(len(command) <= COMMAND_CHARS_MAX and command.isprintable(), "its command is not one short line")
    _check(len(answer.error) <= ERROR_CHARS_MAX, "its error is too long")
    _check(len(answer.printed) <= PRINTED_CHARS_MAX, "it printed too much")
    for time_ns in (answer.wall_ns, answer.cpu_ns):
        _check(0 <= time_ns <= TIME_NS_MAX, f"it says that it took {time_ns} ns")
    return answer


class AnswerReader:
    """Cuts what a process writes into answers.

    Holds at most one frame and what was read with it.
    """

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> list[PlanAnswer]:
        """Return the answers that are complete now.

        Raises:
            BadAnswer: an answer cannot be read, or is too long.
        """
        held = self._held
        held += data
        answers = []
        start = 0
        while len(held) - start >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(held, start)
            _check(length <= ANSWER_SIZE_MAX, f"an answer of {length} bytes, at most {ANSWER_SIZE_MAX}")
            end = start + _LENGTH.size + length
            if len(held) < end:
                break
            answers.append(read_answer(bytes(held[start + _LENGTH.size : end])))
            start = end
        del held[:start]
        return answers


def _check(fine: bool, text: str) -> None:
    if not fine:
        raise BadAnswer(text)


def _depth_of(value: object, text: bytes) -> int:
    """Return how deep a value is; cheaply when it cannot be deep."""
    most = text.count(b"[") + text.count(b"{")
    if most <= DEPTH_MAX:
        return most
    level: list[object] = [value]
    for depth in range(DEPTH_MAX + 1):
        inner: list[object] = []
        for item in level:
            if isinstance(item, dict):
                inner += item.values()
            elif isinstance(item, list):
                inner += item
        if not inner:
            return depth + 1
        level = inner
    return DEPTH_MAX + 1
