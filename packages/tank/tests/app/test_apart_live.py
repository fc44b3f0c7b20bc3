"""Real servers whose battles wait for no spectator: spectators change no decision."""

from __future__ import annotations

import json
import random
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from packages.core.tests.net.bot_directories import make_bot
from packages.tank.tests.app.hiccuping_bot import PROGRAM
from tests.parts import few
from turnwright.app.battle import run
from turnwright.app.watch import Watching
from turnwright.net.files.reader import read_record
from turnwright_tank.app.options import TankOptions

pytestmark = [pytest.mark.process, pytest.mark.long, pytest.mark.quiet]

TIMEOUT_S = 0.2
DELAYS_S = (0.04, 0.3, 0.5, 0.9)
"""Up to nearly five timeouts, each far from the end of a deadline or of a hold; bots never delay together."""
OURS = """
import time
from turnwright_tank.bots import Bot

class Ours(Bot):
    version, authors, ticks = "1.0", ("a",), 0

    def on_tick(self, seen):
        self.ticks += 1
        time.sleep({delays!r}.get(self.ticks, 0.0))
        self.turn_rate = 5

if __name__ == "__main__":
    Ours.main()
"""
SPECTATORS = 4
SPEEDS = (-1, 0, 1, 10, 30, 999)
CHARGE = ("PauseGame", "ResumeGame", "NextTurn", "ChangeTps")


def facts(record: Path) -> list[Any]:
    return [(one.turn, one.intents, one.skipped, one.gone, one.digest) for one in read_record(record).turns]


def _watch(url: str, code: str, seed: int, over: threading.Event) -> None:
    """Watch as an operator or at an own pace, and stop reading now and then."""
    rng = random.Random(f"watching/{seed}")
    with connect(url, compression=None, max_size=None) as socket:
        hello = json.loads(socket.recv())
        role = {"type": "ControllerHandshake", "code": code} if code else {"type": "ObserverHandshake"}
        own_pace = {} if code else {"history": 1}
        fields = {"sessionId": hello["sessionId"], "name": "eye", "version": "1", "turnwright": 1}
        socket.send(json.dumps({**role, **fields, **own_pace}))
        try:
            while not over.is_set():
                if code:
                    kind = rng.choice(CHARGE)
                    tps = {"tps": rng.choice(SPEEDS)} if kind == "ChangeTps" else {}
                    socket.send(json.dumps({"type": kind, **tps}))
                until = time.monotonic() + rng.uniform(0, 0.3)
                while (left := until - time.monotonic()) > 0:
                    try:
                        socket.recv(timeout=left)
                    except TimeoutError:
                        break
                over.wait(rng.uniform(0, 0.3))
        except ConnectionClosed:
            pass


def played(root: Path, seed: int, *, watched: bool) -> list[Any]:
    root.mkdir()
    rng = random.Random(f"delays/{seed}")
    ticks = [
        [20 * n + 10 * bot + rng.randrange(4) for n in (1, 2, 3)] for bot in range(2)
    ]  # not both at once
    delays = [{tick: rng.choice(DELAYS_S) for tick in own} for own in ticks]
    official = PROGRAM.format(hiccups=delays[0], needs_s=0.0, in_order=True)
    bots = (
        make_bot(root, "Prompt", {"Prompt.py": official}),
        make_bot(root, "Ours", {"Ours.py": OURS.format(delays=delays[1])}),
    )
    over = threading.Event()
    threads: list[threading.Thread] = []

    def on_page(page: str) -> float:
        address, _, code = page.replace("http://", "ws://").partition("#code=")
        for number in range(SPECTATORS if watched else 0):
            asked = address, "" if number else code, 10 * seed + number, over
            threads.append(threading.Thread(target=_watch, args=asked, daemon=True))
            threads[-1].start()
        return 5.0 if watched else 0.0

    options = TankOptions(
        bots=bots, rounds=1, seed=seed, record=root / "b.twr", turn_timeout_us=round(TIMEOUT_S * 1e6),
        pacing="apart", tps=30, python=sys.executable, max_inactivity_turns=100, max_skipped=0,
    )  # fmt: skip
    try:
        run(options, watching=Watching(on_page))
    finally:
        over.set()
        for thread in threads:
            thread.join(10)
    return facts(root / "b.twr")


@pytest.mark.parametrize("seed", few(range(20), 4, 4))
def test_no_spectator_changes_inputs_skips_or_digests(seed: int, tmp_path: Path) -> None:
    alone = played(tmp_path / "alone", seed, watched=False)
    assert len(alone) > 80
    assert any(skipped for _, _, skipped, *_ in alone) or seed % 2, "seldom are all delays short"
    assert played(tmp_path / "watched", seed, watched=True) == alone
