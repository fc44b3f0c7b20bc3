"""Counts how often the statistics of a tournament are wrong.

First, every two of five built-in bots, and each bot against itself, play rounds (about two minutes). The
bench then makes battles of ten rounds by drawing from the played rounds at random. So it knows the true
average percentage of score (APS) of each bot.

    intervals   how many of the 95 % intervals contain the true APS: ours, and those of LiteRumble's formula,
                1.96 · sqrt(sum of var / n) / pairings
    until       the same if a tournament ends as soon as all intervals are narrow enough (--until-ci), with a
                tenth of the runs
    compare     how many verdicts are wrong: "better" or "worse" for equal bots, and "no difference" or the
                wrong bot for bots that differ by two points; also the average number of rounds
"""

from __future__ import annotations

import itertools
import json
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean, pstdev

from rig import parser

from turnwright import run_battle
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.intervals import mean_interval, sample_variance
from turnwright_league.tournament.ledger import ResultLedger
from turnwright_league.tournament.narrowing import NarrowingBattles
from turnwright_league.tournament.pairings import PairingRules
from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle
from turnwright_league.tournament.sequential import BLOCK_ROUNDS, MARGIN_POINTS, sequential_verdict
from turnwright_league.tournament.standings import standings_of

BOTS = ("Crawler", "Rammer", "Spinner", "Tracker", "Dodger")
POOL = 20_000
"""The number of battles drawn for each pairing. Their mean is the true value."""
VERDICTS = ("better", "worse", "no diff.", "undecided")
Round = tuple[float, float]
Pair = tuple[str, str]


def played_rounds(count: int) -> dict[Pair, list[Round]]:
    """Return the scores of rounds between every two bots, and of each bot against itself."""
    rounds: dict[Pair, list[Round]] = {}
    for pair in itertools.combinations_with_replacement(BOTS, 2):
        names = pair if pair[0] != pair[1] else (pair[0], f"{pair[1]} (2)")
        rounds[pair] = []
        for seed in range(count):
            result = run_battle(*pair, rounds=1, seed=seed, game_type="1v1")
            scores = {row.name: float(row.total_score) for row in result.results}
            rounds[pair].append((scores[names[0]], scores[names[1]]))
    return rounds


def rounds_of(file: Path | None, count: int) -> dict[Pair, list[Round]]:
    """Return the rounds of a file. Without it, play them, and write them to the file if it has a name."""
    if file and file.exists():
        kept = json.loads(file.read_text("utf-8"))
        return {(a, b): [(x, y) for x, y in scores] for a, b, scores in kept}
    rounds = played_rounds(count)
    if file:
        file.write_text(json.dumps([[*pair, scores] for pair, scores in rounds.items()]), "utf-8")
    return rounds


def battle_share(rng: random.Random, rounds: Sequence[Round], exchange: float = 0.0) -> float:
    """Return the first bot's share, 0 to 1, of a battle of rounds that are drawn at random.

    Args:
        exchange: the share of rounds whose scores are swapped.
    """
    mine = theirs = 0.0
    for _ in range(BLOCK_ROUNDS):
        a, b = rng.choice(rounds)
        if exchange and rng.random() < exchange:
            a, b = b, a
        mine += a
        theirs += b
    return mine / (mine + theirs) if mine + theirs else 0.5


def pool(rounds: Sequence[Round], exchange: float = 0.0) -> list[float]:
    rng = random.Random(17)
    return [battle_share(rng, rounds, exchange) for _ in range(POOL)]


# ---- intervals ---------------------------------------------------------------------------------------------


def lite_rumble(samples: Sequence[Sequence[float]]) -> tuple[float, float]:
    width = 1.96 * math.sqrt(sum(sample_variance(one) / len(one) for one in samples)) / len(samples)
    mean = fmean(map(fmean, samples))
    return mean - width, mean + width


