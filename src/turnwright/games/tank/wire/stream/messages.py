"""Messages of the spectators' stream: frames, and what is told between them.

A Keyframe is a whole turn as spectators see it; a Delta has the changes since the turn before.

BotPolicies has the settings of operators for bots, which may change between turns; BotFailures tells which
bots play no more, and why.

The stream does not repeat what official messages say once: names, versions, droids and teams by
GameStartedEventForObserver, results by RoundEndedEventForObserver.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any

import msgspec

from turnwright.games.tank.wire.royale.message_parts import says
from turnwright.games.tank.wire.stream.delta_tables import TableDelta, TableKey

TEXT_CHARS_MAX = 65_536
"""The most that all tanks together say, in the texts that are shown of one turn; the rest is left out."""


class EventCode(IntEnum):
    """The first number of an event; the others follow it.

    Places and energies are as in the tables.
    """

    DEATH = 1
    """bot"""
    WALL = 2
    """bot"""
    BOT = 3
    """bot, the other bot, 1 = rammed, the other's energy, its x, its y"""
    SCAN = 4
    """a list of what was scanned, perhaps a list of energies; see below"""
    FIRED = 5
    """bullet"""
    BULLET_BOT = 6
    """bot, bullet, damage, the bot's energy after it"""
    BULLET_BULLET = 7
    """bullet, the other bullet"""
    BULLET_WALL = 8
    """bullet"""


class BulletTrack(msgspec.Struct, array_like=True, omit_defaults=True, gc=False):
    """A bullet, sent once.

    Its position is (x, y) plus age · (20 − 3 · power) along its direction.
    """

    id: Annotated[int, says("1… in a round")]
    owner: Annotated[int, says("bot id of the shooter")]
    power: Annotated[int, says("0.1…3, times 100000")]
    direction: Annotated[int, says("degrees, times 10000")]
    x: Annotated[int, says("its position in its first message, times 100")]
    y: Annotated[int, says("its position in its first message, times 100")]
    color: Annotated[str, says("#RRGGBB; absent or null: none")] | None = None
    age: Annotated[int, says("turns since then; in a Delta 0")] = 0


class TankColors(msgspec.Struct, array_like=True, gc=False):
    """The colours of a tank, each #RRGGBB or null."""

    id: Annotated[int, says("bot id")]
    colors: Annotated[list[str | None], says("body, turret, radar, bullet, scan, tracks, gun")]


class Texts(msgspec.Struct, array_like=True, rename="camel", gc=False):
    """Texts of a bot, each a text or null. A bot without a tank may print, too."""

    id: Annotated[int, says("bot id")]
    std_out: Annotated[str, says("what it printed in the turn")] | None = None
    std_err: Annotated[str, says("what it printed as errors")] | None = None
    debug_graphics: Annotated[str, says("untrusted SVG")] | None = None


_Ids = list[int]
_Event = list[Any]
Events = Annotated[list[_Event], says("what happened in the turn, in order; each a list, see Events")]
Skipped = Annotated[_Ids, says("bots that missed the turn")]
Late = Annotated[list[tuple[int, int]], says("bots whose answer was late, and how late, in steps of 50 µs")]
Lag = Annotated[int, says("lateness of the server's turn, µs; absent: the turn had no due time")]


class _FrameMessage(
    msgspec.Struct, rename="camel", tag_field="type", tag=True, omit_defaults=True, kw_only=True
):
    """Base of both frames."""

    frame: Annotated[int, says("number of the turn in the game, 1…, across rounds")]
    events: Events = []
    skipped: Skipped = []
    late: Late = []
    lag_us: Lag | None = None
    left_out: Annotated[int, says("texts that did not fit into TEXT_CHARS_MAX")] = 0


class Keyframe(_FrameMessage, kw_only=True):
    """A whole turn.

    The first message of each round, of a late spectator, and after messages were lost.
    """

    round_number: Annotated[int, says("1…")]
    turn_number: Annotated[int, says("of the round, 1…")]
    tanks: Annotated[TableKey, says("the tanks that began the turn; columns: see Tanks")]
    seats: Annotated[TableKey, says("all bots of the game; columns: see Seats")]
    bullets: Annotated[list[BulletTrack], says("in the air, or named by an event")] = []
    gone: Annotated[_Ids, says("of these, the bullets that are no longer in the air")] = []
    looks: Annotated[list[TankColors], says("of tanks with a colour")] = []
    texts: Annotated[list[Texts], says("of tanks with a text")] = []
    debugging: Annotated[_Ids, says("bots whose debug graphics are taken")] = []


class Delta(_FrameMessage, kw_only=True):
    """Changes since frame − 1, the turn before in the same round. Absent: no change.

    Only a receiver that holds frame − 1 can use it; any other waits for the next Keyframe.
    """

    tanks: Annotated[TableDelta, says("of the tanks")] | None = None
    seats: Annotated[TableDelta, says("of the bots")] | None = None
    bullets: Annotated[list[BulletTrack], says("new bullets; some may be gone already")] = []
    gone: Annotated[_Ids, says("bullets that are no longer in the air; events may still name them")] = []
    looks: Annotated[list[TankColors], says("of tanks whose colours changed")] = []
    texts: Annotated[list[Texts], says("of tanks whose texts changed")] = []
    debugging: Annotated[_Ids, says("all bots whose debug graphics are taken; absent: no change")] | None = (
        None
    )


class BotPolicies(
    msgspec.Struct, rename="camel", tag_field="type", tag=True, omit_defaults=True, kw_only=True, frozen=True
):
    """Operators' settings of bots, and the bots that a turn waits for.

    Each message is complete. Sent at each change, also between two turns, and to late spectators. When a
    game begins, all lists are empty until the first message.
    """

    debugging: Annotated[_Ids, says("bots whose debug graphics are asked for; frames show since when")] = []
    breakpoints: Annotated[_Ids, says("bots in breakpoint mode: turns wait for them without a deadline")] = []
    waited_for: Annotated[
        _Ids, says("bots for which the turn waits now: of these, or for the first answer of others")
    ] = []


class BotFailure(msgspec.Struct, rename="camel", omit_defaults=True, kw_only=True, frozen=True):
    """The failure of a bot."""

    bot: Annotated[int, says("bot id")]
    reason: Annotated[str, says("crashed, exited, silent, slow, left, kicked or busy")]
    round: Annotated[int, says("in which it happened, from 1; absent: in no certain one")] = 0
    turn: Annotated[int, says("of that round, from 1; absent: in no certain one")] = 0
    error: Annotated[str, says("the last line of its exception, its exit code, or what it did wrong")] = ""
    printed: Annotated[tuple[str, ...], says("the last lines that its program printed; untrusted")] = ()


class BotFailures(
    msgspec.Struct, rename="camel", tag_field="type", tag=True, omit_defaults=True, kw_only=True, frozen=True
):
    """The bots that play no more, and why.

    Each message has the bots of which something is new; what is known of others stays. Sent at each change,
    also between two turns; late spectators get all in one. When a game begins, there are none until the first
    message.
    """

    failures: Annotated[list[BotFailure], says("in order of bot id")] = []
