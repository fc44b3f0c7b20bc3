"""Follows the walls with its gun inwards. Blocking calls, also inside event handlers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "deps"))

from peerlog import Logged
from robocode_tank_royale.bot_api import Bot


class Borderer(Logged, Bot):
    def run(self) -> None:
        side = max(self.arena_width, self.arena_height)
        self.turn_left(-(self.direction % 90))
        self.forward(side)
        self.turn_gun_left(90)
        self.turn_left(90)
        while self.running:
            self.forward(side)
            self.turn_left(90)

    def on_scanned_bot(self, event) -> None:
        self.fire(1.5)

    def on_hit_bot(self, event) -> None:
        if abs(self.bearing_to(event.x, event.y)) < 90:
            self.back(80)
        else:
            self.forward(80)


if __name__ == "__main__":
    Borderer().start()
