"""Dice bots that report which process plays which battle, for tests of kept processes."""

from __future__ import annotations

import json
from pathlib import Path

from packages.core.tests.app.bots import write_bot

_BEGIN = """\
import json, os, sys, time
from pathlib import Path
from turnwright.client import FunctionSession, converse
from turnwright.wire.generic_protocol import GenericIntent, encode_generic

TOLD = Path(__file__).with_name(".told")

class Session(FunctionSession):
    battle = 0

    def __init__(self):
        name, version = os.environ["BOT_NAME"], os.environ["BOT_VERSION"]
        super().__init__(self.step, name, os.environ["SERVER_SECRET"], version)

    def receive(self, data):
        kind = json.loads(data)["type"]
        replies = super().receive(data)
        if kind == "ready":
            self.battle += 1
            with TOLD.open("a") as file:
                print(json.dumps([os.getpid(), self.battle, os.environ["BOT_SEED"]]), file=file)
        return self.also(kind, replies)

    def also(self, kind, replies):
        return replies

    def step(self, observation):
        return 2

"""
_END = """
converse(Session(), os.environ["SERVER_URL"])
"""
CRASHES = """
    def step(self, observation):
        if self.battle == 2 and observation["turn"] == 1:
            raise RuntimeError("it cannot play a second battle")
        return 2
"""
SEES = """
    def step(self, observation):
        return self.battle
"""
"""Bids the number of battles that its process has begun, so its score shows whether the process is kept."""
LEAKS = """
    def step(self, observation):
        self.held = bytearray(200 << 20)
        return 2
"""
LEAVES = """
    def also(self, kind, replies):
        if kind == "result":
            os._exit(0)
        return replies
"""
SILENT = """
    def also(self, kind, replies):
        return [] if kind == "ready" and self.battle == 2 else replies
"""
LEFTOVER = """
    def also(self, kind, replies):
        if kind == "ready" and self.battle > 1:
            before, after = GenericIntent(intent=9), GenericIntent(intent=9, turn=3)
            return [encode_generic(before), *replies, encode_generic(after)]
        return replies
"""
"""When the next battle begins, first sends an intent for the previous battle."""
OWES = """
    def step(self, observation):
        if observation["turn"] == 2:
            time.sleep(0.2)
        return 2
"""
"""Answers the last turn too late, after the end of the battle."""
SLEEPS = "import time\\ntime.sleep(600)\\n"


def write_telling_bot(folder: Path, name: str, more: str = "", *, fresh: bool = False) -> Path:
    """Write a bot directory, and return it. `told` returns the battles that its processes played.

    Args:
        more: methods of its session.
        fresh: whether its JSON file demands a new process for each battle.
    """
    place = write_bot(folder, name, _BEGIN + more + _END)
    if fresh:
        file = place / f"{name}.json"
        file.write_text(json.dumps({**json.loads(file.read_text()), "fresh": True}))
    return place


def told(place: Path) -> list[tuple[int, int, str]]:
    """Return, for each battle that a bot began: its process, the battle of that process, its BOT_SEED."""
    lines = (place / ".told").read_text().splitlines()
    return [(pid, battle, seed) for pid, battle, seed in map(json.loads, lines)]
