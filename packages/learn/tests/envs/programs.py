"""Bot directories that play in an environment as programs: tanks and snakes, some of them faulty."""

from __future__ import annotations

from pathlib import Path

from packages.core.tests.net.bot_directories import make_bot
from packages.core.tests.net.processes.alive import is_alive

_TELL = """\
from pathlib import Path
import os, sys, time
with Path(".pids").open("a") as file:
    print(os.getpid(), file=file)
"""
_TANK = """
from turnwright_tank.bots import Bot

class {name}(Bot):
    turns = 0

    def on_tick(self, observation):
        self.turns += 1
        self.turn_rate, self.target_speed = 5, 4
        {does}

{name}.main()
"""
_SNAKE = """
from turnwright.client import play

turns = 0

def move(observation):
    global turns
    turns += 1
    {does}
    return ["up", "left", "down", "right"][turns // 3 % 4]

{start}
play(move)
"""


def tank_program(folder: Path, name: str, does: str = "pass") -> Path:
    """Write a tank that drives in circles.

    Args:
        does: a statement, in each turn.
    """
    return make_bot(folder, name, {f"{name}.py": _TELL + _TANK.format(name=name, does=does)})


def snake_program(folder: Path, name: str, does: str = "pass", start: str = "") -> Path:
    """Write a snake that goes round.

    Args:
        does: a statement that runs in each turn.
        start: a statement that runs before it connects.
    """
    return make_bot(folder, name, {f"{name}.py": _TELL + _SNAKE.format(does=does, start=start)})


def pids(bot: Path) -> list[int]:
    """Return the process id of each start of a bot, or [] if it was never started."""
    file = bot / ".pids"
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def left_over(*bots: Path) -> list[int]:
    """Return the ids of the processes of bots that still run."""
    return [pid for bot in bots for pid in pids(bot) if is_alive(pid)]
