"""The sequential test of `compare`: is NEW better than OLD?

A block is ten rounds of NEW and ten of OLD. Its value is a difference in points of score share:

    NEW against OLD          100 × share of NEW − 50
    both against opponents   the mean over opponents of 100 × (share of NEW − share of OLD), in battles of
                             the same seeds and seats

If OLD and NEW both failed in a battle, each has half of the points. A program that failed against an opponent
has none.

Blocks have different seeds, so they are independent. Single rounds are too skewed for the test. After ten
blocks, and after each later one, with n blocks, mean m and variance s² (enlarged by (t/z)², because it is
estimated):

    interval   m ± (x / 2 + s² · ln(2 / α) / (n · x)),   α = 0.03

The interval contains each difference d that two sequential probability ratio tests, of d against d + x and
against d − x, have not rejected (Wald's bound, so it remains valid when it is looked at after every block).
It decides the verdict:

    better          the interval is above 0
    worse           the interval is below 0
    no difference   the interval is within −x … +x, and there are 15 · ln(2 / α) / x blocks. If total
                    losses in a few rounds cost x points on average, about six of them have occurred by then
    undecided       there are no more blocks

The first verdict is final. α is below 0.05 because scores are skewed. bench/tournament_statistics.py measures
the error rates.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist, fmean
from typing import Literal

from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.intervals import t_quantile
from turnwright_league.tournament.pairings import PairingRules, battle_seed
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.scores import battle_shares

BLOCK_ROUNDS = 10
"""The rounds of a block. With single rounds the test makes errors, because their scores are skewed."""
BLOCKS_MIN = 10
"""The blocks before the first verdict, so that the variance is known."""
BLOCKS_MAX = 1_000
"""The blocks after which a comparison is undecided."""
MARGIN_POINTS = 2.0
"""The difference in points of score share that matters."""
_ALPHA = 0.03
_RARE_POINTS = 150.0
"""One and a half times the largest effect of one round. It must be excluded before "no difference"."""

ComparisonVerdict = Literal["better", "worse", "no difference", "undecided"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The state of a comparison of NEW with OLD.

    Attributes:
        difference: the share of NEW minus the share of OLD, in points of score share. None without a block.
        low, high: the 95 % interval of the difference, which is valid after any block. None while the
            interval is wider than the range of differences.
        margin: the difference that matters.
        blocks: the number of used blocks.
        decided: whether the verdict is final.
    """

    verdict: ComparisonVerdict
    difference: float | None
    low: float | None
    high: float | None
    blocks: int
    margin: float
    decided: bool

    def to_line(self) -> str:
        """Return the verdict as a line for people."""
        said = self.verdict
        if said == "no difference":
            said = f"no difference above {self.margin:g} points"  # type: ignore[assignment]  # a text to print
        if self.difference is None or self.low is None or self.high is None:
            return f"{said}: {self.blocks} blocks"
        where = f"{self.difference:+.1f} points ({self.low:+.1f} … {self.high:+.1f})"
        return f"{said}: {where}, {self.blocks} blocks of {BLOCK_ROUNDS} rounds"


def sequential_verdict(
    values: Sequence[float],
    margin: float = MARGIN_POINTS,
    *,
    blocks_max: int = BLOCKS_MAX,
    largest: float = 50.0,
) -> Comparison:
    """Return the first verdict on a sequence of blocks, or "undecided" after the last block.

    Args:
        values: the values of the blocks in points, in the order of their indexes.
        blocks_max: the number of blocks after which "undecided" is final.
        largest: the largest possible value, which bounds the interval: 50 if NEW plays OLD, and 100 against
            opponents.

    Raises:
        ValueError: the margin is not above 0.
    """
    if margin <= 0:
        raise ValueError(f"a margin above 0 points, got {margin:g}")
    mean, squares, half = 0.0, 0.0, math.inf
    for count, value in enumerate(values[:blocks_max], 1):
        before = mean
        mean += (value - mean) / count
        squares += (value - before) * (value - mean)
        if count < 2:
            continue
        half = _half_width(squares / (count - 1), count, margin)
        verdict = _verdict(mean - half, mean + half, count, margin)
        if verdict != "undecided" and count >= BLOCKS_MIN:
            return Comparison(verdict, mean, *_ends(mean, half, largest), count, margin, True)
    count = min(len(values), blocks_max)
    ends, decided = _ends(mean, half, largest), count >= max(2, blocks_max)
    return Comparison("undecided", mean if count else None, *ends, count, margin, decided)


