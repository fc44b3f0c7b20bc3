"""The output of a turn: stimuli, events, messages, failed actions.

It is not part of the state. It is delivered at the end of the turn and dropped after the next turn.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from traceback import walk_tb
from typing import Any

import msgspec

Message = dict[str, Any]
"""A JSON object with a "kind". All receivers share it, so it is never changed."""
Mark = tuple[int, int, int, int]
"""The lengths of the outbox's lists at one moment."""
CONTENT = "verbs:"
"""The prefix of module names under which files of a world's content are loaded."""
GATE_MESSAGES = 0
"""The number under which the gate gets its messages."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode


class Stimulus(msgspec.Struct):
    """Something that can be perceived in a place. See `perception`.

    Attributes:
        source: the id of the creature that causes it, or None. It does not receive the stimulus.
        medium: how it is perceived, e.g. "sight" or "sound".
        apart: the ids of other bodies that do not receive it.
    """

    place: str
    source: int | None
    medium: str
    intensity: float
    text: str
    apart: tuple[int, ...] = ()
    data: dict[str, Any] = {}


class WorldEvent(msgspec.Struct):
    """An event that may matter to bodies. Bodies subscribe to its type. Its data are JSON values."""

    type: str
    source: int | None
    data: dict[str, Any] = {}


@dataclass(frozen=True, slots=True)
class FailedAction:
    """A step that failed and was undone.

    A record has only `what` and `error`, because the texts of errors differ between versions of Python.

    Attributes:
        what: what failed, e.g. the intent.
        error: the type of the error.
        text: the error in full, for a log.
        where: its file and line.
    """

    what: str
    error: str
    text: str
    where: str


@dataclass(slots=True)
class Outbox:
    """The messages, stimuli and events of the open turn.

    Attributes:
        told: the messages as (body, message), in order.
        delivered: what each body perceived at the end of the turn, by body.
        timers: the number of timers that were due in the turn.
        deeds: (body, what it did and how the action ended), for bodies with minds.
    """

    stimuli: list[Stimulus] = field(default_factory=list)
    events: list[WorldEvent] = field(default_factory=list)
    told: list[tuple[int, Message]] = field(default_factory=list)
    seen: list[tuple[str, Message]] = field(default_factory=list)
    """Messages perceived in places that are watched."""
    delivered: dict[int, list[Message]] = field(default_factory=lambda: defaultdict(list))
    troubles: list[FailedAction] = field(default_factory=list)
    timers: int = 0
    deeds: list[tuple[int, Message]] = field(default_factory=list)

    def mark(self) -> Mark:
        """Return a point to which `cut` can go back."""
        return len(self.stimuli), len(self.events), len(self.told), len(self.deeds)

    def check(self, mark: Mark) -> None:
        """Check that all output since `mark` can be sent.

        Raises:
            TypeError, ValueError: the output has values that are not JSON.
        """
        stimuli, events, told, _ = mark
        sent: list[Any] = [message for _, message in self.told[told:]]
        sent += [stimulus.data for stimulus in self.stimuli[stimuli:] if stimulus.data]
        sent += [event.data for event in self.events[events:] if event.data]
        if sent and _decode(_encode(sent)) != sent:
            raise ValueError("a message holds a value that is not JSON, e.g. a tuple or a set")

    def cut(self, mark: Mark) -> None:
        """Drop the stimuli, events, messages and deeds since `mark`. Notes of failures stay."""
        stimuli, events, told, deeds = mark
        del self.stimuli[stimuli:], self.events[events:], self.told[told:], self.deeds[deeds:]

    def note(self, what: str, error: BaseException) -> None:
        """Note the error of a step that failed and was undone. `what` names the step."""
        name = type(error).__name__
        self.troubles.append(FailedAction(what[:200], name, f"{name}: {_text(error)}"[:500], _where(error)))


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "(what it says cannot be shown)"


def _where(error: BaseException) -> str:
    """Return the last file and line of the content in the traceback of an error.

    Without a line of the content, return the file and line that raised the error.
    """
    steps = list(walk_tb(error.__traceback__))
    ours = [step for step in steps if str(step[0].f_globals.get("__name__", "")).startswith(CONTENT)]
    return "".join(f"{frame.f_code.co_filename}:{line}" for frame, line in (ours or steps)[-1:])
