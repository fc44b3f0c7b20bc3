"""A body's intent for one turn, and the events of the gate.

A body has one intent per turn. It has a command from its player's queue, its mind or its program. It can have
`stop`, and the reactions pressed during the turn, each with its game time. Joining and leaving are intents of
the gate, so a record is complete and a replay needs no clock.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

GATE = 0
"""The seat of the gate in an open world: no body; what happens outside comes in here."""
COMMAND_CHARS_MAX = 1_000
"""The length of a verb, and of the text that follows it, characters; longer ones are refused."""
SOURCE_SIZE_MAX = 65_536
"""The most bytes of a mind's file."""
PLAYER_SOURCE_SIZE_MAX = 16_384
"""The most bytes of a mind that a player submits."""
PRESSES_MAX = 32
"""Reactions that one body may press in one turn; those that would count last are dropped beyond that."""

GateKind = Literal["join", "leave", "linkdead", "back", "drive", "mind", "line", "reload"]
"""What happens to a body at the gate.

* join: it enters, or a kept one wakes.
* leave: it leaves.
* linkdead, back: its player's connection was lost, or works again.
* drive: another driver takes it.
* mind: its owner gives it another mind, or takes its mind away.
* line: its client's lead has changed (lead_us, in game time).
* reload: the content has changed.
"""


class ReactionInput(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reaction.

    Attributes:
        at_us: the game time at which it counts. See `WorldGame.press_time`.
        threat: the threat it is meant for, or None.
        band_us: it stops the threats that land within this time after the press.
    """

    at_us: int
    reaction: str
    threat: int | None = None
    band_us: int | None = None


class GateEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event from outside the world, through the gate.

    Attributes:
        body: a creature's id, or None for one that is new.
        data: JSON values.
    """

    kind: GateKind
    body: int | None = None
    name: str = ""
    data: dict[str, Any] = {}


class WorldIntent(msgspec.Struct, frozen=True, omit_defaults=True):
    """The intent of a body, or of the gate.

    Attributes:
        verb: "" = nothing new.
        text: what followed the verb, as it was typed.
        stop: interrupt the action that runs, before anything new.
        presses: in order of their time.
        memory: what a mind remembers from now on (JSON values), or None if that is unchanged.
        gate: the gate of the gate's seat alone.
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
    """Return one intent for two of the same turn.

    The result has the later command and all presses in order of time.

    A stop drops an earlier command, but no later command.
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
