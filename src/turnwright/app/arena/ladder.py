"""The next battles of a bot arena's ladder. No I/O.

    fewer than NEWCOMER_BATTLES    entries with the fewest battles first, against whom they met least
    then                           pairings with too few battles, then the one whose next battle narrows its
                                   mean most, as `--until-ci` chooses it

Entries that stand (house bots) do not meet each other: they are there to be measured against.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Container, Sequence, Set
from itertools import combinations

from turnwright.tournament.battle_spec import BattleSpec
from turnwright.tournament.ledger import ResultLedger
from turnwright.tournament.next_battles import NarrowingBattles
from turnwright.tournament.pairings import PairingRules, participants_of

NEWCOMER_BATTLES = 8
"""Battles until an entry is a newcomer no more."""


class LadderBattles:
    """Chooses the battles of two entries of a ladder.

    ledger: its entries and their results, which its owner adds. standing: ids of those that do not meet each
    other.
    """

    def __init__(self, ledger: ResultLedger, standing: Set[str], rules: PairingRules) -> None:
        self._ledger = ledger
        ids = sorted(entry.id for entry in ledger.entries)
        self._moving = [one for one in ids if one not in standing] if len(ids) > 1 else []
        self._ids = ids
        pairs = (pair for pair in combinations(ids, 2) if not standing >= set(pair))
        self._narrowing = NarrowingBattles(ledger.entries, rules, ledger, None, pairs)

    def next(self, known: Container[str], count: int, waiting: Sequence[BattleSpec] = ()) -> list[BattleSpec]:
        """Return the next battles, none if no two entries meet.

        known: ids of battles that are not to be given again. waiting: battles that were handed out and have
        no result yet. count: of battles, at most.
        """
        self._ledger.refresh()
        given = list(waiting)
        while len(given) < len(waiting) + count and (pair := self._newcomers_pair(given)):
            given.append(self._narrowing.battle(pair, known, given))
        chosen = given[len(waiting) :]
        return chosen + self._narrowing.next(known, count - len(chosen), given)

    def _newcomers_pair(self, given: Sequence[BattleSpec]) -> tuple[str, ...] | None:
        """Return the pair in which the newest entry meets the one it met least, or None: no entry is new.

        given: battles without a result.
        """
        meeting = Counter(map(participants_of, given))
        playing = Counter(one for pair in meeting.elements() for one in pair)
        fought = {one: self._ledger.played_by[one] + playing[one] for one in self._moving}
        new = [one for one, battles in fought.items() if battles < NEWCOMER_BATTLES]
        if not new:
            return None
        newest = min(new, key=lambda one: (fought[one], _mark(one)))

        def met(pair: tuple[str, ...]) -> tuple[int, str]:
            found = self._ledger.pairings.get(pair)
            battles = meeting[pair] + (found.battles if found is not None else 0)
            return battles, _mark(*pair, str(fought[newest]))

        return min((tuple(sorted((newest, one))) for one in self._ids if one != newest), key=met)


def _mark(*texts: str) -> str:
    """Return what orders equals as if drawn, the same every time."""
    return hashlib.blake2b("/".join(texts).encode(), digest_size=8).hexdigest()