def coverage(pools: dict[Pair, list[float]], battles: int, runs: int) -> tuple[float, float, float]:
    """Return the percentages of our and LiteRumble's intervals that contain the true APS, and our half width.

    With one battle for each pairing, LiteRumble has no intervals, and its percentage is 0.
    """
    rng = random.Random(battles)
    truth = {pair: fmean(shares) for pair, shares in pools.items()}
    ours, theirs, widths = [], [], []
    for _ in range(runs):
        drawn = {pair: rng.choices(shares, k=battles) for pair, shares in pools.items()}
        for bot in BOTS:
            mine = [pair for pair in pools if bot in pair]
            samples = [[x if pair[0] == bot else 1 - x for x in drawn[pair]] for pair in mine]
            true = fmean(truth[pair] if pair[0] == bot else 1 - truth[pair] for pair in mine)
            found = mean_interval(samples)
            assert found
            assert found.low is not None
            assert found.high is not None
            ours.append(found.low <= true <= found.high)
            widths.append(100 * found.half_width)
            low, high = lite_rumble(samples) if battles > 1 else (math.nan, math.nan)
            theirs.append(low <= true <= high)
    return 100 * fmean(ours), 100 * fmean(theirs), fmean(widths)


def until_narrow(pools: dict[Pair, list[float]], points: float, runs: int) -> tuple[float, float]:
    """Return the percentage of intervals that contain the true APS, and the mean number of battles.

    Args:
        points: the half width at which a tournament ends.
    """
    entries = [TournamentEntry(bot, "", "house", bot) for bot in BOTS]
    names = {entry.id: entry.name for entry in entries}
    truth = {bot: true_aps(pools, bot) for bot in BOTS}
    held, battles = [], 0
    for seed in range(runs):
        rng, rules = random.Random(seed), PairingRules("tank", 1, "{}", seed=seed)
        played: dict[str, PlayedBattle] = {}
        while due := NarrowingBattles(entries, rules, ResultLedger(entries, played.values()), points).next(
            played, 8
        ):
            for spec in due:
                first, second = (names[one] for one in spec.seats)
                swap = (first, second) not in pools
                share = rng.choice(pools[(second, first) if swap else (first, second)])
                shares = (1 - share, share) if swap else (share, 1 - share)
                rows = (EntryScore(0, spec.seats[0], shares[0]), EntryScore(1, spec.seats[1], shares[1]))
                played[spec.id] = PlayedBattle(spec, "ok", rows)
        battles += len(played)
        for row in standings_of(entries, played.values(), None).rows:
            assert row.aps_low is not None
            assert row.aps_high is not None
            held.append(row.aps_low <= truth[row.name] <= row.aps_high)
    return 100 * fmean(held), battles / runs


def true_aps(pools: dict[Pair, list[float]], bot: str) -> float:
    means = {pair: fmean(shares) for pair, shares in pools.items() if bot in pair}
    return 100 * fmean(mean if pair[0] == bot else 1 - mean for pair, mean in means.items())


# ---- compare -----------------------------------------------------------------------------------------------


def compared(name: str, draw: Callable[[random.Random], float], runs: int) -> tuple[Counter[str], float]:
    """Return the number of each verdict, and the average number of rounds."""
    rng = random.Random(name)
    verdicts: Counter[str] = Counter()
    blocks = 0
    for _ in range(runs):
        values: list[float] = []
        while True:
            values += [draw(rng) for _ in range(max(20, len(values)))]
            found = sequential_verdict(values)
            if found.decided:
                break
        verdicts[found.verdict] += 1
        blocks += found.blocks
    return verdicts, blocks * BLOCK_ROUNDS / runs


def exchanged_for(rounds: Sequence[Round], begin: float, points: float) -> float:
    """Return the share of rounds to swap so that the score moves by some points, compared with `begin`."""
    start = fmean(pool(rounds, begin))
    sign = 1 if fmean(pool(rounds, 1.0)) > start else -1
    low, high = begin, 1.0
    for _ in range(12):
        middle = (low + high) / 2
        if sign * 100 * (fmean(pool(rounds, middle)) - start) < points:
            low = middle
        else:
            high = middle
    return (low + high) / 2


Scenario = tuple[str, Callable[[random.Random], float], float]
"""Name, the value of a random block, and the true difference in points."""


def with_margin(name: str, mine: Sequence[float], theirs: Sequence[float]) -> Scenario:
    """Return a scenario with the difference of two pools, shifted so that it is exactly the margin."""
    truth = 100 * (fmean(mine) - fmean(theirs))
    wanted = math.copysign(MARGIN_POINTS, truth)
    return name, lambda rng: 100 * (rng.choice(mine) - rng.choice(theirs)) + wanted - truth, wanted


