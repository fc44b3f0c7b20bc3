"""The structures of the lines of a version 2 record. `v2` writes and reads them."""

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
"""The largest line, in bytes (64 MiB). 100 seats with the largest permitted messages fit into one line."""
DIGEST_DIGITS = 6
"""The number of digits of the state's digest that the line of a turn contains."""
HASH_DIGITS = 4
"""The number of digits of a line's hash that the line contains. The hash of the next line is computed from
all 16 digits.
"""
NOTHING = msgspec.Raw(b"")
"""Stands for a missing keyframe."""


class HeaderLine(msgspec.Struct, omit_defaults=True):
    """The first line: game, setup, seats and seed."""

    turnwright: Annotated[int, Meta(description="the version of this format: 2")]
    kind: Annotated[str, Meta(description='"header"')]
    game: Annotated[str, Meta(description="the game's name in the catalogue")]
    behaviour_version: Annotated[int, Meta(description="the version of the game's rules")]
    seed: Annotated[int, Meta(description="the seed of all random numbers")]
    setup: Annotated[dict[str, Any], Meta(description="the game's settings")]
    seats: Annotated[tuple[SeatInfo, ...], Meta(description="the participants, in order of their seats")]
    rules: Annotated[TurnRules, Meta(description="the rules for answers and missed turns; times in ns")]
    tolerant: Annotated[
        bool,
        Meta(
            description="true: if a stage of the rules raised an exception, the server skipped the stage"
            " and continued"
        ),
    ] = False
    made_by: Annotated[str, Meta(description="the program that wrote the record")] = ""
    announced: Annotated[
        dict[str, Any],
        Meta(
            description="what the server announced to spectators at the start of the battle, without the"
            " data of"
            " `seats`"
        ),
    ] = {}
    rules_hash: Annotated[
        str, Meta(description="hash of the source code of the rules, hex; absent: not known")
    ] = ""
    sandbox: Annotated[
        str,
        Meta(
            description='"full": each bot that was started from a directory ran in its own sandbox; absent:'
            " no sandbox, or not known"
        ),
    ] = ""


class TurnLine(msgspec.Struct, omit_defaults=True):
    """The line of a turn.

    In some keys, a JSON object has one entry for each seat. The names of its entries are the seats, counted
    from 0, as texts. Empty values are left out.
    """

    i: Annotated[
        dict[int, Any],
        Meta(
            description="by seat: the difference from the previous intent. For an object, these are only the"
            " keys that differ. A removed key has the value null"
        ),
    ] = {}
    r: Annotated[
        tuple[int, ...] | None,
        Meta(
            description="seats whose accepted intent did not change. If `r` is absent, these are all seats in"
            " `i` or `r` of the line before that are not in `i` of this line"
        ),
    ] = None
    s: Annotated[tuple[int, ...], Meta(description="seats that missed the turn")] = ()
    l: Annotated[  # noqa: E741
        dict[int, int], Meta(description="by seat: the delay of a late answer after its deadline, ns")
    ] = {}
    g: Annotated[tuple[int, ...], Meta(description="seats whose participant left")] = ()
    x: Annotated[
        tuple[int, ...], Meta(description="seats that were disqualified from the round or the battle")
    ] = ()
    q: Annotated[
        dict[int, Failure],
        Meta(
            description="by seat: why the seat was disqualified from this round; an object with the same"
            " keys as in `e`"
        ),
    ] = {}
    e: Annotated[
        dict[int, Failure],
        Meta(
            description="by seat: why the seat's bot stopped playing, as far as this was known in this"
            " turn. The object"
            " has the reason (crashed, exited, silent, slow, busy, left, kicked), the round and the turn"
            " (0: not known), the error, and the last lines that the program printed"
        ),
    ] = {}
    f: Annotated[
        tuple[tuple[str, str], ...],
        Meta(
            description="stages of the rules that raised an exception: the name of the stage, and the error"
        ),
    ] = ()
    p: Annotated[
        dict[int, TurnPrints],
        Meta(
            description="by seat: what the bot printed and the server read in this turn, as two texts: output"
            f" and errors. At most {LINE_CHARS_MAX:,} characters of a line and {TURN_CHARS_MAX:,} of a turn"
            " are kept, and a text that was cut names the limit"
        ),
    ] = {}
    o: Annotated[bool, Meta(description="true: the turn began a round")] = False
    a: Annotated[
        str,
        Meta(
            description="one character for each seat: the seat's slowest answer since the last line with an"
            " `a`; see"
            " **Answers** above"
        ),
    ] = ""
    b: Annotated[
        tuple[int, ...] | None,
        Meta(
            description="seats that operators debug from this turn on. Spectators get the graphics of these"
            " seats."
            " Absent: the same seats as before"
        ),
    ] = None
    w: Annotated[
        int, Meta(description="how late the server itself was in this turn, ns; absent: it was not late")
    ] = 0
    k: Annotated[
        msgspec.Raw,
        Meta(description="a keyframe: the state of the battle after this turn; see **Keyframes** above"),
    ] = NOTHING
    c: Annotated[str, Meta(description="a full check of the state; see **Full checks** above")] = ""
    d: Annotated[
        str, Meta(description="digest of the state after the turn; absent: the rules raised an exception")
    ] = ""


class FooterLine(msgspec.Struct, omit_defaults=True):
    """The last line, with the ending and the results. A record without a footer is truncated."""

    kind: Annotated[str, Meta(description='"footer"')]
    ending: Annotated[str, Meta(description="how the battle ended: over, aborted or void")]
    turns: Annotated[int, Meta(description="number of turns played")]
    results: Annotated[Any, Meta(description="the game's results")] = None
    p: Annotated[
        dict[int, TurnPrints], Meta(description="by seat: what the bot printed after the last turn")
    ] = {}
