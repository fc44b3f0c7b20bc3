"""How far the server's clock is ahead of ours, from messages there and back: the least delay of each way.

    ours      c -------.                  .-----> t
                        \\  up       down /            up   = r - c = offset + what the way up took
    server               `--> r ...... s ´             down = s - t = offset - what the way down took

The offset lies between the greatest `down` and the least `up`; the middle of them is the estimate, and half
of what is between them is the greatest error there can be. What jitter adds is in most samples and in few of
the best. Older samples count with a penalty, as the clocks may have drifted since; how fast they drift is
fitted through the best samples of half minutes, and believed only as far as these are good enough.
`viewer/world/offsets.js` computes the same, number for number: change both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Offsets", "Sample"]

WINDOW_US = 90_000_000
"""Samples are kept so long."""
SAMPLES_MAX = 64
SPAN_US = 30_000_000
"""The drift is fitted through one point for each span of so long …"""
SPANS_MAX = 20
"""… and so many of them."""
DRIFT = 50e-6
"""What two clocks may drift apart before anything is known: 50 ppm."""
DRIFT_MIN = 3e-6
"""What they always may."""
DRIFT_MAX = 500e-6
"""What no clock does."""
JUMP_US = 2_000.0
"""Samples that contradict each other by more than this, and drift, mean that a clock was set or slept."""


@dataclass
class Sample:
    """One message there and back. at_us: our time; up, down: see above, less the first offset; µs."""

    at_us: float
    up: float
    down: float


@dataclass
class _Span:
    """The best of a span of time: the least up and the greatest down, and when they were."""

    number: int
    up: Sample
    down: Sample


class Offsets:
    """The estimate. ready: there is one. rate: what the offset gains per µs; error_us: the greatest error."""

    def __init__(self) -> None:
        self.ready = False
        self.rate = 0.0
        self.error_us = math.inf
        self.samples: list[Sample] = []
        self._spans: list[_Span] = []
        self._zero = 0
        self._base = 0.0
        self._at_us = 0.0

    def add(self, c: int, r: int, s: int, t: int) -> None:
        """Take in one message: sent by us at c, received at r, answered at s, received by us at t; µs."""
        if not self.samples:
            self._zero = r - c
        sample = Sample((c + t) / 2, float(r - c - self._zero), float(s - t - self._zero))
        self.samples = [x for x in self.samples if sample.at_us - x.at_us <= WINDOW_US][1 - SAMPLES_MAX :]
        self.samples.append(sample)
        self._into_span(sample)
        if not self._estimate(sample.at_us):
            self.samples, self._spans, self.rate = [sample], [], 0.0
            self._into_span(sample)
            self._estimate(sample.at_us)
        self.ready = True

    def offset_us(self, ours_us: float) -> float:
        """Return how far the server's clock is ahead of ours when ours shows `ours_us`."""
        return self._zero + (self._base + self.rate * (ours_us - self._at_us))

    def trips_us(self) -> list[float]:
        """Return what the ways up have taken, by the estimate, µs; newest last."""
        base, at_us, rate = self._base, self._at_us, self.rate
        return [x.up - (base + rate * (x.at_us - at_us)) for x in self.samples]

    def _into_span(self, sample: Sample) -> None:
        number = math.floor(sample.at_us / SPAN_US)
        if not self._spans or self._spans[-1].number != number:
            self._spans = self._spans[1 - SPANS_MAX :]
            self._spans.append(_Span(number, sample, sample))
        span = self._spans[-1]
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

        A point counts the less, the more its delays exceed the least one; no drift at all is one more point.
        """
        noise = self._noise()
        widths = [x.up.up - x.down.down for x in self._spans]
        least = min(widths)
        weights = [1 / (noise * noise + (width - least) * (width - least) / 4) for width in widths]
        times = [(x.up.at_us + x.down.at_us) / 2 for x in self._spans]
        offsets = [(x.up.up + x.down.down) / 2 for x in self._spans]
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
