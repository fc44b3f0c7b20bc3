"""Duels of built-in bots, recorded and verified, per hour and core, of 10 rounds. Also the cost of choosing.

    python bench/tournament.py [--battles N] [--interpreted]
    python bench/tournament.py --bots 200

With --bots nothing is played: results are drawn, two of each pairing, then four. It measures what eight more
results cost: the next eight battles by --until-ci, by the list and of a ladder, and the standings.
With four battles of a pairing each result changes how alike the two battles of a seed are, and with it every
interval. It counts processor time, so a busy machine changes little.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import combinations, cycle, islice
from pathlib import Path

BOTS = ("Spinner", "Rammer", "Tracker", "Crawler", "Dodger")
ROUNDS = 10


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--battles", type=int, default=20)
    parser.add_argument("--interpreted", action="store_true")
    parser.add_argument("--bots", type=int)
    given = parser.parse_args()
    if given.bots:
        for battles in (2, 4):
            choosing(given.bots, battles)
        return
    if given.interpreted:
        sys.modules["turnwright_tank.backends._rules"] = None  # type: ignore[assignment]  # not built
    from turnwright import run_battle
    from turnwright.app.verify import verify_file

    pairs = list(islice(cycle(combinations(BOTS, 2)), given.battles))
    run_battle(*pairs[0], game_type="1v1", rounds=1)  # loads all that is needed
    played = verified = 0.0
    turns = 0
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "duel.twr"
        for seed, pair in enumerate(pairs):
            began = time.process_time()
            result = run_battle(*pair, game_type="1v1", rounds=ROUNDS, seed=seed, record=record)
            middle = time.process_time()
            found = verify_file(record)
            assert found.found is not None
            assert found.found.digest == result.digest
            played += middle - began
            verified += time.process_time() - middle
            turns += result.turns
    number = len(pairs)
    print(
        f"{'interpreted' if given.interpreted else 'compiled'}: {number} duels of {ROUNDS} rounds,"
        f" {turns / number:.0f} turns each; {1000 * played / number:.0f} ms to play,"
        f" {1000 * verified / number:.0f} ms to verify:"
        f" {3600 * number / (played + verified):,.0f} verified duels"
        f" an hour and core, {3600 * number / played:,.0f} played"
    )


def choosing(bots: int, battles: int) -> None:
    """Measure what eight more results cost in a round-robin of drawn results, and print it.

    Args:
        battles: the battles of each pairing.
    """
    from turnwright_league.app.ladder.ladder import LadderBattles
    from turnwright_league.app.next_battles import BattlePlan
    from turnwright_league.tournament.battle_spec import BattleSpec
    from turnwright_league.tournament.entries import TournamentEntry
    from turnwright_league.tournament.ledger import ResultLedger
    from turnwright_league.tournament.pairings import PairingRules
    from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle
    from turnwright_league.tournament.rounds import battles_of
    from turnwright_league.tournament.standings import ledger_standings

    rng = random.Random(1)
    entries = [TournamentEntry(f"Bot{n:03}", "1", "bot", str(n)) for n in range(bots)]
    strength = {entry.id: rng.gauss(100, 30) for entry in entries}
    rules = PairingRules("snake", 7, '{"rounds":10}', seed=1, battles=battles)

    def play(spec: BattleSpec) -> PlayedBattle:
        luck = random.Random(spec.seed)
        by_seed = {one: strength[one] + luck.gauss(0, 15) for one in sorted(spec.seats)}
        rows = [EntryScore(n, one, max(0.0, rng.gauss(by_seed[one], 20))) for n, one in enumerate(spec.seats)]
        return PlayedBattle(spec, "ok", tuple(rows))

    def timed(what: str, work: Callable[[], object], times: int = 1) -> None:
        costs = []
        for _ in range(times):
            began = time.process_time()
            work()
            costs.append(1000 * (time.process_time() - began))
        print(f"{what}: {sorted(costs)[len(costs) // 2]:,.1f} ms (most: {max(costs):,.1f})")

    specs = battles_of(entries, rules)
    played = [play(spec) for spec in specs[:-500]]
    print(f"{bots} bots, {len(played):,} battles played of {len(specs):,}")
    ledger = ResultLedger(entries)
    known = {one.id for one in played}
    timed("all results added", lambda: deque(map(ledger.add, played), 0))
    listed, narrow = BattlePlan(entries, rules, ledger), BattlePlan(entries, rules, ledger, until_ci=0.5)
    timed("first choice by the list, which skips all that were played", lambda: listed.next(known, 8, False))
    timed("first choice by --until-ci", lambda: narrow.next(known, 8, False))
    ladder = LadderBattles(ledger, frozenset(), rules)
    timed("first choice of the ladder", lambda: ladder.next(known, 8))
    timed("first standings", lambda: ledger_standings(ledger, rules))
    waiting = iter(specs[-500:])

    def after_results(work: Callable[[], object]) -> None:
        for spec in islice(waiting, 8):
            ledger.add(play(spec))
            known.add(spec.id)
        work()

    choices: tuple[tuple[str, Callable[[], object]], ...] = (
        ("8 results, next 8 by the list", lambda: listed.next(known, 8, False)),
        ("8 results, next 8 by --until-ci", lambda: narrow.next(known, 8, False)),
        ("8 results, next 8 of the ladder", lambda: ladder.next(known, 8)),
        ("8 results, standings", lambda: ledger_standings(ledger, rules)),
    )
    for what, work in choices:
        timed(what, partial(after_results, work), 15)


if __name__ == "__main__":
    main()
