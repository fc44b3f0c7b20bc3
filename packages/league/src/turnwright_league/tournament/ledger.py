"""The results of a tournament as sums: a new battle is added without a look at all others.

battle ──▶ its pairing ──▶ its entries ──▶ APS, intervals, which entries differ
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from turnwright_league.tournament.alike_entries import AlikeEntries
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.entry_estimates import EntryEstimates
from turnwright_league.tournament.intervals import MeanInterval
from turnwright_league.tournament.pairing_results import Group, PairingResults, Pairings
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.rounds import CountedBattles


class BattleCounts:
    """The numbers of battles.

    Attributes:
        counted: the battles that count, of them `forfeits` with an entry that failed.
        void: battles that the rules or the server failed in.
        suspect: battles that do not count until they are played again.
        played_by: battles that count, by entry.
        failed: battles that an entry forfeited, by entry.
    """

    def __init__(self) -> None:
        self.counted = self.forfeits = self.void = self.suspect = 0
        self.played_by: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self._uncounted: dict[str, dict[str, PlayedBattle]] = {}

    def note(self, battle: PlayedBattle, sign: int) -> None:
        """Count a battle, or take it out again (-1)."""
        entries = set(battle.spec.seats)
        if not battle.counts:
            self.void += sign * (battle.state == "void")
            self.suspect += sign * (battle.state != "void")
            for entry in entries:
                kept = self._uncounted.setdefault(entry, {})
                if sign > 0:
                    kept[battle.id] = battle
                else:
                    del kept[battle.id]
            return
        self.counted += sign
        for entry in entries:
            self.played_by[entry] += sign
        if battle.state == "forfeit":
            self.forfeits += sign
            for row in battle.scores:
                self.failed[row.entry] += sign * (row.failure is not None)

    def not_counted(self, entry: str) -> Sequence[PlayedBattle]:
        """Return the battles of an entry that do not count."""
        return list(self._uncounted.get(entry, {}).values())


class ResultLedger:
    """The battles of some entries, and what follows from them.

    Args:
        entries: battles with another participant are left out.
        played: a battle that comes again replaces its result.

    Attributes:
        counts: the numbers of battles.
        meetings: the battles that count, by the entries that met.
        version: it grows with each result.
    """

    def __init__(self, entries: Sequence[TournamentEntry], played: Iterable[PlayedBattle] = ()) -> None:
        self.entries = tuple(entries)
        self.battles: dict[str, PlayedBattle] = {}
        self.counts = BattleCounts()
        self.meetings = CountedBattles()
        self.version = 0
        self._known = {entry.id for entry in entries}
        self._pairings = Pairings()
        self._estimates = EntryEstimates(self._pairings)
        self._refreshed = 0
        self._alike: AlikeEntries | None = None
        for battle in played:
            self.add(battle)

    def add(self, battle: PlayedBattle) -> None:
        """Add a result, or take it for an earlier one of the same battle."""
        if not self._known.issuperset(battle.spec.seats):
            return
        before = self.battles.get(battle.id)
        if before is not None:
            self._note(before, -1)
        self.battles[battle.id] = battle
        self.version += 1
        self._note(battle, 1)

    def _note(self, battle: PlayedBattle, sign: int) -> None:
        self.counts.note(battle, sign)
        if battle.counts:
            self.meetings.note(battle, sign)
            self._pairings.note(battle, sign)

    def refresh(self) -> None:
        """Bring all sums up to date: of the pairings with new battles, then of their entries."""
        if self._refreshed == self.version:
            return
        self._refreshed = self.version
        changed, all_changed = self._pairings.refresh()
        self._estimates.refresh(changed, all_changed=all_changed)
        if changed:
            self._alike = None

    # ---- what follows ------------------------------------------------------------------------------------

    @property
    def correlation(self) -> float:
        """The correlation between the two battles of a seed."""
        self.refresh()
        return self._pairings.correlation

    @property
    def pairings(self) -> Mapping[Group, PairingResults]:
        """The results of the pairings with battles that count."""
        self.refresh()
        return self._pairings.results

    def interval(self, entry: str) -> MeanInterval | None:
        """Return an entry's APS with its interval, in percent within 0 and 100; None without a battle."""
        self.refresh()
        return self._estimates.interval(entry)

    def aps(self, entry: str) -> float:
        """Return the APS in percent, below all others without a battle."""
        self.refresh()
        sums = self._estimates.sums.get(entry)
        return -math.inf if sums is None else 100 * sums.mean

    def half_width(self, entry: str) -> float:
        """Return half the width of an entry's interval; infinite where there is none."""
        found = self.interval(entry)
        return found.half_width if found else math.inf

    def percentages(self, entry: str) -> Mapping[str, Any]:
        """Return the means of an entry's shares, in percent, by column; empty without a battle."""
        self.refresh()
        sums = self._estimates.sums.get(entry)
        return {} if sums is None else sums.percentages

    def alike(self, order: Sequence[str]) -> list[Sequence[int]]:
        """Return for each of these entries a 1 for each of them that it cannot be told apart from.

        Rows and their numbers are in the order of these entries.

        Args:
            order: entries of the ledger.
        """
        self.refresh()
        if self._alike is None:
            self._alike = AlikeEntries(self._estimates, self._pairings)
        return self._alike.rows(order)
