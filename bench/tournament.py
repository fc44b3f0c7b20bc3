"""House duels of 10 rounds, played with a record and verified, per hour and core.

    python bench/tournament.py [--battles N] [--interpreted]

It counts processor time, so a busy machine changes little.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from itertools import combinations, cycle, islice
from pathlib import Path

HOUSE = ("Spinner", "Rammer", "Tracker", "Crawler", "Dodger")
ROUNDS = 10


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--battles", type=int, default=20)
    parser.add_argument("--interpreted", action="store_true")
    given = parser.parse_args()
    if given.interpreted:
        sys.modules["turnwright.games.tank.backends._rules"] = None  # type: ignore[assignment]  # not built
    from turnwright import run_battle
    from turnwright.app.verify import verify_file

    pairs = list(islice(cycle(combinations(HOUSE, 2)), given.battles))
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


if __name__ == "__main__":
    main()
