"""Games and bots that are quick to play, for the tests of tournaments."""

from __future__ import annotations

import json
from pathlib import Path

_GAME = '''\
"""Each seat bids in three turns; a bid scores itself and a random number."""

from dataclasses import dataclass
from typing import Final

from turnwright.kernel.game import Game, Outcome, PerSeat


@dataclass
class Bids:
    taken: PerSeat[float]
    turns: Final[int]
    turn: int = 0


class Dice(Game[Bids, int]):
    name, defaults = "dice", {"turns": 3}
    read_intent = staticmethod(int)

    def setup(self, settings, seats, streams):
        return Bids([0.0] * len(seats), settings["turns"])

    def asked(self, state):
        return list(range(len(state.taken)))

    def observe(self, state, seat):
        return {"turn": state.turn, "seat": seat}

    def resolve(self, state, intents, streams):
        state.turn += 1
        for seat, bid in intents.items():
            bid = min(max(bid or 0, 0), 9)
            state.taken[seat] += bid + streams.stream("dice", state.turn * 64 + seat).below(6)
        return []

    def outcome(self, state):
        return Outcome(tuple(state.taken)) if state.turn >= state.turns else None
'''
_BOTS = '''\
import os
import time
from pathlib import Path

def low(observation):
    return 1

def high(observation):
    return 5

def middle(observation):
    return 3

def mortal(observation):
    """Kills its process as often as there are files to delete."""
    for file in sorted(Path(__file__).with_name("deaths").glob("*")):
        try:
            file.unlink()
        except FileNotFoundError:  # another worker was quicker
            continue
        os.kill(os.getpid(), 9)
    return 2

def asleep(observation):
    """Tells its process in the file $DICE_ASLEEP, and never answers."""
    Path(os.environ["DICE_ASLEEP"]).write_text(f"{os.getpid()}\\n")
    time.sleep(600)

BOTS = {"Low": low, "High": high, "Middle": middle, "Mortal": mortal, "Asleep": asleep}
'''
PLAYS = "from turnwright.client import play\n\nplay(lambda observation: 2)\n"
"""The program of a bot that plays dice."""
_TANK = """
from turnwright_tank.bots import Bot

class Circling(Bot):
    def on_tick(self, observation):
        self.turn_rate, self.target_speed = 5, 6

    def on_scanned_bot(self, event):
        self.fire(1)

Circling.main()
"""


def dice_game(place: Path, deaths: int = 0) -> str:
    """Write the folder of a game, and return its path. It has the bots Low, High, Middle, Mortal and Asleep.

    Args:
        deaths: how often Mortal kills its process.
    """
    (place / "deaths").mkdir(parents=True)
    (place / "game.py").write_text(_GAME)
    (place / "bots.py").write_text(_BOTS)
    for number in range(deaths):
        (place / "deaths" / str(number)).touch()
    return str(place)


def write_bot(folder: Path, name: str, program: str = PLAYS, version: str = "1.0", called: str = "") -> Path:
    """Write a bot directory with a JSON file and a Python program, and return it.

    Args:
        called: the name in the JSON file. "" means the name of the directory.
    """
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    data = {"name": called or name, "version": version, "authors": ["A"]}
    (place / f"{name}.json").write_text(json.dumps(data))
    (place / f"{name}.py").write_text(program)
    return place


def write_team(folder: Path, name: str, members: int) -> Path:
    """Write a team of several copies of one tank and that tank, and return the directory of the tank."""
    (folder / name).mkdir()
    team = {"name": name, "version": "1.0", "authors": ["A"], "teamMembers": [f"{name}Member"] * members}
    (folder / name / f"{name}.json").write_text(json.dumps(team))
    return write_bot(folder, f"{name}Member", _TANK)
