"""Trial of a client's clock over a bad connection: its error and its late reactions.

The server's wall clock is the true one, and game time runs with it. The player sees rings on its own clock,
and presses at moments of the last 400 ms of what they show. `OneShot` is the clock of document 003, to be
compared with any other over the same line.
"""

from __future__ import annotations

import heapq
import math
import random
from dataclasses import dataclass, field
from typing import Protocol

from packages.core.tests.simulation.bad_network import BadLine, Conditions, DriftingClock
from turnwright_world.wire.clock import TimePing, TimePong, TimeSegment, judge

SETTLED_US = 10_000_000
"""Errors and presses count from here on."""
LOOK_US = 100_000
PRESS_US = 2_000_000
LAST_US = 400_000
"""Presses are made in the last part of the ring, which is this long."""
SERVER_US_MAX = 300
"""Longest time of the server between reading a ping and writing its answer, at most."""
DRIFT_PPM = (10, 80)


class ClockClient(Protocol):
    """The clock under trial. See `turnwright_world.client.clock.WorldClock`."""

    rings: bool
    ping_due_us: int

    def ping(self, local_us: int) -> TimePing: ...
    def pong(self, message: TimePong, local_us: int) -> bool: ...
    def change(self, segment: TimeSegment) -> None: ...
    def acknowledged(self, early_us: int) -> None: ...
    def game_us(self, local_us: float) -> int: ...
    def ring_us(self, local_us: float) -> int: ...
    def press(self, local_us: float) -> int | None: ...


class OneShot:
    """The clock of document 003: the server's time is adopted as it arrives, once; presses have no stamp."""

    def __init__(self) -> None:
        self.rings = False
        self.ping_due_us = 0
        self._ahead_us: int | None = None

    def ping(self, local_us: int) -> TimePing:
        """Ask once, when the client joins."""
        self.ping_due_us = 2**62
        return TimePing(1, local_us)

    def pong(self, message: TimePong, local_us: int) -> bool:
        """Adopt the server's time."""
        self._ahead_us = message.s - local_us
        return True

    def change(self, segment: TimeSegment) -> None:
        """Do nothing, because this clock knows no pause."""

    def acknowledged(self, early_us: int) -> None:
        """Do nothing."""

    def game_us(self, local_us: float) -> int:
        """Return its estimate of the game time."""
        return math.floor(local_us) + (self._ahead_us or 0)

    def ring_us(self, local_us: float) -> int:
        """Return the same time: the ring does not lead."""
        return self.game_us(local_us)

    def press(self, local_us: float) -> int | None:
        """Return no stamp."""
        return None


@dataclass
class Trial:
    """Results of one player.

    Attributes:
        errors_us: the errors of its clock, every 100 ms.
        backwards: the number of times that a ring went back.
        leads_us: by how much its rings ran ahead of the true time.
        early_us: by how much each press was early.
        presses, late, pings: the number of presses, of late presses, and of pings.
    """

    errors_us: list[float] = field(default_factory=list)
    leads_us: list[float] = field(default_factory=list)
    early_us: list[int] = field(default_factory=list)
    presses: int = 0
    late: int = 0
    backwards: int = 0
    pings: int = 0


class _Player:
    """One trial, as a queue of (true µs, sequence, what happens)."""

    def __init__(self, client: ClockClient, conditions: Conditions, seed: int) -> None:
        self.client = client
        self.trial = Trial()
        self._line = BadLine(conditions, seed)
        chance = random.Random(f"{seed}/player")
        drift_ppm = chance.choice((-1, 1)) * chance.uniform(*DRIFT_PPM)
        self._clock = DriftingClock(chance.randrange(10**9), drift_ppm)
        self._chance = chance
        self._ring_us = 0
        self._queue: list[tuple[float, int, str, int, TimePong | None]] = []
        self._sequence = 0
        client.change(TimeSegment(0, 0, 1_000_000))
        client.ping_due_us = 0

    def play(self, until_us: float) -> None:
        """Play one trial up to a true time."""
        self._at(0, "ping")
        for looks in range(SETTLED_US, int(until_us), LOOK_US):
            self._at(looks, "look")
        for presses in range(SETTLED_US, int(until_us), PRESS_US):
            self._at(presses + self._chance.randrange(PRESS_US), "press")
        while self._queue and self._queue[0][0] <= until_us:
            now_us, _, what, early_us, pong = heapq.heappop(self._queue)
            local_us = self._clock.at(now_us)
            if what == "ping":
                self._ping(now_us, local_us)
            elif what == "pong" and pong is not None:
                self.client.pong(pong, local_us)
            elif what == "look":
                self._look(now_us, local_us)
            elif what == "press":
                self._press(now_us, local_us)
            else:
                self.client.acknowledged(early_us)

    def _at(self, at_us: float, what: str, early_us: int = 0, pong: TimePong | None = None) -> None:
        self._sequence += 1
        heapq.heappush(self._queue, (at_us, self._sequence, what, early_us, pong))

    def _ping(self, now_us: float, local_us: int) -> None:
        ping = self.client.ping(local_us)
        received_us = self._line.up(now_us)
        sent_us = received_us + self._chance.random() * SERVER_US_MAX
        pong = TimePong(ping.n, ping.c, math.floor(received_us), math.floor(sent_us))
        self.trial.pings += 1
        self._at(self._line.down(sent_us), "pong", 0, pong)
        if self.client.ping_due_us < 2**62:
            self._at(now_us + max(1, self.client.ping_due_us - local_us), "ping")

    def _look(self, now_us: float, local_us: int) -> None:
        self.client.rings = True
        ring_us = self.client.ring_us(local_us)
        self.trial.errors_us.append(abs(self.client.game_us(local_us) - now_us))
        self.trial.leads_us.append(ring_us - now_us)
        self.trial.backwards += ring_us < self._ring_us
        self._ring_us = ring_us

    def _press(self, now_us: float, local_us: int) -> None:
        """Press while a ring shows that at most LAST_US are left, and count whether the press is late."""
        lands_us = self.client.ring_us(local_us) + self._chance.randrange(1, LAST_US)
        stamp_us = self.client.press(local_us)
        arrived_us = self._line.up(now_us)
        judged = judge(stamp_us, math.floor(arrived_us), 0)
        self.trial.presses += 1
        self.trial.late += judged.at_us > lands_us
        self.trial.early_us.append(judged.early_us)
        self._at(self._line.down(arrived_us), "ack", judged.early_us)


def try_clock(client: ClockClient, conditions: Conditions, seed: int, seconds: float) -> Trial:
    """Return the results of a player with this clock after some seconds.

    Args:
        seed: the seed of its line, clock and presses.
    """
    player = _Player(client, conditions, seed)
    player.play(seconds * 1e6)
    return player.trial
