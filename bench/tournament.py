"""Measures how many duels per hour one core plays and verifies, or the cost of choosing battles.

A duel has 10 rounds between two built-in bots. The bench plays and records it, and then verifies the record.

With --bots, the results are random numbers, and no battle is played. The bench measures two steps in each
format and in a ladder for a class: choosing the next eight battles, and computing all standings. Both times
include adding eight results. All times are processor times.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import combinations, cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rig import parser

if TYPE_CHECKING:
    from turnwright_league.tournament.battle_spec import BattleSpec
    from turnwright_league.tournament.ledger import ResultLedger
    from turnwright_league.tournament.pairings import PairingRules
    from turnwright_league.tournament.played_battle import PlayedBattle

BOTS = ("Spinner", "Rammer", "Tracker", "Crawler", "Dodger")
ROUNDS = 10
REPEATS = 31
SHAPES: tuple[tuple[str, dict[str, Any], int, str], ...] = (
    ("round-robin", {"battles": 2}, 39_000, ""),
    ("round-robin, two battles more", {"battles": 4}, 79_000, ""),
    ("round-robin --until-ci", {"battles": 2}, 40_000, "until_ci"),
    ("gauntlet", {"format": "gauntlet", "battles": 200}, 30_000, ""),
    ("swiss", {"format": "swiss", "battles": 20}, 800, ""),
    ("ladder", {"format": "ladder"}, 2_000, ""),
    ("ladder", {"format": "ladder"}, 40_000, ""),
    ("knockout", {"format": "knockout", "battles": 20}, 800, ""),
    *(
        ("melee of ten", {"format": "melee", "seats": 10}, battles, "")
        for battles in (100, 500, 2_000, 16_000)
    ),
    ("melee of ten --until-ci", {"format": "melee", "seats": 10}, 2_000, "until_ci"),
    ("ladder for a class", {}, 2_000, "class"),
    ("ladder for a class", {}, 40_000, "class"),
)
"""The measured tournaments: name, rules, number of battles before, and kind."""


def main() -> None:
    """Measure and print."""
    words = parser(__doc__)
    words.add_argument("--battles", type=int, default=20, help="duels to play")
    words.add_argument("--interpreted", action="store_true", help="play with interpreted rules")
    words.add_argument("--bots", type=int, help="measure tournaments of so many bots instead")
    given = words.parse_args()
    if given.bots:
        choosing(given.bots)
        return
    if given.interpreted:
        sys.modules["turnwright_tank.backends._rules"] = None  # type: ignore[assignment]  # not built
    from turnwright import run_battle
    from turnwright.app.verify import verify_file

    pairs = list(islice(cycle(combinations(BOTS, 2)), given.battles))
    run_battle(*pairs[0], game_type="1v1", rounds=1)  # loads all modules
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
        f" {turns / number:.0f} turns each: {1000 * played / number:.0f} ms to play,"
        f" {1000 * verified / number:.0f} ms to verify;"
        f" {3600 * number / (played + verified):,.0f} verified duels"
        f" per hour and core, {3600 * number / played:,.0f} played"
    )


def choosing(bots: int) -> None:
    """Measure the cost of eight more results in tournaments of each format, and print it."""
    from turnwright.net.gc_pause import GcPause
    from turnwright_league.app.ladder.ladder import LadderBattles
    from turnwright_league.app.next_battles import BattlePlan
    from turnwright_league.tournament.entries import TournamentEntry
    from turnwright_league.tournament.ledger import ResultLedger
    from turnwright_league.tournament.pairings import PairingRules

    entries = [TournamentEntry(f"Bot{n:03}", "1", "bot", str(n)) for n in range(bots)]
    rules = PairingRules("snake", 7, '{"rounds":10}', seed=1)
    for text, changes, already, kind in SHAPES:
        shape, ledger, known = replace(rules, **changes), ResultLedger(entries), set[str]()
        if kind == "class":
            of_class = LadderBattles(ledger, frozenset(), shape)
            draw = partial(of_class.next, known)
        else:
            until_ci = 0.1 if kind == "until_ci" else None
            plan = BattlePlan(entries, shape, ledger, until_ci=until_ci, endless=until_ci is None)
            draw = partial(plan.next, known, busy=False)
        with GcPause():  # as in a run
            measure(text, ledger, shape, known, draw, already)


def measure(
    text: str,
    ledger: ResultLedger,
    rules: PairingRules,
    known: set[str],
    draw: Callable[[int], list[BattleSpec]],
    already: int,
) -> None:
    """Add random results to `ledger` and `known`, measure the cost of eight more, and print it.

    Args:
        draw: returns the next battles. Its argument is their number.
        already: the number of battles before.
    """
    from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle
    from turnwright_league.tournament.standings import ledger_standings

    rng = random.Random(1)
    strength = {entry.id: rng.gauss(100, 30) for entry in ledger.entries}

    def play(specs: list[BattleSpec]) -> list[PlayedBattle]:
        played = []
        for spec in specs:
            luck = random.Random(spec.seed)
            by_seed = {one: strength[one] + luck.gauss(0, 15) for one in sorted(spec.seats)}
            rows = [
                EntryScore(n, one, max(0.0, rng.gauss(by_seed[one], 20))) for n, one in enumerate(spec.seats)
            ]
            played.append(PlayedBattle(spec, "ok", tuple(rows)))
        return played

    def add(played: list[PlayedBattle]) -> None:
        for one in played:
            ledger.add(one)
            known.add(one.id)

    while len(known) < already and (specs := draw(min(400, already - len(known)))):
        add(play(specs))
    draw(8)
    ledger_standings(ledger, rules)
    costs: dict[str, list[float]] = {"next 8": [], "standings": []}
    works: dict[str, Callable[[], object]] = {
        "next 8": lambda: draw(8),
        "standings": lambda: ledger_standings(ledger, rules),
    }
    for what, work in islice(cycle(works.items()), 2 * REPEATS):
        ledger_standings(ledger, rules)
        played = play(draw(8))
        began = time.process_time()
        add(played)
        work()
        costs[what].append(1000 * (time.process_time() - began))
    found = "; ".join(
        f"{what} {sorted(ms)[REPEATS // 2]:.1f} ms (at most {max(ms):.1f})" for what, ms in costs.items()
    )
    print(f"{text}, {already:,} battles: {found}", flush=True)


if __name__ == "__main__":
    main()
