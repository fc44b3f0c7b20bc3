"""Chooses the battles that narrow the intervals of the standings most.

Pairings with too few battles come first. Then comes the pairing with the largest variance / (n (n + 1)), the
amount by which one more battle lowers the variance of the mean. Pairings are kept sorted by their number of
battles and variance. A result moves only its own pairing, and the choice looks at the first pairing of each
number.

An interval that is narrow by chance would end the tournament too early. So each pairing gets at least 2 to 8
battles, and more of them if an entry has few pairings. For the same reason, the variance of a pairing is
moved towards the variance of all pairings.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence, Set
from dataclasses import replace

from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.ledger import ResultLedger
from turnwright_league.tournament.pairings import (
    PairingRules,
    battle_of,
    participants_of,
)
from turnwright_league.tournament.rounds import RoundBattles, is_in_rounds, tournament_rounds

_FREEDOM_LEAST = 28
"""The fewest degrees of freedom of an APS for which an interval can count as narrow enough."""
_BATTLES_LEAST_MAX = 8
"""The number of battles of each pairing with which an interval can count as narrow enough in any case."""
_PRIOR_FREEDOM = 4
"""The weight of the variance of all pairings in the variance of one pairing, in degrees of freedom."""

Group = tuple[str, ...]


class NarrowingBattles:
    """Chooses battles until all intervals are narrow enough.

    Args:
        entries: the entries that play.
        ledger: the results. The caller adds new ones.
        half_width: the aim for each entry's APS interval, in points of APS. With None no interval is ever
            narrow enough.
        pairs: the sorted ids of entries that meet, or None for the pairs that follow from the rules.

    Raises:
        SetupError: the entries cannot be paired.
    """

    def __init__(
        self,
        entries: Sequence[TournamentEntry],
        rules: PairingRules,
        ledger: ResultLedger,
        half_width: float | None,
        pairs: Iterable[Group] | None = None,
    ) -> None:
        self._entries, self._rules, self._ledger, self._aim = entries, rules, ledger, half_width
        if pairs is None:
            rounds = tournament_rounds(entries, replace(rules, battles=1), ledger.battles.values())
            pairs = {group for one in rounds for group in one}
        self._groups = sorted(pairs)
        self._by_rounds = is_in_rounds(len(entries), rules)
        self._rounds: list[RoundBattles] = []
        """For a format in rounds, the battles if each group has 0, 2, 4, … battles more than by the rules. A
        melee needs only the first item, which grows.
        """
        self._place = {group: place for place, group in enumerate(self._groups)}
        of_entry = Counter(one for group in self._groups for one in group)
        self._least = [
            min(_BATTLES_LEAST_MAX, 1 + max(math.ceil(_FREEDOM_LEAST / of_entry[one]) for one in group))
            for group in self._groups
        ]
        self._next_index = [0] * len(self._groups)
        self._battles = [0] * len(self._groups)
        self._spreads: dict[int, float] = {}
        self._due: list[tuple[int, int]] = [(0, place) for place in range(len(self._groups))]
        """Pairings with too few battles, as (number of battles, position)."""
        self._open: dict[int, list[tuple[float, int]]] = {}
        """The other pairings by number of battles, as (negative variance, position)."""
        self._seen = 0

    def next(self, known: Container[str], count: int, waiting: Sequence[BattleSpec] = ()) -> list[BattleSpec]:
        """Return up to `count` battles. There are none if all intervals are narrow enough.

        Args:
            known: the ids of played and running battles, which are not chosen again. Later calls need the
                same ids, too.
            waiting: the battles without a result. They are treated as if they counted.
        """
        self._ledger.refresh()
        wide = self._wide()
        if self._by_rounds:
            return self._more_rounds(known, count) if wide and count else []
        self._follow()
        usual = math.fsum(self._spreads.values()) / len(self._spreads) if self._spreads else 0.0
        again: dict[int, int] = {}
        for group in map(participants_of, waiting):
            if group in self._place:
                place = self._place[group]
                again[place] = again.get(place, self._battles[place]) + 1
        taken = {spec.id for spec in waiting}
        chosen: list[BattleSpec] = []
        due = iter([one for one in self._due[: count + len(again)] if one[1] not in again])
        streams = [self._candidates(number, wide, usual, again) for number in self._open]
        heads = [next(stream, None) for stream in streams]
        first_due = next(due, None)
        while len(chosen) < count:
            # of equal ones the one with fewer battles, then the first
            best: tuple[float, int, int] | None = None
            where = -2
            if first_due is not None:
                best, where = (-math.inf, first_due[0], first_due[1]), -1
            for place, battles in again.items():
                if battles < self._least[place]:
                    key = (-math.inf, battles, place)
                elif wide.isdisjoint(self._groups[place]):
                    continue
                else:
                    key = (-self._gain(place, battles, usual), battles, place)
                if best is None or key < best:
                    best, where = key, -2
            for nth, head in enumerate(heads):
                if head is not None and (best is None or head < best):
                    best, where = head, nth
            if best is None:
                break
            place = best[2]
            if where == -1:
                first_due = next(due, None)
            elif where >= 0:
                heads[where] = next(streams[where], None)
            chosen.append(self._spec(place, known, taken))
            taken.add(chosen[-1].id)
            again[place] = best[1] + 1
        return chosen

    def battle(self, pair: Group, known: Container[str], waiting: Sequence[BattleSpec]) -> BattleSpec:
        """Return the next battle of two entries that meet in this tournament.

        Args:
            known, waiting: see `next`.
        """
        return self._spec(self._place[pair], known, {spec.id for spec in waiting})

    def _wide(self) -> set[str]:
        """Return the entries whose intervals are not narrow enough."""
        ids = [entry.id for entry in self._entries]
        return {one for one in ids if self._aim is None or not self._ledger.half_width(one) <= self._aim}

    def _candidates(
        self, number: int, wide: Set[str], usual: float, taken: Container[int]
    ) -> Iterator[tuple[float, int, int]]:
        """Yield the pairings with this number of battles, best first: (negative gain, battles, position)."""
        for _, place in self._open[number]:
            if place not in taken and not wide.isdisjoint(self._groups[place]):
                yield -self._gain(place, number, usual), number, place

    def _gain(self, place: int, battles: int, usual: float) -> float:
        """Return by how much one more battle than `battles` lowers the variance of a pairing's mean."""
        freedom = max(0, self._battles[place] - 1)
        own = self._spreads.get(place, 0.0)
        spread = (freedom * own + _PRIOR_FREEDOM * usual) / (freedom + _PRIOR_FREEDOM)
        return spread / (battles * (battles + 1))

    def _spec(self, place: int, known: Container[str], taken: Container[str]) -> BattleSpec:
        """Return the first battle of a pairing that is neither known nor taken."""
        group, index = self._groups[place], self._next_index[place]
        while (spec := battle_of(group, self._rules, index)).id in known:
            index += 1
        self._next_index[place] = index
        while spec.id in taken or spec.id in known:
            index += 1
            spec = battle_of(group, self._rules, index)
        return spec

    def _follow(self) -> None:
        """Move the pairings that got a battle since the last choice to their new positions."""
        log = self._ledger.meetings.changed
        changed, self._seen = log[self._seen :], len(log)
        for group in dict.fromkeys(changed):
            place = self._place.get(group)
            if place is None:
                continue
            self._remove(place)
            found = self._ledger.pairings.get(group)
            battles = self._battles[place] = found.battles if found else 0
            self._spreads.pop(place, None)
            if found is not None and battles > 1:
                self._spreads[place] = max(found.spreads.values())
            if battles < self._least[place]:
                insort(self._due, (battles, place))
            else:
                insort(self._open.setdefault(battles, []), (-self._spreads.get(place, 0.0), place))

    def _remove(self, place: int) -> None:
        battles = self._battles[place]
        if battles < self._least[place]:
            del self._due[bisect_left(self._due, (battles, place))]
            return
        some = self._open[battles]
        del some[bisect_left(some, (-self._spreads.get(place, 0.0), place))]

    def _more_rounds(self, known: Container[str], count: int) -> list[BattleSpec]:
        """Return the next battles of a format in rounds.

        The battles of the rules come first, and then additional ones.
        """
        for nth in itertools.count():
            if nth == len(self._rounds):
                rules = replace(self._rules, battles=self._rules.battles + 2 * nth)
                self._rounds.append(RoundBattles(self._entries, rules, self._ledger.meetings))
            while not (due := self._rounds[nth].next(known, count)) and self._rules.format == "melee":
                self._rounds[nth].grow()  # its cycles do not wait for results
            if due:
                return due
        raise AssertionError("more battles are always due")
