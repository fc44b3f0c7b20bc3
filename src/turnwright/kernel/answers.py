"""How long answers took, on a coarse scale: one character a seat, two steps an octave.

    "0" below 1.4 µs … "J" from 0.72 ms … "K" from 1.02 ms … "U" from 32.8 ms … "-" no answer

A record has room for no more; the characters sort as the times do.
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.kernel.game import Seat

__all__ = ["ANSWER_CODES", "NO_ANSWER", "answer_code", "answer_codes", "answer_ns"]

ANSWER_CODES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""Code k: from 2**(k / 2) µs on, the last one for all that is longer."""
NO_ANSWER = "-"
_LAST = len(ANSWER_CODES) - 1


def answer_code(duration_ns: int) -> str:
    """Return the character for a duration (ns; below 0 counts as 0)."""
    duration_us = duration_ns // 1000
    if duration_us < 1:
        return ANSWER_CODES[0]
    octave = duration_us.bit_length() - 1
    upper_half = duration_us * duration_us >> (2 * octave + 1)
    return ANSWER_CODES[min(2 * octave + upper_half, _LAST)]


def answer_ns(code: str) -> int | None:
    """Return about how long an answer took (ns, within 19 %), or None for no answer or no code."""
    step = ANSWER_CODES.find(code) if len(code) == 1 else -1
    if step < 0:
        return None
    return (1000 << step // 2) * (1682 if step % 2 else 1189) // 1000


def answer_codes(durations_ns: Mapping[Seat, int], seats: int) -> str:
    """Return the characters for all seats."""
    return "".join([answer_code(durations_ns[s]) if s in durations_ns else NO_ANSWER for s in range(seats)])
