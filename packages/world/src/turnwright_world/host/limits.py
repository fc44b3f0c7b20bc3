"""Rate limits for lines, and limits on attempts to log in.

A connection that exceeds its rate gets a notice at most once per second, with the number of dropped lines.
"""

from __future__ import annotations

from collections import Counter

from turnwright.host.admission import RateLimiter, is_loopback

LINES_PER_S, LINES_BURST = 8, 24
"""The lines per second of one connection, and the most lines in a burst. Each step of a walk is a line."""
ADDRESS_LINES_PER_S, ADDRESS_LINES_BURST = 160, 640
"""The lines per second of all connections of one address, and the most lines in a burst."""
NOTICE_NS = 1_000_000_000
FLOOD_DROPPED_MAX = 2_000
"""A connection is closed after this number of lines over the limit."""
NAME_ATTEMPTS_MAX = 50
"""The most failed passphrases for one name. Attempts from the address of the owner's last login are not
counted.
"""
ACCOUNTS_MAX = 10
ACCOUNTS_WINDOW_NS = 3_600_000_000_000
"""One address may make ACCOUNTS_MAX new accounts within this time, an hour. Connections from this machine
have no limit.
"""


class SpamGuard:
    """Limits how fast a connection may send lines.

    Attributes:
        dropped: the number of lines over the limit.
    """

    __slots__ = ("_bucket", "_notice_ns", "_untold", "dropped")

    def __init__(self, per_s: int = LINES_PER_S, burst: int = LINES_BURST) -> None:
        self._bucket = RateLimiter(per_s, burst)
        self._notice_ns: int | None = None
        self._untold = 0
        self.dropped = 0

    def allow(self, now_ns: int, shared: RateLimiter | None = None) -> bool:
        """Count a line and return whether the server may read it.

        Args:
            shared: the rate limit of the connection's address.
        """
        if self._bucket.allow(now_ns) and (shared is None or shared.allow(now_ns)):
            return True
        self.dropped += 1
        self._untold += 1
        if self._notice_ns is None:
            self._notice_ns = now_ns
        return False

    @property
    def notice_due_ns(self) -> int | None:
        """The time of the next notice, or None if there is nothing to report."""
        return self._notice_ns if self._untold else None

    @property
    def flooding(self) -> bool:
        """Whether so many lines were dropped that the connection must be closed."""
        return self.dropped > FLOOD_DROPPED_MAX

    def notice(self, now_ns: int) -> str | None:
        """Return a notice of dropped lines, at most once per second, or None if no notice is due."""
        if not self._untold or self._notice_ns is None or now_ns < self._notice_ns:
            return None
        count, self._untold = self._untold, 0
        self._notice_ns = now_ns + NOTICE_NS
        lines = "1 line was" if count == 1 else f"{count} lines were"
        return f"Too fast: {lines} dropped. The limit is {LINES_PER_S} a second."


class Addresses:
    """Limits the rate of lines from all connections of one address together.

    The number of connections is limited elsewhere, at admission.
    """

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()
        self._lines: dict[str, RateLimiter] = {}

    def enter(self, address: str) -> None:
        """Count a new connection from an address."""
        self._open[address] += 1

    def leave(self, address: str) -> None:
        """Note that a counted connection has ended."""
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]
            self._lines.pop(address, None)

    def lines(self, address: str) -> RateLimiter | None:
        """Return the rate limit of an address, or None for this machine, which has no limit."""
        if is_loopback(address):
            return None
        limiter = self._lines.get(address)
        if limiter is None:
            limiter = self._lines[address] = RateLimiter(ADDRESS_LINES_PER_S, ADDRESS_LINES_BURST)
        return limiter
