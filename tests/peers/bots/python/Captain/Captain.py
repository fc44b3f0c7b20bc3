"""Leads the squad: scans, and tells its teammates where the enemy is."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "deps"))

from peerlog import Logged, log
from robocode_tank_royale.bot_api import Bot
from squadtalk import Order, Sighting


class Captain(Logged, Bot):
    def run(self) -> None:
        self.broadcast_team_message(Order("advance"))
        while self.running:
            self.set_turn_radar_right(45)
            self.set_forward(60)
            self.set_turn_left(10)
            self.go()

    def on_scanned_bot(self, event) -> None:
        if self.is_teammate(event.scanned_bot_id):
            return
        sighting = Sighting(event.x, event.y, event.turn_number)
        for mate in sorted(self.teammate_ids):
            self.send_team_message(mate, sighting)

    def on_bot_death(self, event) -> None:
        if self.is_teammate(event.victim_id):
            log("mate_died", id=event.victim_id)
            self.broadcast_team_message(Order("spread"))


if __name__ == "__main__":
    Captain().start()
