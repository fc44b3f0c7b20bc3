"""Needs PEER_THINKS_S (s) for every turn, and PEER_HICCUP_S once, in turn 10 of each round."""

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "deps"))

from peerlog import Logged
from robocode_tank_royale.bot_api import Bot

THINKS_S, HICCUP_S = (float(os.environ.get(name, "0")) for name in ("PEER_THINKS_S", "PEER_HICCUP_S"))


class Laggard(Logged, Bot):
    def run(self) -> None:
        while self.running:
            time.sleep(THINKS_S + HICCUP_S * (self.turn_number == 10))
            self.set_turn_left(5)
            self.go()


if __name__ == "__main__":
    Laggard().start()
