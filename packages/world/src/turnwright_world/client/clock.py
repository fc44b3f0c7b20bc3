"""A client's clock: estimates the game time, and the remaining time of a threat's ring, its visible
countdown.

    clock = WorldClock()
    if clock.ping_due_us <= local_us: send("Time.Ping", clock.ping(local_us))
    clock.pong(message, local_us)              # Time.Pong
    clock.change(message)                      # Time.Segment
    clock.remaining_us(at, us, local_us)       # of a threat, for its ring
    send("Combat.React", {"at": clock.press(local_us), …})
    clock.acknowledged(early_us)               # what the answer says

`local_us` is the reading, in µs, of any clock of the client that never goes back. The displayed time follows
the estimate (see `Offsets`) without jumps. It runs half a percent faster or slower until both agree. It jumps
only if no ring runs, or if it is far behind. Each ring ends earlier than the threat lands, by a time called
the lead. So a reaction that the player presses before the ring ends reaches the server in time. The lead is
the latency to the server plus four times the variation of this latency.

`turnwright_world/view/connection/clock.js` computes the same. If you change one file, change the other one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from turnwright_world.wire.clock import (
    LEAD_US_MAX,
    LEAD_US_MIN,
    RATE_ONE,
    TimePing,
    TimePong,
    TimeSegment,
    game_at,
)

# The estimate of how far the server's clock is ahead of the client's. It comes from round trips, and uses the
# smallest delay in each direction.
#
#     client    c -------.                  .-----> t
#                         \  up       down /            up   = r - c = offset + latency to the server
#     server               `--> r ...... s ´             down = s - t = offset - latency to the client
#
# The offset lies between the largest `down` and the smallest `up`. The estimate is their middle, and its
# error is at most half of their distance. Jitter affects most samples, but few of the best. Older samples
# have a penalty, because the clocks may have drifted since. The drift is fitted through the best samples of
# each half minute. It is used only as far as these samples are precise enough.
# `turnwright_world/view/connection/clock_offsets.js` computes the same, number for number: change both.


WINDOW_US = 90_000_000
"""How long a sample is used, in µs."""
SAMPLES_MAX = 64
SPAN_US = 30_000_000
"""The length of a span, in µs. The drift is fitted through one point for each span."""
SPANS_MAX = 20
"""The most spans through which the drift is fitted."""
DRIFT = 50e-6
"""The assumed drift of two clocks before it is measured: 50 ppm."""
DRIFT_MIN = 3e-6
"""The smallest drift that is assumed."""
DRIFT_MAX = 500e-6
"""The largest drift of any clock."""
JUMP_US = 2_000.0
"""If samples contradict each other by more than this and the drift, a clock was set, or its machine slept."""


@dataclass
class Sample:
    """One round trip.

    Attributes:
        at_us: the client's time in the middle of the round trip.
        up: the server's clock minus the client's clock, from the way to the server, in µs.
        down: the same difference, from the way back, in µs.
    """

    at_us: float
    up: float
    down: float


@dataclass
class Span:
    """The best samples in a span of time: the smallest `up` and the largest `down`."""

    number: int
    up: Sample
    down: Sample


class Offsets:
    """The estimated offset of the server's clock.

    Attributes:
        ready: whether there is an estimate.
        rate: the change of the offset per µs.
        error_us: the largest possible error.
        samples, spans: the data for the estimate, newest last.
    """

    def __init__(self) -> None:
        self.ready = False
        self.rate = 0.0
        self.error_us = math.inf
        self.samples: list[Sample] = []
        self.spans: list[Span] = []
        self._zero = 0
        self._base = 0.0
        self._at_us = 0.0

    def add(self, c: int, r: int, s: int, t: int) -> None:
        """Add one round trip, with times in µs.

        The client sent the ping at `c`. The server received the ping at `r` and answered at `s`. The client
        received the answer at `t`. If this contradicts the earlier round trips, these are dropped.
        """
        if not self.samples:
            self._zero = r - c
        sample = Sample((c + t) / 2, float(r - c - self._zero), float(s - t - self._zero))
        self.samples = [x for x in self.samples if sample.at_us - x.at_us <= WINDOW_US][1 - SAMPLES_MAX :]
        self.samples.append(sample)
        self._into_span(sample)
        if not self._estimate(sample.at_us):
            self.samples, self.spans, self.rate = [sample], [], 0.0
            self._into_span(sample)
            self._estimate(sample.at_us)
        self.ready = True

    def offset_us(self, ours_us: float) -> float:
        """Return by how many µs the server's clock is ahead when the client's clock shows `ours_us`."""
        return self._zero + (self._base + self.rate * (ours_us - self._at_us))

    def trips_us(self) -> list[float]:
        """Return the estimated latencies to the server in µs, newest last."""
        base, at_us, rate = self._base, self._at_us, self.rate
        return [x.up - (base + rate * (x.at_us - at_us)) for x in self.samples]

    def _into_span(self, sample: Sample) -> None:
        number = math.floor(sample.at_us / SPAN_US)
        if not self.spans or self.spans[-1].number != number:
            self.spans = self.spans[1 - SPANS_MAX :]
            self.spans.append(Span(number, sample, sample))
        span = self.spans[-1]
        span.up = sample if sample.up < span.up.up else span.up
        span.down = sample if sample.down > span.down.down else span.down

    def _estimate(self, at_us: float) -> bool:
        """Find the offset at `at_us`. Return False when the samples contradict each other."""
        doubt = self._fit()
        up, down = math.inf, -math.inf
        least, greatest = math.inf, -math.inf
        for x in self.samples:
            age = at_us - x.at_us
            moved = self.rate * age
            if x.up + moved + doubt * age < least:
                least, up = x.up + moved + doubt * age, x.up + moved
            if x.down + moved - doubt * age > greatest:
                greatest, down = x.down + moved - doubt * age, x.down + moved
        self._base, self._at_us = (up + down) / 2, at_us
        self.error_us = max(0.0, (least - greatest) / 2)
        return greatest - least <= JUMP_US

    def _fit(self) -> float:
        """Fit the rate through the spans, and return its possible error per µs.

        The more the delay of a point exceeds the smallest delay, the less weight the point has. One
        additional point stands for a drift of zero.
        """
        noise = self._noise()
        widths = [x.up.up - x.down.down for x in self.spans]
        least = min(widths)
        weights = [1 / (noise * noise + (width - least) * (width - least) / 4) for width in widths]
        times = [(x.up.at_us + x.down.at_us) / 2 for x in self.spans]
        offsets = [(x.up.up + x.down.down) / 2 for x in self.spans]
        mean_time, mean_offset = _mean(times, weights), _mean(offsets, weights)
        wide, cross = 1 / (DRIFT * DRIFT), 0.0
        for k in range(len(weights)):
            away = times[k] - mean_time
            wide += weights[k] * away * away
            cross += weights[k] * away * (offsets[k] - mean_offset)
        self.rate = min(DRIFT_MAX, max(-DRIFT_MAX, cross / wide))
        return max(DRIFT_MIN, 1 / math.sqrt(wide))

    def _noise(self) -> float:
        """Return the uncertainty of a span, in µs: a quarter of the difference between the mean delay and the
        smallest delay, at least 20 µs.
        """
        delays = [x.up - x.down for x in self.samples]
        return max(20.0, (_mean(delays, [1.0] * len(delays)) - min(delays)) / 4)


def _mean(values: list[float], weights: list[float]) -> float:
    total = weight = 0.0
    for k in range(len(values)):
        total += values[k] * weights[k]
        weight += weights[k]
    return total / weight


BURST = 8
BURST_US = 150_000
"""At the start, the client sends BURST pings, with this time between them."""
OFTEN_US = 5_000_000
"""The time between two pings after the first pings."""
CALM_AFTER_US = 120_000_000
"""After this time, the client sends pings less often."""
SELDOM_US = 10_000_000
"""The time between two pings once CALM_AFTER_US have passed."""
AWAITED_MAX = 16
ROUND_TRIP_US_MAX = 10_000_000
"""An answer that arrives later than this after its ping is ignored."""
SLEW = 0.005
STEP_US = 250_000.0
"""If the clock is behind by more than this, it jumps even while rings run."""
STEP_FREE_US = 1_000.0
"""If the clock is wrong by more than this, it jumps when no ring runs."""
LEAD_TOLD_US = 5_000
"""The smallest change of a lead that is sent to the server."""
SPREAD_US_MIN = 1_000.0
SPREADS = 4
ACKS_MAX = 16


class Steady:
    """A clock that is corrected gradually, without a jump. Its value at a local time is a float, in µs."""

    def __init__(self) -> None:
        self.set = False
        self._local = 0.0
        self._value = 0.0
        self._pace = 1.0
        self._gap = 0.0

    def at(self, local_us: float) -> float:
        """Return the clock's value at a local time."""
        since = local_us - self._local
        made_good = max(0.0, since) * SLEW
        if self._gap > 0:
            left = max(0.0, self._gap - made_good)
        else:
            left = min(0.0, self._gap + made_good)
        return self._value + since * self._pace - left

    def aim(self, local_us: float, value: float, pace: float, free: bool) -> None:
        """Make the clock aim at `value` at the time `local_us`, and at `pace` µs more for each further µs.

        The clock jumps to this value, or approaches it little by little.

        Args:
            free: whether the clock may jump, because no ring is visible.
        """
        gap = value - self.at(local_us)
        if not self.set or gap > STEP_US or (free and abs(gap) > STEP_FREE_US):
            gap = 0.0
        self.set = True
        self._local, self._value, self._pace, self._gap = local_us, value, pace, gap


