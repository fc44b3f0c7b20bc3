"""A client's clock: estimates game time, and when a threat's ring ends.

    clock = WorldClock()
    if clock.ping_due_us <= local_us: send("Time.Ping", clock.ping(local_us))
    clock.pong(message, local_us)              # Time.Pong
    clock.change(message)                      # Time.Segment
    clock.remaining_us(at, us, local_us)       # of a threat, for its ring
    send("Combat.React", {"at": clock.press(local_us), …})
    clock.acknowledged(early_us)               # what the answer says

`local_us` is any clock of the client's that never goes back, µs. What is shown follows the estimate (see
`offsets`) without a step: half a percent faster or slower until they agree; it jumps only forwards when far
behind, or when no ring runs. Rings run ahead by the lead: what the way up takes, and four times what it
varies by, so that a press made in time arrives in time.
`turnwright_world/view/connection/clock.js` computes the same: change both.
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

# How far the server's clock is ahead of the client's, from messages there and back: the least delay of each
# way.
#
#     ours      c -------.                  .-----> t
#                         \  up       down /            up   = r - c = offset + what the way up took
#     server               `--> r ...... s ´             down = s - t = offset - what the way down took
#
# The offset lies between the greatest `down` and the least `up`; the middle of them is the estimate, and
# half of what is between them is the greatest error there can be. What jitter adds is in most samples and
# in few of the best. Older samples count with a penalty, as the clocks may have drifted since; how fast
# they drift is fitted through the best samples of half minutes, and believed only as far as these are good
# enough. `turnwright_world/view/connection/clock_offsets.js` computes the same, number for number: change
# both.


WINDOW_US = 90_000_000
"""Samples are kept so long."""
SAMPLES_MAX = 64
SPAN_US = 30_000_000
"""The drift is fitted through one point for each span of so long …"""
SPANS_MAX = 20
"""… and so many of them."""
DRIFT = 50e-6
"""Drift of two clocks that is assumed before anything is known: 50 ppm."""
DRIFT_MIN = 3e-6
"""Drift that is always assumed."""
DRIFT_MAX = 500e-6
"""Drift that no clock has."""
JUMP_US = 2_000.0
"""Samples that contradict each other by more than this, and drift, mean that a clock was set or slept."""


@dataclass
class Sample:
    """One message there and back.

    Attributes:
        at_us: our time.
        up, down: see above, less the first offset; µs.
    """

    at_us: float
    up: float
    down: float


@dataclass
class Span:
    """The best of a span of time.

    The least up and the greatest down, and when they were.
    """

    number: int
    up: Sample
    down: Sample


class Offsets:
    """The estimated offset of the server's clock.

    Attributes:
        ready: there is one.
        rate: what the offset gains per µs.
        error_us: the greatest error.
        samples, spans: what it is made from, newest last.
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
        """Take in one message.

        Sent by us at c, received at r, answered at s, received by us at t; µs.
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
        """Return how far the server's clock is ahead of the client's when the latter shows `ours_us`."""
        return self._zero + (self._base + self.rate * (ours_us - self._at_us))

    def trips_us(self) -> list[float]:
        """Return what the ways up have taken, by the estimate, µs; newest last."""
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
        """Fit the rate through the spans; return by how much it may be wrong, per µs.

        A point counts the less, the more its delays exceed the least one. No drift at all is one more point.
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
        """Return how uncertain the point of a span is, µs: a part of what delays exceed the least one by."""
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
"""At joining, so many pings, this far apart …"""
OFTEN_US = 5_000_000
"""… then one each so long …"""
CALM_AFTER_US = 120_000_000
"""… and after so long …"""
SELDOM_US = 10_000_000
"""… one each so long."""
AWAITED_MAX = 16
ROUND_TRIP_US_MAX = 10_000_000
"""An answer that took longer is of no use."""
SLEW = 0.005
STEP_US = 250_000.0
"""Behind by more than this, it jumps even while rings run."""
STEP_FREE_US = 1_000.0
"""Wrong by more than this, it jumps when no ring runs."""
LEAD_TOLD_US = 5_000
"""The smallest change of a lead that is sent to the server."""
SPREAD_US_MIN = 1_000.0
SPREADS = 4
ACKS_MAX = 16