def scenarios(rounds: dict[Pair, list[Round]]) -> list[Scenario]:
    found: list[Scenario] = []
    pools = {pair: pool(scores) for pair, scores in rounds.items() if pair[0] != pair[1]}

    def beside(a: Sequence[float], b: Sequence[float], more: float) -> Callable[[random.Random], float]:
        return lambda rng: 100 * (rng.choice(a) - rng.choice(b)) + more

    def direct(a: Sequence[float]) -> Callable[[random.Random], float]:
        return lambda rng: 100 * rng.choice(a) - 50

    def all_four(bot: str, more: float) -> Callable[[random.Random], float]:
        mine = [shares for pair, shares in pools.items() if bot in pair]
        return lambda rng: 100 * fmean(rng.choice(one) - rng.choice(one) for one in mine) + more

    for bot in BOTS:
        found.append((f"{bot}, against the four others", all_four(bot, 0.0), 0.0))
        found.append((f"{bot}, against the four others, all +2", all_four(bot, 2.0), 2.0))
    for (a, b), shares in pools.items():
        found.append((f"{a}, against {b}", beside(shares, shares, 0.0), 0.0))
        found.append((f"{a}, against {b}, all +2", beside(shares, shares, 2.0), 2.0))
        other = pool(rounds[a, b], exchanged_for(rounds[a, b], 0.0, MARGIN_POINTS))
        found.append(with_margin(f"{a}, against {b}, some rounds swapped", other, shares))
    for bot in BOTS:
        even = pool(rounds[bot, bot], 0.5)
        found.append((f"{bot} and {bot} in one battle", direct([*even, *(1 - x for x in even)]), 0.0))
        odd = pool(rounds[bot, bot], exchanged_for(rounds[bot, bot], 0.5, MARGIN_POINTS))
        if abs(fmean(odd) - 0.5) > 0.015:
            found.append(with_margin(f"{bot} and another {bot} in one battle", odd, [0.5]))
    return found


def main() -> None:
    words = parser(__doc__)
    words.add_argument("--rounds", type=int, default=120, help="rounds of each pairing")
    words.add_argument("--runs", type=int, default=2000, help="simulated tournaments")
    words.add_argument("--file", type=Path, help="read the played rounds from this file, or write them to it")
    given = words.parse_args()
    begun = time.monotonic()
    rounds = rounds_of(given.file, given.rounds)
    print(f"rounds: {sum(map(len, rounds.values()))}, after {time.monotonic() - begun:.0f} s")
    pools = {pair: pool(scores) for pair, scores in rounds.items() if pair[0] != pair[1]}
    for (a, b), shares in pools.items():
        singles = [x / (x + y) if x + y else 0.5 for x, y in rounds[a, b]]
        spreads = f"sd of a round {pstdev(singles):.3f}, of a battle {pstdev(shares):.3f}"
        print(f"  {a:8}{b:8} share {fmean(singles):.3f}, {spreads}")
    print(f"\n{'battles per pairing':20}{'ours %':>10}{'LiteRumble %':>14}{'ours ± points':>15}")
    for battles in (1, 2, 3, 6):
        ours, theirs, width = coverage(pools, battles, given.runs)
        told = "-" if battles < 2 else f"{theirs:.1f}"
        print(f"{battles:<20}{ours:>10.1f}{told:>14}{width:>15.2f}", flush=True)
    print(f"\n{'until all are within':24}{'ours %':>8}{'battles':>10}")
    for points in (2.0, 1.0):
        held, battles_played = until_narrow(pools, points, max(1, given.runs // 10))
        print(f"± {points:<22g}{held:>8.1f}{battles_played:>10.0f}", flush=True)
    heads = "".join(f"{one:>10}" for one in (*VERDICTS, "wrong %", "rounds"))
    print(f"\n{'compare':50}{'true':>6}{heads}")
    for name, draw, truth in scenarios(rounds):
        verdicts, mean_rounds = compared(name, draw, given.runs)
        right = "no difference" if truth == 0 else ("better" if truth > 0 else "worse")
        wrong = 100 * (given.runs - verdicts[right] - verdicts["undecided"]) / given.runs
        counts = "".join(f"{verdicts[one]:>10}" for one in ("better", "worse", "no difference", "undecided"))
        print(f"{name:50}{truth:>6.1f}{counts}{wrong:>10.1f}{mean_rounds:>10.0f}", flush=True)
    print(f"{time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
