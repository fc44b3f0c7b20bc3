"""The world's clock on the wire: messages, and when a reaction counts.

    Time.Ping {n, c[, l]}      client: number n, sent at c on its clock; l: its lead, when that has changed
    Time.Pong {n, c, r, s}     server: received at r, answered at s, on its wall clock
    Time.Segment {g, w, rate}  server: at wall time w the game time is g, and runs at `rate` (ppm; 0: paused)

All times are integer µs. The wall clock starts with the server and never stops. Game time can run, pause,
jump or change its speed. Each change is one Segment, which counts for all timers together. Clients estimate
the wall clock from pings (`turnwright_world/client/clock.py`, `turnwright_world/view/connection/clock.js`)
and compute the rest.
Departures from the original design of timed threats are recorded in docs/decisions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec

RATE_ONE = 1_000_000
"""The rate, in ppm, at which game time runs as fast as the wall clock."""
RATE_MAX = 1000 * RATE_ONE
LEAD_US_MIN = 10_000
LEAD_US_MAX = 250_000
"""The bounds of the lead of a client's rings, in µs of the wall clock."""
GRACE_US_MAX = 150_000
"""The longest wait of landings for a player whose client has no clock (plain telnet), in µs."""
STAMP_AHEAD_US_MAX = 2 * LEAD_US_MAX
"""A stamp counts as at most this far ahead of its arrival, in µs of the wall clock."""
_RTT_US_MAX = 10_000_000

Micros = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
"""The type of a time: an integer that JavaScript's numbers can represent exactly."""


class TimePing(msgspec.Struct, frozen=True, omit_defaults=True):
    """Ping `n` of a client, sent at `c` on its clock. `l` is the lead of its rings, if that has changed."""

    n: Micros
    c: Micros
    l: Annotated[int, msgspec.Meta(ge=0, le=LEAD_US_MAX)] | None = None  # noqa: E741 - short, as it goes over the wire


class TimePong(msgspec.Struct, frozen=True):
    """The answer to a ping (`n`, `c`), received at `r` and answered at `s` on the server's wall clock."""

    n: Micros
    c: Micros
    r: Micros
    s: Micros


class TimeSegment(msgspec.Struct, frozen=True):
    """How game time runs from now on: it is `g` at the wall time `w`, and runs at `rate` ppm of wall time."""

    g: Micros
    w: Micros
    rate: Annotated[int, msgspec.Meta(ge=0, le=RATE_MAX)]


def game_at(segment: TimeSegment, wall_us: int) -> int:
    """Return the game time at a wall time, in µs. Server and clients use the same formula."""
    return segment.g + (wall_us - segment.w) * segment.rate // RATE_ONE


class GameClock:
    """The server's clocks.

    Args:
        now_ns: the reading of a monotonic clock at which wall time begins.
    """

    def __init__(self, now_ns: int, game_us: int = 0) -> None:
        self._zero_ns = now_ns
        self.segment = TimeSegment(game_us, 0, 0)

    def wall_us(self, now_ns: int) -> int:
        """Return the wall time at a reading of the monotonic clock."""
        return (now_ns - self._zero_ns) // 1000

    def game_us(self, now_ns: int) -> int:
        """Return the game time at a reading of the monotonic clock."""
        return game_at(self.segment, self.wall_us(now_ns))

    def due_ns(self, game_us: int) -> int | None:
        """Return the first reading of the monotonic clock at which it is `game_us`, or None while time is
        paused.
        """
        ahead_us, rate = game_us - self.segment.g, self.segment.rate
        if rate == 0:
            return None
        wall_us = self.segment.w - (-ahead_us * RATE_ONE // rate)
        return self._zero_ns + wall_us * 1000

    def run(self, now_ns: int, rate: int = RATE_ONE) -> TimeSegment:
        """Let game time run at `rate`, in ppm of real time, and return the message for every client.

        Raises:
            ValueError: the rate is not within 0 to RATE_MAX.
        """
        if not 0 <= rate <= RATE_MAX:
            raise ValueError(f"a rate is a whole number from 0 to {RATE_MAX} ppm, got {rate}")
        return self._change(now_ns, self.game_us(now_ns), rate)

    def pause(self, now_ns: int) -> TimeSegment:
        """Pause game time, and return the message for every client."""
        return self.run(now_ns, 0)

    def warp(self, now_ns: int, game_us: int) -> TimeSegment:
        """Set the game time to `game_us`, e.g. because the loop was late, and return the message for every
        client.
        """
        return self._change(now_ns, game_us, self.segment.rate)

    def answer(self, ping: TimePing, received_ns: int, sent_ns: int) -> TimePong:
        """Return the answer to a ping.

        Args:
            received_ns, sent_ns: times measured as close to the socket as possible.
        """
        return TimePong(ping.n, ping.c, self.wall_us(received_ns), self.wall_us(sent_ns))

    def _change(self, now_ns: int, game_us: int, rate: int) -> TimeSegment:
        self.segment = TimeSegment(game_us, self.wall_us(now_ns), rate)
        return self.segment


@dataclass
class Latency:
    """Latency of one connection.

    Attributes:
        rtt_us: the smoothed round trip, in µs, or None before it is measured.
        rttvar_us: the variation of the round trip, in µs.
        told_lead_us: the lead that the client reports, or None if the client has no clock.
    """

    rtt_us: int | None = None
    rttvar_us: int = 0
    told_lead_us: int | None = None

    def note_kernel(self, rtt_us: int, rttvar_us: int) -> None:
        """Store the values that the system measures for a TCP connection (TCP_INFO)."""
        self.rtt_us, self.rttvar_us = _bounded(rtt_us), _bounded(rttvar_us)

    def note_ping(self, ping: TimePing) -> None:
        """Store the lead that a client reports."""
        if ping.l is not None:
            self.told_lead_us = ping.l

    @property
    def lead_us(self) -> int:
        """The lead of the client's rings in µs, as the client reports it, or 0 if it has no clock.

        A client that reports a false lead gets longer windows, but none longer than 6 x LEAD_US_MAX of real
        time for this reason.
        """
        return 0 if self.told_lead_us is None else min(LEAD_US_MAX, self.told_lead_us)

    @property
    def grace_us(self) -> int:
        """How long an attack's landing waits for the player's reactions, in µs.

        It is 0 for a client with a clock, otherwise half a round trip and a margin.
        """
        if self.told_lead_us is not None or self.rtt_us is None:
            return 0
        return min(GRACE_US_MAX, self.rtt_us // 2 + 2 * self.rttvar_us)


@dataclass(frozen=True)
class Judged:
    """The game time at which a reaction counts, and how early it arrived, in µs (negative if late)."""

    at_us: int
    early_us: int


def judge(stamp_us: int | None, arrived_us: int, reached_us: int, rate: int = RATE_ONE) -> Judged:
    """Return when a press counts: at its stamp or its arrival, whichever is later, and never in the past.

    An early press waits until its stamp, for at most STAMP_AHEAD_US_MAX of real time.

    Args:
        stamp_us: the stamp, or None if the client has no clock.
        arrived_us: the game time of the arrival.
        reached_us: the game time up to which the world has been played, in µs.
    """
    if stamp_us is None:
        return Judged(max(arrived_us, reached_us + 1), 0)
    farthest_us = arrived_us + STAMP_AHEAD_US_MAX * rate // RATE_ONE
    at_us = max(min(stamp_us, farthest_us), arrived_us, reached_us + 1)
    return Judged(at_us, stamp_us - arrived_us)


def _bounded(rtt_us: int) -> int:
    return min(_RTT_US_MAX, max(0, rtt_us))
