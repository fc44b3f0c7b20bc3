"""Bodies that wait in the world for players whose lines were lost: so many of one address, and in one place.

Beyond that the oldest ones go at once: those of the address itself; in a place, those of the address that has
most of them there. So nobody fills a place, and nobody's body goes because of somebody else's hundreds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from turnwright.games.world.entities import OUTSIDE, Creature

__all__ = ["ADDRESS_ABSENT_MAX", "PLACE_ABSENT_MAX", "Absent", "Waiting"]

ADDRESS_ABSENT_MAX = 12
"""Bodies of one address that wait."""
PLACE_ABSENT_MAX = 50
"""Bodies that wait in one place."""


class Waiting(NamedTuple):
    """A body that waits. address: where its line came from; keep: when it goes, it waits outside."""

    body: int
    address: str
    keep: bool


class Absent:
    """Who waits, the oldest first."""

    def __init__(self) -> None:
        self._waiting: dict[int, Waiting] = {}
        self._grown = False

    def __len__(self) -> int:
        return len(self._waiting)

    def note(self, body: int, address: str, *, keep: bool) -> None:
        """The line of a body is lost. address: "" = not known, as after a restart; such are not counted."""
        if address:
            self._waiting.setdefault(body, Waiting(body, address, keep))
            self._grown = True

    def back(self, body: int) -> None:
        """Somebody is there again for a body."""
        self._waiting.pop(body, None)

    def surplus(self, creatures: Mapping[int, Creature]) -> list[Waiting]:
        """Return, once, who must go now, the oldest first."""
        if not self._grown:
            return []
        self._grown = False
        for body in [b for b in self._waiting if b not in creatures or creatures[b].place == OUTSIDE]:
            del self._waiting[body]
        gone = [one for one in self._of_addresses() if self._waiting.pop(one.body, None)]
        gone += [one for one in self._in_places(creatures) if self._waiting.pop(one.body, None)]
        return gone

    def _of_addresses(self) -> list[Waiting]:
        """Return who is too many of an address."""
        many = Counter(one.address for one in self._waiting.values())
        gone: list[Waiting] = []
        for one in self._waiting.values():
            if many[one.address] > ADDRESS_ABSENT_MAX:
                many[one.address] -= 1
                gone.append(one)
        return gone

    def _in_places(self, creatures: Mapping[int, Creature]) -> list[Waiting]:
        """Return who is too many in a place."""
        there: dict[str, dict[str, list[Waiting]]] = {}
        for one in self._waiting.values():
            there.setdefault(creatures[one.body].place, {}).setdefault(one.address, []).append(one)
        gone: list[Waiting] = []
        for by_address in there.values():
            for _ in range(sum(map(len, by_address.values())) - PLACE_ABSENT_MAX):
                gone.append(max(by_address.values(), key=len).pop(0))
        return gone
