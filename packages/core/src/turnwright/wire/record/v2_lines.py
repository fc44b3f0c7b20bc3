"""The lines of version 2 of the record, as structures: `v2` writes and reads them."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from turnwright.kernel.failure import Failure
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.printed import LINE_CHARS_MAX, TURN_CHARS_MAX, TurnPrints
from turnwright.kernel.record import TurnRules

VERSION = 2
LINE_BYTES_MAX = 67_108_864
"""A line, bytes (64 MiB: 100 seats with the largest messages that the wire takes fit)."""
DIGEST_DIGITS = 6
"""Of the digest of a state, in the line of a turn."""
HASH_DIGITS = 4
"""Of the hash of a line, in the line. Each later line depends on all digits of it."""
NOTHING = msgspec.Raw(b"")
"""No keyframe."""


class HeaderLine(msgspec.Struct, omit_defaults=True):
    """The first line: game, setup, seats and seed."""

    turnwright: Annotated[int, Meta(description="the version of this format: 2")]
    kind: Annotated[str, Meta(description='"header"')]
    game: Annotated[str, Meta(description="the game's name in the catalogue")]
    behaviour_version: Annotated[int, Meta(description="of the game's rules")]
    seed: Annotated[int, Meta(description="seed of all random numbers")]
    setup: Annotated[dict[str, Any], Meta(description="the game's settings")]
    seats: Annotated[tuple[SeatInfo, ...], Meta(description="the participants, in order of seat")]
    rules: Annotated[TurnRules, Meta(description="rules of collecting; times in ns")]
    tolerant: Annotated[bool, Meta(description="a stage of the rules that failed was skipped")] = False
    made_by: Annotated[str, Meta(description="the program that wrote it")] = ""
    announced: Annotated[
        dict[str, Any],
        Meta(description="the announcement to spectators at the start, without the data of `seats`"),
    ] = {}
    rules_hash: Annotated[str, Meta(description="of the source of the rules, hex; absent: not known")] = ""
    sandbox: Annotated[
        str, Meta(description='"full": every bot directory played in its own sandbox; absent: it did not')
    ] = ""


class TurnLine(msgspec.Struct, omit_defaults=True):
    """A turn.

    Seats (from 0) as keys are texts, since JSON has no other keys; what is empty is left out.
    """

    i: Annotated[
        dict[int, Any],
        Meta(
            description="by seat: what differs from the intent before; of an object the keys that differ,"
            " null: a key that is gone"
        ),
    ] = {}
    r: Annotated[
        tuple[int, ...] | None,
        Meta(
            description="seats whose accepted intent was the same as before; absent: those of `i` and `r` of"
            " the line before that are not in `i`"
        ),
    ] = None
    s: Annotated[tuple[int, ...], Meta(description="seats that were skipped")] = ()
    l: Annotated[dict[int, int], Meta(description="by seat: delay of a late answer, ns")] = {}  # noqa: E741
    g: Annotated[tuple[int, ...], Meta(description="seats whose participant left")] = ()
    x: Annotated[
        tuple[int, ...], Meta(description="seats that were disqualified from the round or the battle")
    ] = ()
    q: Annotated[
        dict[int, Failure],
        Meta(description="by seat: why it was disqualified from the round alone: as in `e`"),
    ] = {}
    e: Annotated[
        dict[int, Failure],
        Meta(
            description="by seat: why it plays no more, as far as became known in this turn. It has reason"
            " (crashed, exited, silent, slow, busy, left, kicked), round and turn in which it happened"
            " (0 if not certain), error, and the last lines that its program printed"
        ),
    ] = {}
    f: Annotated[tuple[tuple[str, str], ...], Meta(description="stages that failed: name, error")] = ()
    p: Annotated[
        dict[int, TurnPrints],
        Meta(
            description="by seat: what the bot printed and the server read in this turn, as two texts, output"
            f" and errors. {LINE_CHARS_MAX:,} characters of a line and {TURN_CHARS_MAX:,} of a turn are kept,"
            " and a text that was cut names the bound"
        ),
    ] = {}
    o: Annotated[bool, Meta(description="the turn began a round")] = False
    a: Annotated[
        str,
        Meta(
            description="one character a seat: its slowest answer in this turn and those before it that have"
            " no `a`; see above"
        ),
    ] = ""
    b: Annotated[
        tuple[int, ...] | None,
        Meta(
            description="seats that operators debug (spectators get their graphics), from this turn on;"
            " absent: as before"
        ),
    ] = None
    w: Annotated[int, Meta(description="delay of the server itself, ns; absent: none")] = 0
    k: Annotated[msgspec.Raw, Meta(description="a keyframe: the state of the battle after this turn")] = (
        NOTHING
    )
    c: Annotated[str, Meta(description="a full check of the state; see above")] = ""
    d: Annotated[str, Meta(description="digest of the state after the turn; absent: the rules failed")] = ""


class FooterLine(msgspec.Struct, omit_defaults=True):
    """The last line: ending and results. A record without it was cut off."""

    kind: Annotated[str, Meta(description='"footer"')]
    ending: Annotated[str, Meta(description="over, aborted or void")]
    turns: Annotated[int, Meta(description="number of turns played")]
    results: Annotated[Any, Meta(description="the game's results")] = None
    p: Annotated[
        dict[int, TurnPrints], Meta(description="by seat: what the bot printed after the last turn")
    ] = {}
