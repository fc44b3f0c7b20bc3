"""The next battles of a bot arena's ladder. No I/O.

    fewer than NEWCOMER_BATTLES    entries with the fewest battles first, against whom they met least
    then                           the pairing whose next battle narrows its mean most

Entries that stand (house bots) do not meet each other: they are there to be measured against.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Container, Iterable, Sequence, Set
from itertools import combinations
from statistics import fmean

from turnwright.tournament.battle_spec import BattleSpec
from turnwright.tournament.pairings import PairingRules, battle_of, participants_of
from turnwright.tournament.played_battle import PlayedBattle
from turnwright.tournament.scores import pairing_shares

__all__ = ["NEWCOMER_BATTLES", "ladder_battles"]

NEWCOMER_BATTLES = 8
"""Battles until an entry is a newcomer no more."""
_PRIOR_BATTLES = 4
"""Battles that the mean variance of all pairings counts as in the variance of one."""
_PRIOR_VARIANCE = 0.02
"""The variance of a share before anything is known."""


def ladder_battles(
    entries: Sequence[str],
    standing: Set[str],
    rules: PairingRules,
    played: Iterable[PlayedBattle],
    waiting: Iterable[BattleSpec],
    known: Container[str],
    count: int,
) -> list[BattleSpec]:
    """Return the next battles of two entries, none if nobody can meet.

    entries: ids. standing: those that do not meet each other. waiting: battles that were handed out and have
    no result yet. known: ids of battles that are not to be given again. count: of battles, at most.
    """
    pairs = [tuple(sorted(pair)) for pair in combinations(entries, 2) if not set(pair) <= standing]
    if not pairs:
        return []
    played = list(played)
    met = Counter(participants_of(one.spec) for one in played if one.counts)
    met.update(participants_of(one) for one in waiting)
    chosen: list[BattleSpec] = []
    fought = Counter[str]()
    for group, times in met.items():
        for entry in group:
            fought[entry] += times
    gains = _Gains(pairs, played)
    taken: set[str] = set()
    while len(chosen) < count:
        pair = _newcomers_pair(entries, standing, pairs, fought, met) or max(
            pairs, key=lambda one: (gains.of(one, met[one]), _mark(*one, str(met[one])))
        )
        spec = _unknown(pair, rules, known, taken)
        chosen.append(spec)
        taken.add(spec.id)
        met[pair] += 1
        fought.update(pair)
    return chosen


def _newcomers_pair(
    entries: Sequence[str],
    standing: Set[str],
    pairs: Sequence[tuple[str, ...]],
    fought: Counter[str],
    met: Counter[tuple[str, ...]],
) -> tuple[str, ...] | None:
    """Return the pair in which the newest entry meets whom it met least, or None: nobody is new."""
    new = [one for one in entries if one not in standing and fought[one] < NEWCOMER_BATTLES]
    if not new:
        return None
    newest = min(new, key=lambda one: (fought[one], _mark(one)))
    own = [pair for pair in pairs if newest in pair]
    return min(own, key=lambda pair: (met[pair], _mark(*pair, str(fought[newest]))))


def _unknown(
    pair: tuple[str, ...], rules: PairingRules, known: Container[str], taken: Set[str]
) -> BattleSpec:
    """Return the first battle of a pair that was not given yet."""
    index = 0
    while (spec := battle_of(pair, rules, index)).id in known or spec.id in taken:
        index += 1
    return spec


class _Gains:
    """By how much one more battle narrows the mean of a pairing."""

    def __init__(self, pairs: Sequence[tuple[str, ...]], played: Sequence[PlayedBattle]) -> None:
        shares = pairing_shares(played)
        self._squares = {}
        for pair in pairs:
            values = [one[pair[0]] for one in shares.get(pair, ())]
            mean = fmean(values) if values else 0.0
            self._squares[pair] = sum((value - mean) ** 2 for value in values), len(values)
        squares = sum(total for total, _ in self._squares.values())
        freedom = sum(max(0, number - 1) for _, number in self._squares.values())
        self._usual = (squares + _PRIOR_VARIANCE) / (freedom + 1)

    def of(self, pair: tuple[str, ...], battles: int) -> float:
        """Return the gain.

        battles: that this pair has already, those without a result included.
        """
        total, number = self._squares[pair]
        variance = (total + _PRIOR_BATTLES * self._usual) / (max(0, number - 1) + _PRIOR_BATTLES)
        return float("inf") if battles == 0 else variance / (battles * (battles + 1))


def _mark(*texts: str) -> str:
    """Return what orders equals as if drawn, the same every time."""
    return hashlib.blake2b("/".join(texts).encode(), digest_size=8).hexdigest()
