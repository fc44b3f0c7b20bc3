"""A bad network from a seed: delays of messages each way, and drifting clocks.

Messages arrive in order, as over TCP.

One way of a message takes

    half the round trip, more on one way when the line is asymmetric
    + jitter           Gamma(2): never less than nothing, a long tail
    + retransmission   a segment was lost: a timeout passes before it is sent again
    + spike            something else was in the way

and nothing overtakes what was sent before it on the same way (head-of-line blocking). It reads no clock: the
time is an argument, µs of a true clock that a test cannot see.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

RETRANSMIT_US_MIN = 200_000
"""The shortest time after which TCP sends again what was lost, µs (Linux)."""


@dataclass(frozen=True)
class Conditions:
    """Delay and jitter of a connection.

    Attributes:
        rtt_us: round trip without jitter.
        jitter_us: its standard deviation.
        asymmetry: by which part of the round trip the way up is longer than the way down, -1 … 1.
        loss: share of messages that are lost once.
        spike: share that are held up by spike_us_max at most.
    """

    rtt_us: int
    jitter_us: int
    asymmetry: float = 0.0
    loss: float = 0.005
    spike: float = 0.01
    spike_us_max: int = 200_000


class BadLine:
    """Both directions of a connection. What is sent in the same millisecond takes the same time."""

    def __init__(self, conditions: Conditions, seed: int) -> None:
        self._conditions = conditions
        self._seed = seed
        half = conditions.rtt_us / 2
        longer = conditions.rtt_us * conditions.asymmetry / 2
        self._bases = {"up": half + longer, "down": half - longer}
        self._arrived = {"up": -math.inf, "down": -math.inf}

    def up(self, sent_us: float) -> float:
        """Return when a message that a client sends at `sent_us` arrives, µs. Call it in order of time."""
        return self._carry("up", sent_us)

    def down(self, sent_us: float) -> float:
        """Return when a message that the server sends at `sent_us` arrives, µs. Call it in order of time."""
        return self._carry("down", sent_us)

    def _carry(self, way: str, sent_us: float) -> float:
        it = self._conditions
        chance = random.Random(f"{self._seed}/{way}/{math.floor(sent_us / 1000)}")
        takes = self._bases[way]
        if it.jitter_us:
            takes += chance.gammavariate(2.0, it.jitter_us / 2)
        if chance.random() < it.loss:
            takes += max(RETRANSMIT_US_MIN, 1.5 * it.rtt_us)
        if chance.random() < it.spike:
            takes += chance.random() * it.spike_us_max
        self._arrived[way] = max(self._arrived[way], sent_us + takes)
        return self._arrived[way]


@dataclass(frozen=True)
class DriftingClock:
    """A clock with an offset and a drift.

    Attributes:
        ahead_us: its time at the true time 0.
        drift_ppm: how much too fast it is.
    """

    ahead_us: int = 0
    drift_ppm: float = 0.0

    def at(self, true_us: float) -> int:
        """Return its time at a true time, in whole µs."""
        return self.ahead_us + math.floor(true_us * (1 + self.drift_ppm / 1_000_000))
