"""The results of a tournament as sums, so that a new battle is added without reading all others.

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
        counted: the battles that count. `forfeits` of them have an entry that failed.
        void: the battles in which the rules or the server failed.
        suspect: the battles that do not count until they are played again.
        played_by: the number of battles that count, by entry.
        failed: the number of forfeited battles, by entry.
    """

    def __init__(self) -> None:
        self.counted = self.forfeits = self.void = self.suspect = 0
        self.played_by: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self._uncounted: dict[str, dict[str, PlayedBattle]] = {}

    def note(self, battle: PlayedBattle, sign: int) -> None:
        """Count a battle, or remove it (-1)."""
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
    """The battles of some entries, and the numbers that follow from them.

    Args:
        entries: the entries. Battles with another participant are left out.
        played: the battles. A battle that is given again replaces its result.

    Attributes:
        counts: the numbers of battles.
        meetings: the battles that count, by the entries that met.
        version: a number that grows with each result.
    """

    def __init__(self, entries: Sequence[TournamentEntry], played: Iterable[PlayedBattle] = ()) -> None:
        self.entries = tuple(entries)
        self.battles: dict[str, PlayedBattle] = {}
        self.counts = BattleCounts()
        self.meetings = CountedBattles()
        self.version = 0
        self._known = {entry.id for entry in entries}
        self._pairings = Pairings([entry.id for entry in entries])
        self._estimates = EntryEstimates(self._pairings)
        self._refreshed = 0
        self._alike: AlikeEntries | None = None
        for battle in played:
            self.add(battle)

    def add(self, battle: PlayedBattle) -> None:
        """Add a result, or replace the earlier one. A battle with another participant is ignored."""
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
        """Update all sums, first of the pairings with new battles, then of their entries."""
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
        """Return an entry's APS with its interval, in percent from 0 to 100, or None without a battle."""
        self.refresh()
        return self._estimates.interval(entry)

    def aps(self, entry: str) -> float:
        """Return the APS in percent, or −infinity without a battle."""
        self.refresh()
        sums = self._estimates.sums.get(entry)
        return -math.inf if sums is None else 100 * sums.mean

    def half_width(self, entry: str) -> float:
        """Return half the width of an entry's interval, or infinity without an interval."""
        found = self.interval(entry)
        return found.half_width if found else math.inf

    def percentages(self, entry: str) -> Mapping[str, Any]:
        """Return the means of an entry's shares, in percent, by column. Without a battle it is empty."""
        self.refresh()
        sums = self._estimates.sums.get(entry)
        return {} if sums is None else sums.percentages

    def alike(self, order: Sequence[str]) -> list[Sequence[int]]:
        """Return for each of these entries a row of bits. A bit is 1 if the two entries may be equally
        strong.

        Rows and their numbers are in the order of these entries.

        Args:
            order: the entries, which are in the ledger.
        """
        self.refresh()
        if self._alike is None:
            self._alike = AlikeEntries(self._estimates, self._pairings)
        return self._alike.rows(order)
