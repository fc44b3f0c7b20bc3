"""A droid: has no radar, goes and shoots where its captain says."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "deps"))

from peerlog import Logged, log
from robocode_tank_royale.bot_api import Bot, DroidABC
from squadtalk import Order, Sighting


class Follower(Logged, Bot, DroidABC):
    heard = 0

    def run(self) -> None:
        self.heard = 0
        while self.running:
            self.go()

    def on_team_message(self, event) -> None:
        if not self.heard:
            log("heard", sender=event.sender_id, what=type(event.message).__name__)
        self.heard += 1
        if isinstance(event.message, Order):
            self.set_turn_left(30 if event.message.text == "advance" else -30)
        elif isinstance(event.message, Sighting):
            self.set_turn_gun_left(self.gun_bearing_to(event.message.x, event.message.y))
            self.set_forward(20)
            if abs(self.gun_turn_remaining) < 15:
                self.set_fire(2)


if __name__ == "__main__":
    Follower().start()
