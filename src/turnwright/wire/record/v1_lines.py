"""The lines of version 1 of the record, as structures: `v1` writes and reads them."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from turnwright.kernel.checks import SEAT_DIGITS
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import TurnRules

__all__ = [
    "CHECK_DIGITS_MAX",
    "DIGEST_DIGITS",
    "FIRST_DIGITS",
    "HASH_DIGITS",
    "LINE_BYTES_MAX",
    "NOTHING",
    "VERSION",
    "FooterLine",
    "HeaderLine",
    "TurnLine",
]

VERSION = 1
LINE_BYTES_MAX = 67_108_864
"""A line, bytes (64 MiB: 100 seats with the largest messages that the wire takes fit)."""
DIGEST_DIGITS = 3
"""Of the digest of a state, in a line without a keyframe."""
HASH_DIGITS = 3
"""Of a turn's hash, in a line without a keyframe; each later line depends on all digits of it."""
FIRST_DIGITS = (6, 4)
"""The same two of the first writers, whose headers do not say it."""
CHECK_DIGITS_MAX = 20
"""Of the checks that every turn has; a digest of all digits could not be told from more of them."""
NOTHING = msgspec.Raw(b"")
"""No keyframe."""


Digits = tuple[
    Annotated[int, Meta(ge=1, le=7)],
    Annotated[int, Meta(ge=SEAT_DIGITS, le=CHECK_DIGITS_MAX)],
    Annotated[int, Meta(ge=1, le=7)],
]


class HeaderLine(msgspec.Struct, omit_defaults=True):
    """The first line: what was played by whom from which seed."""

    turnwright: Annotated[int, Meta(description="the version of this format: 1")]
    kind: Annotated[str, Meta(description='"header"')]
    game: Annotated[str, Meta(description="the game's name in the catalogue")]
    behaviour_version: Annotated[int, Meta(description="of the game's rules")]
    seed: Annotated[int, Meta(description="what all random numbers came from")]
    setup: Annotated[dict[str, Any], Meta(description="the game's settings")]
    seats: Annotated[tuple[SeatInfo, ...], Meta(description="who played, in order of seat")]
    rules: Annotated[TurnRules, Meta(description="how turns were collected; times in ns")]
    tolerant: Annotated[bool, Meta(description="a stage of the rules that failed was skipped")] = False
    made_by: Annotated[str, Meta(description="the program that wrote it")] = ""
    announced: Annotated[
        dict[str, Any], Meta(description="what spectators were told when it began, but for what `seats` says")
    ] = {}
    rules_hash: Annotated[str, Meta(description="of the source of the rules, hex; absent: not known")] = ""
    deltas: Annotated[
        bool,
        Meta(description="`i`, `r` and `t` hold changes only, and `h` begins with the digest; see above"),
    ] = False
    digits: Annotated[
        Digits | None,
        Meta(
            description="in `h` of a turn without a keyframe: how many are of the digest, of checks where"
            " they are kept, and of the hash; absent: 6, `checks` and 4"
        ),
    ] = None
    checks: Annotated[
        int,
        Meta(
            description="without `digits`: those of checks, which were others",
            ge=SEAT_DIGITS,
            le=CHECK_DIGITS_MAX,
        ),
    ] = SEAT_DIGITS


class TurnLine(msgspec.Struct, omit_defaults=True):
    """A turn. Seats (from 0) as keys are texts, since JSON has no other keys; what is empty is left out."""

    t: Annotated[int, Meta(description="the turn's number: 1, 2, 3 …; absent: one more than before")] = 0
    i: Annotated[
        dict[int, Any],
        Meta(
            description="by seat: accepted intents that differ from the one before; with `deltas` only the"
            " keys of an object that differ, null: a key that is gone"
        ),
    ] = {}
    r: Annotated[
        tuple[int, ...] | None,
        Meta(
            description="seats whose accepted intent was the same as before; absent with `deltas`: those of"
            " `i` and `r` of the line before that are not in `i`"
        ),
    ] = None
    s: Annotated[tuple[int, ...], Meta(description="seats that were skipped")] = ()
    l: Annotated[dict[int, int], Meta(description="by seat: how late a late answer was, ns")] = {}  # noqa: E741
    g: Annotated[tuple[int, ...], Meta(description="seats whose participant left")] = ()
    x: Annotated[tuple[int, ...], Meta(description="seats that were disqualified")] = ()
    f: Annotated[tuple[tuple[str, str], ...], Meta(description="stages that failed: name, error")] = ()
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
            description="seats that operators debug (spectators are shown what they draw), from this turn on;"
            " absent: as before"
        ),
    ] = None
    w: Annotated[int, Meta(description="by how much the server itself was late, ns; absent: it was not")] = 0
    k: Annotated[msgspec.Raw, Meta(description="a keyframe: the battle after this turn")] = NOTHING
    c: Annotated[str, Meta(description="checks of seats and of parts of the state; see above")] = ""
    d: Annotated[
        str,
        Meta(description="without `deltas`: digest of the state after the turn; absent: the rules failed"),
    ] = ""


class FooterLine(msgspec.Struct):
    """The last line: how it ended. A record without it was cut off."""

    kind: Annotated[str, Meta(description='"footer"')]
    ending: Annotated[str, Meta(description="over, aborted or void")]
    turns: Annotated[int, Meta(description="how many turns were played")]
    results: Annotated[Any, Meta(description="the game's results")] = None