class Steady:
    """A clock that is corrected without a step. Its value at a local time is float µs."""

    def __init__(self) -> None:
        self.set = False
        self._local = 0.0
        self._value = 0.0
        self._pace = 1.0
        self._gap = 0.0

    def at(self, local_us: float) -> float:
        """Return what it shows."""
        since = local_us - self._local
        made_good = max(0.0, since) * SLEW
        if self._gap > 0:
            left = max(0.0, self._gap - made_good)
        else:
            left = min(0.0, self._gap + made_good)
        return self._value + since * self._pace - left

    def aim(self, local_us: float, value: float, pace: float, free: bool) -> None:
        """Set the clock to `value` at `local_us`, gaining `pace` per µs. It jumps, or approaches the value
        little by little.

        Args:
            free: whether it may jump, since no ring is visible.
        """
        gap = value - self.at(local_us)
        if not self.set or gap > STEP_US or (free and abs(gap) > STEP_FREE_US):
            gap = 0.0
        self.set = True
        self._local, self._value, self._pace, self._gap = local_us, value, pace, gap


class Presses:
    """The presses of reactions, and what the server's answers to them say of the way up."""

    def __init__(self) -> None:
        self._leads: list[float] = []
        self._trips: list[tuple[int, float]] = []

    def add(self, lead_us: float) -> None:
        """Note a press, made while rings ran ahead by `lead_us`."""
        self._leads = self._leads[1 - ACKS_MAX :]
        self._leads.append(lead_us)

    def acknowledged(self, early_us: int, rate: int, at_us: int) -> None:
        """Take in how early the oldest unanswered press came."""
        lead = self._leads.pop(0) if self._leads else None
        if lead is None or rate == 0 or abs(early_us) > ROUND_TRIP_US_MAX:
            return
        self._trips = self._trips[1 - ACKS_MAX :]
        self._trips.append((at_us, lead - early_us * RATE_ONE / rate))

    def trips_us(self, local_us: int) -> list[float]:
        """Return what the way up took."""
        return [trip for at_us, trip in self._trips if local_us - at_us <= WINDOW_US]


class WorldClock:
    """A client's clock of game time.

    Args:
        lead_us_min, lead_us_max: what it is held within; 0 and 0: rings do not lead.

    Attributes:
        rings: whether any ring runs.
        lead_us: by how much they run ahead, wall µs.
        ping_due_us: when to send the next ping, local µs.
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
        """Return a ping to be sent now."""
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
        """Take in an answer that came at `local_us`.

        Return False for one that is of no use.
        """
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
        """Take in how game time runs from now on."""
        self.segment = segment

    def acknowledged(self, early_us: int) -> None:
        """Take in how early the oldest unanswered press came, game µs.

        Early: before its stamp.
        """
        rate = self.segment.rate if self.segment is not None else 0
        self._presses.acknowledged(early_us, rate, self._now_us)

    # ---- reading it ----------------------------------------------------------------------------------------

    @property
    def ready(self) -> bool:
        """Whether it knows the time."""
        return self._offsets.ready and self.segment is not None

    @property
    def error_us(self) -> float:
        """By how much it may be wrong.

        Half the least round trip; infinite as long as nothing is known.
        """
        return self._offsets.error_us

    def wall_us(self, local_us: float) -> int:
        """Return the server's wall clock as it is shown."""
        return math.floor(self._wall.at(local_us))

    def game_us(self, local_us: float) -> int:
        """Return game time; 0 before it is ready."""
        return game_at(self.segment, self.wall_us(local_us)) if self.segment is not None else 0

    def ring_us(self, local_us: float) -> int:
        """Return the game time on which rings run.

        Ahead by the lead; 0 before it is ready.
        """
        return game_at(self.segment, math.floor(self._ring.at(local_us))) if self.segment is not None else 0

    def remaining_us(self, inserted_us: int, window_us: int, local_us: float) -> int:
        """Return what is left of a threat's window on its ring, µs."""
        return max(0, inserted_us + window_us - self.ring_us(local_us))

    def press(self, local_us: float) -> int:
        """Return the stamp of a reaction that is pressed now, game µs."""
        self._presses.add(self._ring.at(local_us) - self._wall.at(local_us))
        return self.ring_us(local_us)

    # ---- steering ------------------------------------------------------------------------------------------

    def _aim(self, local_us: int) -> None:
        self.lead_us = self._wanted_lead_us(local_us)
        value, pace = local_us + self._offsets.offset_us(local_us), 1 + self._offsets.rate
        self._wall.aim(local_us, value, pace, not self.rings)
        self._ring.aim(local_us, value + self.lead_us, pace, not self.rings)

    def _wanted_lead_us(self, local_us: int) -> int:
        """Return what the way up takes and four times its spread, from pings and from judged presses."""
        trips = self._offsets.trips_us() + self._presses.trips_us(local_us)
        middle = _median(trips)
        spread = max(SPREAD_US_MIN, _median([abs(trip - middle) for trip in trips]))
        least, most = self._bounds
        return math.floor(min(most, max(least, middle + SPREADS * spread)))


def _median(values: list[float]) -> float:
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
