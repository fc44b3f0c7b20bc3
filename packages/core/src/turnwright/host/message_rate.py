"""The rate at which a connection may send messages. A message costs credit. A connection earns credit with
time, and with answers to turns.
"""

from __future__ import annotations

RATE_PER_S = 200
"""The number of messages that any connection may send in a second. Each answered turn allows ANSWERS_FREE
more messages.
"""
RATE_BURST = 400
ANSWERS_FREE = 4
BYTES_PER_CREDIT = 65_536
"""A message costs one more credit for each 65,536 bytes of its length, because reading large messages takes
time.
"""
FAULTY_BYTES_PER_CREDIT = 1_024
"""A message that cannot be read costs one more credit for each 1,024 bytes of its length, because finding the
mistake takes time.
"""
DROPPED_BYTES_MAX = 16 << 20
"""The server pauses reading from a connection above its rate only after it has dropped this number of bytes.
A short flood ends before a pause would take effect.
"""
OVER_RATE_CLOSE_NS = 10_000_000_000
"""A connection that exceeds its rate again and again for longer than this time, in ns, is closed."""
_MESSAGE_BYTES = 256
"""The cost of dropping a message, in bytes, in addition to its length."""
_CALM_NS = 1_000_000_000
"""If a connection has kept to its rate for this time, in ns, its earlier excess no longer counts."""


class MessageRate:
    """The rate of one connection, measured from `since_ns`. The connection begins with the full credit of
    RATE_BURST messages.

    Attributes:
        credited_turn: the newest turn whose answer was credited.
        spared_turn: the newest turn in which a message above the rate was accepted.
    """

    __slots__ = (
        "_credit",
        "_credited_ns",
        "_dropped_bytes",
        "_over_since_ns",
        "_refused_ns",
        "credited_turn",
        "spared_turn",
    )

    def __init__(self, since_ns: int) -> None:
        self.forget_turns()
        self._credit: float = RATE_BURST
        self._credited_ns = self._over_since_ns = since_ns
        self._refused_ns = since_ns - _CALM_NS
        self._dropped_bytes = 0

    def forget_turns(self) -> None:
        """Forget the turns of another host's battles."""
        self.credited_turn = self.spared_turn = -1

    def charge(self, now_ns: int, size: int = 0) -> bool:
        """Charge a connection for a message and return whether the message is accepted.

        Args:
            size: the length in bytes. A large message costs several credits.
        """
        price = 1 + size // BYTES_PER_CREDIT
        if self._credit >= price:
            self._credit -= price
            return True
        earned = (now_ns - self._credited_ns) * RATE_PER_S / 1e9
        self._credited_ns = now_ns
        self._credit = min(RATE_BURST, self._credit + earned)
        if self._credit >= price:
            self._credit -= price
            return True
        if now_ns - self._refused_ns >= _CALM_NS:
            self._over_since_ns, self._dropped_bytes = now_ns, 0
        self._refused_ns = now_ns
        return False

    def must_pause(self, size: int) -> bool:
        """Count a message of `size` bytes that was dropped. Return whether the server must pause reading from
        the connection.
        """
        self._dropped_bytes += size + _MESSAGE_BYTES
        return self._dropped_bytes > DROPPED_BYTES_MAX

    def spare(self, turn: int, size: int) -> bool:
        """Return whether to accept a message above the rate. One such message is accepted in each turn,
        because it may be an answer for which the turn waits.
        """
        if self.spared_turn == turn or self.credited_turn == turn or size >= BYTES_PER_CREDIT:
            return False
        self.spared_turn = turn
        return True

    def charge_mistake(self, size: int) -> None:
        """Charge a connection for a message that could not be read.

        The message costs one credit for each KiB of its `size`. A valid message of this size costs less.
        """
        self._credit -= size // FAULTY_BYTES_PER_CREDIT

    def credit_turn(self, turn: int) -> None:
        """Credit a connection for its answer to a turn, even if the answer is late or early.

        The credit is enough for ANSWERS_FREE messages. A connection that has RATE_BURST gets no more.
        """
        self.credited_turn = turn
        if self._credit < RATE_BURST:
            self._credit += ANSWERS_FREE

    def charge_answer(self, turn: int) -> bool:
        """Charge a connection for a small message that is its first answer to a turn, and credit the turn.

        Return False, without any change, if this short form is not possible. Then call `charge` and
        `credit_turn` instead.
        """
        credit = self._credit
        if credit < 1 or self.credited_turn == turn:
            return False
        self.credited_turn = turn
        self._credit = credit + ANSWERS_FREE - 1 if credit - 1 < RATE_BURST else credit - 1
        return True

    def is_flooding(self, now_ns: int) -> bool:
        """Return whether the connection must be closed because it exceeded its rate for too long."""
        return now_ns - self._over_since_ns > OVER_RATE_CLOSE_NS
