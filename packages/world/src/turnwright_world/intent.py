"""A body's intent for one turn, and the events of the gate.

A body has one intent per turn. It has a command from its player's queue, its mind or its program. It can have
`stop`, and the reactions pressed during the turn, each with its game time. Joining and leaving are intents of
the gate, so a record is complete and a replay needs no clock.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

GATE = 0
"""The seat of the gate in an open world. It has no body. Events from outside the world enter through the
gate.
"""
COMMAND_CHARS_MAX = 1_000
"""The most characters of a verb, and of the text after the verb. A longer verb or text is refused."""
SOURCE_SIZE_MAX = 65_536
"""The most bytes of a mind's file."""
PLAYER_SOURCE_SIZE_MAX = 16_384
"""The most bytes of a mind that a player submits."""
PRESSES_MAX = 32
"""The most reactions of one body in one turn. If there are more, the latest are dropped."""

GateKind = Literal["join", "leave", "linkdead", "back", "drive", "mind", "line", "reload"]
"""What happens to a body at the gate.

* join: a new body enters, or a stored body comes back.
* leave: the body leaves.
* linkdead, back: its player's connection was lost, or works again.
* drive: the body gets another driver.
* mind: its owner gives it another mind, or takes its mind away.
* line: its client's lead has changed (lead_us, in game time).
* reload: the content has changed.
"""


class ReactionInput(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reaction of a body within a turn.

    Attributes:
        at_us: the game time at which it counts. See `WorldGame.press_time`.
        threat: the id of the threat to stop, or None for the first that the reaction can stop.
        band_us: the reaction stops the threats that land within this time after the press, at most within
            its own band. None means its own band.
    """

    at_us: int
    reaction: str
    threat: int | None = None
    band_us: int | None = None


class GateEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event from outside the world, through the gate.

    Attributes:
        body: the id of a creature, or None for a new creature.
        name: the name of a body that joins. In other events it is only for the log.
        data: JSON values, which depend on the kind.
    """

    kind: GateKind
    body: int | None = None
    name: str = ""
    data: dict[str, Any] = {}


class WorldIntent(msgspec.Struct, frozen=True, omit_defaults=True):
    """The intent of a body, or of the gate.

    Attributes:
        verb: the command's verb. "" means nothing new.
        text: the text after the verb, as the player typed it.
        stop: whether the running action is interrupted before a new command begins.
        presses: the reactions, in order of their times.
        memory: what a mind remembers from now on (JSON values), or None if that is unchanged.
        gate: the events of the gate. Only the intent of the gate's seat has events.
    """

    verb: str = ""
    text: str = ""
    stop: bool = False
    presses: tuple[ReactionInput, ...] = ()
    memory: dict[str, Any] | None = None
    gate: tuple[GateEvent, ...] = ()


IDLE = WorldIntent()
"""Nothing new: the running action continues."""


def merge(first: WorldIntent, second: WorldIntent) -> WorldIntent:
    """Return one intent that combines two intents of the same turn.

    The result has the later command and memory, all events, and the first PRESSES_MAX presses in order of
    time. A stop in `second` drops the command of `first`. A stop in `first` does not drop the command of
    `second`.
    """
    presses = tuple(sorted((*first.presses, *second.presses), key=lambda press: press.at_us))
    latest = second if second.verb or second.stop else first
    return WorldIntent(
        verb=latest.verb,
        text=latest.text,
        stop=first.stop or second.stop,
        presses=presses[:PRESSES_MAX],
        memory=first.memory if second.memory is None else second.memory,
        gate=(*first.gate, *second.gate),
    )
