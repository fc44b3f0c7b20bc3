"""Messages between the server and planning processes: bounded JSON frames.

A frame is a length (4 bytes, big-endian) and a JSON array. The server sends a process the bodies that plan,
and the sources of minds that the process does not have yet. The process sends one answer for each body as
soon as it has planned. The messages contain only data. The server checks each answer as strictly as input
from an attacker.
"""

from __future__ import annotations

import struct

import msgspec

COMMAND_CHARS_MAX = 200
"""The most characters of a command, which is one line as a player would type it."""
MEMORY_SIZE_MAX = 4_096
"""The most bytes of JSON that a mind may remember."""
PRINTED_CHARS_MAX = 2_000
"""The most characters that a mind may print in one plan. Further output is dropped."""
ERROR_CHARS_MAX = 300
DEPTH_MAX = 32
"""The largest depth of nested lists and objects in a mind's memory."""
VIEW_SIZE_MAX = 262_144
"""The most bytes of JSON in a body's view."""
TIME_NS_MAX = 600_000_000_000
"""The longest time of a plan that an answer may report: ten minutes, longer than any process lives."""
ANSWER_SIZE_MAX = 2 * MEMORY_SIZE_MAX + 6 * (COMMAND_CHARS_MAX + PRINTED_CHARS_MAX + ERROR_CHARS_MAX) + 256
CHECKED = -2
"""The body's id in the answer for a program that was only checked."""
_LENGTH = struct.Struct(">I")
_EMPTY = msgspec.Raw(b"null")


class Source(msgspec.Struct, array_like=True, frozen=True):
    """The source of a mind.

    Attributes:
        name: the name by which bodies refer to it.
        file: the file name for messages about mistakes.
    """

    name: str
    file: str
    text: str


class BodyToPlan(msgspec.Struct, array_like=True, frozen=True):
    """A body that is asked for a plan.

    Attributes:
        view: the body's view, a JSON object.
        memory: the memory of its mind, or null.
        shared: the index of the batch's shared object that belongs to the view, or -1 for none.
        mine: the index of the body itself in the list `here` of the shared object, or -1 if it is not there.
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
        canary: rounds of the canary's work instead of bodies, or 0.
        shared: JSON objects that belong to the views of several bodies, each once.
        number: an unpredictable number that each answer repeats. A process cannot answer a batch in advance.
        check: a player's program that is only checked, or None.
    """

    sources: tuple[Source, ...]
    bodies: tuple[BodyToPlan, ...]
    canary: int = 0
    shared: tuple[msgspec.Raw, ...] = ()
    number: int = 0
    check: Source | None = None


class PlanAnswer(msgspec.Struct, array_like=True, frozen=True):
    """A body's plan. A command of None means no action.

    Attributes:
        wall_ns, cpu_ns: the time that the plan took, as the process reports it.
        id: the id of the body. It is -1 for the canary, and CHECKED for a checked program.
        error: why the plan is missing, or "". For a checked program, it is a line number, a colon and the
            mistake.
        batch: the number of the batch to which the answer belongs.
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
    """Return the batch in a frame's body. Only the process that plans calls this."""
    return _batches.decode(body)


def read_answer(body: bytes) -> PlanAnswer:
    """Return the answer in a frame's body, after checking every limit.

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
    """Splits the output of a process into answers.

    It stores at most one frame and the bytes that were read with it.
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
    """Return the depth of `value`.

    If `text` has at most DEPTH_MAX brackets, return their number. It is quicker to find, and the depth is not
    larger.
    """
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
