"""Turns its radar until it sees a tank, then drives at the tank and fires. Uses setters and go()."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "deps"))

from peerlog import Logged
from robocode_tank_royale.bot_api import Bot, Color


class Sweeper(Logged, Bot):
    def run(self) -> None:
        self.body_color = Color.from_rgb(0x20, 0x60, 0xA0)
        self.adjust_gun_for_body_turn = True
        self.adjust_radar_for_gun_turn = True
        while self.running:
            if self.radar_turn_remaining == 0:
                self.set_turn_radar_right(360)
            self.set_forward(30)
            self.go()

    def on_scanned_bot(self, event) -> None:
        self.set_turn_radar_left(2 * self.radar_bearing_to(event.x, event.y))
        self.set_turn_left(self.bearing_to(event.x, event.y))
        self.set_turn_gun_left(self.gun_bearing_to(event.x, event.y))
        if abs(self.gun_turn_remaining) < 5:
            self.set_fire(3 if self.energy > 20 else 1)

    def on_hit_wall(self, event) -> None:
        self.set_back(60)


if __name__ == "__main__":
    Sweeper().start()