def _ends(mean: float, half: float, largest: float) -> tuple[float | None, float | None]:
    """Return the ends of an interval within the possible values, or None if it contains all of them."""
    if half >= largest:
        return None, None
    return max(-largest, mean - half), min(largest, mean + half)


def block_battles(
    old: str, new: str, rules: PairingRules, index: int, against: Sequence[str] = (), battles: int = 1
) -> list[BattleSpec]:
    """Return the battles of one block. Seats are exchanged from battle to battle.

    Args:
        index: the number of the block, from 0.
        against: the opponents. Without opponents, NEW plays OLD.
        battles: the battles of each pairing in a block. It is one if a battle has BLOCK_ROUNDS rounds, and
            BLOCK_ROUNDS if it has one round.
    """
    specs = []
    for number in range(index * battles, (index + 1) * battles):
        for opponent in against or (old,):
            seed = battle_seed(rules.seed, "compare", [opponent], number)
            for entry in (new, old) if against else (new,):
                seats = (entry, opponent) if number % 2 == 0 else (opponent, entry)
                places = tuple(seat for one in seats for seat in [one] * rules.members.get(one, 1))
                specs.append(BattleSpec(rules.game, rules.behaviour, rules.settings, places, seed))
    return specs


def block_values(
    old: str,
    new: str,
    rules: PairingRules,
    played: Iterable[PlayedBattle],
    against: Sequence[str] = (),
    battles: int = 1,
) -> list[float]:
    """Return the values of all blocks up to the first incomplete one.

    A block with a void or suspect battle is left out. Other battles are ignored.
    """
    known = {battle.id: battle for battle in played}
    values = []
    for index in range(BLOCKS_MAX):
        specs = block_battles(old, new, rules, index, against, battles)
        found = [known.get(spec.id) for spec in specs]
        if not all(found):
            break
        block = [battle for battle in found if battle and battle.counts]
        if len(block) == len(specs):
            values.append(_value(old, new, block, bool(against)))
    return values


def compared_shares(old: str, new: str, battle: PlayedBattle) -> dict[str, float]:
    """Return the share of points of each entry, 0 to 1, by id.

    If OLD and NEW both failed against each other, each has half.
    """
    shares = battle_shares(battle)
    return {old: 0.5, new: 0.5} if shares.keys() == {old, new} and not any(shares.values()) else shares


def _value(old: str, new: str, block: Sequence[PlayedBattle], against: bool) -> float:
    def mean(entry: str) -> float:
        return 100 * fmean(compared_shares(old, new, one)[entry] for one in block if entry in one.spec.seats)

    return mean(new) - (mean(old) if against else 50)


def _half_width(variance: float, count: int, margin: float) -> float:
    return margin / 2 + _enlarged(count) * variance * math.log(2 / _ALPHA) / (count * margin)


@lru_cache(maxsize=BLOCKS_MAX)
def _enlarged(count: int) -> float:
    """Return (t / z)², the factor by which a variance may exceed its estimate from this many blocks."""
    tail = 1 - _ALPHA / 4
    return (t_quantile(tail, count - 1) / NormalDist().inv_cdf(tail)) ** 2


def _verdict(low: float, high: float, count: int, margin: float) -> ComparisonVerdict:
    if low > 0:
        return "better"
    if high < 0:
        return "worse"
    seen = count * BLOCK_ROUNDS * margin >= _RARE_POINTS * math.log(2 / _ALPHA)
    return "no difference" if -margin <= low and high <= margin and seen else "undecided"
