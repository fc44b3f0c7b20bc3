"""A bot that crashes in its third turn, as its program."""

CRASHES = """
from turnwright_tank.bots import Bot

class Mine(Bot):
    version = "1"
    authors = ("Ann",)
    turn = 0
    def on_tick(self, observation):
        self.turn += 1
        if self.turn == 3:
            print("about to fail")
            1 / 0

if __name__ == "__main__":
    Mine.main()
"""
