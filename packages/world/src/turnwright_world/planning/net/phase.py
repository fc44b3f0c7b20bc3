"""A planning phase: the views and memories of its bodies, and the results of their plans."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from turnwright.kernel.rng import Stream
from turnwright_world.planning.limits import Asked, Idle, Reason
from turnwright_world.planning.messages import VIEW_SIZE_MAX, BodyToPlan, PlanAnswer

_NOTHING = b"{}"
_log = logging.getLogger("turnwright")
View = Callable[[int], tuple[Any, Any]]
"""Returns a body's view and its mind's memory as JSON values.

The view is a dict of plain data, or its JSON in two parts (see `PackedView` of the world).
"""


class PlanResult(msgspec.Struct, frozen=True, gc=False):
    """The outcome of a body's plan.

    Attributes:
        command: the command as a player would type it, or None if the body does nothing.
        reason: why the plan is missing, or None.
        text: one line for the owner, or "" if nothing is wrong.
        printed: what its program printed.
        wall_us, cpu_us: the real time and the processor time of the plan.
        memory: what the mind remembers now, as JSON, or None if that is unchanged.
    """

    turn: int
    body: int
    owner: str
    mind: str
    command: str | None
    reason: Reason | None = None
    text: str = ""
    printed: str = ""
    wall_us: int = 0
    cpu_us: int = 0
    memory: bytes | None = None


class PlanPhase:
    """The bodies of one phase.

    Attributes:
        asked: the bodies, by id.
        answers: answers that have come and are not results yet, by body.
    """

    def __init__(
        self,
        turn: int,
        bodies: Iterable[tuple[int, str, str]],
        view: View,
        stream_of: Callable[[int], Stream],
    ) -> None:
        self.turn = turn
        self.asked = {body[0]: Asked(*body) for body in bodies}
        self.answers: dict[int, PlanAnswer] = {}
        self._view = view
        self._stream_of = stream_of
        self._remembered: dict[int, bytes] = {}
        """The memory that was sent with each body's request."""

    def rows(self, bodies: Iterable[Asked]) -> tuple[tuple[BodyToPlan, ...], tuple[msgspec.Raw, ...]]:
        """Return the requests of some bodies for a process, and the parts that several of their views share.

        A view that is larger than VIEW_SIZE_MAX is left out, with a warning in the log.
        """
        shared: dict[bytes, int] = {}
        rows = tuple([self._row(asked, shared) for asked in bodies])
        return rows, tuple(map(msgspec.Raw, shared))

    def _row(self, asked: Asked, shared: dict[bytes, int]) -> BodyToPlan:
        seen, remembered = self._view(asked.id)
        own, common, mine = seen if isinstance(seen, tuple) else (msgspec.json.encode(seen), b"", -1)
        if len(own) + len(common) > VIEW_SIZE_MAX:
            size = len(own) + len(common)
            _log.warning("the view of body %d has %d bytes: it plans without", asked.id, size)
            own, common, mine = b"{}", b"", -1
        place = shared.setdefault(common, len(shared)) if common else -1
        memory = msgspec.json.encode(remembered) if remembered else _NOTHING
        self._remembered[asked.id] = memory
        seed = self._stream_of(asked.id).bits64()
        return BodyToPlan(asked.id, asked.mind, seed, msgspec.Raw(own), msgspec.Raw(memory), place, mine)

    def accepted(self, body: int) -> PlanResult:
        """Return the result of a body whose answer is accepted, and forget the answer."""
        answer = self.answers.pop(body)
        memory = bytes(answer.memory)
        return PlanResult(
            self.turn,
            *self.asked[body],
            answer.command,
            None,
            "",
            answer.printed,
            answer.wall_ns // 1_000,
            answer.cpu_ns // 1_000,
            memory=None if _is_same(memory, self._remembered.get(body, _NOTHING)) else memory,
        )

    def idle(self, idle: Idle) -> PlanResult:
        """Return the result of a body that does nothing, and forget its answer, if any."""
        answer = self.answers.pop(idle.body, None)
        text = answer.error if idle.reason == "error" and answer is not None else idle.text
        cpu_us = idle.usage.cpu_us if idle.usage is not None else 0
        printed = answer.printed if answer is not None else ""
        asked = (idle.body, idle.owner, idle.mind)
        return PlanResult(self.turn, *asked, None, idle.reason, text, printed, idle.wall_us, cpu_us)


def _is_same(one: bytes, two: bytes) -> bool:
    """Return whether two texts hold the same JSON values."""
    return one == two or bool(msgspec.json.decode(one) == msgspec.json.decode(two))
