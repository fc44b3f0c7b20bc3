"""Counts of open connections by address, for admission."""

from __future__ import annotations

from collections import Counter

from turnwright.host.admission import AdmissionConfig, Caller, RateLimiter, is_loopback, party_of

LIMITERS_MAX = 4_096
"""The largest number of parties whose rates of new connections are measured."""
_DEFAULT = AdmissionConfig()


class Callers:
    """Counts open connections by party, and measures the rate of new connections.

    A party is an address at one listener. For an IPv6 address of the internet, it is the /64 network at one
    listener. If the same address connects through two listeners, from two network namespaces, it is two
    parties.
    Loopback addresses have no rate limit.

    Args:
        gate: the limits.
    """

    def __init__(self, gate: AdmissionConfig = _DEFAULT) -> None:
        self._rates = gate.new_per_address_per_s, gate.new_per_address_burst
        self._open: Counter[str] = Counter()
        self._limiters: dict[str, RateLimiter] = {}
        self.total = 0

    def enter(self, address: str, now_ns: int, listener: str = "") -> Caller:
        """Count a new connection. Return the facts with which its admission is decided.

        The counts in these facts do not include the new connection.

        Args:
            listener: the name of the listener that accepted it, "" for the first.
        """
        party = party_of(address, listener)
        within_rate = is_loopback(address) or self._within_rate(party, now_ns)
        caller = Caller(address, self._open[party], self.total, within_rate)
        self._open[party] += 1
        self.total += 1
        return caller

    def leave(self, address: str, listener: str = "") -> None:
        """Remove a connection that has ended from the counts."""
        party = party_of(address, listener)
        self.total -= 1
        self._open[party] -= 1
        if self._open[party] <= 0:
            del self._open[party]

    def _within_rate(self, party: str, now_ns: int) -> bool:
        limiter = self._limiters.get(party)
        if limiter is None:
            if len(self._limiters) >= LIMITERS_MAX:
                self._forget_idle(now_ns)
            limiter = self._limiters[party] = RateLimiter(*self._rates)
        return limiter.allow(now_ns)

    def _forget_idle(self, now_ns: int) -> None:
        busy = {party: limiter for party, limiter in self._limiters.items() if not limiter.idle(now_ns)}
        self._limiters = busy if len(busy) < LIMITERS_MAX else {}


class Refusals:
    """The refused connections of one port that are still open.

    A refused connection stays open until the client has read the reason. At most `most` of them are open at
    the same time.
    """

    __slots__ = ("count", "most")

    def __init__(self, most: int) -> None:
        self.most = most
        self.count = 0


class CountedConnection:
    """One counted connection, from its beginning to its end.

    Args:
        refusals: the refusals of its port.
        listener: the name of the listener that accepted it, "" for the first.

    Attributes:
        caller: the facts with which admission is decided. Their counts do not include this connection.
    """

    __slots__ = ("_address", "_callers", "_counts", "_listener", "_refusals", "_waits", "caller")

    def __init__(
        self, callers: Callers, refusals: Refusals, address: str, now_ns: int, listener: str = ""
    ) -> None:
        self._callers = callers
        self._refusals = refusals
        self._address = address
        self._listener = listener
        self._counts = True
        self._waits = False
        self.caller = callers.enter(address, now_ns, listener)

    def move(self, address: str, now_ns: int) -> None:
        """Count the connection for `address` from now on, which a trusted proxy reports as the client's."""
        self._callers.leave(self._address, self._listener)
        self._address = address
        self.caller = self._callers.enter(address, now_ns, self._listener)

    def refuse(self) -> bool:
        """Refuse the connection and stop counting it.

        Return whether the connection may stay open until the client has read the reason.
        """
        self._leave()
        if self._refusals.count >= self._refusals.most:
            return False
        self._refusals.count += 1
        self._waits = True
        return True

    def end(self) -> None:
        """Remove the connection, which has ended, from the counts. A second call has no effect."""
        self._leave()
        if self._waits:
            self._waits = False
            self._refusals.count -= 1

    def _leave(self) -> None:
        if self._counts:
            self._counts = False
            self._callers.leave(self._address, self._listener)
