"""Write digests.json again (`make golden`); review the difference.

A new behaviour version also leaves its first records in records/; older ones do not change.
"""

from __future__ import annotations

import json
import sys

from packages.tank.tests.golden.battles import GOLDEN, digests_of, golden_battles
from packages.tank.tests.golden.recorded import write_corpus
from turnwright_tank.game import TankGame


def main() -> int:
    """Play every golden battle with the interpreted rules, and write the digests and missing records."""
    game = TankGame("interpreted")
    battles = {golden.name: digests_of(golden, game) for golden in golden_battles()}
    content = {"behaviour_version": game.behaviour_version, "battles": battles}
    GOLDEN.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"{GOLDEN}: {len(battles)} battles, {sum(b['turns'] for b in battles.values())} turns")
    if written_now := write_corpus():
        print(f"{written_now[0].parent}: {len(written_now)} new records")
    return 0


if __name__ == "__main__":
    sys.exit(main())
