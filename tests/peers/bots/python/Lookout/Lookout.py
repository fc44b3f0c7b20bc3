"""Stops and resumes, waits for conditions, has a custom event, and prints."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "deps"))

from peerlog import Logged, log
from robocode_tank_royale.bot_api import Bot
from robocode_tank_royale.bot_api.events import Condition


class Lookout(Logged, Bot):
    alarm = 80.0

    def run(self) -> None:
        self.alarm = 80.0
        print(f"round {self.round_number}: looking out")
        self.add_custom_event(Condition("hurt", lambda: self.energy < self.alarm))
        while self.running:
            self.set_forward(150)
            self.set_turn_left(60)
            self.wait_for(lambda: self.distance_remaining == 0)
            self.turn_gun_right(180)
            self.set_back(150)
            self.wait_for(lambda: self.distance_remaining == 0)
            self.turn_gun_right(180)

    def on_scanned_bot(self, event) -> None:
        self.stop()
        self.fire(2)
        self.rescan()
        self.resume()

    def on_custom_event(self, event) -> None:
        if event.condition.name == "hurt":
            print(f"hurt: {self.energy:.1f}")
            log("custom", turn=self.turn_number)
            self.alarm -= 15


if __name__ == "__main__":
    Lookout().start()
