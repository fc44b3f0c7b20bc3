"""Write digests.json anew, with the interpreted rules (`make golden`); review the difference."""

from __future__ import annotations

import json
import sys

from golden.battles import GOLDEN, digests_of, golden_battles
from turnwright.games.tank.game import TankGame

__all__ = ["main"]


def main() -> int:
    """Play every golden battle and write what came out."""
    game = TankGame("python")
    battles = {golden.name: digests_of(golden, game) for golden in golden_battles()}
    content = {"behaviour_version": game.behaviour_version, "battles": battles}
    GOLDEN.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"{GOLDEN}: {len(battles)} battles, {sum(b['turns'] for b in battles.values())} turns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