class Presses:
    """Presses of reactions, and the latencies to the server that the answers show."""

    def __init__(self) -> None:
        self._leads: list[float] = []
        self._trips: list[tuple[int, float]] = []

    def add(self, lead_us: float) -> None:
        """Note a press, made while rings ran ahead by `lead_us`."""
        self._leads = self._leads[1 - ACKS_MAX :]
        self._leads.append(lead_us)

    def acknowledged(self, early_us: int, rate: int, at_us: int) -> None:
        """Note that the oldest unanswered press arrived `early_us` of game time before its stamp."""
        lead = self._leads.pop(0) if self._leads else None
        if lead is None or rate == 0 or abs(early_us) > ROUND_TRIP_US_MAX:
            return
        self._trips = self._trips[1 - ACKS_MAX :]
        self._trips.append((at_us, lead - early_us * RATE_ONE / rate))

    def trips_us(self, local_us: int) -> list[float]:
        """Return the latencies to the server in µs that were measured within WINDOW_US."""
        return [trip for at_us, trip in self._trips if local_us - at_us <= WINDOW_US]


class WorldClock:
    """A client's clock of game time.

    Args:
        lead_us_min, lead_us_max: the bounds of the lead. With 0 and 0, rings have no lead.

    Attributes:
        rings: whether any ring runs.
        lead_us: the lead of rings, in µs of the wall clock.
        ping_due_us: the local time of the next ping, in µs.
    """

    def __init__(self, lead_us_min: int = LEAD_US_MIN, lead_us_max: int = LEAD_US_MAX) -> None:
        self.rings = False
        self.lead_us = lead_us_min
        self.ping_due_us = 0
        self.segment: TimeSegment | None = None
        self._bounds = (lead_us_min, lead_us_max)
        self._offsets = Offsets()
        self._wall = Steady()
        self._ring = Steady()
        self._number = 0
        self._began_us: int | None = None
        self._burst = BURST
        self._awaited: dict[int, int] = {}
        self._told_us: int | None = None
        self._presses = Presses()
        self._now_us = 0

    # ---- messages ------------------------------------------------------------------------------------------

    def ping(self, local_us: int) -> TimePing:
        """Return a ping to send now, and set `ping_due_us` to the time of the next one."""
        if self._began_us is None:
            self._began_us = local_us
        self._number += 1
        self._burst = max(0, self._burst - 1)
        calm = local_us - self._began_us >= CALM_AFTER_US
        self.ping_due_us = local_us + (BURST_US if self._burst else SELDOM_US if calm else OFTEN_US)
        self._awaited[self._number] = local_us
        if len(self._awaited) > AWAITED_MAX:
            del self._awaited[min(self._awaited)]
        lead = None
        if self.ready and (self._told_us is None or abs(self.lead_us - self._told_us) > LEAD_TOLD_US):
            lead = self._told_us = self.lead_us
        return TimePing(self._number, local_us, lead)

    def pong(self, message: TimePong, local_us: int) -> bool:
        """Handle an answer that arrived at `local_us`. Return False if the answer is ignored."""
        sent_us = self._awaited.pop(message.n, None)
        took_us, held_us = local_us - message.c, message.s - message.r
        if sent_us != message.c or not 0 <= held_us <= took_us <= ROUND_TRIP_US_MAX:
            return False
        self._offsets.add(message.c, message.r, message.s, local_us)
        if len(self._offsets.samples) == 1 and self._burst == 0:
            self._burst, self.ping_due_us = BURST - 1, local_us
        self._now_us = local_us
        self._aim(local_us)
        return True

    def change(self, segment: TimeSegment) -> None:
        """Note how game time runs from now on."""
        self.segment = segment

    def acknowledged(self, early_us: int) -> None:
        """Note how long before its stamp the oldest unanswered press arrived, in µs of game time."""
        rate = self.segment.rate if self.segment is not None else 0
        self._presses.acknowledged(early_us, rate, self._now_us)

    # ---- reading it ----------------------------------------------------------------------------------------

    @property
    def ready(self) -> bool:
        """Whether the clock knows the time."""
        return self._offsets.ready and self.segment is not None

    @property
    def error_us(self) -> float:
        """The largest possible error in µs, or infinite before the first round trip.

        It is at most half of any recent round trip, plus the possible drift since then.
        """
        return self._offsets.error_us

    def wall_us(self, local_us: float) -> int:
        """Return the displayed time of the server's wall clock."""
        return math.floor(self._wall.at(local_us))

    def game_us(self, local_us: float) -> int:
        """Return the game time, or 0 until the clock is `ready`."""
        return self._game_at(self.wall_us(local_us))

    def ring_us(self, local_us: float) -> int:
        """Return the time of rings: the game time plus the lead, or 0 until the clock is `ready`."""
        return self._game_at(math.floor(self._ring.at(local_us)))

    def remaining_us(self, inserted_us: int, window_us: int, local_us: float) -> int:
        """Return the remaining time of a threat's ring, in µs."""
        return max(0, inserted_us + window_us - self.ring_us(local_us))

    def press(self, local_us: float) -> int:
        """Note a press, and return the stamp of its reaction, in µs of game time."""
        self._presses.add(self._ring.at(local_us) - self._wall.at(local_us))
        return self.ring_us(local_us)

    def _game_at(self, wall_us: int) -> int:
        """Return the game time at a time of the server's wall clock. It is unknown before the first pong."""
        return game_at(self.segment, wall_us) if self._offsets.ready and self.segment is not None else 0

    # ---- adjusting -----------------------------------------------------------------------------------------

    def _aim(self, local_us: int) -> None:
        self.lead_us = self._wanted_lead_us(local_us)
        value, pace = local_us + self._offsets.offset_us(local_us), 1 + self._offsets.rate
        self._wall.aim(local_us, value, pace, not self.rings)
        self._ring.aim(local_us, value + self.lead_us, pace, not self.rings)

    def _wanted_lead_us(self, local_us: int) -> int:
        """Return the latency to the server plus four times its spread, from pings and answered presses."""
        trips = self._offsets.trips_us() + self._presses.trips_us(local_us)
        middle = _median(trips)
        spread = max(SPREAD_US_MIN, _median([abs(trip - middle) for trip in trips]))
        least, most = self._bounds
        return math.floor(min(most, max(least, middle + SPREADS * spread)))


def _median(values: list[float]) -> float:
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
