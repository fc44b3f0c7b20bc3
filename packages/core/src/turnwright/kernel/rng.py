"""Named random streams from one seed.

A stream has a counter and a key. The key is a hash of (seed, purpose, numbers). So two purposes, rounds or
turns never share random numbers, and an additional draw in one place changes no random number elsewhere. The
generator is SplitMix64 (Steele, Lea, Flood 2014). It uses only integers, so it gives the same numbers on
every platform.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

SEED_MAX = 2**63 - 1
_MASK = 0xFFFF_FFFF_FFFF_FFFF
_GOLDEN = 0x9E37_79B9_7F4A_7C15


_BOT_SEED_BITS = 53


class Stream:
    """A sequence of random numbers that depends only on its key."""

    __slots__ = ("_state",)

    def __init__(self, key: int) -> None:
        self._state = key & _MASK

    def bits64(self) -> int:
        """Return the next integer in [0, 2**64)."""
        self._state = (self._state + _GOLDEN) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D0_49BB_1331_11EB) & _MASK
        return z ^ (z >> 31)

    def uniform(self) -> float:
        """Return the next number in [0, 1). It is a multiple of 2**-53."""
        return (self.bits64() >> 11) * 2.0**-53

    def below(self, limit: int) -> int:
        """Return the next integer in [0, limit), uniformly distributed.

        Raises:
            ValueError: the limit is below 1.
        """
        if limit < 1:
            raise ValueError(f"below() wants a limit of 1 or more, got {limit}")
        ceiling = (_MASK + 1) // limit * limit
        while True:
            value = self.bits64()
            if value < ceiling:
                return value % limit


class Streams:
    """All random streams of one battle.

    Args:
        seed: a number from 0 to `SEED_MAX`.

    Raises:
        ValueError: the seed is below 0 or above `SEED_MAX`.
    """

    __slots__ = ("seed",)

    def __init__(self, seed: int) -> None:
        if not 0 <= seed <= SEED_MAX:
            raise ValueError(f"a seed is an integer from 0 to {SEED_MAX}, got {seed}")
        self.seed = seed

    def stream(self, purpose: str, *numbers: int) -> Stream:
        """Return a new stream for a purpose, e.g. `stream("place", round)`.

        Two streams with the same purpose and the same numbers have the same random numbers.
        """
        return Stream(self.key(purpose, *numbers))

    def key(self, purpose: str, *numbers: int) -> int:
        """Return the key of a stream. The key has 64 bits and determines all numbers of the stream."""
        return int.from_bytes(self._begun(purpose, *numbers).digest(), "little")

    def family(self, purpose: str, *numbers: int) -> Callable[[int], Stream]:
        """Return a function that maps `last` to `stream(purpose, *numbers, last)`.

        Calling this function takes half the time of `stream`.
        """
        begun = self._begun(purpose, *numbers)
        begun.update(b"/" if numbers else b"")

        def stream(last: int) -> Stream:
            whole = begun.copy()
            whole.update(b"%d" % last)
            return Stream(int.from_bytes(whole.digest(), "little"))

        return stream

    def _begun(self, purpose: str, *numbers: int) -> hashlib.blake2b:
        text = f"{self.seed}/{purpose}/" + "/".join(map(str, numbers))
        return hashlib.blake2b(text.encode(), digest_size=8)


def bot_seed(seed: int, seat: int) -> int:
    """Return the seed for a program's own random numbers, below 2**53.

    A program cannot compute the battle's seed, or the game's random numbers, from this seed. But if the
    battle's seed is a small number, a program can find it by trying.
    """
    return Streams(seed).key("bot seed", seat) >> (64 - _BOT_SEED_BITS)
