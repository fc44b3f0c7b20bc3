"""Turns, and fails after turn 20 as PEER_FAILS says: raises, exits or hangs."""

import os
import time

from robocode_tank_royale.bot_api import Bot

HOW = os.environ["PEER_FAILS"]


class Failing(Bot):
    def run(self) -> None:
        while self.running:
            self.turn_left(10)
            if self.turn_number > 20:
                self.fail()

    def fail(self) -> None:
        if HOW == "exits":
            print("I am leaving", flush=True)
            os._exit(7)
        if HOW == "hangs":
            time.sleep(3600)
        raise ZeroDivisionError("division by zero")


if __name__ == "__main__":
    Failing().start()
